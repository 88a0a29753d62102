// page.js - the page: what there is in a few numbers, then the parts.

var DATA = JSON.parse(document.getElementById("data").textContent);

function tile(value, words) {
    return el("div", { class: "stat" }, el("div", { class: "value" }, value), el("div", { class: "words" }, words));
}

/** How many nests are in a state; pressed, only their cards are shown. */
function stateTile(state) {
    const press = (event) => {
        const list = document.getElementById("nests"), on = list.dataset.only !== state;
        for (const button of document.querySelectorAll("button.stat"))
            button.setAttribute("aria-pressed", String(on && button === event.currentTarget));
        list.dataset.only = on ? state : "";
        for (const card of list.querySelectorAll(".nest"))
            card.hidden = on && !card.classList.contains(stateClass(state));
    };
    return el("button", { type: "button", class: `stat ${stateClass(state)}`, "aria-pressed": "false", title: `show only nests that are ${STATES[state][1]}`, click: press },
        el("div", { class: "value" }, count(DATA.totals[state])), el("div", { class: "words" }, STATES[state][1]));
}

function drawHead() {
    const sums = DATA.totals;
    const states = Object.keys(STATES).filter((state) => sums[state]);
    const stats = states.map(stateTile);
    if (DATA.profile)
        stats.push(tile(time(sums.time_ms), "in offloaded loops"), tile(count(sums.launches), sums.launches === 1 ? "launch" : "launches"),
            tile(bytes(sums.bytes_in), "to the device"), tile(bytes(sums.bytes_out), "from the device"));
    const rest = DATA.profile ? Math.max(0, sums.time_ms - sums.kernel_ms - sums.copy_ms) : 0;
    const parts = DATA.profile && sums.time_ms > 0 ? [[sums.kernel_ms, "kernels", `kernels ${time(sums.kernel_ms)}`],
        [sums.copy_ms, "in", `copies ${time(sums.copy_ms)}`], [rest, "rest", `else ${time(rest)}`]] : null;
    return [el("h1", {}, DATA.title, el("span", { class: "of" }, " PolyGPU report")),
        el("p", { class: "caption" }, [DATA.profile ? `Run on the ${sums.device || "CPU"}${sums.device ? " device" : ""}` : "Compiled, without a profile of a run",
            DATA.machine ? `planned for ${DATA.machine.Name === DATA.machine.For ? DATA.machine.Name : `${DATA.machine.Name} (${DATA.machine.For})`}` : "",
            DATA.version ? `PolyGPU ${DATA.version}` : ""].filter(Boolean).join(" · ")),
        el("div", { class: "stats" }, stats),
        parts ? [bar(parts), legend(parts.map((part) => [part[1], part[2]]))] : null];
}

function drawProblems() {
    return [...DATA.notes.map((text) => el("p", { class: "problem" }, text)),
        DATA.unknown?.length ? el("div", { class: "problem" }, "The profile has nests that the records say nothing of:",
            el("ul", {}, DATA.unknown.map((one) => el("li", {}, `${one.function} (${one.file}:${one.line}), ${plural(one.runs, "run")}, ${time(one.time_ms)}`)))) : null];
}

function drawPage() {
    const parts = [drawRoofline(), drawTrace()].filter(Boolean);
    const nav = [["source", "Source"], ["nests", "Nests"], ...parts.map((part) => [part.id, { roofline: "Roofline", trace: "Trace" }[part.id]])];
    document.getElementById("head").append(...drawHead().flat(9).filter(Boolean),
        el("nav", { "aria-label": "parts of the page" }, nav.map(([id, words]) => el("a", { href: `#${id}` }, words))));
    document.getElementById("main").append(...drawProblems().filter(Boolean),
        el("div", { class: "columns" }, drawSource(), drawNests()), ...parts);
    if (location.hash.startsWith("#nest"))
        openNest(location.hash.slice(5));
    document.documentElement.dataset.drawn = "yes";
}

drawPage();
