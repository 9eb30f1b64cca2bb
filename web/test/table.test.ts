// The game on the board, against a server that keeps only a list of moves.
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { State } from "../src/api";
import type { Handlers } from "../src/live";

const kept = vi.hoisted(() => {
  const values = new Map<string, string>();
  (globalThis as { localStorage?: unknown }).localStorage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  };
  return { values, sessions: new Map<string, string[]>(), ids: 0, searches: [] as { handlers: Handlers; session: string; cancelled: boolean }[], delays: [] as number[] };
});

class Lost extends Error {
  code = "not_found";
}
const state = (id: string, moves: string[]): State => ({
  id, version: moves.length, game: "nim", name: "nim", short: "nim", title: "Nim", sides: [], steps: moves.map((move, i) => ({ player: i % 2 ? "second" : "first", move, to: null, from: null })),
  at: moves.length, turn: moves.length % 2 ? "second" : "first", outcome: null, pieces: [], legal: [], legal_count: 0, last: [], captions: [], komi: null, captures: null, setup: null,
  document: moves.length ? `nim~${moves.join(".")}` : "nim", abilities: { pass: false, swap: false, dead_stones: false, set_up: false, komi: false }, geometry: { points: [] },
}) as unknown as State;
const movesOf = (id: string): string[] => {
  const found = kept.sessions.get(id);
  if (!found) throw new Lost("There is no such game.");
  return found;
};

/** The next answers come late by these times. */
const late = () => new Promise((resolve) => { const time = kept.delays.shift(); return time === undefined ? resolve(null) : setTimeout(resolve, time); });

vi.mock("../src/client", () => ({
  Refusal: Lost,
  api: {
    start: async ({ document = "nim" }: { document?: string }) => {
      const id = String(++kept.ids);
      kept.sessions.set(id, document.split("~")[1]?.split(".") ?? []);
      return state(id, movesOf(id));
    },
    position: async (document: string) => (await late(), state)("", document.split("~")[1]?.split(".") ?? []),
    session: async (id: string, at?: number) => { await late(); return at === undefined ? state(id, movesOf(id)) : state(id, movesOf(id).slice(0, at)); },
    play: async (id: string, move: string) => { await late(); movesOf(id).push(move); return state(id, movesOf(id)); },
    undo: async (id: string, steps: number) => { movesOf(id).splice(-steps); return state(id, movesOf(id)); },
  },
}));
vi.mock("../src/live", () => ({
  live: {
    search: ({ session }: { session: string }, handlers: Handlers) => {
      const search = { handlers, session, cancelled: false };
      kept.searches.push(search);
      return { stop: () => undefined, cancel: () => { search.cancelled = true; } };
    },
  },
}));

const table = await import("../src/game/table");
const AGENT = { kind: "agent" as const, label: "a", agent: "a", budget: {} };
const PERSON = { kind: "person" as const };
const moves = (): string[] => table.tableNow().game?.steps.map((step) => step.move ?? "") ?? [];
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));
/** The agent plays, as the server does at the end of a search. */
async function agentPlays(move: string, tell = true): Promise<void> {
  const search = kept.searches.at(-1);
  if (!search) throw new Error("no search");
  movesOf(search.session).push(move);
  if (tell && !search.cancelled) search.handlers.done({ resigns: false } as never, state(search.session, [...movesOf(search.session)]), false);
  await settle();
}

beforeEach(() => {
  kept.searches.length = 0;
});

describe("the game on the board", () => {
  it("lets the agent answer, and takes back to the person's move", async () => {
    await table.newGame({ game: "nim" }, [PERSON, AGENT]);
    expect(kept.searches).toHaveLength(0);
    await table.play("1");
    await settle();
    expect(table.tableNow().thinking).not.toBeNull();
    expect(table.personToMove(table.tableNow())).toBeNull();
    await agentPlays("2");
    expect(moves()).toEqual(["1", "2"]);
    expect(table.personToMove(table.tableNow())).toBe("first");
    await table.takeBack();
    expect(moves()).toEqual([]);
  });

  it("sends one move at a time, so that nobody plays the other side's stones", async () => {
    await table.newGame({ game: "nim" }, [PERSON, AGENT]);
    kept.delays.push(5);
    const clicks = ["1", "2", "3"].map((move) => table.play(move));
    expect(table.personToMove(table.tableNow())).toBeNull();
    await Promise.all(clicks);
    expect(moves()).toEqual(["1"]);
    await settle();
    await agentPlays("2");
    expect(table.personToMove(table.tableNow())).toBe("first");
    await table.play("1");
    expect(moves()).toEqual(["1", "2", "1"]);
  });

  it("counts quick steps from the place last asked for, whatever comes first", async () => {
    await table.newGame({ document: "nim~1.2.1.2.1.2.1.2" }, [PERSON, PERSON]);
    await table.goTo(0);
    kept.delays.push(20, 5, 10, 1, 15);
    await Promise.all([1, 1, 1, 1, 1].map((by) => table.step(by)));
    expect(table.tableNow().shown?.at).toBe(5);
    kept.delays.push(10, 1);
    await Promise.all([table.step(-1), table.goTo(1)]);
    expect(table.tableNow().shown?.at).toBe(1);
    kept.delays.push(10);
    await Promise.all([table.step(1), table.goTo(8)]);
    expect(table.tableNow().shown?.at).toBe(8);
  });

  it("makes one variation of moves tried quickly, and steps back along it", async () => {
    await table.newGame({ document: "nim~1.2" }, [PERSON, PERSON]);
    kept.delays.push(20, 5, 10, 1);
    await Promise.all(["3", "4", "5", "6"].map((move) => table.tryMove(move)).concat(table.step(-1)));
    expect(table.tableNow().variation).toEqual({ from: 2, moves: ["3", "4", "5"] });
    expect(table.tableNow().notes.variations).toEqual(["nim~1.2.3.4.5.6"]);
    kept.delays.push(10);
    await Promise.all([table.goTo(0), table.tryMove("1")]);
    expect(table.tableNow()).toMatchObject({ variation: null, shown: { at: 1 } });
  });

  it("takes back while the agent thinks, also a move it made meanwhile", async () => {
    await table.newGame({ game: "nim" }, [PERSON, AGENT]);
    await table.play("1");
    await settle();
    await agentPlays("2", false);
    await table.takeBack();
    expect(kept.searches[0]?.cancelled).toBe(true);
    expect(moves()).toEqual([]);
    expect(table.tableNow().thinking).toBeNull();
  });

  it("goes on when the server has dropped the session", async () => {
    await table.newGame({ game: "nim" }, [PERSON, PERSON]);
    await table.play("1");
    kept.sessions.clear();
    await table.play("2");
    expect(moves()).toEqual(["1", "2"]);
  });

  it("is restored from what the browser kept, with its players", async () => {
    await table.newGame({ game: "nim" }, [PERSON, AGENT]);
    await table.play("1");
    kept.sessions.clear();
    kept.searches.length = 0;
    expect(await table.restore()).toBe(true);
    await settle();
    expect(moves()).toEqual(["1"]);
    expect(kept.searches).toHaveLength(1);
  });

  it("keeps the game that an address replaces, with its notes, until it is wanted again", async () => {
    await table.newGame({ document: "nim~1.2.1" }, [PERSON, PERSON]);
    table.comment("nim~1.2.1", "Mine.");
    expect(await table.open("nim~3")).toBe(true);
    // The position of an address that nobody changed is not kept in place of the game.
    expect(await table.open("nim~3.3")).toBe(false);
    expect(table.tableNow()).toMatchObject({ before: true, notes: { comments: {} } });
    await table.backToBefore();
    expect(moves()).toEqual(["1", "2", "1"]);
    expect(table.tableNow().notes.comments).toEqual({ "nim~1.2.1": "Mine." });
    await table.backToBefore();
    expect(moves()).toEqual(["3", "3"]);
  });

  it("says when a game has no room for one more comment, and looks for one hint at a time", async () => {
    await table.newGame({ document: "nim~1.2" }, [PERSON, PERSON]);
    for (let i = 0; i < 400; i++) expect(table.comment(`nim~${i}`, "here")).toBe(true);
    expect(table.comment("nim~400", "here")).toBe(false);
    expect(table.comment("nim~399", "changed")).toBe(true);
    await table.hint();
    await table.hint();
    expect(kept.searches.map((search) => search.cancelled)).toEqual([true, false]);
  });

  it("lets the clock of the side to move run while the page is away", async () => {
    await table.newGame({ game: "nim" }, [PERSON, PERSON], { main: 600, increment: 0, left: [600, 600] });
    await table.play("1");
    const since = table.tableNow().since;
    const found = JSON.parse(kept.values.get("tesuji.game") ?? "{}") as { since: number };
    expect(found.since).toBe(since);
    kept.values.set("tesuji.game", JSON.stringify({ ...found, since: since - 60_000 }));
    await table.restore();
    expect(table.tableNow().since).toBe(since - 60_000);
    await table.play("1");
    expect(table.tableNow().clock?.left[1]).toBeCloseTo(540, 0);
  });

  it("keeps variations and comments beside the game, and gives them back", async () => {
    const here = () => table.tableNow();
    await table.newGame({ document: "nim~1.2.1" }, [PERSON, PERSON]);
    await table.goTo(1);
    await table.tryMove("2");
    expect(here()).toMatchObject({ variation: null, shown: { at: 2 } });
    await table.goTo(1);
    await table.tryMove("1");
    await table.tryMove("2");
    expect(here().variation).toEqual({ from: 1, moves: ["1", "2"] });
    expect(moves()).toEqual(["1", "2", "1"]);
    table.comment(here().shown?.document ?? "", "Better.");
    await table.step(-1);
    expect(here().variation).toEqual({ from: 1, moves: ["1"] });
    await table.step(1);
    expect(here().shown?.document).toBe("nim~1.1.2");
    await table.leaveVariation(true);
    expect(here()).toMatchObject({ variation: null, shown: { at: 1 } });
    kept.sessions.clear();
    await table.restore();
    expect(here().notes).toEqual({ variations: ["nim~1.1.2"], comments: { "nim~1.1.2": "Better." } });
    await table.show("nim~1.1.2");
    await table.keepVariation();
    expect(moves()).toEqual(["1", "1", "2"]);
    expect(here().notes.variations).toEqual(["nim~1.2.1"]);
    await table.show("nim~1.2.1");
    await table.deleteVariation();
    expect(here().notes).toEqual({ variations: [], comments: { "nim~1.1.2": "Better." } });
  });

  it("stands still when two agents are paused, and goes on", async () => {
    await table.newGame({ game: "nim" }, [AGENT, AGENT]);
    await settle();
    table.pause();
    expect(kept.searches[0]?.cancelled).toBe(true);
    expect(table.tableNow().stuck).toBe(table.PAUSED);
    table.tryAgain();
    await settle();
    expect(kept.searches).toHaveLength(2);
  });

  it("says why an agent's move did not come", async () => {
    await table.newGame({ game: "nim" }, [AGENT, PERSON]);
    await settle();
    kept.searches[0]?.handlers.failed("The tree is full.");
    expect(table.tableNow()).toMatchObject({ thinking: null, stuck: "The tree is full." });
  });
});
