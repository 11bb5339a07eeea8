// A game played by the client that openapi-typescript and openapi-fetch make of the document.
// The first argument is the server's address; the result is one line on standard output.

import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./build/api.js";

type Schemas = components["schemas"];
type Api = Client<paths>;
type Seat = "north" | "south";

declare const process: { argv: string[] };
const baseUrl = process.argv[2] ?? "http://127.0.0.1:8080";

/** What an operation answered; what it refused is thrown. */
async function taken<T>(answer: Promise<{ data?: T; error?: Schemas["Problem"] }>): Promise<T> {
  const { data, error } = await answer;
  if (data === undefined) throw new Error(error?.detail ?? "no answer");
  return data;
}

async function register(name: string): Promise<Api> {
  const stranger = createClient<paths>({ baseUrl });
  const { token } = await taken(stranger.POST("/v1/players", { body: { name } }));
  return createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
}

type Known = Schemas["KnownGameEvent"];
const KNOWN: readonly string[] = ["card_played", "stone_claimed", "game_ended"] satisfies Known["type"][];

/** Whether this program knows the event's type; a later server may write others. */
function isKnown(event: Schemas["GameEvent"]): event is Known {
  return KNOWN.includes(event.type);
}

/** What an event says: its type tells what its data hold. */
function told(event: Schemas["GameEvent"]): string {
  if (!isKnown(event)) return event.type;
  switch (event.type) {
    case "card_played":
      return `${event.data.card}@${event.data.stone}`;
    case "stone_claimed":
      return `!${event.data.stone} ${event.data.mine.rank}`;
    case "game_ended":
      return `${event.data.winner ?? "nobody"} by ${event.data.reason}`;
    default:
      return event.type;
  }
}

/** The body of a move that plays a card. */
function move(action: string): Schemas["MoveInput"] | undefined {
  const found = /^([ROYGBP][1-9])@([1-9])$/.exec(action);
  return found?.[1] && found[2] ? { card: found[1], stone: Number(found[2]) } : undefined;
}

const name = `Ts ${Math.random().toString(36).replace(/[^a-z]/g, "").slice(0, 8)}`;
const players: Record<Seat, Api> = {
  north: await register(`${name} north`),
  south: await register(`${name} south`),
};
const { editions } = await taken(players.north.GET("/v1/editions"));
if (!editions.some((edition) => edition.name === "iello")) throw new Error("no edition iello");

// Every field that has a default may be left out, and so may the whole body.
const { id, invite } = await taken(players.north.POST("/v1/games", { body: { rounds: 1 } }));
const params = { path: { game_id: id } };
let game: Schemas["Game"] = await taken(
  players.south.POST("/v1/games/{game_id}/join", { params, body: { invite } }),
);
while (game.turn) {
  const api = players[game.turn];
  const { legal, version } = await taken(api.GET("/v1/games/{game_id}", { params }));
  const action = legal.find((text) => text.startsWith("!")) ?? legal[0] ?? "pass";
  const header = { "If-Match": `"${version}"` };
  const body = move(action);
  game = body
    ? await taken(api.POST("/v1/games/{game_id}/moves", { params: { ...params, header }, body }))
    : await taken(
        api.POST("/v1/games/{game_id}/turns", {
          params: { ...params, header },
          body: { actions: [action] },
        }),
      );
}
const { data } = await players.north.GET("/v1/games/{game_id}/events", {
  params: { ...params, query: { after: game.version - 1 } },
  headers: { Accept: "application/json" },
});
if (data === undefined || typeof data === "string" || !("events" in data)) throw new Error("no events");
console.log(`${game.status}: ${data.events.map(told).join(", ")}`);

// What a later server may add compiles, and is passed over.
const [first] = data.events;
if (first === undefined) throw new Error("no events");
const later = { ...first, type: "wind_changed", via: "pigeon", data: { to: "west" }, wind: 9 };
if (told(later) !== "wind_changed") throw new Error("an unknown event is not passed over");
export const edition: Schemas["Game"]["edition"] = "of a later version";

// What the document excludes does not compile.
// @ts-expect-error: a card is played somewhere
export const nowhere: Schemas["MoveInput"] = { card: "R7" };
// @ts-expect-error: an opponent is one of the three
export const nobody: Schemas["OpponentInput"] = {};
