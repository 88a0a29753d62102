// text.js - elements, and numbers in words.

/** An element with attributes and children; null children are left out. */
function el(tag, attributes = {}, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

const SVG = "http://www.w3.org/2000/svg";

function svg(tag, attributes = {}, ...children) {
    return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes))
        if (typeof value === "function")
            element.addEventListener(name, value);
        else if (value !== null && value !== undefined && value !== false)
            element.setAttribute(name, value === true ? "" : value);
    for (const child of children.flat(9))
        if (child !== null && child !== undefined && child !== false && child !== "")
            element.append(child);
    return element;
}

function scaled(value, units, step = 1000) {
    let i = 0;
    while (i + 1 < units.length && Math.abs(value) >= 0.9995 * step) {
        value /= step;
        i++;
    }
    const digits = value === 0 || value >= 99.95 || (i === 0 && Number.isInteger(value)) ? 0 :
        value >= 9.995 ? 1 : 2;
    return `${value.toFixed(digits)} ${units[i]}`.trim();
}

const time = (ms) => ms === 0 ? "0 s" : scaled(ms * 1e6, ["ns", "µs", "ms", "s"]);
const bytes = (n) => scaled(n, ["B", "kB", "MB", "GB", "TB"]);
const flopRate = (g) => scaled(g * 1e6, ["kFLOP/s", "MFLOP/s", "GFLOP/s", "TFLOP/s"]);
const byteRate = (g) => scaled(g * 1e6, ["kB/s", "MB/s", "GB/s", "TB/s"]);
const count = (n) => n.toLocaleString("en-US");
const percent = (share) => `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)}%`;
const plural = (n, word) => `${count(n)} ${word}${n === 1 ? "" : "s"}`;
const sizes = (list) => list.map((n) => n ?? "?").join(" × ");

// The states of nests: sign, words, and what they mean.
const STATES = {
    "offloaded": ["✓", "offloaded", "runs on the device"],
    "declined in part": ["◐", "declined in part", "some runs were on the device, others on the CPU"],
    "declined": ["◌", "declined at run time", "no run was on the device"],
    "not reached": ["–", "not reached", "offloaded, and this run of the program did not come there"],
    "refused": ["✕", "refused", "stays on the CPU"],
};

const stateClass = (state) => state.replaceAll(" ", "-");

function badge(state) {
    const [sign, words, meaning] = STATES[state];
    return el("span", { class: `badge ${stateClass(state)}`, title: meaning },
        el("span", { "aria-hidden": "true" }, sign), ` ${words}`);
}

const baseName = (path) => path.slice(path.lastIndexOf("/") + 1);
const placeText = (nest) => `${baseName(nest.file)}:${nest.line}`;

/** Call "draw" with the width of an element, now and whenever it is another. */
function onWidth(element, draw) {
    let width = 0;
    new ResizeObserver(() => requestAnimationFrame(() => {
        if (element.clientWidth !== width && element.clientWidth > 0)
            draw(width = element.clientWidth);
    })).observe(element);
}

/** A table of rows of cells; columns that begin with ">" are numbers. */
function table(columns, rows, attributes = {}) {
    const isNumber = columns.map((name) => name.startsWith(">"));
    const cell = (tag) => (content, at) =>
        el(tag, isNumber[at] ? { class: "number" } : {}, content);
    return el("div", { class: "scrolls" }, el("table", attributes,
        el("thead", {}, el("tr", {}, columns.map((name) => name.replace(">", "")).map(cell("th")))),
        el("tbody", {}, rows.map((row) => el("tr", row.attributes ?? {}, (row.cells ?? row).map(cell("td")))))));
}

/** A bar of parts, each [value, class, words]. */
function bar(parts, whole) {
    const all = whole ?? parts.reduce((sum, part) => sum + part[0], 0);
    return el("div", { class: "bar", role: "img", "aria-label": parts.map((part) => part[2]).join(", ") },
        parts.filter((part) => part[0] > 0).map(([value, kind, words]) =>
            el("span", { class: kind, title: words, style: `width:${Math.min(100, 100 * value / (all || 1))}%` })));
}

function legend(parts) {
    return el("ul", { class: "legend" }, parts.map(([kind, words]) =>
        el("li", {}, el("span", { class: `swatch ${kind}` }), words)));
}
