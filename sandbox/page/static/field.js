// The fields of a form: {input, value(), files(), problem()} with what stands around them.

import { el } from "./dom.js";
import { readFiles } from "./file.js";
import { markdown } from "./markdown.js";
import { choicesOf, openPicker, picker, showChosen } from "./picker.js";
import { word } from "./text.js";

const makers = { 4: textInput, 19: upload, 21: choices, 22: choices, 23: checkbox };

/** A part of a form: a text, or a field with its label and what is wrong with it. */
export function part(p, id, world) {
  if (p.type === 10) return { node: el("div", { class: "text" }, markdown(p.content, world)) };
  const field = (makers[p.type] ?? menu)(p, id, world);
  const hint = p.description && el("p", { class: "small", id: `${id}-hint` }, p.description);
  const wrong = el("p", { class: "failed", id: `${id}-wrong`, role: "alert" });
  field.input.setAttribute("aria-describedby", [hint && hint.id, wrong.id].filter(Boolean).join(" "));
  const title = [p.label || p.placeholder, p.required && el("span", { class: "needed", "aria-hidden": "true" }, " *")];
  const node = field.group
    ? el("fieldset", { class: "entry" }, el("legend", null, ...title), hint, field.node, wrong)
    : el("div", { class: "entry" }, el("label", { for: id }, ...title), hint, field.node ?? field.input, wrong);
  const check = () => {
    const text = field.problem?.() ?? "";
    wrong.textContent = text;
    if (text) field.input.setAttribute("aria-invalid", "true");
    else field.input.removeAttribute("aria-invalid");
    return text === "";
  };
  return { key: p.custom_id, node, check, value: field.value, files: field.files, focus: () => field.input.focus() };
}

function textInput(p, id) {
  const shared = {
    id, "data-field": p.custom_id, placeholder: p.placeholder, maxlength: p.max || null, "aria-required": p.required ? "true" : null, autocomplete: "off", spellcheck: "false",
  };
  const input = p.style === 2 ? el("textarea", { ...shared, rows: 4 }) : el("input", { ...shared, type: "text" });
  input.value = p.value ?? "";
  const problem = () => {
    const n = [...input.value].length;
    if (p.required && n === 0) return word("required");
    return n > 0 && n < p.min ? `${p.min}–${p.max}` : "";
  };
  return { input, value: () => input.value, problem };
}

function menu(p, id, world) {
  const c = {
    type: p.type, placeholder: p.placeholder, options: p.options, min_values: p.required ? Math.max(1, p.min) : 0, max_values: p.max,
    default_values: p.defaults, channel_types: p.channel_types,
  };
  let values = choicesOf(c, world).filter((o) => o.chosen).map((o) => o.value);
  const input = picker(c, world, {
    id, "data-field": p.custom_id, "data-select": p.custom_id, onclick: () => openPicker(input, c, world, values, (chosen, list) => {
      values = chosen;
      showChosen(input, c, list);
    }),
  });
  return { input, value: () => values.join(","), problem: () => (p.required && !values.length ? word("required") : "") };
}

// Radio buttons or checkboxes.
function choices(p, id) {
  const kind = p.type === 21 ? "radio" : "checkbox";
  const boxes = (p.options ?? []).map((o, i) => el("input", { type: kind, name: id, id: i ? `${id}-${i}` : id, value: o.value, checked: o.default }));
  const node = el("div", { "data-field": p.custom_id }, ...boxes.map((box, i) => el("label", { class: "choice" }, box,
    el("span", { class: "words" }, p.options[i].label, p.options[i].description && el("span", { class: "detail" }, p.options[i].description)))));
  const chosen = () => boxes.filter((b) => b.checked).map((b) => b.value);
  const problem = () => {
    const n = chosen().length;
    if (p.required && n === 0) return word("required");
    return n > 0 && kind === "checkbox" && (n < p.min || n > p.max) ? `${p.min}–${p.max}` : "";
  };
  return { input: boxes[0] ?? node, node, group: true, value: () => chosen().join(","), problem };
}

function checkbox(p, id) {
  const input = el("input", { type: "checkbox", id, "data-field": p.custom_id, checked: p.checked });
  return { input, node: el("span", { class: "choice" }, input), value: () => String(input.checked) };
}

function upload(p, id) {
  const input = el("input", { type: "file", id, "data-field": p.custom_id, multiple: p.max > 1 });
  const problem = () => {
    const n = input.files.length;
    if (p.required && n === 0) return word("required");
    return n > 0 && (n < p.min || n > p.max) ? `${p.min}–${p.max}` : "";
  };
  return { input, files: () => readFiles(input.files), problem };
}
