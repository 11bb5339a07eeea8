// Tells the server that the page is in sight, or that a message is being written: no mail comes about
// what a game's page or the list shows, and other players see who is here, if this one lets them.

const REPEAT = 60000; // milliseconds between signs of a page that stays in sight
const PAUSE = 8000; // milliseconds without a key after which nobody is writing

const address = () => document.querySelector("[data-sign]").dataset.sign; // a game's, the list's or that of other pages
let writing = 0; // the timer that ends it
let at = ""; // where the last sign went

// One sign may overtake another, above all the last one: they are numbered.
const page = Math.random().toString(36).slice(2, 12);
let number = 0;

function body(sign) {
  return new URLSearchParams({ form: document.querySelector("[name=form]").value, sign, page, number: ++number });
}

function beat(sign) {
  fetch((at = address()), { method: "POST", body: body(sign), keepalive: true }).catch(() => {});
}

function look() {
  beat(document.hidden ? "away" : "here");
}

function stop() {
  if (!writing) return;
  clearTimeout(writing);
  writing = 0;
  look();
}

document.addEventListener("input", ({ target }) => {
  if (!target.closest("#talk-form")) return; // the game may have begun meanwhile
  if (!writing) beat("writing");
  clearTimeout(writing);
  writing = setTimeout(stop, PAUSE);
});
document.addEventListener("submit", stop);
document.addEventListener("game:moved", () => at === address() || look()); // the game began on this page
document.addEventListener("visibilitychange", look);
addEventListener("pagehide", () => navigator.sendBeacon(address(), body("away")));
addEventListener("pageshow", ({ persisted }) => persisted && look());
setInterval(() => document.hidden || writing || look(), REPEAT);
look();
