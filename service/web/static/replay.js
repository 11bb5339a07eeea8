// Goes through a game on its page: by links, slider, arrow keys and by itself. And verifies it.

import { fetchPage, replaceParts } from "./fragments.js";
import { bring, glide, places } from "./motion.js";
import { _ } from "./words.js";

const PACE = 1200; // milliseconds that a step is shown
const HEADS = "scottenbury:heads:"; // followed by the game's commitment
const MOST_HEADS = 30;
const TABLE = ["game", "now", "replay", "story"];

let player = null; // the timer that goes on to the next step
let isFast = false; // twice as fast
let asked = 0; // the newest step that was asked for: an older answer that comes after its own is dropped
let now = null; // what stood in place of the step that is shown, and how far one had scrolled

const part = (selector) => document.querySelector(`#replay ${selector}`);
const stepTo = (name) => document.querySelector(`#replay a.step[href][data-step=${name}], #replay button.step:enabled[data-step=${name}]`);
const isNext = (step) => step.dataset.step === "forward";
const follow = (step) => (step.href ? show(step.href, isNext(step)) : sendStep(step.form, step));

/** Shows the step at `url`, which `sounds` if it is the next; the address follows, so that it can be shared. The browser's way back leads to
 * where one came from, not through every step. */
async function show(url, sounds) {
  const number = ++asked;
  try {
    const { page } = await fetchPage(url);
    if (number !== asked) return;
    if (document.getElementById("game").dataset.step === "no") leave(url);
    else history.replaceState(null, "", url);
    take(page, sounds);
  } catch {
    location.assign(url);
  }
}

/** Keeps the game as it is now, to come back to what was read and put together. */
function leave(url) {
  const parts = [...TABLE, "left"].map((id) => document.getElementById(id)).filter(Boolean);
  now = { parts, top: scrollY, read: document.querySelector(".story").scrollTop };
  history.scrollRestoration = "manual"; // comeBack knows better where to
  history.pushState(null, "", url);
}

function comeBack() {
  stop();
  for (const part of now.parts) document.getElementById(part.id)?.replaceWith(part);
  part(".slide").reset(); // it may have led away
  document.querySelector(".story").scrollTop = now.read;
  scrollTo({ top: now.top, behavior: "instant" });
  history.scrollRestoration = "auto";
  document.getElementById("status").textContent = document.getElementById("game").dataset.status;
  now = null;
  document.dispatchEvent(new Event("game:shown"));
  document.dispatchEvent(new Event("game:moved")); // it may have, meanwhile
}

/** Shows the whole log, in place of its newest lines; one reads on where they ended. */
async function showWholeLog(url) {
  try {
    const { length } = document.querySelectorAll(".story li");
    replaceParts((await fetchPage(url)).page, ["story"]);
    document.querySelector(`.story li:nth-child(${length}) a`).focus();
  } catch {
    location.assign(url);
  }
}

/** Shows the step that a button of a record's form asks for. */
async function sendStep(form, button) {
  const body = new FormData(form, button);
  const number = ++asked;
  try {
    const { page } = await fetchPage(form.action, { method: "POST", body });
    if (number === asked) take(page);
  } catch {
    form.requestSubmit(button);
  }
}

function take(page, sounds) {
  const old = document.getElementById("game");
  const before = places(old);
  const here = document.activeElement;
  const line = here.closest(".story") && ".story [aria-current] > :is(a, button)";
  const focused = line || (here.dataset.replay ? `#replay [data-replay=${here.dataset.replay}]` : here.name === "at" && "#replay input[name=at]");
  if (!replaceParts(page, TABLE)) throw new Error("This is another page.");
  replaceParts(page, ["left"]);
  bringTable(() => innerHeight / 3);
  glide(before, document.getElementById("game"), true);
  scrollLog();
  document.getElementById("status").textContent = `${page.getElementById("status").textContent} ${part(".told")?.textContent ?? ""}`;
  prepare();
  if (focused) document.querySelector(focused)?.focus({ preventScroll: true });
  document.dispatchEvent(new Event("game:shown"));
  if (sounds && document.getElementById("sounds")) import("./step_sounds.js").then(({ stepped }) => stepped(old));
}

/** Scrolls to the table, unless `least` pixels of it are in sight. */
function bringTable(least) {
  const table = document.querySelector(".table")?.getBoundingClientRect();
  if (table?.bottom < least(table)) document.getElementById("match").scrollIntoView();
}

/** The line of the step that is shown is in the middle of the log, clear of where it fades; from its beginning, if it is long. */
function scrollLog() {
  const here = document.querySelector(".story [aria-current]");
  const log = here?.parentElement;
  if (log) log.scrollTop = here.offsetTop + Math.min(0, here.offsetHeight - log.clientHeight) / 2;
}

function stop() {
  clearInterval(player);
  player = null;
  const button = part("[data-replay=play]");
  if (button) button.textContent = _("Watch");
}

function play() {
  if (player !== null) {
    stop();
    return;
  }
  const start = stepTo("forward") ? null : stepTo("first");
  player = begin();
  bringTable((table) => table.height * 0.7);
  part("[data-replay=play]").textContent = _("Pause");
  if (start) follow(start);
  else goOn();
}

const begin = () => setInterval(goOn, isFast ? PACE / 2 : PACE);

function changePace() {
  isFast = !isFast;
  if (player !== null) {
    clearInterval(player);
    player = begin();
  }
  prepare();
}

function goOn() {
  const next = stepTo("forward");
  if (next) return follow(next);
  stop();
  if (!now) return;
  now.top = scrollY; // the board stays in sight
  history.back(); // to the hand, which is dead while a step is shown
}

/** The buttons of a part that came say how things stand. */
function prepare() {
  keepHead();
  const button = part("[data-replay=play]");
  if (!button) return;
  button.textContent = player === null ? _("Watch") : _("Pause");
  part("[data-replay=pace]").setAttribute("aria-pressed", isFast);
}

/** The heads of the log that this browser was shown while the game went on, the newest last. */
function seenHeads() {
  const commitment = document.getElementById("replay")?.dataset.commitment;
  return commitment ? JSON.parse(localStorage.getItem(HEADS + commitment) ?? "[]") : [];
}

/** Keeps the head of a game that goes on: so it can be told later whether these moves were played, and by the
 * first of all, since when its seal was known. */
function keepHead() {
  const { commitment, head } = document.getElementById("replay")?.dataset ?? {};
  const seen = seenHeads();
  if (!head || seen.includes(head)) return;
  seen.push(head);
  if (seen.length > MOST_HEADS) seen.splice(1, 1);
  localStorage.setItem(HEADS + commitment, JSON.stringify(seen));
}

function stepOf(range) {
  const url = new URL(range.form.action, location.href);
  for (const [name, value] of new FormData(range.form)) url.searchParams.set(name, value);
  return url.href;
}

document.addEventListener("click", (event) => {
  const whole = event.target.closest("#story a[data-whole]");
  if (whole) {
    event.preventDefault();
    showWholeLog(whole.href);
  }
  if (now && event.target.closest(".to-now a")) {
    event.preventDefault();
    history.back();
  }
  const step = event.target.closest("#replay a[href], #story a[href], #worth a[href]");
  if (step && !event.ctrlKey && !event.metaKey && !event.shiftKey && new URL(step.href).searchParams.has("at")) {
    event.preventDefault();
    if (!isNext(step)) stop();
    const shown = show(step.href, isNext(step));
    if (step.dataset.replay === "since") shown.then(play);
  } else if (event.target.closest("[data-replay=play]")) play();
  else if (event.target.closest("[data-replay=pace]")) changePace();
  else if (event.target.closest("[data-replay=verify]")) import("./checks.js").then(({ runChecks }) => runChecks(event.target.closest("#verify"), seenHeads()));
});

addEventListener("popstate", () => {
  if (document.querySelector("[data-replay=form]")) return; // a record's steps have no addresses
  const isStep = document.getElementById("game").dataset.step === "yes";
  if (isStep === new URLSearchParams(location.search).has("at")) return;
  if (now) comeBack();
  else location.reload();
});

document.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (event.target.matches("[data-weigh]")) {
    event.preventDefault();
    import("./weigh.js").then(({ weigh }) => weigh(event.target)); // seldom needed
  }
  if (!event.target.matches("[data-replay=form]") || !button?.closest("#replay, #story")) return;
  event.preventDefault();
  if (!isNext(button)) stop();
  sendStep(event.target, button);
});

document.addEventListener("formdata", ({ target, formData }) => {
  // One of them is enough, and a request is limited in size.
  if (target.matches("[data-replay=form]") && formData.get("file").name) formData.delete("record");
});

document.addEventListener("change", ({ target }) => {
  if (target.matches("#replay input[name=at]")) {
    stop();
    show(stepOf(target));
  }
  const tabs = target.closest(".tabs"); // at the lower edge, they open panels out of sight
  if (tabs?.getBoundingClientRect().bottom > innerHeight * 0.8) bring(tabs);
});

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, #game")) return;
  // Beside the game as it is now Home and End are the page's.
  const isIn = event.target.closest("#replay, #story") || document.getElementById("game").dataset.step === "yes";
  if (!isIn && document.querySelector(".dock .hand .press:enabled")) return; // the hand's (keys.js)
  const name = { ArrowLeft: "back", ArrowRight: "forward", ...(isIn && { Home: "first", End: "last" }) }[event.key];
  const step = name && stepTo(name);
  if (step) {
    event.preventDefault();
    stop();
    follow(step);
  }
});

document.addEventListener("game:moved", prepare);
prepare();
scrollLog();
