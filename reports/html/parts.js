"use strict";
// Parts beside the page that are fetched on demand: all of a rule, a case. Files
// of scripts, as a page from disk may load nothing else.

const parts = { loaded: new Set(), requested: new Map() };

/** Called by a part: `value` is a rule of the audit, or the view of a case. */
function lanediffPart(file, value) {
  const { rules = {}, cases = {} } = data().parts || {};
  if (cases[value.id] === file) {
    data().cases = { ...data().cases, [value.id]: value };
  } else if (rules[value.id] === file) {
    Object.assign(data().audit.rules.find((rule) => rule.id === value.id), value);
  }
  parts.loaded.add(file);
}

/** Files of parts that a page of `id` needs and that are not here yet. */
function partsOf(kind, id) {
  const known = (data().parts || {})[kind] || {};
  const file = Object.hasOwn(known, id) ? known[id] : null;
  return file && !parts.loaded.has(file) ? [file] : [];
}

/** Loads a part; false where it can't be had. */
function loadPart(file) {
  if (!parts.requested.has(file)) {
    parts.requested.set(file, new Promise((done) => {
      const script = el("script", { src: file });
      script.onload = () => done(parts.loaded.has(file));
      script.onerror = () => done(false);
      document.head.append(script);
    }));
  }
  return parts.requested.get(file);
}

/** Shown in place of a page whose part is missing. */
function partMissing(file) {
  return {
    title: "This part of the report is missing",
    nodes: [el("p", { class: "alert bad", role: "alert" }, "The page requested ", el("code", null, file),
      ", which should lie beside index.html. Copy the whole folder of the report, not this page alone.")],
  };
}
