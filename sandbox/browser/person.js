// What a person sees on the page and can reach there. The tests put it into every page before the page's own scripts.
window.person = (() => {
  const shown = (node) => {
    const r = node.getBoundingClientRect();
    return r.width > 0 && r.height > 0 && node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  };

  // The visible nodes of a selector whose text holds some words, in the order of the document.
  const all = (selector, words) => [...document.querySelectorAll(selector)]
    .filter((n) => shown(n) && (!words || (n.innerText ?? n.textContent).includes(words)));

  const center = (node) => {
    const r = node.getBoundingClientRect();
    return { x: r.left + r.width / 2, y: r.top + r.height / 2 };
  };

  // Where to put the mouse to hit a node, or why that cannot be done now.
  function spot(selector, words) {
    const node = all(selector, words).at(-1);
    if (!node) return { why: "it is not there" };
    node.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    if (node.disabled || node.getAttribute("aria-disabled") === "true") return { why: "it is switched off" };
    const at = center(node);
    const top = document.elementFromPoint(at.x, at.y);
    if (top === node || node.contains(top)) return at;
    return { why: `it is covered by ${describe(top)}` };
  }

  // Whether a condition holds; a broken one does not hold yet.
  function holds(condition) {
    try {
      return Boolean(condition());
    } catch {
      return false;
    }
  }

  const rgba = (color) => {
    const [r, g, b, a = 1] = color.match(/[\d.]+/g).map(Number);
    return color.startsWith("color(srgb") ? [r * 255, g * 255, b * 255, a] : [r, g, b, a];
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((v, i) => v * a + below[i] * (1 - a)).concat(1);
  const light = (c) => {
    const [r, g, b] = c.slice(0, 3).map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };

  // The colour behind a node: the backgrounds of what it lies in, one over the other. What is shown in the top layer
  // covers the page, so the page does not count for it.
  function behind(node) {
    const layers = [];
    for (let n = node; n; n = n.parentElement) {
      const c = rgba(getComputedStyle(n).backgroundColor);
      layers.push(c);
      if (c[3] === 1) break;
    }
    return layers.reduceRight((below, c) => over(c, below), [255, 255, 255, 1]);
  }

  function opacity(node) {
    let o = 1;
    for (let n = node; n; n = n.parentElement) o *= Number(getComputedStyle(n).opacity);
    return o;
  }

  const off = (node) => node.closest(":disabled, [aria-disabled=true]");

  // The texts with too little contrast to what is behind them: 4.5 to 1, 3 to 1 for large ones. What is switched off
  // may be pale.
  function pale() {
    const bad = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode;
      const node = text.parentElement;
      if (!text.data.trim() || !shown(node) || off(node) || node.closest("option")) continue;
      const style = getComputedStyle(node);
      // An emoji is drawn as a picture over its own letter; the colours of ANSI codes are Discord's.
      if (rgba(style.color)[3] === 0 || node.closest("[class*=ansi-]")) continue;
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      const back = behind(node);
      const [r, g, b, a] = rgba(style.color);
      const [x, y] = [light(over([r, g, b, a * opacity(node)], back)), light(back)].sort((p, q) => q - p);
      const ratio = (x + 0.05) / (y + 0.05);
      if (ratio < (large ? 3 : 4.5)) bad.push(`${ratio.toFixed(2)} "${text.data.trim().slice(0, 30)}" (${style.color} on ${back.map(Math.round)}, ${describe(node)})`);
    }
    return [...new Set(bad)];
  }

  function describe(node) {
    if (!node) return "nothing";
    const data = Object.entries(node.dataset ?? {}).map(([k, v]) => `[data-${k}=${v.slice(0, 24)}]`).join("");
    return `${node.localName}${node.id ? `#${node.id}` : ""}${[...node.classList].map((c) => `.${c}`).join("")}${data}`;
  }

  // What the Tab key has to come by: all that can be used and is not kept apart. Radio buttons of one group are one stop.
  function stops() {
    const dialog = document.querySelector("dialog[open]");
    const nodes = (dialog ?? document).querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]");
    const radios = new Set();
    return [...nodes].filter((n) => {
      if (!n.checkVisibility({ visibilityProperty: true }) || n.tabIndex < 0 || n.disabled || n.closest("[inert]")) return false;
      if (n.type !== "radio") return true;
      if (radios.has(n.name) || ![...document.querySelectorAll(`[name="${n.name}"]`)].some((o) => o.checked)) return false;
      if (n.checked) radios.add(n.name);
      return n.checked;
    });
  }

  const scrolls = (node) => node && node !== document.body && (["auto", "scroll"].includes(getComputedStyle(node).overflowX) || scrolls(node.parentElement));

  // What a benchmark reads off: all times in ms since 1970, so that those of two tabs can be compared.
  const gauge = (() => {
    const now = (t = performance.now()) => performance.timeOrigin + t;
    let clicked = 0;
    let changed = 0;
    let changes = 0;
    let first = 0;
    let task = 0;
    let frame = 0;
    let slow = 0;
    addEventListener("DOMContentLoaded", () => {
      const list = document.getElementById("messages");
      if (!list) return; // no page of ours
      const watcher = new MutationObserver(() => {
        if (!document.querySelector("[data-message]")) return;
        first = performance.now();
        watcher.disconnect();
      });
      watcher.observe(list, { childList: true, subtree: true });
    });
    // Counts the changes of the newest message, from now on.
    function begin() {
      addEventListener("pointerdown", (e) => { clicked = now(e.timeStamp); }, true);
      const board = [...document.querySelectorAll("[data-message] .body")].at(-1);
      new MutationObserver((list) => {
        if (list.every((m) => m.attributeName === "aria-busy")) return; // the click itself
        changed = now();
        changes++;
      }).observe(board, { subtree: true, childList: true, characterData: true, attributes: true });
      new PerformanceObserver((list) => { for (const e of list.getEntries()) task = Math.max(task, e.duration); }).observe({ type: "longtask" });
      let last = 0;
      const tick = (t) => {
        if (last) frame = Math.max(frame, t - last);
        if (last && t - last > 50) slow++;
        last = t;
        requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
      return true;
    }
    return {
      begin, clicked: () => clicked, changed: () => changed, changes: () => changes, answered: () => changed > clicked, firstMessage: () => first,
      longestTask: () => task, longestFrame: () => frame, slowFrames: () => slow,
    };
  })();

  let walked = new Set();
  let lost = new Set(); // where the focus was, but nobody could see it
  return {
    all, spot, holds, gauge, pale, describe, shown,
    text: (selector) => all(selector).map((n) => n.innerText).join("\n"),
    // The tab walk: begin counts what has to be reached, step notes where the focus is and counts what is left.
    walk: {
      begin: () => { walked = new Set(); lost = new Set(); return stops().length; },
      step: () => {
        const at = document.activeElement;
        walked.add(at);
        if (at !== document.body && !shown(at)) lost.add(describe(at));
        return stops().filter((n) => !walked.has(n)).length;
      },
      missed: () => stops().filter((n) => !walked.has(n)).map(describe),
      hidden: () => [...lost],
    },
    // What sticks out of the window, other than in something that scrolls by itself.
    wide: () => [...document.querySelectorAll("body *")].filter((n) => shown(n) && n.getBoundingClientRect().right > innerWidth + 1
      && !n.closest("[inert]") && !scrolls(n.parentElement)).map(describe),
  };
})();
