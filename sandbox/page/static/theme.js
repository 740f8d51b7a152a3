// Runs before the page is drawn, so that the chosen theme and view do not come in with a flash. It is no module: those
// wait until the document is there.
{
  const root = document.documentElement;
  const narrow = matchMedia("(max-width: 720px)");

  const stored = (key) => {
    try {
      return localStorage.getItem(`rowbot-${key}`);
    } catch {
      return null; // the browser keeps nothing for this page
    }
  };

  // What is chosen counts; else the theme is the system's, and a narrow window is a phone.
  const apply = () => {
    const theme = stored("theme");
    if (theme === "dark" || theme === "light") root.dataset.theme = theme;
    else delete root.dataset.theme;
    const view = stored("view") ?? (narrow.matches ? "phone" : "desktop");
    if (view === "phone") root.dataset.view = view;
    else delete root.dataset.view;
    root.dispatchEvent(new Event("viewchange"));
  };

  window.choose = (key, value) => {
    try {
      if (value === null) localStorage.removeItem(`rowbot-${key}`);
      else localStorage.setItem(`rowbot-${key}`, value);
    } catch {
      // As above: then it lasts as long as the page.
    }
    apply();
  };
  narrow.addEventListener("change", apply);
  addEventListener("storage", apply);
  apply();
}
