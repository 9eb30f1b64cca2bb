// From the geometry that a game states to coordinates of the picture. No game is named here: points,
// outlines, lines, bands and labels all come from the server.
import type { Geometry } from "../api";

/** Units of the picture between neighbouring points. */
export const UNIT = 40;

export interface Place { x: number; y: number }

export interface Box { x: number; y: number; width: number; height: number }

export interface Drawing {
  view: Box;
  /** What is painted under the lines: labels of crossings lie on the board, those of cells beside it. */
  surface: Box;
  places: Place[];
  /** The outline of a point's cell, around (0, 0), as the `points` of a polygon. */
  outline: string;
  /** All lines as one path. */
  lines: string;
  /** Names of columns and rows; a board that is taken in at a glance has none. */
  labels: Geometry["labels"];
  /** How far stones reach, as a radius. */
  stone: number;
  /** Width and height of the area that belongs to a point. */
  hit: { width: number; height: number };
}

const round = (x: number): number => Math.round(x * 100) / 100;

/** An open board of at most this many points shows no names. */
const GLANCE = 16;
/** The margin of such a board. */
const MARGIN = 0.35;

/** The height of a label, as a share of the picture's width (the rooms differ: board.css, rooms.css). */
const FONT = 0.02;
/** Room between a stone at the edge, a label and the edge of the board. */
const GAP = 0.12;

/** Labels of crossings lie on the board, close to the outermost stones, with the same margin on all sides. */
function close(geometry: Geometry): Pick<Geometry, "frame" | "labels"> {
  const [xs, ys] = [geometry.points.map(({ x }) => x), geometry.points.map(({ y }) => y)];
  const [left, top, right, bottom] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  const font = FONT * (right - left + 2);
  const near = 0.5 + GAP + font / 2;
  const margin = near + font / 2 + GAP;
  const moved = (label: Geometry["labels"][number]) => {
    if (label.kind === "column") return { ...label, y: label.y > bottom ? bottom + near : top - near };
    return label.kind === "row" ? { ...label, x: label.x < left ? left - near : right + near } : label;
  };
  return { frame: [left - margin, top - margin, right + margin, bottom + margin], labels: geometry.labels.map(moved) };
}

export function draw(stated: Geometry): Drawing {
  const geometry = stated.shape === "crossings" && stated.points.length > 0 ? { ...stated, ...close(stated) } : stated;
  const scale = (x: number): number => round(x * UNIT);
  const box = ([x0, y0, x1, y1]: Geometry["frame"]): Box => ({ x: scale(x0), y: scale(y0), width: scale(x1 - x0), height: scale(y1 - y0) });
  const xs = geometry.outline.map(([x]) => x);
  const ys = geometry.outline.map(([, y]) => y);
  const span = (values: number[]): number => (values.length ? Math.max(...values) - Math.min(...values) : 1);
  const open = geometry.shape === "cells" && geometry.men === "strokes";
  const bare = open && geometry.points.length <= GLANCE;
  const [left, top, right, bottom] = geometry.field;
  const frame: Geometry["frame"] = bare ? [left - MARGIN, top - MARGIN, right + MARGIN, bottom + MARGIN] : geometry.frame;
  return {
    view: box(frame),
    surface: box(geometry.shape === "crossings" || open ? frame : geometry.field),
    places: geometry.points.map(({ x, y }) => ({ x: scale(x), y: scale(y) })),
    outline: geometry.outline.map(([x, y]) => `${scale(x)},${scale(y)}`).join(" "),
    lines: geometry.lines.map(([ax, ay, bx, by]) => `M${scale(ax)} ${scale(ay)}L${scale(bx)} ${scale(by)}`).join(""),
    labels: bare ? [] : geometry.labels,
    stone: UNIT * (geometry.shape === "crossings" ? 0.47 : geometry.shape === "hexagons" ? 0.38 : 0.41),
    hit: { width: scale(span(xs)), height: scale(span(ys)) },
  };
}

/** The point reached by one step of an arrow key, or the same point at the edge. */
export function neighbour(geometry: Geometry, from: number, columns: number, rows: number): number {
  const here = geometry.points[from];
  if (!here) return 0;
  const found = geometry.points.findIndex((p) => p.column === here.column + columns && p.row === here.row + rows);
  return found < 0 ? from : found;
}

/** The points row by row, as a grid wants them. */
export function byRows(geometry: Geometry): number[][] {
  const rows = new Map<number, number[]>();
  geometry.points.forEach((point, index) => {
    const row = rows.get(point.row);
    if (row) row.push(index);
    else rows.set(point.row, [index]);
  });
  return [...rows.entries()].sort(([a], [b]) => a - b).map(([, row]) => row);
}
