// A turn is put together in place: the same presses, the same addresses, the same page as without
// this module. Each press fetches the page it would lead to and puts its game here; nothing is
// pushed to the history, and nothing is ever sent but by the button Send.

import { choose } from "./choosing.js";
import { fetchPage, makeRoom, paced, replaceParts, takeHead } from "./fragments.js";
import { bring, glide, nameOf, places, retell } from "./motion.js";
import { _ } from "./words.js";

const SETTLE = 400; // milliseconds for which a changed game takes no press
const GONE = 100; // milliseconds for which words are gone that are said once more
const HEARD = 5000; // milliseconds that a move is given to be read
const FLIGHT = 180; // milliseconds for which a card that flies is waited for
const FAR = 8; // pixels after which a press has become a drag
// What comes next in a turn, and after it.
const NEXT = [".press.place", ".others .press", ".press.target", ".hand [aria-pressed=true]:enabled",
  ".hand button:enabled:not(.unusable)", ".hand button:enabled", ".next-game", ".plan", "#end-title", ".prompt"];

const ENDING = ".dock :is(.send button, .others)"; // in a phone's largest text they lie below the screen

const game = () => found("#game");
const found = (selector, root = document) => root.querySelector(selector);
const html = document.documentElement;

let work = Promise.resolve(); // what is being fetched, one after the other
let waiting = 0; // how much of it there is
let pressing = ""; // what was pressed last, until it is answered
let leaving = false; // whether a form is on its way whose answer is another page
let saying = 0; // the timer of what is to be said
let told = { words: "", at: 0 }; // what was last said of a move

/** Do this once all that was begun before is done. */
function next(job) {
  waiting += 1;
  work = work.then(job).catch(failed).finally(() => (waiting -= 1));
  return work;
}

function failed(error) {
  announce(_("No connection. Nothing was sent. (%(error)s)", { error: error.message }));
}

/** Whether the turn has arrived is not known; sent again from this page it counts once. */
function unanswered() {
  announce(_("No answer came. Press Send again: your turn counts once."));
}

/** Say it to everybody: on the page, and to a screen reader. */
function announce(words, unseen = "") {
  const status = found("#status");
  status.classList.toggle("aloud", words !== game().dataset.status); // no part of the page says it
  const also = document.createElement("span");
  also.className = "hidden";
  also.textContent = unseen;
  const put = () => status.replaceChildren(words, " ", also);
  clearTimeout(saying);
  if (status.firstChild?.data !== words) return put();
  status.replaceChildren(); // what never was gone is not read a second time
  saying = setTimeout(put, GONE);
}

// Fetching and showing

async function show(address, request) {
  const { page, status, address: other } = await fetchPage(address, request);
  const fresh = page.getElementById("game");
  if (fresh?.dataset.mode === game().dataset.mode) return swap(page, fresh);
  if (other) location.assign(other);
  else announce(`${found("h1", page)?.textContent ?? status}. ${found("main p", page)?.textContent ?? ""}`);
}

async function swap(page, fresh) {
  if (found("#story", page) && !found("#story")) return begun(page);
  const finale = found(".end", fresh) && !found(".end") ? await import("./finale.js").catch(() => {}) : null;
  await finale?.play(game(), fresh);
  const old = game();
  const moved = old.dataset.version !== fresh.dataset.version;
  const focus = focused(old);
  const open = found(".judge[open]", old)?.closest("[data-stone]")?.dataset.stone;
  const before = places(old);
  if (landed) before.set(nameOf(landed), [landed.getBoundingClientRect()]);
  lift();
  old.replaceWith(document.adoptNode(fresh));
  replaceParts(page, ["now"]);
  if (found(".ended", page) && !found(".ended")) end(page);
  glide(before, fresh, moved && Boolean(found(".changed", fresh)));
  finale?.say();
  document.dispatchEvent(new Event("game:shown"));
  for (const { name, value } of old.querySelectorAll("select")) {
    const again = found(`select[name="${name}"]`, fresh);
    if (again && !again.value) again.value = value;
  }
  if (open && !fresh.dataset.chosen) found(`[data-stone="${open}"] .judge`)?.setAttribute("open", "");
  if (moved) {
    const stays = (found("#telling :focus") || !found("#telling *", page)) && "telling"; // what is being filled in, and else nothing moves
    const parts = ["replay", "story", "left", "time", "telling"].filter((id) => id !== stays && page.getElementById(id));
    replaceParts(page, parts);
    takeHead(page);
    fetchNeeded(page);
    makeRoom();
    settle();
  }
  focus?.();
  if (!found(ENDING, old)) bringEnding();
  announce(fresh.dataset.status, moved ? move(fresh) : fresh.dataset.chosen && found(".dock .about")?.textContent); // what a Tactic card does
  remember();
  if (moved) document.dispatchEvent(new Event("game:moved"));
}

/** Scroll to what ends the turn, where it has come out of sight. */
function bringEnding() {
  bring(found(ENDING), "nearest");
}

/** Scroll to the Stones among which to choose, where they lie above the screen, as in large text. */
function bringStones() {
  if (found(".stone").getBoundingClientRect().top < 0) bring(found(".table"));
}

/** What to say of the last move. The end is in the status already: what led to it is the line below. */
function move(fresh) {
  const line = (found("#replay .told") ?? found("#now .since li:last-child"))?.textContent ?? "";
  const words = line && fresh.dataset.status.includes(line) ? found(".story li:nth-child(2) > a")?.textContent : line;
  told = { words, at: performance.now() };
  return words;
}

/** Say what the other player wrote or offered; after a move that came with it. */
function sayAddressed({ detail }) {
  const before = performance.now() - told.at < HEARD ? told.words : "";
  if (!detail) return;
  settle(); // Accept may stand where something else was about to be pressed
  announce(game().dataset.status, `${before} ${detail}`.trim());
}

/** All around the board becomes that of a finished game, but for what is being written or filled in. */
function end(page) {
  const tab = found(".tab :checked")?.value;
  const here = document.activeElement;
  for (const stays of ["#talk", "#note", ...(found("#telling :focus") ? ["#telling"] : [])]) {
    found(stays) && found(stays, page)?.replaceWith(found(stays));
  }
  if (!replaceParts(page, ["panels", "after"])) return;
  found("#match").classList.add("ended");
  const again = found(`.tab [value=${tab}]`);
  if (again) again.checked = true;
  here.focus({ preventScroll: true });
  if (scrollY < found("main").offsetTop) scrollTo({ top: 0, behavior: "instant" }); // the menu is not cut in half
}

/** A part that came with the change has the module and the styles that it needs; at the start the page
 * names them. */
function fetchNeeded(page) {
  if (found("#telling form")) import("./telling.js");
  if (found("form[data-seals]")) import("./salt.js");
  const styles = found("#worth") && !found("[href$='/worth.css']") && found("[href$='/worth.css']", page);
  if (!styles) return;
  document.head.append(document.adoptNode(styles));
  import("./worth.js");
}

/** The game has begun, which is another page: it takes the place of this one, so that all of it is
 * seen at once, and sounds. It is also the answer to the reader's own joining, which is on its way. */
function begun(page) {
  if (leaving) return;
  if (!found("#panels", page)) return location.reload(); // it was called off
  for (const sheet of document.querySelectorAll("[rel=stylesheet]")) found(`[href="${sheet.getAttribute("href")}"]`, page) ?? sheet.remove();
  document.body.replaceWith(document.adoptNode(page.body));
  takeHead(page);
  for (const { src } of page.querySelectorAll("[type=module]")) import(src);
  makeRoom();
  settle();
  game().focus({ preventScroll: true });
  scrollTo({ top: 0, behavior: "instant" });
  announce(game().dataset.status);
  for (const name of ["shown", "moved"]) document.dispatchEvent(new Event(`game:${name}`));
}

/** How to put the focus back where it was, or on what comes next; nothing where it was not in the game. */
function focused(old) {
  const here = document.activeElement;
  if (!old.contains(here)) return null;
  const at = here.closest("[data-stone]")?.dataset.stone;
  const stone = here.matches("summary") && at && `[data-stone="${at}"] summary`;
  const place = [...old.querySelectorAll(".hand button")].indexOf(here);
  const name = here.getAttribute("name");
  const same = here.id && here !== old ? `#${here.id}` : name && (here.matches("select") ? `select[name="${name}"]` : `button[name="${name}"][value="${CSS.escape(here.value)}"]`);
  const { turn, chosen } = old.dataset;
  return () => {
    const hand = [...game().querySelectorAll(".hand button")];
    const undone = turn.length > game().dataset.turn.length ? turn.split(" ").at(-1) : chosen;
    const card = hand.find(({ value }) => value && undone.split(/[@:]/)[0] === value);
    const ways = [stone, ".offers .press", ".dock .send button", ".many .press", card, hand[place], same, ...NEXT];
    const found = ways.map((way) => (typeof way === "string" ? way && game().querySelector(way) : way));
    const control = found.find((way) => way && !way.disabled && way.checkVisibility({ visibilityProperty: true })) ?? game();
    control.focus({ preventScroll: true });
    if (control.matches(":focus-visible:not(.game)")) control.scrollIntoView({ block: "nearest" }); // by keyboard
  };
}

/** Take no press for a moment: it was meant for what stood here before. */
function settle() {
  html.classList.add("settling");
  setTimeout(() => html.classList.remove("settling"), SETTLE);
}

// Presses

function submitted(event) {
  const form = event.target;
  const sends = form.classList.contains("send");
  if ("hint" in form.dataset) return putAway(event);
  if (!game().contains(form) || (form.method !== "get" && !sends)) {
    setTimeout(() => (leaving = !event.defaultPrevented));
    return;
  }
  event.preventDefault();
  if (!waiting && choosesHere(form, event.submitter)) return;
  const fields = new URLSearchParams(new FormData(form, event.submitter));
  const [path] = form.action.split(/[?#]/);
  const address = `${path}?${fields}`;
  if (pressing && (sends || pressing === address)) return; // what is to be sent changes yet
  pressing = address;
  const lower = raise(event.submitter);
  next(() => (sends ? show(path, { method: "POST", body: fields }).catch(unanswered) : show(address).catch((error) => (lower(), failed(error))))).then(() => pressing === address && (pressing = ""));
}

const postHint = (form, fields) => fetch(form.action, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });

/** Formations that somebody folds stay so. */
function folded({ target }) {
  const form = target.closest(".formations[open] > summary") && found(".formations form");
  if (!form) return;
  const fields = new FormData(form);
  fields.set("hint", "folded");
  postHint(form, fields);
}

/** A hint that is put away leaves the page where it stands. */
function putAway(event) {
  const form = event.target;
  event.preventDefault();
  postHint(form, new FormData(form));
  form.closest(".coach, .formations").remove();
  (found(".hand button[tabindex='0']:enabled") ?? game()).focus({ preventScroll: true });
}

/** Whether a press on a card, or on Undo after it, was answered here. */
function choosesHere(form, button) {
  const card = form.matches(".back") ? found(".hand [aria-pressed=true]") : button?.matches(".card-in-hand") && button;
  if (!card || !choose(game(), card)) return false;
  if (form.matches(".back")) card.focus({ preventScroll: true });
  else bringStones();
  document.dispatchEvent(new Event("game:shown"));
  announce(game().dataset.status);
  remember();
  return true;
}

/** Raise a pressed card, or lower it again, before the server answers; gives what takes that back. */
function raise(button) {
  if (!button?.matches(".card-in-hand")) return () => {};
  const cards = [...button.closest(".hand").querySelectorAll(".card-in-hand[aria-pressed]")];
  const before = cards.map((card) => card.getAttribute("aria-pressed"));
  for (const card of cards) card.setAttribute("aria-pressed", card === button && card.getAttribute("aria-pressed") !== "true");
  return () => cards.forEach((card, at) => card.setAttribute("aria-pressed", before[at]));
}

function press(button) {
  button?.form?.requestSubmit(button);
}

// The unsent turn outlives the page: it is kept for this player, game and version

function slot() {
  const { player, game: id, mode } = game().dataset;
  return player ? `scottenbury.${mode}.${player}.${id}` : null;
}

/** The unsent turn on the page. */
function unsent() {
  const { turn, chosen, version } = game().dataset;
  return { turn: turn ? turn.split(" ") : [], chosen, version };
}

function remember() {
  const kept = unsent();
  try {
    if (kept.turn.length || kept.chosen) localStorage.setItem(slot(), JSON.stringify(kept));
    else localStorage.removeItem(slot());
  } catch {
    // Without storage the turn lasts as long as the page.
  }
}

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(slot()));
  } catch {
    return null;
  }
}

/** The address of this game with a turn in it. */
function addressOf(kept) {
  const fields = new URLSearchParams(kept ? { version: kept.version } : {});
  for (const action of kept?.turn ?? []) fields.append("turn", action);
  if (kept?.chosen) fields.append("chosen", kept.chosen);
  return `${location.pathname}?${fields}`;
}

function restore() {
  const asked = new URLSearchParams(location.search);
  if (asked.has("turn") || asked.has("chosen")) {
    history.replaceState(null, "", location.pathname + location.hash);
    bringEnding();
    return remember();
  }
  const kept = slot() && remembered();
  if (kept?.turn && kept.version) next(() => show(addressOf(kept)));
}

// The other player's turn

/** Show the game as it stands, with the unsent turn: it has moved on (live.js). */
async function refresh() {
  const { page, address } = await fetchPage(addressOf(unsent()));
  const fresh = page.getElementById("game");
  const isHere = game().dataset.step === "no";
  if (!fresh || !isHere || fresh.dataset.version === game().dataset.version) return;
  if (fresh.dataset.mode !== game().dataset.mode) return location.assign(address); // no more to plan
  await landing();
  swap(page, fresh);
}

/** One's own draw arrives before the other player's card sets out: after a moment at most. */
function landing() {
  const flights = Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  return Promise.race([flights, new Promise((done) => setTimeout(done, FLIGHT))]);
}

// Dragging: a card, or a card that a Ruse takes, to a Stone. A drag is two presses.

let drag = null;
let landed = null; // the card that was dropped, until the page shows what became of it

function lift() {
  landed?.remove();
  landed = null;
}

function grabbed(event) {
  const button = event.target.closest?.("#game button.card-in-hand, #game .press.target");
  if (button && !button.disabled && event.isPrimary && event.button === 0) {
    drag = { button, x: event.clientX, y: event.clientY, ghost: null };
  }
}

function dragged(event) {
  if (!drag || !event.isPrimary) return;
  const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
  if (!drag.ghost) {
    if (Math.hypot(x, y) < FAR) return;
    drag.ghost = ghostOf(drag.button);
    if (drag.button.getAttribute("aria-pressed") !== "true") press(drag.button);
  }
  drag.ghost.style.transform = `translate(${x}px, ${y}px)`;
  light(document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-stone]"));
}

/** The place at this column is lit, as a mouse does that hovers there; without one none is. */
function light(column) {
  for (const place of game().querySelectorAll(".press.place")) place.classList.toggle("under", place.parentElement === column);
}

function ghostOf(button) {
  const at = button.getBoundingClientRect();
  const ghost = button.firstElementChild.cloneNode(true);
  ghost.classList.add("ghost");
  Object.assign(ghost.style, { left: `${at.left}px`, top: `${at.top}px`, width: `${at.width}px` });
  document.body.append(ghost);
  return ghost;
}

function dropped(event) {
  if (!drag || !event.isPrimary) return;
  const { ghost } = drag;
  drag = null;
  if (!ghost) return;
  light();
  addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true }));
  if (event.type === "pointercancel") return ghost.remove();
  const under = document.elementFromPoint(event.clientX, event.clientY);
  const stone = under?.closest("[data-stone]")?.dataset.stone;
  const aside = under?.closest(".discard");
  next(() => {}).then(() => {
    landed = ghost;
    if (stone) press(found(`[data-stone="${stone}"] .press.place`) ?? targetAt(event, stone));
    else if (aside) press(found('.press.other[value$=">x"]'));
    next(lift);
  });
}

/** The card of a Stone under the pointer that the dragged Ruse may take. */
function targetAt(event, stone) {
  const under = document.elementFromPoint(event.clientX, event.clientY);
  return under?.closest(".press.target") ?? found(`[data-stone="${stone}"] .press.target`);
}

function swallow(event) {
  event.preventDefault();
  event.stopPropagation();
}

/** What an offer or a message leads to lies in a panel, whose tab is turned to. */
function led(event) {
  const place = document.getElementById(event.target.closest("#now a")?.hash.slice(1));
  const tab = document.querySelector(`.tab [value="${place?.closest(".panel")?.classList[1]}"]`);
  if (!tab) return;
  event.preventDefault();
  tab.click();
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
  for (const part of [place.nextElementSibling, place]) part?.scrollIntoView({ block: "nearest" });
}

/** A Tactic card that lies on the table, or is named above it, says what it does; by keyboard its Stone does. */
function asked({ target }) {
  const card = target.closest(".side .tactic, .discard .tactic, #now .tactic");
  if (card && !card.closest("a, button")) import("./tactic.js").then(({ explain }) => explain(card));
}

/** A place where nothing can be pressed yet points to what comes first. */
function early({ target }) {
  if (target.closest("#game[data-turn] .column") && !target.closest("a, button, .judge")) import("./early.js").then(({ point }) => point(game(), announce));
}

/** What is said of a Stone covers the board: a press elsewhere closes it. */
function pressedElsewhere({ target }) {
  for (const open of document.querySelectorAll(".judge[open]")) {
    if (!open.contains(target)) open.removeAttribute("open");
  }
}

/** So does its mark, which gives the focus back to the Stone. */
function closed({ target }) {
  const open = target.closest(".close")?.closest(".judge");
  open?.removeAttribute("open");
  open?.firstElementChild.focus({ preventScroll: true });
}

/** Orders are saved as they are ticked; without scripts they have a button. */
function ticked({ target }) {
  if (target.matches(".orders [type=checkbox]")) target.form.requestSubmit();
}

/** What a reader opens over a Stone is said too, until it closes. A turn that goes on opens it again, unsaid. */
function sayStone({ target }) {
  const stone = target.closest(".judge > summary")?.parentElement;
  if (stone && !stone.open) announce(game().dataset.status, wordsOf(stone));
}

function unsayStone({ target }) {
  const also = found("#status .hidden");
  if (also && target.matches(".judge:not([open])") && also.textContent === wordsOf(target)) also.textContent = "";
}

function wordsOf(stone) {
  const words = found(".judged", stone).cloneNode(true);
  for (const link of words.querySelectorAll("a[href*='/rules'], button")) link.remove();
  return words.textContent.replace(/\s+/g, " ").trim();
}

document.addEventListener("click", folded);
document.addEventListener("click", sayStone);
document.addEventListener("toggle", unsayStone, true);
document.addEventListener("game:addressed", sayAddressed);
document.addEventListener("game:answered", ({ detail }) => announce(game().dataset.status, detail));
document.addEventListener("change", ticked);
document.addEventListener("submit", submitted);
addEventListener("pageshow", () => (leaving = false)); // come back to, with all that was set
document.addEventListener("click", led);
document.addEventListener("click", asked);
document.addEventListener("click", early);
document.addEventListener("click", closed);
addEventListener("pointerdown", pressedElsewhere);
addEventListener("pointerdown", grabbed);
addEventListener("pointermove", dragged);
addEventListener("pointerup", dropped);
addEventListener("pointercancel", dropped);
document.addEventListener("game:news", paced(() => next(() => refresh().catch(() => {})))); // it is told again
makeRoom();
if (!found("#game :active")) settle(); // a press that is under way was meant for this page
const awaited = found(".changed > .card, .changed .flag"); // hidden until its flight, for a moment (table.css)
if (awaited?.getAnimations().length !== 0) retell(game()); // who came late has seen it lie there
html.classList.add("told");
restore();
