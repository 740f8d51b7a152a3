// Going through messages and boards by keyboard.

import { isOff } from "./dom.js";

const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Arrow keys walk over the buttons of a board, and from message to message; list is what holds the messages. */
export function walk(e, list) {
  const hidden = e.target.closest(".spoiler");
  if (hidden && (e.key === "Enter" || e.key === " ")) hidden.click();
  const [dx, dy] = steps[e.key] ?? [];
  if (dx === undefined) return;
  const row = e.target.closest("button")?.closest(".row");
  if (row) {
    e.preventDefault();
    over(e.target.closest("button"), row, dx, dy);
  } else if (dy && (e.target === list || e.target.classList.contains("message"))) {
    e.preventDefault();
    const nodes = [...list.querySelectorAll(".message")];
    const next = nodes[(e.target === list ? nodes.length : nodes.indexOf(e.target)) + dy];
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: "nearest" });
  }
}

// Moves the focus over a board: along its row, or to the same place of another row.
function over(from, row, dx, dy) {
  const rows = [...row.closest(".body").querySelectorAll(".row")].map((r) => [...r.children]);
  let y = rows.findIndex((r) => r.includes(from));
  let x = rows[y].indexOf(from);
  for (x += dx, y += dy; rows[y] && (dy || rows[y][x]); x += dx, y += dy) {
    const next = rows[y][Math.min(x, rows[y].length - 1)];
    if (next && !isOff(next)) return next.focus();
  }
}

/** The label of the button in a node that has the focus; null for none. */
export function focusedLabel(node) {
  const at = document.activeElement;
  return node.contains(at) && at.dataset?.label ? at.dataset.label : null;
}

/** A board that has moved under the reader: the focus follows the label it was on, if that is still there. */
export function refocus(node, label) {
  if (document.activeElement?.dataset?.label === label && node.contains(document.activeElement)) return;
  for (const b of node.querySelectorAll("button[data-label]")) {
    if (b.dataset.label === label && !b.disabled) return b.focus({ preventScroll: true });
  }
}
