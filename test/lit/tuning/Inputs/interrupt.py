"""Runs a command, and sends SIGINT when it says that a trial begins.

    interrupt.py TRIAL COMMAND...

Its stderr goes to stderr, and its status is printed.
"""

import signal
import subprocess
import sys

with subprocess.Popen(sys.argv[2:], stderr=subprocess.PIPE,
                      text=True) as process:
    for line in process.stderr:
        sys.stderr.write(line)
        if f" trial {sys.argv[1]}:" in line:
            process.send_signal(signal.SIGINT)
print("status", process.returncode)
