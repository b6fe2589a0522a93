// Say of what has the focus how often it was met, what it is, and whether it shows it.

() => {
  const part = document.activeElement;
  if (!part || part === document.body || part === document.documentElement) return null;
  window.met ??= [];
  const known = window.met.indexOf(part);
  if (known >= 0) return { number: known };
  window.met.push(part);
  const isShown = (each) => {
    const style = getComputedStyle(each);
    return (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2) || style.boxShadow !== "none";
  };
  // A hidden radio button shows it on what stands for it; a drawn space on its own outline.
  const stands = [part, ...(part.labels ?? []), part.nextElementSibling, part.parentElement].filter(Boolean);
  const box = part.getBoundingClientRect();
  const said = part.getAttribute("aria-label") ?? part.labels?.[0]?.textContent ?? part.textContent ?? "";
  return {
    number: window.met.length - 1,
    name: said.trim().slice(0, 40) || part.id || part.tagName,
    visible: stands.some(isShown) || part.closest("svg") !== null,
    inside: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
  };
};
