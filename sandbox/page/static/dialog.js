// The form that a bot opens.

import { el, icon } from "./dom.js";
import { part } from "./field.js";
import { word } from "./text.js";

/** Opens a form; submit(fields, files) resolves with the result, cancel() tells that it was closed without. */
export function openForm(form, world, { submit, cancel }) {
  const problem = el("p", { class: "failed", role: "alert", "data-problem": true });
  const send = el("button", { type: "submit", class: "button primary", "data-submit": true }, el("span", { class: "label" }, word("submit")));
  const fields = form.parts.map((p, i) => part(p, `field-${i}`, world));
  const stop = (face, kind) => el("button", { type: "button", class: kind, "data-cancel": true, "aria-label": face ? null : word("close"), onclick: () => close(true) }, face ?? icon("close"));
  const dialog = el("dialog", { class: "modal", "data-form": form.id, "aria-labelledby": "modal-title" },
    el("form", { novalidate: true, onsubmit: (e) => { e.preventDefault(); answer(); } },
      el("header", null, el("img", { src: "/static/icon.svg", alt: "" }), el("h2", { id: "modal-title" }, form.title), stop(null, "tool")),
      el("div", { class: "fields" }, ...fields.map((f) => f.node)), problem,
      el("div", { class: "actions" }, stop(word("cancel"), "button secondary"), send)));
  let open = true;

  function close(cancelled) {
    if (!open) return;
    open = false;
    dialog.close();
    dialog.remove();
    if (cancelled) cancel();
  }

  async function answer() {
    if (send.getAttribute("aria-busy")) return;
    const bad = fields.filter((f) => f.check && !f.check())[0];
    problem.textContent = "";
    if (bad) return bad.focus();
    send.setAttribute("aria-busy", "true");
    const result = await submit(...await filled(fields));
    send.removeAttribute("aria-busy");
    if (result.failed) problem.textContent = word("failed");
    else if (result.error) problem.textContent = result.error;
    else close(false);
  }

  dialog.addEventListener("cancel", (e) => { e.preventDefault(); close(true); });
  dialog.addEventListener("close", () => close(true));
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector(".fields :is(input, textarea, .picker)")?.focus();
  return () => close(true);
}

// What was filled in, by custom id: texts, and files.
async function filled(fields) {
  const values = {};
  const files = {};
  for (const f of fields) {
    if (f.files) files[f.key] = await f.files();
    else if (f.key) values[f.key] = f.value();
  }
  return [values, files];
}
