// Shows where cards went: each glides from where it lay, a Stone crosses over, its flag rises.
// Nothing waits for it, and without this module everything stands at once.

const GLIDE = { duration: 180, easing: "cubic-bezier(.2, .7, .2, 1)" };
const NEAR = 2; // pixels that are no way to go
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** What a card is known by: the symbols that it is drawn with. */
export const nameOf = (card) => [...card.children].map((use) => use.getAttribute("href").split("#")[1]).join(" ");

/** What moves under `root`: cards, Stones and flags, each with a name of its own. */
function pieces(root) {
  const cards = [...root.querySelectorAll(".side .card, .hand .card, .discard .card")].map((card) => [nameOf(card), card]);
  const ofStones = [...root.querySelectorAll(".ground .stone, .ground .flag")].map((piece) => [
    `${piece.classList} ${piece.closest("[data-stone]").dataset.stone}`,
    piece,
  ]);
  return [...cards, ...ofStones];
}

/** Where all of it stands on the screen: to be asked before a change, for `glide` after it. */
export function places(root) {
  const found = new Map();
  for (const [name, piece] of pieces(root)) {
    found.set(name, [...(found.get(name) ?? []), piece.getBoundingClientRect()]);
  }
  found.set("held", [root.querySelector(".player.above .held")?.getBoundingClientRect()]);
  return found;
}

/** Let what stands elsewhere than `before` go there from its old place. */
export function glide(before, root) {
  if (still.matches) return;
  const held = before.get("held")[0];
  for (const [name, piece] of pieces(root)) {
    const old = before.get(name)?.shift();
    if (old) move(piece, old);
    else if (piece.matches(".flag")) rise(piece);
    else if (held && piece.closest(".side.above")) move(piece, held);
    else piece.animate([{ opacity: 0 }, { opacity: 1 }], GLIDE);
  }
}

function move(piece, from) {
  const to = piece.getBoundingClientRect();
  const [x, y] = [from.left - to.left, from.top - to.top];
  if (!to.width || Math.hypot(x, y) < NEAR) return;
  const there = `translate(${x}px, ${y}px) scale(${from.width / to.width || 1})`;
  piece.animate(
    [{ transform: there, transformOrigin: "0 0" }, { transform: "none", transformOrigin: "0 0" }],
    GLIDE,
  );
}

function rise(flag) {
  flag.animate([{ transform: "translateY(70%) scaleY(.1)" }, { transform: "none" }], GLIDE);
}
