// memory.js - arrays by memory, and how many warps have room.

const COPIES = {
    copyin: "to the device", copyout: "back to the host", copy: "to the device and back",
    create: "stays on the device",
};
const KINDS = {
    memory: "the program's memory", temporary: "memory of the device alone",
    shared: "shared memory of each block", register: "a variable of each thread",
    value: "a value",
};

/** Arrays of a SCoP that are in the device's memory. */
function deviceArrays(nest) {
    const run = nest.run?.arrays ?? [];
    const shown = nest.arrays.filter((array) => array.copies || array.kind === "temporary" || array.kind === "shared");
    if (!shown.length && !run.length)
        return null;
    const rows = shown.map((array) => [el("code", {}, `${array.name}${array.extent}`),
        `${array.type}, ${array.size} B`, KINDS[array.kind] ?? array.kind, COPIES[array.copies] ?? array.copies]);
    return [table(["Array", "Element", "Memory", "Copied"], rows), transfers(run)];
}

/** What the arrays of a run moved. */
function transfers(run) {
    const moved = run.filter((array) => array.bytes_in + array.bytes_out + array.bytes_kept > 0);
    if (!moved.length)
        return null;
    const most = Math.max(...moved.map((array) => array.bytes_in + array.bytes_out + array.bytes_kept));
    return [el("p", { class: "caption" }, "Bytes that moved in all runs:"),
    table(["Array", "", ">In", ">Kept", ">Out", ">Time"], moved.map((array) => [el("code", {}, array.array),
        bar([[array.bytes_in, "in", `in ${bytes(array.bytes_in)}`], [array.bytes_kept, "kept", `kept ${bytes(array.bytes_kept)}`],
            [array.bytes_out, "out", `out ${bytes(array.bytes_out)}`]], most),
        bytes(array.bytes_in), bytes(array.bytes_kept), bytes(array.bytes_out), time(array.in_ms + array.out_ms)])),
    legend([["in", "copied to the device"], ["kept", "was there already"], ["out", "copied back"]])];
}

/** Sizes without those in front that are 1. */
function withoutOnes(list) {
    const first = list.findIndex((n) => n !== 1);
    return first < 0 ? list.slice(-1) : list.slice(first);
}

/** Buffers of a kernel: shared memory against what a block may have. */
function drawBuffers(kernel, machine) {
    const shared = kernel.buffers.filter((buffer) => buffer.kind === "shared");
    const registers = kernel.buffers.filter((buffer) => buffer.kind === "register");
    if (!kernel.shared && !registers.length)
        return null;
    const most = machine?.BlockShared ?? 0;
    const used = shared.reduce((sum, buffer) => sum + buffer.bytes, 0);
    const parts = shared.map((buffer, at) => [buffer.bytes, `part${at % 4}`, `${buffer.array}: ${bytes(buffer.bytes)}`]);
    if (kernel.shared > used)
        parts.push([kernel.shared - used, "part4", `other: ${bytes(kernel.shared - used)}`]);
    return [
        kernel.shared ? [el("p", { class: "caption" }, `Shared memory of a block: ${bytes(kernel.shared)}`,
            most ? ` of ${bytes(most)} that it may have` : "", shared.length && used > kernel.shared ? ", whose buffers take turns" : ""),
        bar(parts, Math.max(most, kernel.shared, used))] : null,
        table(["Buffer", ">Elements", ">Bytes", "Use"], kernel.buffers.map((buffer, at) => [
            [buffer.kind === "shared" ? el("span", { class: `swatch part${shared.indexOf(buffer) % 4}` }) : null,
                el("code", {}, buffer.array)],
            sizes(withoutOnes(buffer.extent)), bytes(buffer.bytes),
            buffer.kind === "register" ? "registers of a thread" :
                `shared memory, ${buffer.copied === "no" ? "not copied in" : `copied ${buffer.copied}`}` +
                `${buffer.stages > 1 ? `, ${buffer.stages} stages` : ""}${{ back: ", written back", "in the block": ", written, not copied back" }[buffer.written] ?? ""}`]))];
}

/** Warps at a time on a multiprocessor. */
function drawOccupancy(kernel) {
    const o = kernel.occupancy;
    if (!o)
        return null;
    const columns = 16, size = 13, rows = Math.ceil(o.of / columns);
    const slots = Array.from({ length: o.of }, (_, at) => svg("rect", {
        x: (at % columns) * size, y: Math.floor(at / columns) * size, width: size - 2, height: size - 2, rx: 2,
        class: at < o.warps ? `cell warp${Math.floor(at / o.warps_of_block) % 2}` : "cell free",
    }));
    const limits = Object.entries(o.limits).map(([name, n]) => `${name}: ${n}`).join(", ");
    return el("figure", { class: "occupancy" },
        svg("svg", { viewBox: `0 0 ${columns * size} ${rows * size}`, role: "img", "aria-label": `occupancy ${percent(o.share)}` }, slots),
        el("figcaption", {}, el("strong", {}, `${o.at_most ? "at most " : ""}${percent(o.share)}`),
            ` of ${o.of} warps of a multiprocessor: ${plural(o.blocks, "block")} of ${plural(o.threads, "thread")}`,
            el("br"), `limited by ${o.limited_by.join(" and ")} (blocks by ${limits})`, el("br"),
            kernel.registers ? `${plural(kernel.registers, "register")} a thread` :
                `registers are not known: ptxas says them, with -gpu-arch`,
            kernel.min_blocks ? `; made for ${plural(kernel.min_blocks, "block")} at a time` : ""));
}
