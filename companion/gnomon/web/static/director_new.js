// Show of the form of a new tournament what its system has, and which tie-breaks are usual.

import { byId, findAll, hit } from "./dom.js";

/** @type {HTMLFormElement & {elements: Record<string, any>}} */
const form = byId("new", HTMLFormElement);
document.documentElement.classList.add("scripted");

function show() {
  const system = form.elements.system.value;
  for (const part of findAll(form, ".of-system")) {
    part.classList.toggle("here", (part.dataset.of ?? "").split(" ").includes(system));
  }
}

form.addEventListener("change", (event) => {
  const field = hit(event, "[name=system]", HTMLSelectElement);
  if (!field) return;
  const name = form.elements.name.value;
  // The server knows what is usual for a system: what was written so far goes along.
  const asked = new URLSearchParams({ system: field.value, name, expected: form.elements.expected.value });
  location.replace(`?${asked}`);
});
show();
