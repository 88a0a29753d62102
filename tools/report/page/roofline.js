// roofline.js - how near kernels come to what the machine can do.

function kernelPoints() {
    return DATA.nests.flatMap((nest) => (nest.run?.kernels ?? [])
        .filter((kernel) => kernel.intensity && kernel.gflops)
        .map((kernel) => ({ nest, kernel, x: kernel.intensity, y: kernel.gflops })));
}

/** The least power of ten below and the largest one above. */
function decades(values) {
    return [10 ** Math.floor(Math.log10(Math.min(...values))), 10 ** Math.ceil(Math.log10(Math.max(...values)))];
}

const NAMED = 12;

const bound = (x, flops, roof) => Math.min(x * roof.bytes, flops);

/** Names that would lie on each other are moved apart, and a line leads to the
 * point. */
function placeLabels(points, height) {
    const labels = points.map((point) => ({ ...point, ly: point.py })).sort((a, b) => a.ly - b.ly);
    for (let round = 0; round < 3; round++) {
        for (let i = 1; i < labels.length; i++)
            labels[i].ly = Math.max(labels[i].ly, labels[i - 1].ly + 14);
        const over = labels.length ? labels[labels.length - 1].ly - height : 0;
        if (over <= 0)
            break;
        for (let i = labels.length - 1, limit = height; i >= 0; i--, limit -= 14)
            labels[i].ly = Math.min(labels[i].ly, limit);
    }
    return labels;
}

function roofs(x, y, ends, roof, draw, compact) {
    const lines = [];
    for (const [kind, flops, words] of [["single", roof.single, "float"], ["double", roof.double, "double"]]) {
        if (!flops || (kind === "double" && roof.single === roof.double))
            continue;
        const ridge = flops / roof.bytes;
        const path = [ends[0], Math.min(Math.max(ridge, ends[0]), ends[1]), ends[1]].map((at) => [at, bound(at, flops, roof)]);
        lines.push(svg("path", { class: `roof ${kind}`, d: draw(path) }),
            svg("text", { class: "roof-name", x: x(ends[1]) - 4, y: y(flops) + (kind === "double" ? 15 : -6), "text-anchor": "end" },
                `${words}: ${flopRate(flops)}`));
    }
    const from = [x(ends[0]), y(ends[0] * roof.bytes)], to = [x(10 * ends[0]), y(10 * ends[0] * roof.bytes)];
    const turn = Math.atan2(to[1] - from[1], to[0] - from[0]) * 180 / Math.PI;
    lines.push(svg("text", { class: "roof-name", transform: `translate(${from[0] + 10},${from[1] - 10}) rotate(${turn})` }, `memory: ${byteRate(roof.bytes)}`));
    return lines;
}

function drawChart(width) {
    const points = kernelPoints(), roof = DATA.ceilings;
    const compact = width < 600;
    const margin = { left: 62, right: compact ? 12 : 190, top: 18, bottom: 42 };
    const height = compact ? 320 : 420;
    const xs = points.map((point) => point.x), ys = points.map((point) => point.y);
    if (roof) {
        xs.push(roof.double / roof.bytes / 4, roof.single / roof.bytes * 4);
        ys.push(roof.single * 1.5, Math.min(...xs) * roof.bytes);
    }
    ys.push(...ys.map((value) => value / 2)); // room for the circles
    const ends = decades(xs);
    const x = d3.scaleLog(ends, [margin.left, width - margin.right]);
    const y = d3.scaleLog(decades(ys), [height - margin.bottom, margin.top]);
    const draw = d3.line(([at]) => x(at), ([, at]) => y(at));
    const root = svg("svg", { class: "roofline", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": "roofline of the kernels" });
    const number = (n) => n >= 1 ? n.toLocaleString("en-US") : String(+n.toPrecision(1));
    const isDecade = (n) => Math.abs(Math.log10(n) - Math.round(Math.log10(n))) < 1e-6;
    d3.select(root).append("g").attr("class", "axis").attr("transform", `translate(0,${height - margin.bottom})`)
        .call(d3.axisBottom(x).tickValues(x.ticks().filter(isDecade)).tickFormat(number).tickSize(margin.top + margin.bottom - height));
    d3.select(root).append("g").attr("class", "axis").attr("transform", `translate(${margin.left},0)`)
        .call(d3.axisLeft(y).tickValues(y.ticks().filter(isDecade)).tickFormat(number).tickSize(margin.left + margin.right - width));
    root.append(svg("text", { class: "axis-name", x: (margin.left + width - margin.right) / 2, y: height - 6, "text-anchor": "middle" }, "FLOP for a byte of memory"),
        svg("text", { class: "axis-name", transform: `translate(14,${height / 2}) rotate(-90)`, "text-anchor": "middle" }, "GFLOP/s"));
    if (roof)
        root.append(...roofs(x, y, ends, roof, draw, compact));
    for (const point of points)
        Object.assign(point, { px: x(point.x), py: y(point.y) });
    const longest = Math.max(0, ...points.map((point) => point.kernel.time_ms));
    // Names of those that take the longest; the others tell theirs under the pointer.
    points.sort((a, b) => b.kernel.time_ms - a.kernel.time_ms);
    const labels = [...placeLabels(points.slice(0, NAMED), height - margin.bottom), ...points.slice(NAMED)];
    labels.forEach((point, at) => {
        const { kernel, nest } = point;
        const share = roof ? kernel.gflops / bound(kernel.intensity, kernel.double ? roof.double : roof.single, roof) : 0;
        const isNamed = point.ly !== undefined;
        const words = `${kernel.label}: ${flopRate(kernel.gflops)}, ${kernel.intensity.toFixed(2)} FLOP/B, ${time(kernel.time_ms)}` +
            (share ? `, ${(100 * share).toPrecision(2)}% of what is possible there` : "");
        const name = compact ? String(at + 1) : kernel.label.length > 24 ? `…${kernel.label.slice(-23)}` : kernel.label;
        const lx = compact ? point.px + 10 : width - margin.right + 10;
        root.append(svg("g", { class: "point" }, svg("title", {}, words),
            compact || !isNamed ? null : svg("path", { class: "leader", d: `M${point.px + 6},${point.py}L${lx - 14},${point.py}L${lx - 4},${point.ly}` }),
            svg("a", { href: `#nest${nest.id}`, click: () => openNest(nest.id) },
                svg("circle", { class: kernel.double ? "double" : "single", cx: point.px, cy: point.py, r: 4 + 5 * Math.sqrt(kernel.time_ms / longest) })),
            isNamed ? svg("text", { x: lx, y: point.ly + 4 }, name) : null));
    });
    return [root, compact ? el("ol", { class: "legend" }, labels.filter((point) => point.ly !== undefined).map(({ kernel }) => el("li", {}, `${kernel.label}: ${flopRate(kernel.gflops)}`))) : null];
}

function drawRoofline() {
    const points = kernelPoints(), roof = DATA.ceilings;
    const others = DATA.nests.flatMap((nest) => nest.run?.kernels ?? []).filter((kernel) => kernel.launches && !(kernel.intensity && kernel.gflops));
    if (!points.length && !(roof && others.length))
        return null;
    const box = el("div", { class: "chart" });
    onWidth(box, (width) => box.replaceChildren(...drawChart(Math.max(300, width)).filter(Boolean)));
    const emulated = DATA.totals.device.includes("emulated");
    return el("section", { id: "roofline" }, el("h2", {}, "Roofline"),
        el("p", { class: "caption" },
            "Arithmetic as the compiler counts it, and the least traffic with the device's memory: arrays once for each launch. ",
            roof?.of === "plan" ? `Ceilings are those of the machine that was planned for (${roof.name}). ` :
                roof ? "Ceilings are those of the device that ran. " : "The machine's ceilings are not known. ",
            emulated ? el("strong", {}, "The run was on the emulated device, on the CPU: only how kernels lie to each other in FLOP for a byte says something of a GPU.") : ""),
        box, points.length ? legend([["dot-double", "double"], ["dot-single", "float"]]) : null,
        others.length ? el(others.length > NAMED ? "details" : "p", { class: "caption" },
            others.length > NAMED ? el("summary", {}, `${count(others.length)} kernels without arithmetic on floating-point numbers, or counts of it`) :
                "Without arithmetic on floating-point numbers, or counts of it: ",
            others.map((kernel, at) => [at ? ", " : "", el("code", {}, kernel.label), kernel.gbytes ? ` (${byteRate(kernel.gbytes)})` : ""])) : null);
}
