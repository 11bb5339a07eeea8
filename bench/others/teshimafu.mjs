// Adapter of teshimafu/battle-line: `com`. Run in the folder of that program, with its bundle.

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { chooseComMove } = await import(pathToFileURL("bot.mjs"));

const COLOURS = "ROYGBP";
const KEYS = {
  SPY: "cavalry", SHB: "shield", BMB: "fog", MUD: "mud",
  REC: "scout", STR: "redeploy", BAN: "deserter", TRA: "traitor",
};
const WILD = ["alexander", "cavalry", "shield", "fog", "mud"];
const NAMES = Object.fromEntries(Object.entries({ ...KEYS, JOK: "alexander" }).map((pair) => pair.reverse()));
const SEAT = { mine: 0, theirs: 1 };

const cardOf = (text) =>
  text.length > 2
    ? { id: `x-${text}`, type: "tactic", key: text === "JOK" ? "alexander" : KEYS[text] }
    : troop(COLOURS.indexOf(text[0]), Number(text[1]));
const troop = (color, value) => ({ id: `t${color}-${value}`, type: "troop", color, value });
const textOf = (card) => (card.type === "tactic" ? NAMES[card.key] : COLOURS[card.color] + card.value);

function gameOf(position) {
  const flags = position.stones.map((stone) => ({
    cards: [stone.mine.map(cardOf), stone.theirs.map(cardOf)],
    env: stone.modes.map((mode) => KEYS[mode]),
    winner: stone.owner === null ? null : SEAT[stone.owner],
    completedAt: [null, null],
  }));
  const tens = COLOURS.split("").map((_, color) => troop(color, 10)); // which this game does not have
  const hidden = (count) => Array.from({ length: count }, () => ({}));
  return {
    flags,
    hands: [position.hand.map(cardOf), []],
    discard: [...position.discard.map(cardOf), ...tens],
    troopDeck: hidden(position.decks.clan),
    tacticsDeck: hidden(position.decks.tactic),
    tacticsPlayed: position.tactics_played,
    leaderUsed: [position.joker_barred, false],
    pendingScout: position.pending ? 0 : null,
  };
}

function actionOf(game, move) {
  const hand = game.hands[0];
  if (move.type === "pass") return "pass";
  if (move.type === "scoutReturn") return "-" + move.handIdxs.map((index) => textOf(hand[index])).join(",");
  const card = hand[move.handIdx];
  if (card.type === "troop" || WILD.includes(card.key)) return `${textOf(card)}@${move.flag + 1}`;
  if (card.key === "scout") return "REC:CCT";
  const side = card.key === "redeploy" ? 0 : 1;
  const target = `${textOf(card)}:${textOf(game.flags[move.flag].cards[side][move.idx])}@${move.flag + 1}`;
  if (card.key === "deserter") return target;
  return `${target}>${move.destFlag < 0 ? "x" : move.destFlag + 1}`;
}

for await (const line of createInterface({ input: process.stdin })) {
  const position = JSON.parse(line);
  const game = gameOf(position);
  const plays = [];
  let deck = "C";
  // Where our rules forbid a play, it is asked again without that card.
  while (game.hands[0].length > 0 && plays.length < 4) {
    const move = chooseComMove(game, 0);
    plays.push(actionOf(game, move));
    if (plays.length === 1) deck = move.draw === "tactic" ? "T" : "C";
    if (move.handIdx === undefined) break;
    game.hands[0].splice(move.handIdx, 1);
  }
  process.stdout.write(JSON.stringify({ plays, deck }) + "\n");
}
