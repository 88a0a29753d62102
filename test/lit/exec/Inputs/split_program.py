"""Distribute the functions of a C program in one text over several files, which
are linked as if it had been written so: what was static is not.
"""

import re


def items(text):
    """Declarations and definitions at file scope, with what is before them."""
    found, start, depth, is_function = [], 0, 0, False
    for at, char in enumerate(text):
        if char == "{":
            if depth == 0:
                is_function = text[start:at].rstrip().endswith(")")
            depth += 1
        elif char == "}":
            depth -= 1
        if depth == 0 and (char == ";" or (char == "}" and is_function)):
            found.append(text[start:at + 1])
            start, is_function = at + 1, False
    return found


def without_static(head):
    return re.sub(r"(^|\s)static\s", r"\1", head)


def declaration(item):
    """Of a variable that another file defines."""
    plain = without_static(item).strip()
    if re.match(r"(struct\s+\w+|enum)\s*\{", plain):
        return f"\n{plain}"
    return f"\nextern {plain.split('=')[0].rstrip(' ;')};"


def split(text, r, parts=2):
    """The texts of so many files; "r" chooses where each function is."""
    files = [""] * parts
    text = re.sub(r"(?m)^(#include.*)$", "", text.replace("\r", ""))
    heads = "\n".join(("stdio", "stdlib", "string", "setjmp", "stdarg"))
    heads = re.sub(r"(?m)^(.*)$", r"#include <\1.h>", heads)
    for item in items(text):
        body = re.search(r"\)\s*\{", item)
        if item.endswith("}") and body:
            home = r.randrange(parts)
            head = without_static(item[:body.start() + 1])
            for number in range(parts):
                files[number] += (head + item[body.start() + 1:]
                                  if number == home else f"{head};")
        else:
            is_call = re.search(r"\)\s*;$", item) and "=" not in item and \
                "(*" not in item
            for number in range(parts):
                files[number] += without_static(item) \
                    if number == 0 or is_call else declaration(item)
    return [f"{heads}\n{text}\n" for text in files]
