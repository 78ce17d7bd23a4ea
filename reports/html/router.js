"use strict";
// Pages by their address. Everything that a view depends on is behind the '#',
// so that a view can be linked: "#/PATH?name=value".

const pages = {
  /** @type {{pattern: RegExp, render: Function, nav?: string, when?: Function, needs?: Function}[]} */
  list: [],

  /**
   * Registers a page. `render(args, query)` gets what the pattern captured,
   * decoded, and a URLSearchParams; it returns {title, nodes} (and `kicker`, a
   * line above the title, if it likes).
   * @param {RegExp} pattern of the address before '?', such as /^#\/case\/(.+)$/
   * @param {{nav?: string, to?: string, when?: (report: Object) => boolean}} [options]
   *   `nav` is the page's name in the menu, `to` its address, `when` returns
   *   whether this report has it; `needs` names the parts that a page needs
   *   by what its pattern captured.
   */
  register(pattern, render, options = {}) {
    this.list.push({ pattern, render, ...options });
  },
};

/** Path and query of the address. */
function address() {
  const [path, query = ""] = (location.hash || "#/").split(/\?(.*)/s);
  return { path, query: new URLSearchParams(query) };
}

/** Puts `query` into the address without a new step in the history. */
function setQuery(query) {
  const text = query.toString();
  history.replaceState(history.state, "", address().path + (text ? "?" + text : ""));
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;  // an address with a lone '%'
  }
}

function findPage(path) {
  for (const page of pages.list) {
    const match = page.pattern.exec(path);
    if (match) return { page, args: match.slice(1).map((arg) => decode(arg || "")) };
  }
  return null;
}

/** A page for what is not there. */
function missing(what) {
  return {
    title: "Not in this report",
    nodes: [el("p", null, what), el("p", null, el("a", { href: "#/" }, "To the start"))],
  };
}

function showPage(moveFocus) {
  const { path, query } = address();
  const found = findPage(path);
  const [file] = found && found.page.needs ? found.page.needs(found.args) : [];
  if (file) {
    loadPart(file).then((here) => {
      if (address().path !== path) return;  // another page is shown
      if (here) showPage(moveFocus);
      else draw(partMissing(file), path, moveFocus);
    });
    return;
  }
  const shown = found ? found.page.render(found.args, query)
    : missing(`There is no page ${path}.`);
  draw(shown, path, moveFocus);
}

function draw(shown, path, moveFocus) {
  const title = el("h1", { tabindex: "-1" }, shown.title);
  document.getElementById("main").replaceChildren(
    ...[shown.kicker && el("p", { class: "kicker" }, shown.kicker), title, ...shown.nodes]
      .filter(Boolean));
  document.title = [...new Set([shown.title, data().title])].join(" · ");
  drawMenu(path);
  scrollTo(0, (history.state && history.state.y) || 0);
  if (moveFocus) title.focus({ preventScroll: true });
}

function drawMenu(path) {
  const links = pages.list.filter((page) => page.nav && (!page.when || page.when(data())));
  document.getElementById("nav").replaceChildren(...links.map((page) =>
    el("a", { href: page.to, "aria-current": page.pattern.test(path) ? "page" : null }, page.nav)));
}

/** Remembers how far a page was scrolled, for the way back to it. */
function rememberScroll() {
  let timer = 0;
  history.scrollRestoration = "manual";
  addEventListener("scroll", () => {
    clearTimeout(timer);
    timer = setTimeout(() => history.replaceState({ y: scrollY }, ""), 150);
  }, { passive: true });
}

function startRouter() {
  rememberScroll();
  // The skip link must not become an address of a page.
  document.getElementById("skip").addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById("main").focus();
  });
  addEventListener("hashchange", () => showPage(true));
  showPage(false);
}
