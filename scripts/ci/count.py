"""Prints "PASSED FAILED SKIPPED" of a meson testlog.json (one object a line)."""
import json
import os
import sys

passed = failed = skipped = 0
if os.path.exists(sys.argv[1]):
    with open(sys.argv[1], encoding="utf-8", errors="replace") as log:
        for line in log:
            result = json.loads(line)["result"]
            if result in ("OK", "EXPECTEDFAIL"):
                passed += 1
            elif result in ("SKIP", "IGNORED"):
                skipped += 1
            else:
                failed += 1
print(passed, failed, skipped)
