// Stand in for the browser in unit tests: words that show their keys and values, streams that a test feeds.

/** The event streams that were opened, the last one last. */
export const streams = [];

class Stream extends EventTarget {
  isClosed = false;
  onerror = null;

  constructor(address) {
    super();
    this.address = address;
    streams.push(this);
  }

  close() {
    this.isClosed = true;
  }

  /** Tell an event, as a server does. */
  tell(name, value) {
    this.dispatchEvent(Object.assign(new Event(name), { data: JSON.stringify(value) }));
  }
}

class Page extends EventTarget {
  hidden = false;
  documentElement = { lang: "en", dataset: {} };
  getElementById() {
    return null;
  }
  querySelector() {
    return null;
  }
}

/** What `fetch` answers, by the beginning of an address. */
export const answers = new Map([["/words/", {}]]);

Object.assign(globalThis, {
  document: new Page(),
  location: new URL("http://board.test/board"),
  EventSource: Stream,
  fetch: (address) => {
    const found = [...answers].find(([beginning]) => String(address).startsWith(beginning));
    return Promise.resolve({ ok: Boolean(found), json: () => Promise.resolve(found?.[1]) });
  },
  DOMParser: class {},
  matchMedia: () => ({ matches: false, addEventListener: () => null }),
});
