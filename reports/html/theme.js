"use strict";
// Light, dark, or as the system has it. The choice is kept where the browser
// lets a page from disk keep anything.

const kThemeKey = "lanediff-theme";

function storedTheme() {
  try {
    return localStorage.getItem(kThemeKey) || "";
  } catch {
    return "";
  }
}

function setTheme(theme) {
  if (theme) {
    document.documentElement.dataset.theme = theme;
  } else {
    delete document.documentElement.dataset.theme;
  }
  try {
    localStorage.setItem(kThemeKey, theme);
  } catch {
    // The choice then lasts as long as the page.
  }
}

function startTheme() {
  const select = document.getElementById("theme");
  select.value = storedTheme();
  setTheme(select.value);
  select.addEventListener("change", () => setTheme(select.value));
}
