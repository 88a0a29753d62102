// trace.js - what happened when: tracks of events, with zoom.

const ROW = 22, HEAD = 16, AXIS = 22;

/** Rows of a track: events that lie in others are below them. */
function layers(events) {
    const ends = [];
    return events.map((event) => {
        while (ends.length && ends[ends.length - 1] <= event[3])
            ends.pop();
        ends.push(event[3] + event[4]);
        return ends.length - 1;
    });
}

function layOut(trace) {
    let top = AXIS;
    return trace.tracks.map((name, track) => {
        const events = trace.events.filter((event) => event[0] === track);
        const depth = layers(events);
        const rows = 1 + Math.max(0, ...new Set(depth));
        const made = { name, events, depth, top };
        top += HEAD + rows * ROW + 6;
        return { ...made, bottom: top };
    });
}

class Timeline {
    constructor(trace) {
        this.trace = trace;
        this.tracks = layOut(trace);
        this.height = Math.max(...this.tracks.map((track) => track.bottom));
        const times = trace.events.flatMap((event) => [event[3], event[3] + event[4]]);
        this.begin = times.reduce((a, b) => Math.min(a, b), Infinity);
        this.end = times.reduce((a, b) => Math.max(a, b), -Infinity);
        this.canvas = el("canvas", { class: "trace", role: "img", tabindex: 0, "aria-label": "events of the run by time" });
        this.words = el("p", { class: "caption words", "aria-live": "polite" }, "Move over an event; scroll with Ctrl or pinch to zoom, drag to move, double-click to see all.");
        this.zoom = d3.zoom().scaleExtent([1, 1e5])
            .filter((event) => event.type !== "wheel" || event.ctrlKey || event.metaKey)
            .on("zoom", ({ transform }) => { this.transform = transform; this.draw(); });
        this.transform = d3.zoomIdentity;
        d3.select(this.canvas).call(this.zoom).on("dblclick.zoom", () => this.reset())
            .on("pointermove", (event) => this.tell(event));
        onWidth(this.canvas, (width) => this.resize(width));
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    }

    by(factor) {
        d3.select(this.canvas).call(this.zoom.scaleBy, factor);
    }

    reset() {
        d3.select(this.canvas).call(this.zoom.transform, d3.zoomIdentity);
    }

    resize(width) {
        const ratio = devicePixelRatio || 1;
        this.width = width;
        this.canvas.style.height = `${this.height}px`;
        this.canvas.width = width * ratio;
        this.canvas.height = this.height * ratio;
        this.ratio = ratio;
        this.base = d3.scaleLinear([this.begin, this.end], [8, width - 8]);
        this.zoom.translateExtent([[0, 0], [width, this.height]]).extent([[0, 0], [width, this.height]]);
        this.draw();
    }

    get x() {
        return this.transform.rescaleX(this.base);
    }

    draw() {
        if (!this.base)
            return;
        const c = this.canvas.getContext("2d"), style = getComputedStyle(this.canvas), x = this.x;
        const color = (name) => style.getPropertyValue(`--${name}`).trim();
        c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
        c.clearRect(0, 0, this.width, this.height);
        c.font = "11px system-ui, sans-serif";
        c.textBaseline = "middle";
        this.axis(c, x, color);
        for (const track of this.tracks)
            this.track(c, x, color, track);
    }

    axis(c, x, color) {
        const ticks = x.ticks(Math.max(2, Math.floor(this.width / 110)));
        const step = ticks.length > 1 ? ticks[1] - ticks[0] : 1;
        const [unit, factor] = this.end - this.begin > 1e6 ? ["s", 1e6] : this.end - this.begin > 1e3 ? ["ms", 1e3] : ["µs", 1];
        const digits = Math.max(0, Math.ceil(-Math.log10(step / factor)));
        for (const tick of ticks) {
            c.fillStyle = color("line");
            c.fillRect(x(tick), AXIS - 4, 1, this.height);
            c.fillStyle = color("faint");
            c.textAlign = "center";
            c.fillText(`${(tick / factor).toFixed(digits)} ${unit}`, Math.min(Math.max(x(tick), 26), this.width - 30), 9);
        }
        c.textAlign = "left";
    }

    track(c, x, color, track) {
        c.fillStyle = color("ink");
        c.fillText(track.name, 8, track.top + HEAD / 2);
        const last = []; // by row and color: where something was drawn
        track.events.forEach((event, at) => {
            const left = x(event[3]), right = x(event[3] + event[4]);
            if (right < 0 || left > this.width)
                return;
            const key = track.depth[at] * 8 + event[1];
            if (right - left < 1 && last[key] !== undefined && right < last[key] + 0.5)
                return;
            last[key] = Math.max(right, left + 1);
            const from = Math.max(left, -1), wide = Math.max(1, Math.min(right, this.width + 1) - from - (right - left > 3 ? 1 : 0));
            const top = track.top + HEAD + track.depth[at] * ROW;
            c.fillStyle = color(this.trace.categories[event[1]]);
            c.fillRect(from, top, wide, ROW - 3);
            if (wide > 34) {
                c.fillStyle = color("on-event");
                const name = this.trace.names[event[2]], room = Math.floor((wide - 8) / 6.2);
                c.fillText(name.length > room ? `${name.slice(0, Math.max(1, room - 1))}…` : name, from + 4, top + (ROW - 3) / 2 + 0.5);
            }
        });
    }

    tell(event) {
        if (!this.base)
            return;
        const [px, py] = d3.pointer(event, this.canvas), x = this.x;
        const track = this.tracks.find((one) => py >= one.top + HEAD && py < one.bottom);
        const row = track ? Math.floor((py - track.top - HEAD) / ROW) : -1;
        const at = track ? track.events.findIndex((one, i) => track.depth[i] === row && x(one[3]) - 1 <= px && px <= Math.max(x(one[3] + one[4]), x(one[3]) + 2)) : -1;
        if (at < 0)
            return;
        const [, category, name, begin, length, size, loops] = track.events[at];
        this.words.textContent = `${this.trace.categories[category]} ${this.trace.names[name]}: ${time(length / 1000)} at ${time(begin / 1000)}` +
            (size ? `, ${bytes(size)}` : "") + (this.trace.names[loops] ? `, of ${this.trace.names[loops]}` : "");
    }
}

function drawTrace() {
    const trace = DATA.trace;
    if (!trace?.events.length)
        return null;
    const timeline = new Timeline(trace);
    const button = (words, name, action) => el("button", { type: "button", "aria-label": name, title: name, click: action }, words);
    const missing = trace.left_out + DATA.profile.events_not_kept;
    const used = trace.categories.filter((_, at) => trace.events.some((event) => event[1] === at));
    return el("section", { id: "trace" }, el("h2", {}, "Trace of the run"),
        el("div", { class: "tools" }, button("+", "zoom in", () => timeline.by(2)), button("−", "zoom out", () => timeline.by(0.5)),
            button("all", "see all", () => timeline.reset()),
            legend(used.map((name) => [`event-${name}`, { run: "run of loops", setup: "setup", touch: "touch of the host", copy: "copy", kernel: "kernel" }[name]]))),
        timeline.canvas, timeline.words,
        missing ? el("p", { class: "problem" }, `${count(missing)} later events are not shown.`) : null);
}
