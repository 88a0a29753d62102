// nests.js - what became of each nest, in a card.

/** Why runs were on the CPU. */
function whyDeclined(nest) {
    const run = nest.run, other = run.declined - run.by_cost;
    const words = [];
    if (run.by_cost)
        words.push(`${plural(run.by_cost, "run")} would not have paid` + (run.estimated_cpu_ms !== undefined ?
            ` (estimated for the last one: ${time(run.estimated_cpu_ms)} on the CPU, ${time(run.estimated_gpu_ms)} with the device)` : ""));
    // The reason is that of the last run; profiles but for traces have none.
    if (other)
        words.push(`${plural(other, "run")} on the CPU` + (run.reason ? `: ${run.reason}` : " for want of a device, or since the condition did not hold") +
            (nest.condition ? ` (it ${nest.condition})` : ""));
    if (run.failed)
        words.push(`${plural(run.failed, "run")} failed, and went to the CPU` + (run.reason && !other ? `: ${run.reason}` : ""));
    return words.join("; ");
}

function openNest(id) {
    const card = document.getElementById(`nest${id}`);
    if (card)
        card.hidden = !(card.open = true);
}

/** Tabs, of which each is made when it is looked at. */
function tabs(list) {
    const shown = list.filter(Boolean);
    const body = el("div", { class: "tab-body", role: "tabpanel" });
    const buttons = shown.map(([name, make], at) => el("button", {
        type: "button", role: "tab", "data-tab": name, "aria-selected": String(at === 0),
        click: (event) => {
            for (const other of buttons)
                other.setAttribute("aria-selected", other === event.currentTarget);
            body.replaceChildren(...[make()].flat(9).filter(Boolean));
        },
    }, name));
    if (shown.length)
        body.append(...[shown[0][1]()].flat(9).filter(Boolean));
    return [el("div", { class: "tabs", role: "tablist" }, buttons), body];
}

const fact = (name, value) => value || value === 0 ? el("div", { class: "fact" }, el("dt", {}, name), el("dd", {}, value)) : null;

function kernelFacts(kernel) {
    const run = kernel.run;
    if (!run)
        return null;
    return el("dl", { class: "facts" }, fact("launches", count(run.launches)), fact("time", time(run.time_ms)),
        fact("a launch", run.launches ? time(run.time_ms / run.launches) : ""), fact("grid", sizes(run.grid)),
        run.gflops ? fact("arithmetic", flopRate(run.gflops)) : null,
        run.gbytes ? fact("memory", byteRate(run.gbytes)) : null,
        run.intensity ? fact("intensity", `${run.intensity.toFixed(2)} FLOP/B`) : null,
        run.accesses ? fact("sectors of a load", (run.accesses.global_load_sectors / Math.max(1, run.accesses.global_loads / 32)).toFixed(1)) : null);
}

function drawKernel(nest, kernel) {
    return el("section", { class: "kernel" },
        el("h4", {}, el("code", { title: kernel.name }, kernel.label), el("span", { class: "of" }, ` line ${kernel.line}, ${kernel.parallel ?
            plural(kernel.parallel, "parallel loop") : "one thread"}`)),
        kernel.choice ? el("p", { class: "choice" }, kernel.choice) : null,
        kernelFacts(kernel),
        el("div", { class: "pictures" }, drawMapping(kernel, nest.machine), drawOccupancy(kernel)));
}

function mappingTab(nest) {
    return nest.kernels.map((kernel) => drawKernel(nest, kernel));
}

/** A line of the source, if the page has it. */
function sourceLine(file, line) {
    const parts = DATA.files.find((one) => one.name === file)?.parts ?? [];
    const part = parts.find((one) => one.first <= line && line < one.first + one.lines.length);
    return part?.lines[line - part.first].trim() ?? "";
}

/** Statements of the source, by which the trees name them. */
function statementTable(nest) {
    const shown = nest.statements.filter((one) => one.line);
    return shown.length ? table(["Statement", ">Line", "Begins or ends with"], shown.map((one) =>
        [el("code", {}, one.name), String(one.line), el("code", {}, sourceLine(nest.scop?.file ?? nest.file, one.line))])) : null;
}

function scheduleTab(nest) {
    return [el("div", { class: "trees" },
        el("div", {}, el("h4", {}, "Before: the order of the source"), drawTree(nest.before)),
        el("div", {}, el("h4", {}, "After: the schedule"), drawTree(nest.after))),
    statementTable(nest),
    nest.kernels.map((kernel) => el("details", { class: "of-kernel" }, el("summary", {}, "Mapped: ", el("code", {}, kernel.label)), drawTree(kernel.tree)))];
}

function memoryTab(nest) {
    return [el("h4", {}, "Memory of the device"), deviceArrays(nest) ?? el("p", { class: "none" }, "no arrays are copied"),
        nest.kernels.map((kernel) => [el("h4", {}, el("code", {}, kernel.label)),
            drawBuffers(kernel, nest.machine) ?? el("p", { class: "none" }, "no buffers: every access goes to the device's memory")])];
}

function runTab(nest) {
    const run = nest.run;
    const kernels = run.kernels.reduce((sum, kernel) => sum + kernel.time_ms, 0);
    const copies = run.in_ms + run.out_ms, rest = Math.max(0, run.time_ms - kernels - copies);
    const parts = [[kernels, "kernels", `kernels ${time(kernels)}`], [run.in_ms, "in", `copies to the device ${time(run.in_ms)}`],
        [run.out_ms, "out", `copies back ${time(run.out_ms)}`], [rest, "rest", `else ${time(rest)}`]];
    return [el("dl", { class: "facts" }, fact("runs on the device", count(run.runs)), fact("on the CPU", count(run.declined + run.failed)),
        fact("time", time(run.time_ms)), fact("in", bytes(run.bytes_in)), fact("kept", bytes(run.bytes_kept)), fact("out", bytes(run.bytes_out)),
        run.estimated_cpu_ms !== undefined ? fact("estimated, CPU", time(run.estimated_cpu_ms)) : null,
        run.estimated_gpu_ms !== undefined ? fact("estimated, device", time(run.estimated_gpu_ms)) : null),
    run.variants ? table([">Variant", "Sizes", ">Runs"], run.variants.map((variant, at) => [count(at),
        variant.when ? el("code", {}, variant.when) : at ? "" : "all others", count(variant.runs)])) : null,
    nest.alike ? el("p", { class: "caption" }, `The program has ${nest.alike} copies of these loops in ${nest.title}, which a profile does not tell apart: these runs may be another one's.`) : null,
    run.declined + run.failed ? el("p", {}, whyDeclined(nest)) : null,
    run.time_ms ? [bar(parts), legend(parts.filter((part) => part[0] > 0).map((part) => [part[1], part[2]]))] : null,
    table(["Kernel", ">Launches", ">Time", ">Grid", ">Block"], run.kernels.map((kernel) => [el("code", { title: kernel.name }, kernel.label),
        count(kernel.launches), time(kernel.time_ms), sizes(kernel.grid), sizes(kernel.block)]))];
}

function codeTab(nest) {
    const at = nest.plan.indexOf("run if:");
    return [nest.code ? [el("h4", {}, "Kernels, as text like CUDA"), el("pre", { class: "listing", tabindex: 0 }, nest.code)] : null,
        at >= 0 ? [el("h4", {}, "Host: condition, copies and launches"), el("pre", { class: "listing", tabindex: 0 }, nest.plan.slice(at))] : null];
}

function remarksTab(nest) {
    return [el("h4", {}, "What the compiler says"), el("ul", { class: "remarks" }, [nest.summary, ...nest.details].map((text) => el("li", {}, text))),
        nest.checked.length ? [el("h4", {}, "What it has checked"), el("ul", { class: "remarks" }, nest.checked.map((text) => el("li", {}, text)))] : null,
        nest.full_name !== nest.title ? el("p", { class: "caption" }, "In function ", el("code", {}, nest.full_name)) : null,
        nest.copies.length ? el("p", { class: "caption" }, `These loops were offloaded in ${nest.copies.join(", ")} as well, which did not come to run.`) : null];
}

function refusedBody(nest) {
    return [el("p", {}, el("strong", {}, "Why: "), nest.reason),
        nest.cure ? el("p", {}, el("strong", {}, "What helps: "), nest.cure) : null,
        nest.obstacle ? el("p", { class: "caption" }, `The obstacle is in ${baseName(nest.obstacle.file)}:${nest.obstacle.line}:${nest.obstacle.column}` +
            (nest.array ? `, about ${nest.array}` : "")) : null,
        el("p", { class: "caption" }, "Remark ", el("code", {}, nest.name), " in function ", el("code", {}, nest.full_name))];
}

function offloadedBody(nest) {
    return tabs([nest.run && ["Run", () => runTab(nest)],
        nest.kernels.length && ["Mapping", () => mappingTab(nest)],
        (nest.before || nest.after) && ["Schedule", () => scheduleTab(nest)],
        nest.arrays.length && ["Memory", () => memoryTab(nest)],
        (nest.code || nest.plan) && ["Code", () => codeTab(nest)],
        ["Remarks", () => remarksTab(nest)]]);
}

/** A card whose body is made when it is opened. */
function drawNest(nest, isOpen) {
    const card = el("details", { class: `nest ${stateClass(nest.state)}`, id: `nest${nest.id}` },
        el("summary", {}, badge(nest.state), " ", el("code", { title: nest.full_name }, nest.title), el("span", { class: "of" }, ` ${placeText(nest)}`),
            nest.run?.time_ms ? el("span", { class: "time" }, time(nest.run.time_ms)) : null));
    const body = () => {
        if (card.open && card.children.length === 1)
            card.append(el("div", { class: "body" }, nest.state === "refused" ? refusedBody(nest) : offloadedBody(nest)));
    };
    card.addEventListener("toggle", body);
    card.open = isOpen;
    body();
    return card;
}

function drawNests() {
    const byTime = [...DATA.nests].sort((a, b) => (b.run?.time_ms ?? -1) - (a.run?.time_ms ?? -1));
    const first = byTime.find((nest) => nest.state !== "refused")?.id ?? byTime[0]?.id;
    return el("section", { id: "nests" }, el("h2", {}, "Nests of loops"),
        byTime.map((nest) => drawNest(nest, nest.id === first)));
}
