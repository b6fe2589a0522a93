// Speak what is new in the news, in the page's language, when it is told to.

const KEY = "gnomon.speech";
const AT_ONCE = 3; // sentences that are not yet spoken; a listener wants to hear what is true now

export class Speech {
  /** `box` is the switch; `none` is shown where this browser has no voice. */
  constructor(box, none) {
    this.box = box;
    this.voices = globalThis.speechSynthesis ?? null;
    this.language = document.documentElement.lang;
    this.heard = null; // the rulings of the last news, as keys
    none.hidden = this.voices !== null;
    box.disabled = this.voices === null;
    box.checked = this.voices !== null && remembered();
    box.addEventListener("change", () => this.#switch());
  }

  /** Whether somebody listens. */
  get isOn() {
    return this.box.checked;
  }

  /** Speak what has been ruled since the last news; what was there when the page was opened is not spoken. */
  hear(news) {
    const rulings = news.rulings ?? [];
    const keys = rulings.map(({ at, kind, sentence }) => `${at} ${kind} ${sentence}`);
    const known = new Set(this.heard ?? keys);
    this.heard = keys;
    if (!this.box.checked) return;
    const fresh = rulings.filter((ruling, index) => !known.has(keys[index]));
    for (const { sentence } of fresh.slice(-AT_ONCE)) this.#say(sentence);
  }

  /** What is not live is not spoken. */
  silence() {
    this.voices?.cancel();
  }

  #switch() {
    try {
      localStorage.setItem(KEY, this.box.checked ? "on" : "off");
    } catch {
      // Without storage it is asked for again on the next visit.
    }
    if (!this.box.checked) this.silence();
    else if (this.box.dataset.on) this.#say(this.box.dataset.on);
  }

  #say(sentence) {
    const said = new SpeechSynthesisUtterance(sentence);
    said.lang = this.language;
    const voice = this.voices.getVoices().find((each) => each.lang.toLowerCase().startsWith(this.language));
    if (voice) said.voice = voice;
    this.voices.speak(said);
  }
}

function remembered() {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
}
