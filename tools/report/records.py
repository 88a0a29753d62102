"""LLVM's optimisation records, and what PolyGPU's remarks in them say of nests.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import re
from collections import namedtuple

from failure import Failure, read_text

PASS = "gpu-polyhedral"
HOW = ("make one with -fsave-optimization-record "
       f"-foptimization-record-passes={PASS}")
KINDS = ("Passed", "Missed", "Analysis")

# args: pairs of a key and a text, in their order; keys come several times.
Remark = namedtuple("Remark", "kind name file line column function args")


def yaml_library():
    try:
        import yaml
    except ImportError as error:
        raise Failure(
            "the Python module yaml is missing, which reads optimisation "
            "records; install Debian's python3-yaml, or PyYAML by "
            "python3 -m pip install pyyaml") from error
    return yaml


def fields_of(remark, yaml):
    """A function that makes the fields of a document's node; tags say kinds."""
    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        pass
    # All scalars stay text: a variable may be called "no" or "1e3".
    Loader.yaml_implicit_resolvers = {}
    for kind in KINDS:
        Loader.add_constructor("!" + kind, lambda loader, node, kind=kind: (
            kind, loader.construct_mapping(node, deep=True)))
    # Kinds of other passes' remarks (AnalysisAliasing, Failure).
    Loader.add_multi_constructor("!", lambda loader, tag, node: (
        tag, loader.construct_mapping(node, deep=True)
        if isinstance(node, yaml.MappingNode) else {}))
    return yaml.load(remark, Loader)


def remark_of(document, yaml):
    """A remark of a document's text."""
    loaded = fields_of(document, yaml)
    if not isinstance(loaded, tuple) or not isinstance(loaded[1], dict):
        raise ValueError("a document is no remark")
    kind, fields = loaded
    place = fields.get("DebugLoc") or {}
    args = []
    for arg in fields.get("Args") or []:
        for key, value in arg.items():
            if key != "DebugLoc":
                args.append((key, value if isinstance(value, str) else ""))
    return Remark(kind, fields.get("Name", ""), place.get("File", ""),
                  int(place.get("Line", 0)), int(place.get("Column", 0)),
                  fields.get("Function", ""), args)


def remarks_of(path):
    """PolyGPU's remarks in a file.

    A record has those of all passes, of which LLVM writes each as a document
    that begins with "--- !"; only ours are given to the YAML library, which is
    slow.
    """
    yaml = yaml_library()
    text = read_text(path)
    if text.startswith("RMRK"):
        raise Failure(f"{path}: this is a record in LLVM's bitstream form; "
                      f"expected is YAML; {HOW}")
    if text.strip() and not text.lstrip().startswith("--- !"):
        raise Failure(f"{path}: this is no optimisation record of LLVM, which "
                      f"begins with '--- !'; {HOW}")
    found, line = [], 1
    for document in re.split(r"^(?=--- !)", text, flags=re.M):
        if re.search(rf"^Pass: +{PASS}\s*$", document, re.M):
            try:
                found.append(remark_of(document, yaml))
            except (yaml.YAMLError, ValueError, AttributeError) as error:
                mark = getattr(error, "problem_mark", None)
                at = line + (mark.line if mark else 0)
                problem = getattr(error, "problem", None) or error
                raise Failure(f"{path}:{at}: malformed YAML ({problem}); "
                              f"expected is a record of LLVM: {HOW}") from error
        line += document.count("\n")
    return found


# ---- Nests ------------------------------------------------------------------

PLACE = re.compile(r"(.*):(\d+):(\d+)$")
REFUSED = "loop not offloaded: "


def message(remark):
    return "".join(text for key, text in remark.args if key == "String")


def value(remark, wanted):
    return next((text for key, text in remark.args if key == wanted), "")


def tree_of(text, yaml):
    """A schedule tree of isl's text as nested nodes; None if there is none."""
    def node(fields):
        if not isinstance(fields, dict):
            return None
        made = {"kind": "leaf", "text": ""}
        for kind in ("domain", "context", "schedule", "filter", "mark",
                     "extension", "guard", "expansion", "sequence", "set"):
            if kind in fields:
                made["kind"] = "band" if kind == "schedule" else kind
                if kind in ("sequence", "set"):
                    children = fields[kind] or []
                else:
                    made["text"] = str(fields[kind])
                    children = [fields["child"]] if fields.get("child") else []
                made["children"] = [child for child in map(node, children)
                                    if child]
                break
        if "coincident" in fields:
            made["parallel"] = [flag == "1" for flag in fields["coincident"]]
        if "permutable" in fields:
            made["permutable"] = fields["permutable"] == "1"
        return made

    if not text:
        return None
    try:
        return node(fields_of(text, yaml))
    except (yaml.YAMLError, ValueError, TypeError):
        return None


def numbers(text):
    """Of "32x8x1"; words, like "all", are None."""
    return [int(part) if part.isdigit() else None
            for part in text.split("x")] if text else []


def place(file, line, column=0):
    return {"file": file, "line": int(line), "column": int(column)}


def offloaded(remark):
    nest = {"state": "offloaded", "function": remark.function,
            **place(remark.file, remark.line, remark.column),
            "summary": message(remark), "details": [], "checked": [],
            "loops": [], "kernels": [], "arrays": [], "statements": []}
    for key, text in remark.args:
        found = PLACE.match(text)
        if key == "Loop" and found:
            nest["loops"].append(place(*found.groups()))
    return nest


def refused(remark):
    text = message(remark)
    if text.startswith(REFUSED):
        text = text[len(REFUSED):]
    # What helps follows the last semicolon, as docs/why.md takes it apart.
    reason, _, cure = text.rpartition("; ")
    nest = {"state": "refused", "function": remark.function,
            **place(remark.file, remark.line, remark.column),
            "name": remark.name, "reason": reason or text,
            "cure": cure if reason else "", "array": value(remark, "Array")}
    if value(remark, "Line"):
        nest["obstacle"] = place(value(remark, "File") or remark.file,
                                 value(remark, "Line"),
                                 value(remark, "Column") or 0)
    return nest


def take_fact(nest, remark, yaml):
    """A fact about the nest that was offloaded last."""
    fields = dict(remark.args)
    if remark.name == "Scop":
        nest["scop"] = {"function": fields.get("Function", ""),
                        "file": fields.get("File", ""),
                        "line": int(fields.get("Line", 0))}
        nest["before"] = tree_of(fields.get("Before"), yaml)
        nest["after"] = tree_of(fields.get("After"), yaml)
        nest["plan"] = fields.get("Plan", "")
        nest["code"] = fields.get("Code", "")
    elif remark.name == "Machine":
        nest["machine"] = {key: int(text) if text.isdigit() else text
                           for key, text in fields.items()}
    elif remark.name == "Statement":
        nest["statements"].append({"name": fields.get("Name", ""),
                                   "line": int(fields.get("Line", 0))})
    elif remark.name == "Array":
        nest["arrays"].append({
            "name": fields.get("Name", ""), "element": fields.get("Element", ""),
            "kind": fields.get("Kind", ""), "type": fields.get("Type", ""),
            "size": int(fields.get("ElementSize", 0)),
            "extent": fields.get("Extent", ""),
            "copies": fields.get("Copies", "")})
    elif remark.name == "Kernel":
        nest["kernels"].append({
            "name": fields.get("Name", ""), "line": int(fields.get("Line", 0)),
            "mapping": fields.get("Mapping", ""),
            "parallel": int(fields.get("Parallel", 0)),
            "block": numbers(fields.get("Block", "")),
            "tile": numbers(fields.get("Tile", "")),
            "loops": numbers(fields.get("Loops", "")),
            "shared": int(fields.get("Shared", 0)),
            "registers": int(fields.get("Registers", 0)),
            "min_blocks": int(fields.get("MinBlocks", 0)),
            "choice": fields.get("Choice", ""),
            "tree": tree_of(fields.get("Tree"), yaml), "buffers": []})
    elif remark.name == "Buffer":
        for kernel in nest["kernels"]:
            if kernel["name"] == fields.get("Kernel"):
                kernel["buffers"].append({
                    "kind": fields.get("Kind", ""),
                    "array": fields.get("Array", ""),
                    "extent": numbers(fields.get("Extent", "")),
                    "bytes": int(fields.get("Bytes", 0)),
                    "stages": int(fields.get("Stages", 1)),
                    "copied": fields.get("Copied", ""),
                    "written": fields.get("Written", "")})


def nests_of(path):
    """The nests of a record, in the order of its remarks."""
    yaml = yaml_library()
    nests, notes, checks = [], [], []
    current = None
    for remark in remarks_of(path):
        key = (remark.function, remark.file, remark.line, remark.column)
        try:
            if remark.name == "Offloaded":
                current = offloaded(remark)
                nests.append((key, current))
            elif remark.name == "DependsOnMachine":
                notes.append(message(remark))
            elif remark.kind == "Missed":
                nests.append((key, refused(remark)))
            elif remark.name == "Checked":
                checks.append((key, message(remark)))
            elif current is not None and remark.name == "Plan":
                current["details"].append(message(remark))
            elif current is not None:
                take_fact(current, remark, yaml)
        except ValueError as error:
            raise Failure(f"{path}: the remark {remark.name} of {remark.file}:"
                          f"{remark.line} has another form than this version "
                          f"of PolyGPU writes ({error}); compile again") \
                from error
    for key, text in checks:
        for other, nest in nests:
            if other == key and "checked" in nest:
                nest["checked"].append(text)
    return [nest for _, nest in nests], notes
