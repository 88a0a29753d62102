// tree.js - schedule trees as nested boxes.

/** What is in a text at depth 0 of brackets, taken apart at a separator. */
function splitOutside(text, separator) {
    const parts = [];
    let depth = 0, from = 0;
    for (let i = 0; i < text.length; i++) {
        if ("([{".includes(text[i]))
            depth++;
        else if (")]}".includes(text[i]))
            depth--;
        else if (depth === 0 && text.startsWith(separator, i)) {
            parts.push(text.slice(from, i));
            from = i + separator.length;
        }
    }
    parts.push(text.slice(from));
    return parts.map((part) => part.trim()).filter(Boolean);
}

/** isl's text without the parameters in front. */
const withoutParameters = (text) => text.replace(/^\[[^\]]*\]\s*->\s*/, "").trim();

/** What is between the outer brackets. */
const inside = (text) => text.replace(/^[[{(]/, "").replace(/[\]})]$/, "").trim();

/** The members of a band, each as pairs of statements and an expression. */
function membersOf(text) {
    return splitOutside(inside(withoutParameters(text)), ",").map((member) => {
        const by = new Map();
        for (const part of splitOutside(inside(member), ";")) {
            const found = /^(\w+)\[.*?\]\s*->\s*\[\((.*)\)\](.*)$/.exec(part);
            const key = found ? found[2] + found[3] : part;
            by.set(key, [...(by.get(key) ?? []), found ? found[1] : ""]);
        }
        return [...by].map(([expression, names]) =>
            ({ names: [...new Set(names)].filter(Boolean), expression }));
    });
}

/** The statements of a set, and the conditions on them, by which they differ. */
function setOf(text) {
    const by = new Map();
    for (const part of splitOutside(inside(withoutParameters(text)), ";")) {
        const at = part.indexOf(":");
        const condition = at < 0 ? "" : part.slice(at + 1).trim();
        const name = (at < 0 ? part : part.slice(0, at)).trim();
        by.set(condition, [...(by.get(condition) ?? []), name]);
    }
    return [...by].map(([condition, names]) => ({ condition, names }));
}

const MARKS = {
    grid: "what block b0, b1, b2 runs", tile: "one iteration is one tile",
    threads: "what thread t0, t1, t2 runs", point: "the points of a tile",
    step: "copies and tiles of sequential loops", copy: "a copy to shared memory",
    barrier: "all threads wait for each other", full: "tiles that need no conditions",
    partial: "tiles at the border", load: "loads of registers", store: "stores of registers",
    nest: "a loop that the threads of a block share", unroll: "straight-line code",
    pipeline: "copies of the next iteration run ahead",
};

function bandNode(node) {
    const members = membersOf(node.text).map((parts, at) => el("li", {},
        (node.parallel ?? [])[at] ? el("span", { class: "tag parallel", title: "iterations do not depend on each other" }, "parallel") :
            el("span", { class: "tag" }, "in order"),
        parts.map((part, number) => [number ? "; " : " ",
            el("code", { title: part.names.join(", ") }, part.expression),
            parts.length > 1 && part.names.length ? el("span", { class: "of" }, ` ${part.names.join(", ")}`) : null])));
    return [el("div", { class: "label" }, members.length > 1 ? `band of ${members.length} loops` : "loop",
        node.permutable && members.length > 1 ? el("span", { class: "tag", title: "loops may be exchanged, and tiled" }, "permutable") : null),
    el("ul", { class: "members" }, members)];
}

function setNode(node, word) {
    return [el("div", { class: "label" }, word),
    el("ul", { class: "members" }, setOf(node.text).map((part) => el("li", {},
        el("code", { title: part.names.join(", ") }, (part.condition ? part.names : part.names.map((name) => name.replace(/\[.*/, ""))).join(", ")),
        part.condition ? el("code", { class: "condition" }, part.condition) : null)))];
}

function headOf(node) {
    switch (node.kind) {
    case "band":
        return bandNode(node);
    case "filter":
    case "domain":
    case "context":
    case "extension":
        return setNode(node, { domain: "statements", extension: "added" }[node.kind] ?? node.kind);
    case "sequence":
        return el("div", { class: "label" }, "one after the other");
    case "set":
        return el("div", { class: "label" }, "in any order");
    case "mark":
        return el("div", { class: "label", title: MARKS[node.text] ?? "" },
            el("span", { class: "tag mark" }, node.text), MARKS[node.text] ? ` ${MARKS[node.text]}` : "");
    default:
        return el("div", { class: "label" }, node.kind);
    }
}

function drawNode(node) {
    // Polly's, about what LLVM knows of a loop.
    if (node.kind === "mark" && node.text === "Loop with Metadata" && node.children?.length === 1)
        return drawNode(node.children[0]);
    const children = (node.children ?? []).map(drawNode);
    return el("div", { class: `node ${node.kind}` }, headOf(node),
        children.length ? el("div", { class: "children" }, children) : null);
}

/** A tree, whose domain, which is long, is folded. */
function drawTree(tree) {
    if (!tree)
        return el("p", { class: "none" }, "not in the record");
    const below = tree.kind === "domain" ? tree.children ?? [] : [tree];
    return el("div", { class: "tree" },
        tree.kind === "domain" ? el("details", {}, el("summary", {}, "statements and their instances"), drawNode({ ...tree, children: [] })) : null,
        below.map(drawNode));
}
