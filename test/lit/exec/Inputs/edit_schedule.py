"""Edit a saved schedule: edit_schedule.py FILE FROM TO [FROM TO]...

Prints the file with each TO in the place of its FROM, which must be there
exactly once, so that an edit that does not apply any more is an error.
"""

import sys

text = open(sys.argv[1], encoding="utf-8").read()
for old, new in zip(sys.argv[2::2], sys.argv[3::2]):
    if text.count(old) != 1:
        sys.exit(f"{old!r} is there {text.count(old)} times in {text!r}")
    text = text.replace(old, new)
sys.stdout.write(text)
