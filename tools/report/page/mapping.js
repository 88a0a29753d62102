// mapping.js - how the iterations of a kernel go to blocks and threads.

const AXES = ["x", "y", "z"];

/** A grid of cells, of which few are drawn where there are many. */
function cells(columns, rows, width, height, most, kind) {
    const nx = Math.min(columns, most), ny = Math.min(rows, most);
    const w = width / nx, h = height / ny, gap = Math.min(w, h) > 6 ? 1.5 : 0.5;
    const made = [];
    for (let y = 0; y < ny; y++)
        for (let x = 0; x < nx; x++)
            made.push(svg("rect", {
                x: x * w + gap / 2, y: y * h + gap / 2, width: Math.max(0.5, w - gap), height: Math.max(0.5, h - gap),
                rx: gap > 1 ? 1.5 : 0, class: kind(x, y),
            }));
    return made;
}

/** The width and height of a rectangle of those proportions, but none so thin
 * that nothing can be seen. */
function proportions(columns, rows, side) {
    const ratio = Math.max(0.28, Math.min(3.6, columns / rows));
    return ratio >= 1 ? [side, side / ratio] : [side * ratio, side];
}

const SIDE = 128, PANEL = 156;

/** A picture of its own, so that narrow pages have them below each other. */
function panel(width, height, title, words, content) {
    const whole = 26 + height + 8 + 15 * words.length;
    return svg("svg", { viewBox: `0 0 ${PANEL} ${whole}`, width: PANEL, height: whole, role: "img", "aria-label": [title, ...words].join(", ") },
        svg("g", { transform: "translate(1, 26)" }, svg("text", { y: -10, class: "title" }, title), content,
            words.map((line, at) => svg("text", { y: height + 16 + 15 * at, class: "words" }, line))));
}

function gridPanel(kernel) {
    const grid = kernel.run?.grid ?? [], n = kernel.tile.length;
    const columns = grid[0] ?? 5, rows = n > 1 ? grid[1] ?? 4 : 1;
    const [width, height] = proportions(Math.min(columns, 12), Math.min(rows, 12), SIDE);
    const words = [kernel.run ? `${sizes(grid.slice(0, n))} blocks` : "a block for each tile"];
    if (columns > 12 || rows > 12)
        words.push("(12 of each direction drawn)");
    return panel(width, height, "grid of blocks", words,
        cells(columns, rows, width, height, 12, (i, j) => i + j === 0 ? "cell chosen" : "cell"));
}

function tilePanel(kernel) {
    const [tx, ty = 1] = kernel.tile, [bx, by = 1] = kernel.block;
    const [width, height] = proportions(tx, ty, SIDE);
    const points = kernel.tile.map((n, at) => n / (kernel.block[at] || 1));
    const whole = points.every(Number.isInteger);
    const words = [kernel.tile.every((n) => n === 1) ? "one iteration" : `${sizes(kernel.tile)} iterations`];
    if (kernel.mapping === "nested" || kernel.mapping === "boxes")
        words.push("with the loops inside,", "which threads share");
    else
        words.push(whole ? `${sizes(points)} of each thread` : "shared by the threads");
    return panel(width, height, "tile of a block", words,
        cells(whole ? points[0] : Math.ceil(tx / bx), whole ? points[1] ?? 1 : Math.ceil(ty / by),
            width, height, 16, () => "cell share"));
}

function blockPanel(kernel, warp) {
    const [columns, rows, depth] = kernel.block;
    const [width, height] = proportions(Math.min(columns, 64), rows, SIDE);
    const threads = columns * rows * depth;
    return panel(width, height, "threads of a block",
        [`${sizes(kernel.block.slice(0, depth > 1 ? 3 : rows > 1 ? 2 : 1))} threads`,
        `${plural(Math.ceil(threads / warp), "warp")}`],
        cells(columns, rows, width, height, 64, (i, j) =>
            `cell warp${Math.floor((j * columns + i) / warp) % 2}`));
}

/** Tiles, blocks and threads of a kernel as a picture. */
function drawMapping(kernel, machine) {
    if (kernel.mapping === "one thread")
        return el("p", {}, "One thread runs all of it.");
    if (!kernel.block.length)
        return null;
    const warp = machine?.Warp ?? 32;
    return el("div", { class: "mapping" }, kernel.tile.length ? [gridPanel(kernel), tilePanel(kernel)] : null, blockPanel(kernel, warp));
}
