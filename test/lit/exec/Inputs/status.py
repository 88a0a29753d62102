"""status.py N COMMAND...: succeeds if the command ends with status N."""
import subprocess
import sys

status = subprocess.run(sys.argv[2:], check=False).returncode
if status != int(sys.argv[1]):
    sys.exit(f"status {status} instead of {sys.argv[1]}")
