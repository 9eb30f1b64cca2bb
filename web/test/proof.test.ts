import { describe, expect, it } from "vitest";
import type { Geometry, ProofGroup, ProofLevel, ProofReason, ProofView, State } from "../src/api";
import { decades, momentAt } from "../src/rooms/proof/plot";
import { base64 } from "../src/rooms/proof/requests";
import { drawn, pathTo } from "../src/rooms/proof/tree";
import { because, drawing, question, says, shown, sums } from "../src/rooms/proof/words";

const sides: State["sides"] = [{ name: "Black", letter: "X", symbol: "●", paint: "black" }, { name: "White", letter: "O", symbol: "○", paint: "white" }];
const geometry = { points: ["a1", "b1", "c1", "d1"].map((name, i) => ({ name, x: i, y: 0, column: i, row: 0 })) } as unknown as Geometry;
const state = (some: Partial<State> = {}): State => ({ sides, geometry, turn: "second", pieces: [null, null, null, null], outcome: null, ...some }) as State;
const reason = (some: Partial<ProofReason>): ProofReason => ({ kind: "virtual connection", area: [], pairs: [], eyes: [], line: [], threats: [], ...some });
const ply = (move: string, to: number, player: "first" | "second" = "second") => ({ move, player, to, from: null });
const view = (some: Partial<ProofView>): ProofView => ({ claim: 0, claimant: "first", path: [], state: state(), kind: "replies", answer: null, replies: [], size: 9, again: false, reason: null, ...some });
const group = (pn: number | null, dn: number | null, count = 1, some: Partial<ProofGroup> = {}): ProofGroup => ({ moves: [ply("b1", 1)], count, status: "unknown", pn, dn, on_path: false, expanded: true, ...some });

describe("why a move loses", () => {
  it("asks the question of the claim", () => {
    const claim = { player: "first" as const, text: "Black wins", wins: true, positions: 1, ends: 1, references: 0, certificates: 0, depth: 1, bytes: 1 };
    expect(question(claim, sides)).toBe("Why does White lose?");
    expect(question({ ...claim, wins: false, text: "Black does not lose" }, sides)).toContain("Black does not lose");
  });
  it("names the pairs of a virtual connection and letters them on the board", () => {
    const certificate = reason({ area: [0, 1, 2, 3], pairs: [[0, 1], [2, 3]] });
    expect(because(certificate, ["Black", "White"], geometry, false).join(" ")).toContain("(A A, B B). Black takes the other.");
    const { tint, marks } = drawing(view({ kind: "certificate", reason: certificate }));
    expect([...tint.keys()]).toEqual([0, 1, 2, 3]);
    expect(marks.map(({ text }) => text)).toEqual(["A", "A", "B", "B"]);
  });
  it("draws a line of fours as numbered stones, each point once", () => {
    const line = [{ player: "first" as const, point: 2 }, { player: "second" as const, point: 3 }, { player: "first" as const, point: 2 }];
    const { ghosts } = drawing(view({ kind: "certificate", reason: reason({ kind: "line of fours", line }) }));
    expect(ghosts.map(({ point, number }) => [point, number])).toEqual([[2, 1], [3, 2]]);
  });
  it("says what every kind of position means", () => {
    const reply = { reply: ply("a1", 0), answer: ply("b1", 1, "first"), size: 5, reason: null };
    expect(says(view({ replies: [reply, { ...reply, size: 2 }] })).join(" ")).toBe("White has 2 moves. Each is answered. The hardest to refute is a1: 5 of 9 positions.");
    expect(says(view({ kind: "plays", answer: ply("b1", 1, "first") }))[0]).toBe("Black plays b1. The proof lists 9 positions from here on.");
    expect(says(view({ kind: "end", state: state({ outcome: { winner: "first", score: 1, points: null, reason: "rules", text: "Black wins" } }) }))).toEqual(["Black wins"]);
    for (const kind of ["wins at once", "line of fours", "more threats than stones", "line of double threats", "relevance zone", "unconditional life", "static death", "another"]) {
      expect(because(reason({ kind, threats: [[1]] }), ["Black", "White"], geometry, false)[0]!.length).toBeGreaterThan(20);
    }
  });
});

describe("the tree", () => {
  const level: ProofLevel = { or_nodes: true, mover: "second", groups: [group(14, 338, 1, { on_path: true }), group(14, 350), group(2, 9, 3), group(null, null, 18, { status: "proved" })] };
  it("shows the sum, not the verdict", () => {
    expect(sums(group(34, 9), level, false)).toEqual({ pn: "14 + 14 + 3·2 = 34", dn: "min(338, 350, 9) = 9" });
    expect(sums(group(2, 715), level, true)).toEqual({ pn: "min(14, 2) = 2", dn: "338 + 350 + 3·9 = 715" });
    expect(sums(group(null, null, 1, { status: "proved" }), level, true)).toBeNull();
  });
  it("folds what does not fit, and leads to each node", () => {
    expect(drawn(level, 3)).toEqual({ groups: level.groups.slice(0, 2), more: 21 });
    expect(drawn(level, 4).more).toBe(0);
    expect(pathTo(["x", "y", "z"], 2, group(1, 1))).toEqual(["x", "b1"]);
    expect(pathTo(["x"], 0, group(1, 1))).toEqual([]);
  });
  it("writes numbers short", () => expect([shown(null), shown(1234), shown(0.51234)]).toEqual(["∞", "1,234", "0.512"]));
});

describe("the plot", () => {
  const moments = [{ expansions: 1, pn: 1, dn: 1 }, { expansions: 4, pn: 40, dn: 2 }, { expansions: 8, pn: null, dn: 0 }];
  it("has whole decades", () => {
    expect(decades(moments)).toEqual([0, 1, 2]);
    expect(decades([{ expansions: 1, pn: 0.2, dn: 12000 }])).toEqual([-1, 0, 1, 2, 3, 4, 5]);
  });
  it("finds the moment at or before an expansion", () => expect([momentAt(moments, 5)?.expansions, momentAt(moments, 0)?.expansions]).toEqual([4, 1]));
});

it("writes a file in base64", async () => expect(await base64(new Blob([new Uint8Array([0, 255, 254])]))).toBe("AP/+"));
