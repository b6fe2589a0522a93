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

/** What was written so far, but for what goes with the system; and whether most of it is folded away. */
function written() {
  const fields = new FormData(form);
  for (const name of ["csrf", "tie_breaks", "rule_set"]) fields.delete(name);
  if (!byId("more", HTMLDetailsElement).open) fields.set("folded", "yes");
  return new URLSearchParams(/** @type {any} */ (fields));
}

form.addEventListener("change", (event) => {
  // The server knows what is usual for a system.
  if (hit(event, "[name=system]", HTMLInputElement)) location.replace(`?${written()}`);
});
show();
