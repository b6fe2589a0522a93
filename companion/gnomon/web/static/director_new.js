// The only module that shows of the form of a new tournament what its system has, and which tie-breaks are usual.

const form = document.querySelector("#new");
document.documentElement.classList.add("scripted");

function show() {
  const system = form.elements.system.value;
  for (const part of form.querySelectorAll(".of-system")) {
    part.classList.toggle("here", part.dataset.of.split(" ").includes(system));
  }
}

form.addEventListener("change", (event) => {
  if (event.target.name !== "system") return;
  const name = form.elements.name.value;
  // The server knows what is usual for a system: what was written so far goes along.
  const asked = new URLSearchParams({ system: event.target.value, name, expected: form.elements.expected.value });
  location.replace(`?${asked}`);
});
show();
