// Show the picture of a game at a table: asked for once, by its name.

import { crop } from "./crop.js";

const NARROW = matchMedia("(max-width: 699px)");

export class TablePicture {
  /** `address` is where pictures are found. */
  constructor(frame, address) {
    this.frame = frame;
    this.address = address;
    this.name = "";
    this.whole = "";
    this.parser = new DOMParser();
    NARROW.addEventListener("change", () => this.#crop());
  }

  /** Show the picture that is told; one that is gone already is followed by news of the next. */
  async show({ picture: name, corners, edges }) {
    if (name === this.name) return;
    this.name = name;
    this.edges = edges;
    this.corners = corners;
    try {
      const answer = await fetch(`${this.address}${name}.svg?language=${document.documentElement.lang}`);
      const text = answer.ok ? await answer.text() : "";
      if (name !== this.name) return;
      if (text) this.#draw(text);
      else this.name = "";
    } catch {
      if (name === this.name) this.name = "";
    }
  }

  #draw(text) {
    const read = this.parser.parseFromString(text, "image/svg+xml");
    this.drawing = document.importNode(read.documentElement, true);
    this.whole = this.drawing.getAttribute("viewBox") ?? "";
    this.frame.replaceChildren(this.drawing);
    this.#crop();
  }

  /** On a narrow screen the board fills it: what stands beside the board is told elsewhere on the page. */
  #crop() {
    if (!this.drawing) return;
    const board = NARROW.matches && this.corners ? crop(this.edges, this.corners) : "";
    this.drawing.setAttribute("viewBox", board || this.whole);
  }
}
