"use strict";
// What this report is and how to get it again.

function renderAbout() {
  return { title: "About this report", nodes: [el("p", null, data().title)] };
}

pages.register(/^#\/about$/, renderAbout, { nav: "About", to: "#/about" });
