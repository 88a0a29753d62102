"""What -gpu-save-tuning wrote.

    records.py LOG                     function, hash, architecture: sorted
    records.py LOG FUNCTION WORDS...   a record for that function's loops
"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as log:
    entries = [json.loads(line) for line in log]
found = [entry for entry in entries if "function" in entry]
if len(sys.argv) == 2:
    for entry in sorted(found, key=lambda entry: entry["function"]):
        print(entry["function"], entry["scop"], entry["arch"])
for entry in found:
    if len(sys.argv) > 2 and entry["function"] == sys.argv[2]:
        print(f"scop={entry['scop']} arch={entry['arch']} by=time before=2 "
              f"after=1 {' '.join(sys.argv[3:])}")
