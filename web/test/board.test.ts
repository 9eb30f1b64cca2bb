import { describe, expect, it } from "vitest";
import { byRows, draw, neighbour, UNIT } from "../src/board/drawing";
import { answer, dotted } from "../src/board/input";
import { asText } from "../src/rooms/set-up";
import type { Geometry, Legal } from "../src/api";

const SQUARE: [number, number][] = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
function grid(n: number, some: Partial<Geometry> = {}): Geometry {
  const points = Array.from({ length: n * n }, (_, i) => {
    const [row, column] = [Math.floor(i / n), i % n];
    return { name: `${"abcde"[column]}${n - row}`, x: column, y: row, column, row };
  });
  return { shape: "cells", surface: "plain", men: "strokes", frame: [-0.5, -0.5, n - 0.5, n - 0.5], field: [0, 0, n - 1, n - 1], points, outline: SQUARE, lines: [], stars: [], bands: [], labels: [], ...some };
}

describe("drawing", () => {
  it("leaves the names out where the board is taken in at a glance", () => {
    const labels: Geometry["labels"] = [{ text: "a", x: 0, y: 5, kind: "column" }];
    expect([draw(grid(3, { labels })).labels, draw(grid(5, { labels })).labels].map((list) => list.length)).toEqual([0, 1]);
  });

  it("takes lines and points from the geometry, and puts the names of crossings close to the stones", () => {
    const labels: Geometry["labels"] = [{ text: "A", x: 0, y: 3, kind: "column" }, { text: "1", x: -3, y: 1, kind: "row" }];
    const drawing = draw(grid(2, { shape: "crossings", men: "stones", lines: [[0, 0, 1, 0]], labels }));
    expect(drawing.lines).toBe(`M0 0L${UNIT} 0`);
    expect(drawing.places[3]).toEqual({ x: UNIT, y: UNIT });
    const [column, row] = drawing.labels;
    const near = (column?.y ?? 0) - 1;
    expect(near).toBeGreaterThan(0.5);
    expect(row?.x).toBeCloseTo(-near);
    const { x, y, width, height } = drawing.view;
    expect([x, y, width, height]).toEqual([x, x, UNIT - 2 * x, UNIT - 2 * x]);
    expect(-x / UNIT).toBeGreaterThan(near);
    expect(-x / UNIT).toBeLessThan(1);
  });

  it("moves the cursor by columns and rows, and stops at the edge", () => {
    const board = grid(3);
    expect(neighbour(board, 4, 1, 0)).toBe(5);
    expect(neighbour(board, 4, 0, -1)).toBe(1);
    expect(neighbour(board, 5, 1, 0)).toBe(5);
  });

  it("gives rows in order, however the points come", () => {
    const board = grid(2);
    board.points.reverse();
    expect(byRows(board).map((row) => row.map((i) => board.points[i]?.row))).toEqual([[0, 0], [1, 1]]);
  });
});

describe("set-up", () => {
  it("writes stones row by row from the top", () => {
    const stone = (letter: string) => ({ owner: "first" as const, letter, symbol: letter });
    expect(asText([stone("X"), null, null, stone("O")], grid(2))).toBe("X..O");
  });
});

describe("input", () => {
  const put: Legal[] = [{ move: "a1", to: 6, from: null }, { move: "pass", to: null, from: null }];
  const walk: Legal[] = [{ move: "h2e2", from: 1, to: 4 }, { move: "h2h9", from: 1, to: 8 }, { move: "b2e2", from: 2, to: 4 }];

  it("plays where a stone may be put", () => {
    expect(answer(put, null, 6)).toEqual({ move: "a1" });
    expect(answer(put, null, 5)).toEqual({ pick: null });
  });

  it("picks a piece up, then puts it down, picks another, or lets go", () => {
    expect(answer(walk, null, 1)).toEqual({ pick: 1 });
    expect(answer(walk, 1, 4)).toEqual({ move: "h2e2" });
    expect(answer(walk, 2, 4)).toEqual({ move: "b2e2" });
    expect(answer(walk, 1, 2)).toEqual({ pick: 2 });
    expect(answer(walk, 1, 1)).toEqual({ pick: null });
    expect(answer(walk, 1, 7)).toEqual({ pick: null });
  });

  it("dots the ends of a picked piece, and points where few are open", () => {
    expect([...dotted(walk, 1, 80)]).toEqual([4, 8]);
    expect([...dotted(put, null, 60)]).toEqual([6]);
    expect([...dotted(put, null, 1)]).toEqual([]);
  });
});
