// probe.js - what a browser makes of a page, told to the one that it is in as JSON:
// browse.py adds this script to the page, as its last one.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Charts are drawn when their width is known.
const isDrawn = () => (!document.querySelector(".chart") || document.querySelector(".roofline")) &&
    (!document.querySelector("canvas") || document.querySelector("canvas").style.height);
const wait = setInterval(() => {
    "use strict";
    if (!isDrawn())
        return;
    clearInterval(wait);
    const { problems } = window.probed;
    const all = (selector, root = document) => [...root.querySelectorAll(selector)];

    /** Red, green, blue and alpha of a color, of the browser's own words. */
    function channels(color) {
        const found = color.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
        return found.length === 3 ? [...found, 1] : found;
    }

    function luminance(color) {
        const [r, g, b] = channels(color).map((c) => c / 255).map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    }

    function behind(element) {
        for (let at = element; at; at = at.parentElement) {
            const color = getComputedStyle(at).backgroundColor;
            if (channels(color)[3] > 0)
                return color;
        }
        return getComputedStyle(document.body).backgroundColor;
    }

    /** As WCAG 2 computes contrast. */
    function contrast(element) {
        const style = getComputedStyle(element);
        const ink = luminance(element instanceof SVGElement ? style.fill : style.color), paper = luminance(behind(element));
        return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    }

    function look(where) {
        if (document.scrollingElement.scrollWidth > innerWidth)
            problems.push(`${where}: the page is ${document.scrollingElement.scrollWidth} pixels wide, the window ${innerWidth}`);
        for (const element of all("body *")) {
            const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
            const box = element.getBoundingClientRect();
            if (!hasText || !box.width || ["SCRIPT", "STYLE", "NOSCRIPT", "TITLE"].includes(element.tagName.toUpperCase()))
                continue;
            if (contrast(element) < 4.5)
                problems.push(`contrast ${contrast(element).toFixed(2)} of "${element.textContent.slice(0, 30)}"`);
            if (/undefined|NaN|\[object|null/.test(element.textContent) && !element.closest("pre, .code"))
                problems.push(`${where}: "${element.textContent.slice(0, 60)}"`);
            if (parseFloat(getComputedStyle(element).fontSize) < 10.5)
                problems.push(`small text "${element.textContent.slice(0, 30)}"`);
        }
        for (const picture of all("svg").filter((one) => /NaN|Infinity|undefined/.test(one.outerHTML)))
            problems.push(`${where}: ${picture.outerHTML.match(/.{30}(NaN|Infinity|undefined).{10}/)[0]}`);
    }

    look("at first");
    const shown = { tabs: {} };
    for (const nest of all(".nest")) {
        nest.open = true;
        nest.dispatchEvent(new Event("toggle"));
        for (const tab of all("[role=tab]", nest)) {
            tab.click();
            for (const more of all("details", nest))
                more.open = true;
            shown.tabs[tab.textContent] = (shown.tabs[tab.textContent] ?? 0) + 1;
            if (!nest.querySelector(".tab-body").textContent.trim())
                problems.push(`nothing is in the tab ${tab.textContent}`);
            look(`${nest.id} ${tab.textContent}`);
        }
        const mapping = nest.querySelector("[data-tab=Mapping]");
        mapping?.click();
        shown.pictures = (shown.pictures ?? 0) + all(".mapping svg", nest).length;
        shown.occupancies = (shown.occupancies ?? 0) + all(".occupancy", nest).length;
        nest.querySelector("[data-tab=Schedule]")?.click();
        shown.nodes = (shown.nodes ?? 0) + all(".node", nest).length;
    }
    // From the source to a card.
    const link = document.querySelector(".note a");
    const card = document.querySelector(link.getAttribute("href"));
    card.open = false;
    link.click();
    shown.opens = card.open;
    shown.lines = all(".line").length;
    shown.marked = all(".line:not([class='line'])").length;
    shown.badges = all(".note .badge").map((badge) => badge.textContent);
    shown.points = all(".roofline .point").length;
    shown.roofs = all(".roofline .roof").length;
    const canvas = document.querySelector("canvas.trace");
    if (canvas) {
        const count = () => new Set(new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size;
        shown.colors = count();
        const before = canvas.toDataURL();
        document.querySelector(".tools button").click();
        shown.zooms = before !== canvas.toDataURL();
        const box = canvas.getBoundingClientRect();
        document.querySelector(".tools button:nth-of-type(3)").click();
        for (let at = 0; at < box.height * box.width && !/ at /.test(document.querySelector("#trace .words").textContent); at += 5 * box.width + 3)
            for (let x = 0; x < box.width; x += 4)
                canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + x, clientY: box.top + at / box.width, bubbles: true }));
        shown.words = document.querySelector("#trace .words").textContent;
    }
    shown.width = innerWidth;
    shown.dark = matchMedia("(prefers-color-scheme: dark)").matches;
    shown.problems = [...new Set(problems)].slice(0, 40);
    parent.postMessage(JSON.stringify(shown), "*");
}, 100);
