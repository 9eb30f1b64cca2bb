import { describe, expect, it, vi } from "vitest";
import { bytes, clock, count, percent, short, whole } from "../src/format";
import { Live } from "../src/live";
import { discs, ghosts, proved, sentence } from "../src/rooms/candidates";
import { proposed } from "../src/rooms/compare";
import { range } from "../src/charts/win-rate";
import { candidateStep, discRadius, doubted, halfWidth, valueStep, visitStep } from "../src/scale";
import type { Candidate, Report } from "../src/api";

const candidate = (move: string, to: number, visits: number, value: number, some: Partial<Candidate> = {}): Candidate => ({
  move, to, from: null, visits, value, bounds: [0, 1], confidence: null, amaf: null, prior: null, note: null, line: [], ...some,
});
const report = (candidates: Candidate[], some: Partial<Report> = {}): Report => ({
  turn: "second", best: candidates[0]?.move ?? null, resigns: false, value: 0.5, bounds: [0, 1], proof: null, line: [], candidates, moves: candidates.length,
  path: [], playout_end: null, figures: [], iterations: 100, nodes: 100, depth: 1, memory_bytes: 0, seconds: 1, stopped: null, ...some,
});

describe("scales", () => {
  it("puts lost, even and won at 0, 5 and 10", () => {
    expect([0, 0.5, 1].map(valueStep)).toEqual([0, 5, 10]);
    expect(valueStep(0.6) + valueStep(0.4)).toBe(10);
  });
  it("doubts few visits", () => {
    expect(doubted(1, 1)).toBeCloseTo(4 / 7);
    expect(candidateStep(0.6, 0.6, 1)).toBeLessThan(candidateStep(0.6, 0.6, 1000));
    expect(candidateStep(0.6, 0.6, 100_000)).toBe(10);
    expect(candidateStep(0.3, 0.6, 100_000)).toBe(0);
    expect(halfWidth(0.5, 10)).toBeGreaterThan(halfWidth(0.5, 1000));
  });
  it("gives area by the root of the share of visits", () => {
    expect(discRadius(100, 100)).toBe(1);
    expect(discRadius(1, 16) ** 2).toBeCloseTo(Math.sqrt(1 / 16));
    expect(discRadius(0, 0)).toBe(0);
    expect([0, 100].map((n) => visitStep(n, 100))).toEqual([0, 6]);
  });
});

describe("numbers", () => {
  it("are written as the guide says", () => {
    expect([whole(20_000), percent(0.615), short(1_204_000), bytes(3_100_000), clock(67), clock(3723), count(1, "move"), count(2, "move")])
      .toEqual(["20,000", "61.5\u00a0%", "1.20\u00a0M", "3\u00a0MB", "1:07", "1:02:03", "1 move", "2 moves"]);
  });
});

describe("candidates", () => {
  it("become discs: one to a point, size by visits, marks for what is proved", () => {
    const found = discs(report([candidate("a", 1, 100, 0.6), candidate("b", 2, 10, 0.5), candidate("c", 2, 5, 0.4), candidate("d", 3, 5, 0, { bounds: [0, 0] }), candidate("pass", -1, 3, 0.1, { to: null })]), "value", "a");
    expect(found.map((disc) => disc.point)).toEqual([1, 2, 3]);
    expect(found[0]).toMatchObject({ size: 1, label: "60", under: "100", selected: true });
    expect(found[1]?.size).toBeLessThan(1);
    expect(found[2]).toMatchObject({ fill: "proved-lost", label: "✕" });
    expect(discs(report([candidate("a", 1, 100, 0.6)]), "none", null)).toEqual([]);
  });

  it("are drawn alike by an agent that counts no visits", () => {
    const sizes = discs(report([candidate("a", 1, 0, 0.6), candidate("b", 2, 0, 0.5)]), "value", null).map((disc) => disc.size);
    expect(new Set(sizes).size).toBe(1);
    const bounds = report([candidate("a", 1, 900, 0.6, { note: "+25" }), candidate("b", 2, 5, 0.5, { note: "at most +20" })], { depth: 12 });
    expect(discs(bounds, "value", null).map((disc) => [disc.size, disc.under])).toEqual([[0.7, undefined], [0.7, undefined]]);
    expect(sentence(bounds)).toBe("a is the choice at depth 12.");
  });

  it("show their line as numbered stones, the move itself first, each point once", () => {
    const ply = (move: string, to: number | null, player: "first" | "second") => ({ move, to, from: null, player });
    const line = [ply("b", 2, "first"), ply("pass", null, "second"), ply("a", 1, "first"), ply("c", 3, "second")];
    const expected = [{ point: 1, owner: "second", number: 1 }, { point: 2, owner: "first", number: 2 }, { point: 3, owner: "second", number: 5 }];
    const one = candidate("a", 1, 10, 0.5, { line });
    expect(ghosts(report([one]), one)).toEqual(expected);
    const whole = candidate("a", 1, 10, 0.5, { line: [ply("a", 1, "second"), ...line] });
    expect(ghosts(report([whole]), whole)).toEqual(expected);
  });

  it("are summed up in one sentence", () => {
    expect(sentence(report([candidate("C4", 1, 75, 0.6), candidate("J4", 2, 25, 0.575)]))).toBe("C4 has 75\u00a0% of the visits; J4 is 2.5 points behind.");
    expect(sentence(report([candidate("C4", 1, 5, 0.6)], { bounds: [1, 1] }))).toBe("Proved: C4 wins.");
    expect(sentence(report([], { bounds: [0, 0] }))).toBe("Proved: every move loses.");
    expect([proved([0.5, 0.5]), proved([0.7, 0.7]), proved([0, 1])]).toEqual(["drawn", "exact", null]);
    expect(sentence(report([], { bounds: [0.7, 0.7] }))).toBe("Proved: worth 70.0\u00a0% to the side to move.");
  });
});

describe("agents side by side", () => {
  const agent = (name: string) => ({ name, about: "", spec: name, endless: false, parallel: false, solves: name === "pn", parameters: [] });
  it("are those that the server proposes, or the strongest and the solver", () => {
    const agents = { strongest: "b(c=1)", solver: "pn", levels: [], analyst: "auto", network: null, agents: ["random", "pn"].map(agent) };
    expect(proposed({ ...agents, compare: [] })).toEqual([{ name: "b", spec: "b(c=1)" }, { name: "pn", spec: "pn" }]);
    expect(proposed({ ...agents, compare: [{ name: "Plain UCT", agent: "mcts" }] })).toEqual([{ name: "Plain UCT", spec: "mcts" }]);
  });
});

describe("the axis of the win rate", () => {
  it("covers the middle and every value, in tens", () => {
    expect(range([])).toEqual([0.4, 0.6]);
    expect(range([{ value: 0.97, best: null, effort: 1 }, null])).toEqual([0.4, 1]);
    expect(range([{ value: 0.21, best: null, effort: 1 }])[0]).toBeCloseTo(0.1);
  });
});

describe("live searches", () => {
  function connection() {
    const sent: { type: string; id: string }[] = [];
    const socket = { readyState: 0, onopen: null as null | (() => void), onmessage: null as null | ((event: { data: unknown }) => void), onclose: null as null | (() => void), send: (text: string) => void sent.push(JSON.parse(text)) };
    const open = () => { socket.readyState = 1; socket.onopen?.(); };
    const say = (message: unknown) => socket.onmessage?.({ data: JSON.stringify(message) });
    return { sent, socket, open, say };
  }

  it("wait for the connection, then get their own messages", () => {
    const { sent, socket, open, say } = connection();
    const live = new Live(() => socket);
    const [a, b] = [{ queued: vi.fn(), snapshot: vi.fn(), done: vi.fn(), failed: vi.fn() }, { done: vi.fn(), failed: vi.fn() }];
    live.search({ document: "x" }, a);
    live.search({ document: "y" }, b);
    expect(sent).toEqual([]);
    open();
    expect(sent.map(({ type, id }) => [type, id])).toEqual([["search", "1"], ["search", "2"]]);
    say({ type: "queued", id: "1" });
    say({ type: "snapshot", id: "1", report: 7 });
    say({ type: "error", id: "2", error: { code: "bad_spec", message: "no such agent" } });
    say({ type: "done", id: "1", report: 8, state: null, made_way: true });
    say({ type: "done", id: "1", report: 9, state: null });
    expect(a.queued).toHaveBeenCalledOnce();
    expect([a.snapshot.mock.calls, a.done.mock.calls, b.failed.mock.calls]).toEqual([[[7]], [[8, null, true]], [["no such agent"]]]);
  });

  it("hear nothing after they are cancelled", () => {
    const { sent, socket, open, say } = connection();
    const handlers = { done: vi.fn(), failed: vi.fn() };
    const search = new Live(() => socket).search({ document: "x" }, handlers);
    open();
    search.cancel();
    search.stop();
    say({ type: "done", id: "1", report: 1, state: null });
    expect(sent.map(({ type }) => type)).toEqual(["search", "cancel"]);
    expect(handlers.done).not.toHaveBeenCalled();
  });

  it("end when the connection breaks, and the next one connects again", () => {
    const links = [connection(), connection()];
    let used = 0;
    const lost = vi.fn();
    const live = new Live(() => links[used++]?.socket ?? (null as never), lost);
    const handlers = { done: vi.fn(), failed: vi.fn() };
    live.search({ document: "x" }, handlers);
    links[0]?.open();
    links[0]?.socket.onclose?.();
    expect(handlers.failed).toHaveBeenCalledOnce();
    expect(lost).toHaveBeenCalledOnce();
    live.search({ document: "y" }, { done: vi.fn(), failed: vi.fn() });
    links[1]?.open();
    expect(links[1]?.sent).toHaveLength(1);
  });
});
