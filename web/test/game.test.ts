import { describe, expect, it } from "vitest";
import { bareName, extend, lastTurn, parametersOf, prefix, spec } from "../src/game/document";
import { better, curve, forFirst, mistakes, type Judged } from "../src/game/judgement";
import { readGame, readProgress, writeGame, writeProgress } from "../src/game/kept";
import { allowance, budgetWords, opponents, PERSON, spent } from "../src/game/seats";
import { byTurns } from "../src/rooms/moves";
import { goal, sets } from "../src/rooms/problems";
import { href, parse } from "../src/router";
import type { Geometry, Player, Report, State, Step } from "../src/api";

const memory = () => {
  const values = new Map<string, string>();
  return { getItem: (key: string) => values.get(key) ?? null, setItem: (key: string, value: string) => void values.set(key, value) };
};

describe("document", () => {
  it("grows by a move and shrinks to its first steps", () => {
    const one = extend("go(size=9,komi=6.5)", "E5");
    expect(one).toBe("go(size=9,komi=6.5)~E5");
    const two = extend(one, "pass");
    expect(two).toBe("go(size=9,komi=6.5)~E5.pass");
    expect([0, 1, 2].map((n) => prefix(two, n))).toEqual(["go(size=9,komi=6.5)", one, two]);
    expect(prefix("hex", 3)).toBe("hex");
  });

  it("writes and reads specs", () => {
    expect(spec("go", { size: "9", komi: "" })).toBe("go(size=9)");
    expect(spec("go", {})).toBe("go");
    expect(parametersOf("go(size=9, komi=6.5)")).toEqual({ size: "9", komi: "6.5" });
    expect(parametersOf("mcts(select=ucb1(c=1.4,x=2),leaf=random)")).toEqual({ select: "ucb1(c=1.4,x=2)", leaf: "random" });
    expect(parametersOf("hex")).toEqual({});
    expect(bareName("go(size=9)~E5")).toBe("go");
  });
});

describe("the last turn", () => {
  const piece = { owner: "first", letter: "X", symbol: "●" };
  const state = (moves: [Player, number | null, number | null][], last: number[]) => ({
    steps: moves.map(([player, to, from]) => ({ player, move: "m", to, from })), at: moves.length, last, pieces: Array(9).fill(piece),
  }) as unknown as State;
  it("has both stones of a turn of two", () => {
    expect(lastTurn(state([["first", 1, null], ["second", 2, null], ["second", 3, null]], [3]))).toEqual([2, 3]);
  });
  it("is what the game says of one move, of pieces and of a pass", () => {
    expect(lastTurn(state([["first", 1, null], ["second", 2, null]], [2]))).toEqual([2]);
    expect(lastTurn(state([["first", 1, 0], ["first", 2, 1]], [1, 2]))).toEqual([1, 2]);
    expect(lastTurn(state([["first", 1, null], ["first", null, null]], []))).toEqual([]);
    expect(lastTurn(state([], []))).toEqual([]);
  });
});

describe("router", () => {
  it("reads rooms and what follows them", () => {
    expect(parse("#/play/go(size%3D9)~E5.C3")).toEqual({ room: "play", rest: "go(size=9)~E5.C3" });
    expect(parse("")).toEqual({ room: "home", rest: "" });
    expect(parse("#/nowhere")).toEqual({ room: "home", rest: "" });
    expect(parse("#/lab/%E0%A4%A")).toEqual({ room: "lab", rest: "" });
    expect(parse(href("problems", "go/a 1"))).toEqual({ room: "problems", rest: "go/a 1" });
  });
});

describe("what the browser keeps", () => {
  const game = { id: "x", document: "go~E5", seats: [PERSON, { kind: "agent", label: "mcts", agent: "mcts", budget: {} }] as never, clock: null, resigned: null, dead: null, notes: { variations: ["go~C3"], comments: { go: "a start" } }, since: 5, brought: null };

  it("gives back the game it was given", () => {
    const storage = memory();
    writeGame(storage, game);
    expect(readGame(storage)).toEqual(game);
  });

  it.each(["", "{", "[]", "3", '{"document":3}', '{"document":"go","seats":[1]}'])("reads nothing from %j", (text) => {
    expect(readGame({ ...memory(), getItem: () => text })).toBeNull();
  });

  it("reads what it can of a game that was written by hand", () => {
    const read = (text: unknown) => readGame({ ...memory(), getItem: () => JSON.stringify(text) });
    const found = read({ document: "go", seats: [{ kind: "agent", agent: "mcts", label: 3, budget: { seconds: -5, iterations: "x", nodes: 7 } }, { kind: "agent", agent: "pn", label: "a", budget: null }], clock: { left: "x" }, resigned: "third", dead: [1, "A1"], notes: { variations: 5, comments: [] } });
    expect(found?.seats).toEqual([{ kind: "agent", agent: "mcts", label: "mcts", budget: { nodes: 7 } }, { kind: "agent", agent: "pn", label: "a", budget: {} }]);
    expect([found?.clock, found?.resigned, found?.dead]).toEqual([null, null, ["A1"]]);
    const clock = { main: 60, increment: 0, left: [1, 60] };
    expect(read({ document: "go", seats: [{}, null], clock })).toMatchObject({ clock, seats: [PERSON, PERSON] });
  });

  it("does not stop a game when the storage is full", () => {
    const full = { getItem: () => null, setItem: () => { throw new Error("full"); } };
    expect(() => writeGame(full, game)).not.toThrow();
    expect(writeProgress(full, "a", "solved")).toEqual({ a: "solved" });
  });

  it("keeps a solved problem solved", () => {
    const storage = memory();
    writeProgress(storage, "go/1", "failed");
    writeProgress(storage, "go/1", "solved");
    writeProgress(storage, "go/1", "failed");
    expect(readProgress(storage)).toEqual({ "go/1": "solved" });
    expect(readProgress({ ...memory(), getItem: () => '{"a":"x","b":"solved"}' })).toEqual({ b: "solved" });
  });
});

describe("seats and clocks", () => {
  it("offers the strongest, the levels and every agent", () => {
    const found = opponents({ strongest: "mcts(a=1)", solver: "pn", analyst: "auto", network: null, compare: [], levels: [{ id: "one", name: "Beginner", about: "", agent: "random", budget: { iterations: 5 } }], agents: [{ name: "pn", about: "", spec: "pn", endless: false, parallel: false, solves: true, parameters: [] }] });
    expect(found.map((one) => one.label)).toEqual(["Strongest (mcts)", "Beginner", "pn"]);
    const best = { id: "strongest", name: "Strongest", about: "", agent: "mcts(a=1,resign=0.03)", budget: { iterations: 9 } };
    const strongest = opponents({ strongest: "mcts(a=1)", solver: "pn", analyst: "auto", network: null, compare: [], levels: [best], agents: [] })[0];
    expect(strongest?.seat).toEqual({ kind: "agent", label: "mcts, strongest", agent: "mcts(a=1,resign=0.03)", budget: { iterations: 9 } });
    expect(found[1]?.seat).toEqual({ kind: "agent", label: "random, level 1 of 1", agent: "random", budget: { iterations: 5 } });
  });

  it("says what a budget allows", () => {
    expect(budgetWords({ iterations: 15_000 })).toBe("15,000 iterations a move");
    expect(budgetWords({})).toBe("its usual effort");
  });

  it("takes time off one clock and never gives an agent more than half of the rest", () => {
    const clock = { main: 60, increment: 2, left: [60, 10] as [number, number] };
    expect(spent(clock, "second", 4).left).toEqual([60, 8]);
    expect(spent(clock, "second", 40).left).toEqual([60, 2]);
    expect(allowance({ ...clock, left: [1, 1] }, "first")).toBeLessThanOrEqual(0.5);
    expect(allowance(clock, "first")).toBeCloseTo(60 / 25 + 1.6);
  });
});

describe("judgement", () => {
  const step = (player: Player, move: string): Step => ({ player, move, to: null, from: null });
  const judged = (value: number, best: string | null = null): Judged => ({ value, best, effort: 1 });

  it("marks moves that lose 7.5 points for their mover, unless they were the search's choice", () => {
    const steps = [step("first", "a"), step("second", "b"), step("first", "c")];
    const found = mistakes(steps, [judged(0.6, "x"), judged(0.5, "y"), judged(0.6, "c"), judged(0.4)]);
    expect(found.map(({ at, player, better: instead }) => ({ at, player, instead }))).toEqual([{ at: 1, player: "first", instead: "x" }, { at: 2, player: "second", instead: "y" }]);
    expect(found[0]?.loss).toBeCloseTo(0.1);
  });

  it("leaves out moves around which something is unknown", () => {
    expect(mistakes([step("first", "a")], [judged(0.9), null])).toEqual([]);
    expect(curve("g~a.b", 2, new Map([["g~a", judged(0.3)]]))).toEqual([null, judged(0.3), null]);
  });

  it("keeps the judgement of more effort", () => {
    expect(better({ value: 0.5, best: null, effort: 10 }, { value: 0.7, best: null, effort: 5 }).value).toBe(0.5);
    expect(better({ value: 0.5, best: null, effort: 10 }, { value: 0.7, best: null, effort: 10 }).value).toBe(0.7);
  });

  it("turns a report's value to the first player", () => {
    expect(forFirst({ turn: "second", value: 0.7 } as Report)).toBeCloseTo(0.3);
  });
});

describe("lists", () => {
  it("shows turns of several moves in one row", () => {
    const players: Player[] = ["first", "second", "second", "first", "first", "second"];
    const rows = byTurns(players.map((player) => ({ player, move: "x", to: null, from: null })));
    expect(rows).toEqual([{ first: [0], second: [1, 2] }, { first: [3, 4], second: [5] }]);
    expect(byTurns([{ player: "second", move: "x", to: null, from: null }, { player: "first", move: "y", to: null, from: null }])).toEqual([{ first: [], second: [0] }, { first: [1], second: [] }]);
  });

  it("groups problems by the first word of their id, or by what they ask", () => {
    const problem = (id: string, about = id) => ({ game: "go", id, set: "", about, document: "" });
    const names = (list: ReturnType<typeof problem>[]) => sets(list).map((one) => [one.name, one.problems.length]);
    expect(names([problem("cut-01"), problem("cut-peep"), problem("lin")])).toEqual([["Cut", 2], ["Lin", 1]]);
    expect(names(["1", "2", "3", "4", "5", "6"].map((n) => problem(`sudden-${n}`, n < "4" ? "level 1" : "level 3")))).toEqual([["Level 1", 3], ["Level 3", 3]]);
  });

  it("reads the goal of a problem and the points it names", () => {
    const geometry = { points: ["A4", "B4"].map((name, i) => ({ name, x: i, y: 0, column: i, row: 0 })) } as Geometry;
    expect(goal("Kill 3: Black to kill B4 A4", geometry)).toEqual({ words: "Black to kill", points: [1, 0] });
    expect(goal("Black to move", geometry)).toEqual({ words: "Black to move", points: [] });
  });
});
