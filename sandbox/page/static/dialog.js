// The form that a bot opens.

import { el } from "./dom.js";
import { markdown } from "./markdown.js";

/** Opens a form; submit(fields) resolves with the result, cancel() tells that it was closed without. */
export function openForm(form, world, { submit, cancel }) {
  const problem = el("p", { class: "failed", role: "alert" });
  const send = el("button", { type: "submit", class: "button primary" }, "Submit");
  const fields = form.parts.map((p, i) => part(p, `field-${i}`, world));
  const dialog = el("dialog", { class: "modal", "aria-labelledby": "modal-title" },
    el("form", { onsubmit: (e) => { e.preventDefault(); answer(); } },
      el("h2", { id: "modal-title" }, form.title), ...fields.map((f) => f.node), problem,
      el("div", { class: "actions" }, el("button", { type: "button", class: "button plain", onclick: () => close(true) }, "Cancel"), send)));
  let open = true;

  function close(cancelled) {
    if (!open) return;
    open = false;
    dialog.close();
    dialog.remove();
    if (cancelled) cancel();
  }

  async function answer() {
    if (send.disabled) return;
    send.disabled = true;
    send.setAttribute("aria-busy", "true");
    problem.textContent = "";
    const result = await submit(Object.fromEntries(fields.filter((f) => f.key).map((f) => [f.key, f.value()])));
    send.disabled = false;
    send.removeAttribute("aria-busy");
    if (result.failed) problem.textContent = "Something went wrong. Try again.";
    else if (result.error) problem.textContent = result.error;
    else close(false);
  }

  dialog.addEventListener("cancel", (e) => { e.preventDefault(); close(true); });
  dialog.addEventListener("close", () => close(true));
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector("input, textarea, select")?.focus();
  return () => close(true);
}

function part(p, id, world) {
  if (p.type === 10) return { node: el("div", { class: "text" }, markdown(p.content, world)) };
  const input = p.type === 4 ? textInput(p, id) : menu(p, id, world);
  const hint = p.description && el("p", { class: "small", id: `${id}-hint` }, p.description);
  if (hint) input.setAttribute("aria-describedby", `${id}-hint`);
  const label = el("label", { for: id }, p.label, p.required && el("span", { class: "needed", "aria-hidden": "true" }, " *"));
  const value = () => (p.type === 4 ? input.value : [...input.selectedOptions].map((o) => o.value).filter(Boolean).join(","));
  return { key: p.custom_id, value, node: el("div", { class: "entry" }, label, hint, input) };
}

function textInput(p, id) {
  const shared = {
    id, placeholder: p.placeholder, maxlength: p.max || null, minlength: p.min || null, required: p.required, autocomplete: "off", spellcheck: "false",
  };
  const input = p.style === 2 ? el("textarea", { ...shared, rows: 4 }) : el("input", { ...shared, type: "text" });
  input.value = p.value ?? "";
  return input;
}

function menu(p, id, world) {
  const options = p.options ?? world.members().map((m) => ({ value: m.id, label: m.name }));
  const several = p.max > 1;
  return el("select", { id, required: p.required, multiple: several },
    several ? null : el("option", { value: "" }, p.placeholder || "Make a selection"),
    ...options.map((o) => el("option", { value: o.value, selected: o.default }, o.label)));
}
