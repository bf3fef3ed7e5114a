/* Certificates as files: they read back bit for bit, and what is wrong in one is said in a line that names
 * it. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/certificate/certificate_make.h"
#include "scenes/hash.h"

static const char pair_text[] = "{\"gjkbench\": 1, \"dim\": 3, \"shapes\": [{\"kind\": \"ellipsoid\", "
                                "\"semi_axes\": [1, 0.1, 0.7]}, {\"kind\": \"box\", "
                                "\"half_extents\": [0.3, 1, 2], \"radius\": 0.01}], \"bodies\": [{\"shape\": "
                                "0, \"pose\": {\"x\": 0, \"y\": 0, \"z\": 0}}, "
                                "{\"shape\": 1, \"pose\": {\"x\": 0.4, \"y\": 0.3, \"z\": 0.1, \"qx\": 0.5, "
                                "\"qy\": 0.5, \"qz\": 0.5, \"qw\": 0.5}}], "
                                "\"pairs\": [[0, 1]]}";

static gjb_scene *scene_of(const char *text)
{
    gjb_error error = {{0}};
    gjb_scene *scene = gjb_scene_parse(text, strlen(text), "test", &error);
    cr_assert(scene, "%s", error.text);
    return scene;
}

/* The text of a certificate of the pair above, with all parts. */
static char *whole_text(ref_certificate_file *file)
{
    gjb_pair_space space = {0};
    gjb_pair pair;
    *file = (ref_certificate_file){.scene = scene_of(pair_text), .by = "test", .about = "all parts"};
    cr_assert(!gjb_scene_pair(file->scene, 0, 0, &space, &pair));
    ref_certificate *c = &file->certificate;
    ref_certificate_open(c);
    ref_certificate_prove(&pair, &(ref_evidence){0}, c);
    ref_certificate_claim(&pair, c);
    c->has_witness = true;
    c->witness[0][0] = 0.1;
    c->off = 2;
    gjb_pair_space_free(&space);
    char *text = ref_certificate_text(file);
    cr_assert(text);
    return text;
}

Test(certificate_file, reads_back_bit_for_bit)
{
    ref_certificate_file file, back;
    gjb_error error = {{0}};
    gjb_pair_space space = {0};
    gjb_pair pair;
    ref_certified verdict;
    char *text = whole_text(&file);
    cr_assert(!ref_certificate_parse(text, strlen(text), "test", &back, &error), "%s", error.text);
    const ref_certificate *c = &file.certificate, *d = &back.certificate;
    cr_expect(c->face_count > 0 && c->inner_count[0] > 0 && c->points[1].count > 0);
    cr_expect(c->lo == d->lo && c->hi == d->hi && c->sign == d->sign && c->off == d->off);
    cr_expect(!memcmp(c->direction, d->direction, sizeof c->direction));
    cr_expect(!memcmp(c->witness, d->witness, sizeof c->witness));
    cr_expect(c->inner_count[0] == d->inner_count[0] &&
              !memcmp(c->inner[0], d->inner[0], c->inner_count[0] * sizeof *c->inner[0]));
    cr_expect(c->points[1].count == d->points[1].count &&
              !memcmp(c->points[1].weight, d->points[1].weight, c->points[1].count * sizeof(double)));
    cr_expect(c->face_count == d->face_count &&
              !memcmp(c->faces, d->faces, c->face_count * sizeof *c->faces));
    cr_expect(c->vertex_count == d->vertex_count &&
              !memcmp(c->vertices, d->vertices, c->vertex_count * sizeof *c->vertices));
    char *again = ref_certificate_text(&back);
    cr_expect_str_eq(text, again);
    cr_assert(!gjb_scene_pair(back.scene, 0, 0, &space, &pair));
    ref_certificate_check(&pair, d, &verdict);
    cr_expect(verdict.accepted, "%s", verdict.reason);
    free(text);
    free(again);
    gjb_pair_space_free(&space);
    ref_certificate_file_close(&file);
    ref_certificate_file_close(&back);
}

/* What stands in for a part of a plain certificate in 2D, and what is said of it. */
static const char plain_pair[] =
    "{\"gjkbench\": 1, \"shapes\": [{\"kind\": \"box\", \"half_extents\": [1, 1]}], \"bodies\": ["
    "{\"shape\": 0, \"pose\": {\"x\": 0, \"y\": 0}}, {\"shape\": 0, \"pose\": {\"x\": 5, \"y\": 0}}], "
    "\"pairs\": [[0, 1]]}";
static const struct {
    const char *claim, *proof, *says;
} bad[] = {
    {"{\"lo\": 3}", "{\"direction\": [1, 0]}", NULL}, /* this one is fine */
    {"[]", "{}", "claim: an array, wanted an object"},
    {"{\"low\": 3}", "{}", "claim: unknown field 'low'"},
    {"{\"lo\": \"3\"}", "{}", "claim.lo: '3', wanted a number"},
    {"{\"lo\": NaN}", "{}", ":1:"},
    {"{\"lo\": 1e999}", "{}", ":1:"},
    {"{\"is\": \"near\"}", "{}", "claim.is: 'near', wanted apart or overlap"},
    {"{\"witness\": {\"a\": [0, 0], \"b\": [0, 0]}}", "{}", "claim.witness.off: missing, wanted a number"},
    {"{\"witness\": {\"a\": [0, 0, 0], \"b\": [0, 0], \"off\": 0}}", "{}", "claim.witness.a: 3 values"},
    {"{}", "null", "proof: null, wanted an object"},
    {"{}", "{\"axis\": [1, 0]}", "proof: unknown field 'axis'"},
    {"{}", "{\"direction\": [1]}", "proof.direction: 1 values, wanted an array of 2 numbers"},
    {"{}", "{\"direction\": []}", "proof.direction: 0 values"},
    {"{}", "{\"direction\": [1, null]}", "proof.direction[1]: null, wanted a number"},
    {"{}", "{\"points\": {\"a\": {\"index\": [0], \"weight\": [1]}}}",
     "proof.points.b: missing, wanted an object"},
    {"{}", "{\"points\": {\"a\": {\"index\": [], \"weight\": []}}}",
     "proof.points.a.index: 0 given, wanted 1 to 4096"},
    {"{}", "{\"points\": {\"a\": {\"index\": [0, 1], \"weight\": [1]}}}", "proof.points.a.weight: 1 values"},
    {"{}", "{\"points\": {\"a\": {\"index\": [-1], \"weight\": [1]}}}",
     "proof.points.a.index[0]: -1, wanted an index"},
    {"{}", "{\"points\": {\"a\": {\"index\": [0.5], \"weight\": [1]}}}",
     "proof.points.a.index[0]: 0.5, wanted an index"},
    {"{}", "{\"points\": {\"a\": {\"index\": [1e300], \"weight\": [1]}}}",
     "proof.points.a.index[0]: 1e+300, wanted an index"},
    {"{}", "{\"simplex\": []}", "proof.simplex: 0 given, wanted 1 to 3"},
    {"{}", "{\"simplex\": [[0, 0], [0, 0], [0, 0], [0, 0]]}", "proof.simplex: 4 given"},
    {"{}", "{\"simplex\": [[0]]}", "proof.simplex[0]: 1 values, wanted 2 indices"},
    {"{}", "{\"simplex\": 3}", "proof.simplex: 3, wanted an array"},
    {"{}", "{\"inner\": {\"c\": []}}", "proof.inner: unknown field 'c'"},
    {"{}", "{\"inner\": {\"a\": []}}", "proof.inner.a: 0 given"},
    {"{}", "{\"inner\": {\"a\": [[1, 2, 3]]}}", "proof.inner.a[0]: 3 values"},
    {"{}", "{\"polytope\": {\"vertices\": [[0, 0]]}}", "proof.polytope.faces: missing, wanted an array"},
    {"{}", "{\"polytope\": {\"vertices\": [], \"faces\": []}}", "proof.polytope.vertices: 0 given"},
    {"{}", "{\"polytope\": {\"vertices\": [[0, 0]], \"faces\": [[0, 0, 0]]}}",
     "proof.polytope.faces[0]: 3 values"},
    {"{}", "{\"polytope\": {\"vertices\": [[0, \"1\"]], \"faces\": [[0, 0]]}}",
     "proof.polytope.vertices[0][1]: '1'"},
};

Test(certificate_file, what_is_wrong_is_named)
{
    char text[4096];
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        gjb_error error = {{0}};
        ref_certificate_file file;
        snprintf(text, sizeof text,
                 "{\"gjkbench-certificate\": 1, \"pair\": %s, \"claim\": %s, \"proof\": %s}", plain_pair,
                 bad[k].claim, bad[k].proof);
        const int failed = ref_certificate_parse(text, strlen(text), "bad.json", &file, &error);
        cr_expect((failed != 0) == (bad[k].says != NULL), "%s %s: %s", bad[k].claim, bad[k].proof,
                  error.text);
        cr_expect(!bad[k].says ||
                      (strncmp(error.text, "bad.json", 8) == 0 && strstr(error.text, bad[k].says)),
                  "%s %s: '%s', wanted '%s'", bad[k].claim, bad[k].proof, error.text, bad[k].says);
        ref_certificate_file_close(&file);
    }
    static const struct {
        const char *text, *says;
    } whole[] = {
        {"", "bad.json:1:0: "},
        {"[]", "bad.json: an array, wanted an object"},
        {"{\"gjkbench\": 1}", "bad.json:1:14: unknown field 'gjkbench'"},
        {"{\"gjkbench-certificate\": 2}", "gjkbench-certificate: 2, wanted format version 1"},
        {"{\"gjkbench-certificate\": 1}", "pair: missing, wanted a scene"},
        {"{\"gjkbench-certificate\": 1, \"pair\": {}}", "bad.json:1:37: pair: gjkbench: missing"},
        {"{\"gjkbench-certificate\": 1, \"pair\": {\"file\": \"../x\", \"hash\": \"0\"}}",
         "pair.file: '../x', wanted a name"},
        {"{\"gjkbench-certificate\": 1, \"pair\": {\"file\": \"no-such.json\", \"hash\": \"0\"}}",
         "no-such.json"},
        {"{\"gjkbench-certificate\": 1, \"pair\": {\"file\": 3}}", "pair.file: 3, wanted a string"},
        {"{\"gjkbench-certificate\": 1, \"gjkbench-certificate\": 1}", "duplicate"},
    };
    for (size_t k = 0; k < sizeof whole / sizeof *whole; k++) {
        gjb_error error = {{0}};
        ref_certificate_file file;
        cr_expect(ref_certificate_parse(whole[k].text, strlen(whole[k].text), "bad.json", &file, &error));
        cr_expect(strstr(error.text, whole[k].says), "%s: '%s', wanted '%s'", whole[k].text, error.text,
                  whole[k].says);
        ref_certificate_file_close(&file);
    }
}

static void survive(const char *text, size_t size, int *read, int *accepted)
{
    gjb_error error = {{0}};
    ref_certificate_file file;
    if (!ref_certificate_parse(text, size, "spoilt", &file, &error)) {
        gjb_pair_space space = {0};
        gjb_pair pair;
        ref_certified verdict;
        cr_assert(!gjb_scene_pair(file.scene, 0, 0, &space, &pair));
        ref_certificate_check(&pair, &file.certificate, &verdict);
        ++*read;
        *accepted += verdict.accepted;
        gjb_pair_space_free(&space);
    } else {
        cr_expect(error.text[0]);
    }
    ref_certificate_file_close(&file);
}

/* Bytes cut off, and bytes replaced: whatever it says, it is read or refused, and nothing else happens. */
Test(certificate_file, spoilt_bytes, .timeout = 60)
{
    static const char others[] = "0123456789-.,:[]{}\"eE nft\\x\x80";
    static const char deep[] = "{\"gjkbench-certificate\": ";
    char text[4096], *far = malloc(200000);
    int read = 0, accepted = 0;
    uint32_t state = 1;
    snprintf(text, sizeof text,
             "{\"gjkbench-certificate\": 1, \"pair\": %s, \"claim\": {\"lo\": 2.5, \"hi\": 4}, \"proof\": "
             "{\"direction\": [1, 0], "
             "\"points\": {\"a\": {\"index\": [0, 2], \"weight\": [1, 0.5]}, \"b\": {\"index\": [1], "
             "\"weight\": [1]}}, "
             "\"simplex\": [[0, 1]], \"polytope\": {\"vertices\": [[0, 0], [1, 1], [2, 2]], \"faces\": [[0, "
             "1], [1, 2], [2, 0]]}}}",
             plain_pair);
    const size_t size = strlen(text);
    for (size_t cut = 0; cut < size; cut++)
        survive(text, cut, &read, &accepted);
    cr_expect(read == 0);
    for (int k = 0; k < 20000; k++) {
        char spoilt[4096];
        memcpy(spoilt, text, size);
        for (int more = 0; more < 1 + k % 3; more++) {
            state = state * 1664525 + 1013904223;
            spoilt[(state >> 8) % size] = others[(state >> 4) % (sizeof others - 1)];
        }
        survive(spoilt, size, &read, &accepted);
    }
    cr_expect(read > 100 && accepted < read, "%d read, %d accepted", read, accepted);
    cr_assert(far);
    memcpy(far, deep, sizeof deep - 1);
    memset(far + sizeof deep - 1, '[', 200000 - sizeof deep + 1);
    survive(far, 200000, &read, &accepted);
    free(far);
}

/* Saved and loaded; a pair that is named is the one that has the hash, in the same folder. */
Test(certificate_file, saved_and_by_name)
{
    char folder[] = "certificate-XXXXXX", path[64], pair[64], text[1024];
    gjb_error error = {{0}};
    ref_certificate_file file, back;
    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/c.json", folder);
    snprintf(pair, sizeof pair, "%s/pair.json", folder);
    char *whole = whole_text(&file);
    cr_assert(!ref_certificate_save(&file, path, &error) && !ref_certificate_load(path, &back, &error), "%s",
              error.text);
    char *again = ref_certificate_text(&back);
    cr_expect_str_eq(whole, again);
    ref_certificate_file_close(&back);
    const struct {
        const char *pair, *hash, *says;
    } rows[] = {{"pair.json", NULL, NULL},
                {"pair.json", "0123456789abcdef", ": pair.hash: '0123456789abcdef', and pair.json has"},
                {"none.json", "0", "none.json"}};
    cr_assert(!gjb_scene_save_json(file.scene, pair, &error), "%s", error.text);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        FILE *stream = fopen(path, "w");
        char hash[32];
        cr_assert(stream);
        snprintf(hash, sizeof hash, "%016llx", (unsigned long long)gjb_scene_hash(file.scene));
        fprintf(stream,
                "{\"gjkbench-certificate\": 1, \"pair\": {\"file\": \"%s\", \"hash\": \"%s\"}, \"claim\": "
                "{}, \"proof\": {}}",
                rows[k].pair, rows[k].hash ? rows[k].hash : hash);
        fclose(stream);
        error = (gjb_error){{0}};
        const int failed = ref_certificate_load(path, &back, &error);
        cr_expect((failed != 0) == (rows[k].says != NULL) && (!failed || strstr(error.text, rows[k].says)),
                  "row %d: %s", (int)k, error.text);
        ref_certificate_file_close(&back);
    }
    snprintf(text, sizeof text, "%s", plain_pair);
    char *pairs = strstr(text, "[[0, 1]]");
    cr_assert(pairs);
    snprintf(pairs, 64, "[[0, 1], [1, 0]]}");
    char two[2048];
    snprintf(two, sizeof two, "{\"gjkbench-certificate\": 1, \"pair\": %s, \"claim\": {}, \"proof\": {}}",
             text);
    error = (gjb_error){{0}};
    cr_expect(ref_certificate_parse(two, strlen(two), "two.json", &back, &error) &&
                  strstr(error.text, "2 pairs in the first"),
              "%s", error.text);
    ref_certificate_file_close(&back);
    remove(path);
    cr_expect(ref_certificate_load(path, &back, &error));
    ref_certificate_file_close(&back);
    ref_certificate_file_close(&file);
    free(whole);
    free(again);
    remove(pair);
    remove(folder);
}
