"""What ends polygpu report: one sentence that names the file and what is expected.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""


class Failure(Exception):
    """Of an input; its text is for the user."""


def read_text(path):
    """A file's text; bytes that are no UTF-8 are replaced."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise Failure(f"{path}: it cannot be read "
                      f"({error.strerror or error})") from error
