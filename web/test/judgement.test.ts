import { describe, expect, it } from "vitest";
import type { Candidate, Report } from "../src/api";
import { changed, networkValue, shares } from "../src/rooms/judgement";

const candidate = (move: string, prior: number | null, visits: number): Candidate => ({
  move, to: null, from: null, visits, value: 0.5, bounds: [0, 1], confidence: null, amaf: null, prior, note: null, line: [],
});
const report = (candidates: Candidate[], value: number | null = 0.4): Report => ({
  turn: "first", best: candidates[0]?.move ?? null, resigns: false, value: 0.6, bounds: [0, 1], proof: null, line: [], candidates, moves: candidates.length,
  path: [], playout_end: null, figures: value === null ? [] : [{ name: "network-value", value }], iterations: 1, nodes: 1, depth: 1, memory_bytes: 0, seconds: 0, stopped: null,
});
const judged = report([candidate("a", 0.6, 1), candidate("b", 0.3, 0), candidate("c", 0.1, 0)]);

describe("the network beside the search", () => {
  it("has a value of its own, which is not the search's", () => {
    expect(networkValue(judged)).toBe(0.4);
    expect(networkValue({ ...judged, turn: "second" })).toBe(0.6);
    expect(networkValue(report([], null))).toBeNull();
  });

  it("is compared by shares, the moves first that either side prefers", () => {
    const searched = report([candidate("c", null, 90), candidate("a", null, 10)], null);
    expect(shares(judged, searched)).toEqual([{ move: "c", prior: 0.1, visits: 0.9 }, { move: "a", prior: 0.6, visits: 0.1 }, { move: "b", prior: 0.3, visits: 0 }]);
    expect(shares(judged, null).map(({ move, visits }) => [move, visits])).toEqual([["a", 0], ["b", 0], ["c", 0]]);
    expect(shares(judged, searched, 1)).toHaveLength(1);
  });

  it("takes no counts from searches whose counts are no preferences", () => {
    const bounds = report([{ ...candidate("c", null, 90), note: "at most +20" }], null);
    expect(shares(judged, bounds).every(({ visits }) => visits === 0)).toBe(true);
  });

  it("is summed up in one sentence", () => {
    const after = (visits: [string, number][]) => changed(shares(judged, report(visits.map(([move, n]) => candidate(move, null, n)), null)));
    expect(after([["c", 90], ["a", 10]])).toBe("The search prefers c, to which the network alone gives 10.0\u00a0%.");
    expect(after([["a", 62], ["b", 38]])).toBe("The search keeps to the network’s a.");
    expect(after([["a", 100]])).toBe("The search is surer of a than the network alone.");
    expect(after([["a", 45], ["b", 40], ["c", 15]])).toBe("The search is less sure of a than the network alone.");
    expect(changed(shares(judged, null))).toBe("Nothing has been searched yet.");
  });
});
