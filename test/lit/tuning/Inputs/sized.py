"""Records for some sizes, of what -gpu-save-tuning wrote.

    sized.py LOG FUNCTION AFTER WORDS...    a record for that function's loops,
                                            "@n" being the number of parameter n
    sized.py LOG FUNCTION                   its variants: condition, kernels
    sized.py LOG FUNCTION misfits           conditions that were not taken
"""

import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as log:
    entries = [json.loads(line) for line in log]
one = next(entry for entry in entries
           if entry.get("function") == sys.argv[2])
if len(sys.argv) == 3:
    for variant in one["variants"]:
        print(variant["when"], variant["choice"], *(
            f"{kernel['name']} {kernel['block']}"
            for kernel in variant["kernels"]))
elif sys.argv[3] == "misfits":
    for entry in entries:
        if entry["scop"] == one["scop"] and "when" in entry:
            print(f"{entry['when']}: {entry['misfit']}")
else:
    words = re.sub(r"@(\w+)", lambda found:
                   f"p{one['parameters'].index(found[1])}",
                   " ".join(sys.argv[4:]))
    print(f"scop={one['scop']} arch={one['arch']} by=time before=2 "
          f"after={sys.argv[3]} {words}")
