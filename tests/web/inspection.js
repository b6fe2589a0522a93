// Look a page over as it is shown, and list its faults, one sentence each.
//
// Contrast and sizes are those of WCAG 2.2: success criteria 1.4.3, 1.4.11 (focus) and 2.5.5, with their exceptions.

() => {
  const LEAST = 44; // pixels of what a finger meets (2.5.5)
  const TEXT = 4.5; // contrast of words (1.4.3), and of large ones:
  const LARGE = 3;
  const CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex], [role=button]";
  const faults = [];

  const box = (part) => part.getBoundingClientRect();
  const called = (part) =>
    `${part.tagName.toLowerCase()}${part.id ? `#${part.id}` : ""}${
      part.classList.length ? `.${[...part.classList].join(".")}` : ""
    } “${(part.textContent ?? "").trim().slice(0, 30)}”`;
  const seen = (part) => {
    const { width, height } = box(part);
    return (
      part.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) &&
      width > 1 &&
      height > 1 &&
      getComputedStyle(part).clipPath === "none"
    );
  };

  // Colours: [red, green, blue, opacity], as getComputedStyle gives them.

  const colour = (text) => {
    const rgb = /^rgba?\(([^)]+)\)$/u.exec(text);
    if (rgb) {
      const [red, green, blue, alpha = 1] = rgb[1].split(/[\s,/]+/u).map(Number);
      return [red, green, blue, alpha];
    }
    const srgb = /^color\(srgb ([^)]+)\)$/u.exec(text); // what color-mix() is computed to
    if (!srgb) return null;
    const [red, green, blue, alpha = 1] = srgb[1].split(/[\s/]+/u).map(Number);
    return [red * 255, green * 255, blue * 255, alpha];
  };
  const over = (top, ground) => {
    const part = (index) => top[index] * top[3] + ground[index] * (1 - top[3]);
    return [part(0), part(1), part(2), 1];
  };
  const line = (part) => (part ? [...line(part.parentElement), part] : []);
  const ground = (part) => {
    let below = [255, 255, 255, 1];
    for (const each of line(part)) {
      const style = getComputedStyle(each);
      if (style.backgroundImage.includes("gradient")) below = null; // no single colour: until something covers it
      const own = colour(style.backgroundColor);
      if (own && own[3] === 1) below = own;
      else if (own && own[3] > 0 && below) below = over(own, below);
    }
    return below;
  };
  const opacity = (part) => line(part).reduce((product, each) => product * Number(getComputedStyle(each).opacity), 1);
  const luminance = ([red, green, blue]) => {
    const linear = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  };
  const contrast = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((first, second) => first - second);
    return (light + 0.05) / (dark + 0.05);
  };

  // The page

  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    const widest = [...document.body.querySelectorAll("*")].filter(
      (part) => seen(part) && box(part).right > root.clientWidth + 1,
    );
    faults.push(
      `wider than the window by ${root.scrollWidth - root.clientWidth}: ${called(widest.at(-1) ?? document.body)}`,
    );
  }
  if (!root.lang) faults.push("has no language");
  if (!document.title.trim()) faults.push("has no title");
  if (document.querySelectorAll("main").length !== 1) faults.push("has not one main part");
  const headings = [...document.querySelectorAll("h1")].filter((part) => part.checkVisibility());
  if (headings.length !== 1 && !("bare" in document.body.dataset) && !document.getElementById("overlay")) {
    faults.push(`has ${headings.length} headings of the first level`);
  }
  const ids = [...document.querySelectorAll("[id]")].map((part) => part.id);
  for (const twice of new Set(ids.filter((id, index) => ids.indexOf(id) !== index)))
    faults.push(`two parts are called #${twice}`);
  for (const said of document.querySelectorAll("[aria-labelledby], [aria-describedby], [aria-controls]")) {
    for (const name of ["aria-labelledby", "aria-describedby", "aria-controls"]) {
      for (const id of (said.getAttribute(name) ?? "").split(/\s+/u).filter(Boolean)) {
        if (!document.getElementById(id)) faults.push(`${called(said)}: ${name} says #${id}, which is nowhere`);
      }
    }
  }

  // Words that can be read

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const read = new Set();
  while (walker.nextNode()) {
    const part = walker.currentNode.parentElement;
    if (
      !walker.currentNode.textContent.trim() ||
      read.has(part) ||
      !seen(part) ||
      part.closest("svg, noscript, script, :disabled, [aria-disabled=true]")
    )
      continue;
    read.add(part);
    const style = getComputedStyle(part);
    const behind = ground(part);
    const ink = colour(style.color);
    if (!behind || !ink) continue;
    const size = parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? LARGE : TEXT;
    const found = contrast(over([ink[0], ink[1], ink[2], ink[3] * opacity(part)], behind), behind);
    if (found < least - 0.005) faults.push(`${called(part)}: contrast ${found.toFixed(2)}, not ${least}`);
  }
  // Words that stick out of what they stand in: a card, a button, a cell.
  for (const part of read) {
    const frame = line(part)
      .reverse()
      .find((each) => {
        const style = getComputedStyle(each);
        return (
          style.overflowX !== "visible" ||
          parseFloat(style.borderRightWidth) > 0 ||
          (colour(style.backgroundColor)?.[3] ?? 0) > 0
        );
      });
    if (
      !frame ||
      frame === document.body ||
      getComputedStyle(frame).overflowX !== "visible" ||
      getComputedStyle(frame).display === "inline"
    )
      continue;
    const words = document.createRange();
    words.selectNodeContents(part);
    const out = words.getBoundingClientRect().right - box(frame).right;
    if (out > 1) faults.push(`${called(part)} sticks out of its frame by ${Math.round(out)}`);
  }
  for (const said of document.querySelectorAll("[placeholder]")) {
    if (!said.labels?.length && !said.getAttribute("aria-label"))
      faults.push(`${called(said)}: a placeholder is no name`);
  }

  // Links in the browser's own colours, of which the pages know nothing
  for (const link of document.querySelectorAll("a[href]")) {
    if (seen(link) && ["rgb(0, 0, 238)", "rgb(158, 158, 255)"].includes(getComputedStyle(link).color))
      faults.push(`${called(link)} has no colour of the pages`);
  }

  // Controls: a name, and room for a finger

  const name = (part) => {
    const by = (part.getAttribute("aria-labelledby") ?? "")
      .split(/\s+/u)
      .filter(Boolean)
      .map((id) => document.getElementById(id)?.textContent ?? "")
      .join(" ");
    const inside = [...part.querySelectorAll("[aria-label], img[alt], svg title")]
      .map((each) => each.getAttribute("aria-label") ?? each.getAttribute("alt") ?? each.textContent)
      .join(" ");
    const labels = [...(part.labels ?? [])].map((label) => label.textContent).join(" ");
    const own = part.matches("input, select, textarea") ? (part.type === "submit" ? part.value : "") : part.textContent;
    return (
      by ||
      part.getAttribute("aria-label") ||
      labels ||
      own ||
      inside ||
      part.getAttribute("title") ||
      ""
    ).trim();
  };
  const area = (part) => {
    const boxes = [part, ...(part.labels ?? [])].filter((each) => each.checkVisibility()).map(box);
    if (part.matches("input[type=radio], input[type=checkbox]"))
      boxes.push(...[part.nextElementSibling].filter(Boolean).map(box));
    return {
      width: Math.max(...boxes.map((each) => each.right)) - Math.min(...boxes.map((each) => each.left)),
      height: Math.max(...boxes.map((each) => each.bottom)) - Math.min(...boxes.map((each) => each.top)),
    };
  };
  const inASentence = (part) => {
    const around = part.closest("p, li, dd, td, figcaption");
    return (
      part.matches("a") &&
      getComputedStyle(part).display === "inline" &&
      around !== null &&
      around.textContent.trim().length > part.textContent.trim().length
    );
  };
  for (const part of document.querySelectorAll(CONTROLS)) {
    if (!part.checkVisibility({ checkVisibilityCSS: true }) || part.matches("[tabindex='-1']")) continue;
    if (!name(part)) faults.push(`${called(part)} has no name`);
    if (Number(part.getAttribute("tabindex")) > 0) faults.push(`${called(part)} jumps the queue of the Tab key`);
    if (part.closest("svg") || part.matches(":disabled") || inASentence(part)) continue;
    if (
      part.matches("[tabindex='0']:not(button, a, input, summary)") &&
      !part.getAttribute("role")?.match(/button|switch|slider/u)
    )
      continue;
    const { width, height } = area(part);
    if (width < LEAST - 0.5 || height < LEAST - 0.5)
      faults.push(`${called(part)}: ${Math.round(width)} × ${Math.round(height)} is too small for a finger`);
  }
  for (const drawn of document.querySelectorAll("svg")) {
    if (!drawn.checkVisibility() || drawn.closest("[aria-hidden=true]")) continue;
    if (
      !drawn.getAttribute("aria-label") &&
      !drawn.querySelector(":scope > title") &&
      !drawn.closest("[aria-label], [aria-labelledby], button, a")
    ) {
      faults.push(`${called(drawn).slice(0, 60)}: a drawing without a name`);
    }
  }

  // What moves although nothing is to move

  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    for (const moving of document.getAnimations()) {
      const { duration, iterations } = moving.effect.getComputedTiming();
      if (moving.playState === "running" && (iterations === Infinity || duration > 100)) {
        faults.push(`${called(moving.effect.target)} moves: ${moving.animationName ?? moving.transitionProperty}`);
      }
    }
  }
  return faults;
};
