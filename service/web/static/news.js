// Tells the page that games have moved. One tab holds the stream for all tabs of this browser; where
// it fails or ends, the tabs are told to ask for themselves.

const PAUSES = [1000, 2000, 4000, 8000, 15000, 30000]; // milliseconds between looks without a stream
const SILENCE = 60000; // milliseconds after which an open stream is not trusted

const held = new Set(); // the streams that this tab holds

/** Whether this is the tab that holds a stream: the one before the reader's eyes, or that last was. */
export const leads = () => held.size > 0;

/**
 * Calls `heard` with `{game, version}` for each game that moves, with `{said}`, a count, when somebody
 * has written or offered something in one, with `{opened}` once a young page hears of all that comes,
 * and with null where something may have been missed. `url` is the stream.
 */
export function follow(url, heard) {
  const tabs = "BroadcastChannel" in globalThis ? new BroadcastChannel(url) : null;
  let source = null; // the stream, in the tab that holds it
  let release = null; // ends its holding it
  let queued = null; // ends its waiting for it
  let timer = 0;
  let tries = 0;
  let isYoung = performance.now() < SILENCE; // the first stream, of a page that was just loaded

  if (tabs) tabs.onmessage = ({ data }) => heard(data);

  function tell(news) {
    tabs?.postMessage(news);
    heard(news);
  }

  function open() {
    close();
    held.add(url);
    source = new EventSource(url);
    source.addEventListener("open", () => {
      tries = 0;
      tell(isYoung ? { opened: true } : null); // something may have happened before it was open
      isYoung = false;
      watch();
    });
    source.addEventListener("moved", ({ data }) => tell(JSON.parse(data)));
    source.addEventListener("said", ({ data }) => tell(JSON.parse(data)));
    source.addEventListener("reset", () => tell(null));
    source.addEventListener("error", watch);
    watch();
  }

  function close() {
    clearTimeout(timer);
    source?.close();
    source = null;
    held.delete(url);
  }

  /** Look after a while: soon where the stream is not open, and always before long. */
  function watch() {
    clearTimeout(timer);
    const isOpen = source.readyState === EventSource.OPEN;
    timer = setTimeout(look, isOpen ? SILENCE : PAUSES[Math.min(tries, PAUSES.length - 1)]);
  }

  function look() {
    tries += 1;
    if (!document.hidden) tell(null);
    if (source.readyState === EventSource.CLOSED) open();
    else watch();
  }

  /** Hold the stream: at once, by taking it from another tab, or when the others have ended. */
  function lead(steal) {
    if (!navigator.locks) return document.hidden ? close() : open(); // each visible tab for itself
    queued?.abort();
    queued = steal ? null : new AbortController();
    const options = steal ? { steal } : { signal: queued.signal };
    const hold = () => {
      queued = null;
      open();
      return new Promise((done) => (release = done));
    };
    navigator.locks.request(url, options, hold).catch((error) => {
      if (!release || error.name !== "AbortError") return; // it has stopped waiting
      release = null; // another tab has come to the front
      close();
      lead(false);
    });
  }

  function turned() {
    tries = 0;
    if (!navigator.locks || (source && !document.hidden)) {
      if (document.hidden) close();
      else open(); // a stream that was put to sleep may be dead and say nothing
    } else if (!document.hidden) lead(true);
  }

  document.addEventListener("visibilitychange", turned);
  addEventListener("pageshow", ({ persisted }) => persisted && turned());
  addEventListener("pagehide", () => {
    close();
    release?.();
    release = null;
  });
  lead(!document.hidden);
}
