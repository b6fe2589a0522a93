// Find, make and change elements of the page.

const SVG = "http://www.w3.org/2000/svg";

/** The arrow keys and where they lead. @type {Map<string, [number, number]>} */
export const ARROWS = new Map([
  ["ArrowUp", [0, -1]],
  ["ArrowDown", [0, 1]],
  ["ArrowLeft", [-1, 0]],
  ["ArrowRight", [1, 0]],
]);

/**
 * @template {Element} T
 * @typedef {abstract new (...given: any[]) => T} Kind
 */

/**
 * An element with this id, of this kind.
 * @template {Element} [T=HTMLElement]
 * @param {string} id
 * @param {Kind<T>} [kind]
 * @returns {T}
 * @throws {TypeError} where the page has none
 */
export function byId(id, kind) {
  return one(document.getElementById(id), kind, id);
}

/**
 * The first element within `root` for a selector.
 * @template {Element} [T=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {Kind<T>} [kind]
 * @returns {T}
 * @throws {TypeError} where there is none
 */
export function find(root, selector, kind) {
  return one(root.querySelector(selector), kind, selector);
}

/**
 * The same, or null where there is none.
 * @template {Element} [T=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {Kind<T>} [kind]
 * @returns {T | null}
 */
export function optional(root, selector, kind) {
  const found = root.querySelector(selector);
  return found && one(found, kind, selector);
}

/**
 * Every element within `root` for a selector.
 * @template {Element} [T=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {Kind<T>} [kind]
 * @returns {T[]}
 */
export function findAll(root, selector, kind) {
  return [...root.querySelectorAll(selector)].map((each) => one(each, kind, selector));
}

/**
 * The element in which an event happened: the nearest one for a selector, or null.
 * @template {Element} [T=HTMLElement]
 * @param {Event} event
 * @param {string} selector
 * @param {Kind<T>} [kind]
 * @returns {T | null}
 */
export function hit({ target }, selector, kind) {
  const found = target instanceof Element ? target.closest(selector) : null;
  return found && one(found, kind, selector);
}

/**
 * @template {Element} T
 * @param {Element | null} found
 * @param {Kind<T> | undefined} kind
 * @param {string} called
 * @returns {T}
 */
function one(found, kind, called) {
  if (found instanceof (kind ?? HTMLElement)) return /** @type {T} */ (found);
  throw new TypeError(`The page has no ${(kind ?? HTMLElement).name} ${called}.`);
}

/**
 * An SVG element with its attributes and children.
 * @template {keyof SVGElementTagNameMap} N
 * @param {N} name
 * @param {Record<string, string | number>} [attributes]
 * @param {(Node | string)[]} children
 * @returns {SVGElementTagNameMap[N]}
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/**
 * An HTML element; keys that begin with "on" are listeners, "text" is its text.
 * @template {keyof HTMLElementTagNameMap} N
 * @param {N} name
 * @param {Record<string, any>} [attributes]
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[N]}
 */
export function html(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "text") element.textContent = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/**
 * Let a button show the page on the whole screen, and in its window again, where the browser can.
 * @param {HTMLElement} button
 */
export function offerFullScreen(button) {
  button.hidden = !document.fullscreenEnabled;
  button.addEventListener("click", () =>
    (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(
      () => null,
    ),
  );
}

/**
 * Put elements into a box unless just these stand there; says whether it had to.
 * @param {Element} box
 * @param {Element[]} elements
 */
export function fill(box, elements) {
  const { children } = box;
  if (elements.length === children.length && elements.every((each, index) => children[index] === each)) return false;
  box.replaceChildren(...elements);
  return true;
}

/**
 * Put text into an element only when it is new, so that nothing is announced twice.
 * @param {Element} element
 * @param {string} text
 */
export function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
