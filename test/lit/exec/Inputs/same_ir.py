"""same_ir.py A B: succeeds if two .ll files are equal but for the first line,
which names the file, and the comments that list predecessors."""
import re
import sys
from pathlib import Path

a, b = (re.sub(r"; preds = .*", "", Path(name).read_text().split("\n", 1)[1])
        for name in sys.argv[1:])
sys.exit(a != b)
