// The parts beside the messages that open and close: channels (a drawer on a phone), members, the panel.

const root = document.documentElement;
const narrow = matchMedia("(max-width: 720px)");
const wide = matchMedia("(min-width: 1100px)");
const wider = matchMedia("(min-width: 1500px)"); // room for members and panel beside each other

/** parts: {drawer, members, panel, main}; onPanel(open) is told when the panel opens or closes. */
export class Frame {
  #parts;
  #membersWanted = true;

  constructor(parts, onPanel) {
    this.#parts = parts;
    this.onPanel = onPanel;
    for (const query of [narrow, wide, wider]) query.addEventListener("change", () => this.#fit());
    document.addEventListener("keydown", (e) => { if (e.key === "Escape" && !e.defaultPrevented) this.#escape(); });
    parts.main.addEventListener("pointerdown", (e) => {
      if (this.#isOpen("drawer")) this.close("channels");
      else if (!wide.matches && this.#isOpen("members") && !e.target.closest("[data-toggle]")) this.close("members");
    }, true);
    this.#fit();
  }

  /** Opens or closes what a button is for: channels, members or panel. */
  toggle(name) {
    if (this.#isOpen(name === "channels" ? "drawer" : name)) this.close(name);
    else this.open(name);
  }

  open(name) {
    const node = this.#node(name);
    if (name === "channels") root.dataset.drawer = "open";
    else node.hidden = false;
    if (name === "members" && wide.matches) this.#membersWanted = true;
    if (narrow.matches) this.#shut(name === "channels" ? "members" : "channels");
    if (!wider.matches && name !== "channels") this.#shut(name === "members" ? "panel" : "members");
    this.#settle();
    if (name === "panel") this.onPanel(true);
    if (narrow.matches || name === "panel") node.querySelector("[aria-current], button, a")?.focus();
  }

  close(name) {
    const held = this.#node(name).contains(document.activeElement);
    if (name === "members" && wide.matches) this.#membersWanted = false;
    this.#shut(name);
    if (name === "panel") this.#parts.members.hidden = !(wide.matches && this.#membersWanted);
    this.#settle();
    if (held) this.#button(name)?.focus();
  }

  /** Closes what lies over the messages on a phone, after something was chosen there. */
  chosen() {
    if (!narrow.matches) return;
    for (const name of ["channels", "members"]) if (this.#isOpen(name === "channels" ? "drawer" : name)) this.close(name);
  }

  #node(name) {
    return this.#parts[name === "channels" ? "drawer" : name];
  }

  #button(name) {
    return document.querySelector(`.bar [data-toggle="${name}"]`);
  }

  #isOpen(part) {
    return part === "drawer" ? root.dataset.drawer === "open" : !this.#parts[part].hidden;
  }

  #shut(name) {
    if (name === "channels") return delete root.dataset.drawer;
    const was = !this.#node(name).hidden;
    this.#node(name).hidden = true;
    if (name === "panel" && was) this.onPanel(false);
  }

  #escape() {
    for (const name of narrow.matches ? ["channels", "panel", "members"] : ["panel"]) {
      const node = this.#node(name);
      const held = node.contains(document.activeElement) || document.activeElement === document.body;
      if (this.#isOpen(name === "channels" ? "drawer" : name) && held) return this.close(name);
    }
  }

  // After the window has got another width.
  #fit() {
    delete root.dataset.drawer;
    const room = wider.matches || (wide.matches && this.#parts.panel.hidden);
    this.#parts.members.hidden = !(room && this.#membersWanted);
    this.#settle();
  }

  // What lies over the messages keeps the keyboard to itself.
  #settle() {
    const { drawer, main, members, panel } = this.#parts;
    const drawn = this.#isOpen("drawer");
    const over = narrow.matches && (drawn || !members.hidden || !panel.hidden);
    drawer.inert = narrow.matches && !drawn;
    main.inert = over && !drawn ? true : false;
    for (const child of main.children) child.inert = over && drawn;
    root.classList.toggle("panelled", !panel.hidden);
    for (const name of ["channels", "members", "panel"]) this.#button(name)?.setAttribute("aria-expanded", String(this.#isOpen(name === "channels" ? "drawer" : name)));
  }
}
