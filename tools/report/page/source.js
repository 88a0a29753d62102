// source.js - the files, with what became of each nest beside its lines.

const WORDS = new Set(("auto bool break case char class const continue default do double else enum extern " +
    "float for if inline int long namespace new register restrict return short signed sizeof static struct switch " +
    "template this typedef typename union unsigned using void volatile while end program subroutine function module " +
    "use implicit none integer real intent in out inout dimension allocatable call then contains fn let mut pub impl mod").split(" "));
const TOKEN = /^\s*#\s*\w+|\/\/.*|\/\*.*?(?:\*\/|$)|"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*|\d[\w.]*|[^\sA-Za-z_\d"/]+|\s+|./g;

/** Words of a line that has no comment. */
function words(line) {
    return line.split(/(\w+)/).map((word) => WORDS.has(word.toLowerCase()) ? el("span", { class: "keyword" }, word) : word);
}

/** A line in tokens; "state.comment" is true inside of a comment of C. */
function tokens(line, state) {
    const made = [];
    let rest = line;
    if (state.fortran) {
        const at = line.search(/^[cC*!]|!/);
        return at < 0 ? words(line) : [...words(line.slice(0, at)), el("span", { class: "comment" }, line.slice(at))];
    }
    if (state.comment) {
        const end = rest.indexOf("*/");
        made.push(el("span", { class: "comment" }, end < 0 ? rest : rest.slice(0, end + 2)));
        if (end < 0)
            return made;
        state.comment = false;
        rest = rest.slice(end + 2);
    }
    for (const [token] of rest.matchAll(TOKEN))
        if (token.startsWith("//") || token.startsWith("/*")) {
            made.push(el("span", { class: "comment" }, token));
            state.comment = token.startsWith("/*") && !token.endsWith("*/");
        } else if (/^\s*#/.test(token)) {
            made.push(el("span", { class: "keyword" }, token));
        } else if (token[0] === '"') {
            made.push(el("span", { class: "string" }, token));
        } else if (WORDS.has(token)) {
            made.push(el("span", { class: "keyword" }, token));
        } else {
            made.push(token);
        }
    return made;
}

// Of nests around each other, and of copies of one: what a line shows first.
const RANKS = ["not reached", "refused", "declined", "declined in part", "offloaded"];
const rank = (nest) => nest ? RANKS.indexOf(nest.state) : -1;

/** By line: the nests that begin there, and the one whose color it has. */
function marksOf(file) {
    const marks = new Map();
    const at = (line) => {
        if (!marks.has(line))
            marks.set(line, { begin: [], within: null });
        return marks.get(line);
    };
    for (const nest of DATA.nests.filter((one) => one.file === file.name)) {
        at(nest.line).begin.push(nest);
        for (let line = nest.line; line <= nest.last; line++)
            if (rank(nest) > rank(at(line).within))
                at(line).within = nest;
    }
    return marks;
}

/** What is said of a nest below the line in which it begins. */
function noteOf(nest) {
    const words = nest.state === "refused" ? [nest.reason, nest.cure ? el("span", { class: "cure" }, ` ${nest.cure}`) : null] :
        nest.state.startsWith("declined") ? [whyDeclined(nest)] :
            [nest.kernels.length ? plural(nest.kernels.length, "kernel") : nest.summary.replace("loops offloaded as ", ""),
                nest.run ? `, ${plural(nest.run.runs, "run")}, ${time(nest.run.time_ms)}` : ""];
    return el("div", { class: "note" }, el("a", { href: `#nest${nest.id}`, click: () => openNest(nest.id) }, badge(nest.state)), " ", words);
}

function drawLine(number, text, mark, state) {
    const kind = mark?.within ? ` ${stateClass(mark.within.state)}` : "";
    return [el("div", { class: `line${kind}`, id: null },
        el("span", { class: "gutter", "aria-hidden": "true" }, String(number)),
        el("span", { class: "text" }, tokens(text, state))),
    (mark?.begin ?? []).map(noteOf)];
}

function drawFile(file) {
    const marks = marksOf(file);
    const state = { comment: false, fortran: /\.(f|for|f[0-9]{2})$/i.test(file.name) };
    const here = DATA.nests.filter((nest) => nest.file === file.name);
    const body = file.parts.map((part, at) => [
        (state.comment = part.in_comment) && null,
        at || part.first > 1 ? el("div", { class: "gap" }, "⋯") : null,
        part.lines.map((text, line) => drawLine(part.first + line, text, marks.get(part.first + line), state))]);
    return el("details", { class: "file", open: DATA.files.indexOf(file) < 8 },
        el("summary", {}, el("code", {}, baseName(file.name)), el("span", { class: "path" }, ` ${file.name}`),
            el("span", { class: "of" }, ` ${plural(here.length, "nest")}`)),
        file.newer ? el("p", { class: "problem" }, "This file was changed after it was compiled: lines may be other ones.") : null,
        file.found ? el("div", { class: "code", tabindex: 0 }, body) :
            el("div", { class: "lost" }, el("p", { class: "problem" }, "This source was not found when the page was made (--source names its folder)."),
                here.map((nest) => el("div", {}, `line ${nest.line}`, noteOf(nest)))));
}

const drawSource = () => el("section", { id: "source" }, el("h2", {}, "Source"), DATA.files.map(drawFile));
