// Shows where cards went: each flies from where it lay, a drawn one from its deck; a Stone crosses
// over, its flag rises. Nothing waits for it, and without this module everything stands at once.

const QUICK = { duration: 180, easing: "cubic-bezier(.2, .7, .2, 1)" }; // the reader's own press
const WATCHED = { duration: 450, easing: "cubic-bezier(.35, 0, .2, 1)", fill: "backwards" }; // what others did
const LEAP = 0.45; // the part of a Stone's way after which it leaps
const ROPES = { duration: (1 - LEAP) * WATCHED.duration, pseudoElement: "::before" };
const NEAR = 2; // pixels that are no way to go
const HELD = [".above .held .back", ".below .held .back"];
const DECKS = [".facts .back-clan", ".facts .back-tactic"];
const TABLE = ".table";
export const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Scroll to a part of the page, if there is one. */
export const bring = (part, block = "start") => part?.scrollIntoView({ block, behavior: still.matches ? "instant" : "smooth" });

/** What a card is known by: the symbols that it is drawn with. */
export const nameOf = (card) => [...card.children].map((use) => use.getAttribute("href").split("#")[1]).join(" ");
const rectOf = (piece) => piece?.getBoundingClientRect();
const nameOn = (piece) => `${piece.classList} ${piece.closest("[data-stone]").dataset.stone}`;

/** What moves under `root`: cards, Stones and flags, each with a name of its own. */
function pieces(root) {
  const cards = [...root.querySelectorAll(".side .card, .hand .card, .discard .card")].map((card) => [nameOf(card), card]);
  return [...cards, ...[...root.querySelectorAll(".ground .stone, .ground .flag")].map((piece) => [nameOn(piece), piece])];
}

/** Where all of it stands on the screen, the other hand, and the table: to be asked before a change, for
 * `glide` after it. */
export function places(root) {
  const found = new Map();
  for (const flight of root.getAnimations({ subtree: true })) land(flight);
  for (const [name, piece] of pieces(root)) found.set(name, [...(found.get(name) ?? []), Object.assign(rectOf(piece), { piece })]);
  for (const from of [...HELD, TABLE]) found.set(from, rectOf(root.querySelector(from)));
  return found;
}

/** What must have arrived has: while a flight needs no script, the browser may leave its own clock of it behind. */
function land(flight) {
  if (performance.now() > flight.startTime + flight.effect.getComputedTiming().endTime) flight.finish();
}

/** Let what stands elsewhere than `before` go there from its old place; `watched`: at a pace to be seen. */
export function glide(before, root, watched = false) {
  if (still.matches) return;
  carry(before, root);
  const how = watched ? WATCHED : QUICK;
  const drew = watched && pieces(root).some(([name, piece]) => piece.closest(".hand") && !before.has(name));
  const from = (name) => before.get(name)?.[0]?.piece;
  const lands = pieces(root).filter(([name, piece]) => watched && piece.closest(".side") && !from(name)?.closest(".side"));
  const laid = lands.some(([name]) => from(name)?.closest(".hand"));
  const theirs = drew && !laid ? { ...how, delay: QUICK.duration } : how; // one's own draw before the other's card
  const drawing = laid ? { ...QUICK, delay: WATCHED.duration / 2, fill: "backwards" } : QUICK; // and after one's own
  const later = lands.length ? { ...how, delay: (theirs.delay ?? 0) + (1 - LEAP) * how.duration } : how; // it leaps as the card arrives
  for (const [name, piece] of pieces(root)) {
    if (piece.closest(".gone")) continue;
    const old = before.get(name)?.shift();
    if (piece.matches(".flag")) old || rise(piece, later);
    else if (piece.matches(".stone")) cross(piece, old, later);
    else if (old) move(piece, old, piece.closest(".hand") ? QUICK : theirs);
    else if (piece.closest(".hand")) draw(piece, rectOf(root.querySelector(DECKS[Number(piece.matches(".tactic"))])), drawing);
    else move(piece, before.get(HELD[Number(Boolean(piece.closest(".side.below")))]), theirs);
  }
  if (!watched) return;
  const gone = [...before.values()].flat().filter((old) => old?.piece?.closest(".side") && !old.piece.closest(".gone"));
  if (gone.length < 4) for (const old of gone) goBack(old, root); // more is another round
}

/** The page may have scrolled meanwhile: what matters is how things lie on the table. */
function carry(before, root) {
  const [old, now] = [before.get(TABLE), rectOf(root.querySelector(TABLE))];
  if (!old || !now) return;
  const [x, y] = [now.left - old.left, now.top - old.top];
  for (const rect of new Set([...before.values()].flat())) {
    if (rect) [rect.x, rect.y] = [rect.x + x, rect.y + y];
  }
}

/** A step back: a card returns to a hand that is not shown. */
function goBack(old, root) {
  const held = rectOf(root.querySelector(HELD[Number(Boolean(old.piece.closest(".side.below")))]));
  if (!held?.width) return;
  const card = old.piece.cloneNode(true);
  Object.assign(card.style, { position: "fixed", zIndex: 8, left: `${old.left}px`, top: `${old.top}px`, width: `${old.width}px`, transformOrigin: "0 0" });
  document.body.append(card);
  const there = `translate(${held.left - old.left}px, ${held.top - old.top}px) scale(${held.height / old.height})`;
  const way = card.animate([{}, { transform: there, opacity: 0.5 }], { ...WATCHED, fill: "both" });
  way.finished.finally(() => card.remove());
}

/** Shows once more what the page marks as new: cards that were laid, moved or taken, Stones that were claimed. */
export function retell(root) {
  const before = places(root);
  for (const card of root.querySelectorAll(".side .changed .card")) {
    const gone = [...root.querySelectorAll(".gone .card")].find((old) => nameOf(old) === nameOf(card));
    before.set(nameOf(card), gone ? [rectOf(gone)] : []);
  }
  for (const piece of root.querySelectorAll(".column.changed :is(.stone, .flag)")) before.delete(nameOn(piece));
  glide(before, root, true);
}

function move(piece, from, how) {
  const to = rectOf(piece);
  if (!from?.width) return appear(piece, how);
  const [x, y] = [from.left - to.left, from.top - to.top];
  if (!to.width || Math.hypot(x, y) < NEAR) return;
  const there = `translate(${x}px, ${y}px) scale(${Math.min(from.width / to.width, 1.6) || 1})`;
  const frames = [{ transform: there, transformOrigin: "0 0" }, { transform: "none", transformOrigin: "0 0" }];
  lift(piece, piece.animate(frames, how));
}

/** A card comes from its deck; that it is new is said once it is there. */
function draw(card, deck, how) {
  move(card, deck, how);
  card.parentElement.querySelector(".tag")?.animate([{ opacity: 0 }, { opacity: 0, offset: 0.9 }, {}], (how.delay ?? 0) + 2 * QUICK.duration);
}

const appear = (piece, how) => piece.animate([{ opacity: 0 }, { opacity: 1 }], how);

/** A card on its way lies over those beside it, and over the hand that it comes from. */
function lift(piece, animation) {
  const over = [piece.closest(".column"), piece.closest(".side.below") && piece.closest(".table")].filter(Boolean);
  for (const part of over) part.classList.add("in-flight");
  animation.finished.then(() => {
    over.forEach((part) => part.classList.remove("in-flight"));
    if (over.length) document.dispatchEvent(new Event("game:landed"));
  });
}

/** A Stone goes to its owner in one leap, is its owner's from then on, and counts for them; then it is roped. */
function cross(stone, old, how) {
  const column = stone.closest("[class*=owned-]");
  if (!column || old?.piece.closest("[class*=owned-]")) return;
  stone.animate([{ translate: "0 0" }, { translate: "0 0", scale: "1.18", offset: LEAP }, {}], how);
  if (!how.fill) return; // the reader's own press
  const owner = [...column.classList].find((name) => name.startsWith("owned-"));
  const score = [...column.closest(".table").querySelectorAll(`.player.${owner.slice(6)} .flags .flag`)].pop();
  column.classList.replace(owner, "unclaimed");
  score?.classList.add("unclaimed");
  stone.animate(null, leapOf(how)).finished.then(() => {
    column.classList.replace("unclaimed", owner);
    score?.classList.remove("unclaimed");
    for (const end of [column, column.nextElementSibling]) end?.querySelector(".ground").animate({ opacity: [0, 0] }, ROPES);
    for (const name of ["landed", "claimed"]) document.dispatchEvent(new Event(`game:${name}`));
  });
}

/** When a Stone turns that crosses `how`: in milliseconds. */
const leapOf = ({ delay = 0, duration }) => delay + LEAP * duration;

function rise(flag, how) {
  flag.animate([{ transform: "translateY(70%) scaleY(.1)" }, { transform: "none" }], { ...how, delay: how.fill && leapOf(how) });
}
