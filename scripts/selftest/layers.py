"""What looks for faults: a table of commands, by the room that a fault is in.

A layer is a list of steps. A step is a command; it notices by its exit code, by a crash, by using more than the time it is
granted, or by what it says having changed where only answers say it (`compare`). "{seed}" is another number in each round.
"""
PLAIN2 = ("point,circle,segment,capsule,box,rounded-box,polygon3,polygon4,polygon8,polygon16,polygon64,polygon256,"
          "rounded-polygon8,mixed-kinds")
PLAIN3 = ("point,sphere,segment,capsule,triangle,box,rounded-box,hull8,hull16,hull64,hull256,rounded-hull16,mixed-kinds")
STATIC = "intersect,distance,penetration,signed_distance"
SEARCH = ["verify", "--contender", "batch", "--backend", "{widest}", "--threads", "1", "--seed", "{seed}", "--out", "{failures}",
          "--audit", "0"]
OTHERS = ["verify", "--contender", "{contenders}", "--threads", "1", "--seed", "{seed}", "--out", "{failures}", "--audit", "0"]
REFERENCE = ["verify", "--contender", "reference", "--threads", "1", "--seed", "{seed}", "--out", "{failures}"]


class Step:
    """`compare`: None, "fingerprints" or "counts" of the rows of --json; `once`: not again in another round; `of`: files, as
    a regular expression, that it can tell something of."""

    def __init__(self, words, program="{gjkbench}", compare=None, once=False, of=""):
        self.words, self.program, self.compare, self.once, self.of = words, program, compare, once, of


class Layer:
    def __init__(self, name, about, steps, search=False):
        self.name, self.about, self.steps, self.search = name, about, steps, search


# Many pairs of a kind, so that tiles fill, lanes end at different times and what is left of them spills: with a pair of each
# kind and family there is nothing but tails.
FULL = ["--family", "mixed,shallow,near", "--workload", "polygon8,polygon64,rounded-polygon8,hull16,box,rounded-box", "--query",
        STATIC, "--pairs", "3k"]
# Asked for by name, as are manifolds.
HALFSPACE = ["--workload", "halfspace", "--query", STATIC + ",manifold,toi", "--pairs", "500"]
SLICES = [FULL, ["--dim", "2", "--query", STATIC, "--workload", PLAIN2, "--pairs", "3k"],
          ["--dim", "3", "--query", STATIC, "--workload", PLAIN3, "--pairs", "3k"],
          ["--query", "sweep", "--pairs", "2k"],
          ["--query", "toi", "--pairs", "1k"],
          ["--dim", "2", "--query", "intersect,signed_distance", "--workload", "mixed-curved", "--pairs", "500"],
          ["--dim", "3", "--query", "intersect,signed_distance", "--workload", "mixed-curved", "--pairs", "500"],
          HALFSPACE]


def tests(*names, program, of=""):
    return [Step(["--tap=-", "--jobs=1"], program=f"{{build}}/{program}/test-{name}", once=True, of=of) for name in names]


ANSWERS = ["verify", "--contender", "batch", "--answers-only", "--threads", "1", "--seed", "{seed}", "--out", "{failures}"]
BITS = Layer("bits", "the fingerprints of all answers, with the sound kernels' and between backends",
             [Step(ANSWERS + FULL + ["--backend", "{widest}"], compare="fingerprints", once=True),
              Step(ANSWERS + ["--pairs", "1k", "--backend", "{widest}"], compare="fingerprints", once=True),
              Step(ANSWERS + ["--pairs", "1k"], compare="fingerprints", once=True),
              Step(ANSWERS + HALFSPACE, compare="fingerprints", once=True)])
SEARCH_OURS = Layer("search", "verify: random pairs, answers graded by certificates",
                    [Step(SEARCH + words) for words in SLICES], search=True)
WORK = Layer("work", "iterations and fallback answers of fixed pairs, counted",
             [Step(["--tap=-", "--jobs=1", "--filter", "*/take_the_work_that_they_took"], program=f"{{build}}/simd/test-{name}",
                   once=True) for name in ("kernels", "kernels3", "toi3")])
PROPERTIES = Layer("properties", "relations that right answers keep among themselves",
                   [Step(["properties", "--contender", "batch", "--backend", "{widest}", "--pairs", "600", "--seed", "1"], once=True)])
HUNT = Layer("fuzz", "a guided search, no failure made small",
             [Step(["fuzz", "--contender", "batch", "--backend", "{widest}", "--threads", "1", "--pairs", "250", "--seed", "1",
                    "--as-found"], once=True)])
REPLAY = Layer("replay", "known failures, and pairs that were answered wrongly once",
               [Step(["replay", "{source}/data/known-failures", "--contender", "batch", "--backend", "{widest}"], once=True),
                Step(["replay", "{source}/data/regressions", "--contender", "batch", "--backend", "{widest}"], once=True)])
UNIT = Layer("tests", "unit tests of the room",
             tests("step", "step_scene", "step_thin", program="stepping", of="step|sweep") +
             tests("library", "kernels", program="simd", of="^(?!.*(step|toi|sweep|curve|fallback3))") +
             tests("memory", program="stepping", of="^(?!.*(step|toi|sweep|curve|fallback3))") +
             tests("sweep", program="simd", of="sweep|window|context|lanes|answer|run") +
             tests("toi2", program="simd", of="^(?!.*(step|sweep|3[._]|fallback3))") +
             tests("toi3", program="simd", of="^(?!.*(step|sweep|2[._]))") +
             tests("turn", "power", program="simd", of="turn|power|lanes") +
             tests("curved_toi2", "curved2", program="simd", of="^(?!.*(step|sweep|3[._]|fallback3))") +
             tests("kernels3", program="simd", of="^(?!.*(step|sweep|toi|2[._]))") +
             tests("within", program="simd", of="^(?!.*(step|sweep|toi))") +
             tests("leaving", program="simd", of="leaving"))
UNIT_CORE = Layer("tests-above", "tests of rooms above that ask the kernels",
                  tests("coherence", "answers", "answers3", "motion", "toi2", program="contenders") +
                  tests("warm", program="verify"))
SEARCH_REFERENCE = Layer("search", "verify of the reference and of ours, every certificate checked by the exact oracle",
                         [Step(REFERENCE + ["--audit", "1", "--dim", "2", "--query", STATIC, "--pairs", "500", "--workload",
                                            "mixed-kinds,box,polygon8,rounded-polygon8"]),
                          Step(REFERENCE + ["--audit", "1", "--dim", "3", "--query", STATIC, "--pairs", "300", "--workload",
                                            "box,mixed-kinds,hull8"]),
                          Step(REFERENCE + ["--audit", "1", "--query", "sweep,toi", "--pairs", "300", "--workload",
                                            "box,mixed-kinds"]),
                          Step(REFERENCE + ["--audit", "1", "--dim", "2", "--query", "signed_distance", "--pairs", "100",
                                            "--workload", "mixed-curved"]),
                          Step(REFERENCE + ["--audit", "0", "--dim", "3", "--query", "signed_distance", "--pairs", "100",
                                            "--workload", "mixed-curved"])], search=True)
def reference(*names, of=""):
    return [Step(["--tap=-", "--jobs=1"], program=f"{{build}}/reference/tests/test_reference_{name}", once=True, of=of)
            for name in names]


CHECKER = "^certificate_"
UNIT_REFERENCE = Layer("tests", "unit tests of the room",
                       reference("certificate", "certificate_file", "certificate_spoilt", of=CHECKER) +
                       reference("certificates", "certificates3", of="^certificates") +
                       reference("sweep", of="^sweep") +
                       reference("trace", of="^(gjk|epa)") +
                       reference("methods", "methods3", "closed_forms", "closed_forms3", "oracle", "oracle3", "sweep", "trace",
                                 "motion", "curved_support", "curved", "motion_curved", "certificates", "certificates3",
                                 of="^(?!certificate_)"))
COUNTS = Layer("counts", "how often each library is wrong, on the same pairs: neither more nor less than recorded",
               [Step(OTHERS + words, compare="counts") for words in
                [["--query", STATIC, "--dim", "2", "--pairs", "500", "--workload", "box,polygon8,mixed-kinds"],
                 ["--query", STATIC, "--dim", "3", "--pairs", "500", "--workload", "box,hull16,mixed-kinds"],
                 ["--query", "toi,sweep", "--pairs", "200", "--workload", "box,mixed-kinds,polygon8,hull16"]]], search=True)
UNIT_GRADING = Layer("tests", "unit tests of grading, and of the rooms that grade",
                     tests("grade", "grade-motion", "grade-within", "grade-leaving", program="grading") +
                     tests("verify", "known-failures", "metrics", "audit", program="verify") +
                     [Step(["{source}/data/wrong-answers"], program="{build}/verify/test-wrong-answers", once=True)])
UNIT_CONTENDERS = Layer("tests", "unit tests of the room",
                        tests("answers", "answers3", "motion", "sweep", "box2d", "toi2", "curved3", "harness", "hull_faces",
                              "isolated", "textbook", program="contenders"))

# In order of cost: a fault is looked for until one notices.
ROOMS = {"simd": [BITS, SEARCH_OURS, WORK, UNIT, UNIT_CORE, REPLAY, PROPERTIES, HUNT],
         "stepping": [BITS, UNIT],
         "core": [BITS, SEARCH_OURS, REPLAY, UNIT],
         "scenes": [BITS, SEARCH_OURS, REPLAY, UNIT],
         "reference": [UNIT_REFERENCE, SEARCH_REFERENCE, COUNTS],
         "grading": [COUNTS, SEARCH_REFERENCE, UNIT_GRADING],
         "verify": [COUNTS, SEARCH_REFERENCE, UNIT_GRADING],
         "fuzz": [COUNTS, SEARCH_REFERENCE, UNIT_GRADING],
         "contenders": [COUNTS, SEARCH_OURS, UNIT_CONTENDERS]}
