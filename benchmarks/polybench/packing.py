"""Puts scripts beside built programs, in a folder for another machine."""

import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TESTS = HERE.parents[1] / "test" / "programs"

LIMIT = 40 << 20  # bytes
SCRIPTS = (HERE / "driver.py", HERE / "kernels.py", HERE / "expectations.py",
           HERE / "programs.py", HERE / "counts.py", HERE / "counts.csv",
           TESTS / "run.py", TESTS / "expected.py")


def begin(folder):
    """Makes the folder, unless it is there already; True if it did."""
    if folder.exists():
        print(f"{folder} exists", file=sys.stderr)
        return False
    (folder / "lib").mkdir(parents=True)
    (folder / "programs").mkdir()
    return True


def finish(folder, run, scripts=()):
    """Adds the driver, further scripts and the text of "run"; the exit
    status, 1 if the folder is too large."""
    for script in (*SCRIPTS, *scripts):
        shutil.copy(script, folder / "lib")
    (folder / "run").write_text(run)
    (folder / "run").chmod(0o755)
    size = sum(path.stat().st_size for path in folder.rglob("*"))
    print(f"{folder}: {size / (1 << 20):.1f} MiB")
    if size > LIMIT:
        print("that is more than 40 MiB: choose fewer programs",
              file=sys.stderr)
        return 1
    return 0
