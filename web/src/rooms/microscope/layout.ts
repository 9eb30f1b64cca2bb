// The icicle: where the rectangles of a part of a tree lie. Width is visits, one row is one ply.
import type { PartNode, TreePart } from "../../api";
import { doubted, valueStep } from "../../scale";

export interface Cell {
  /** The moves from the root of the tree. */
  path: string[];
  node: PartNode;
  x: number;
  y: number;
  width: number;
  height: number;
  /** The class that fills it. */
  fill: string;
  /** The class of text on it. */
  on: string;
  /** Further children that are too narrow, or were not asked for: one pale block. */
  rest: boolean;
}

/** Below this width, in pixels, children are one pale block. */
const NARROW = 2.5;
const GAP = 1;
export const ROOT_ROW = 24;

/** What is proved, as a word; nothing while it is open. */
export const settled = ([low, high]: [number, number]): "won" | "lost" | "drawn" | null =>
  low !== high ? null : low === 1 ? "won" : low === 0 ? "lost" : "drawn";

export function paint(node: Pick<PartNode, "value" | "visits" | "bounds">): { fill: string; on: string } {
  const result = settled(node.bounds);
  if (result) return { fill: `proved-${result}`, on: "on-proved" };
  const step = node.value === null ? 5 : valueStep(doubted(node.value, node.visits));
  return { fill: `value-${step}`, on: `on-value-${step}` };
}

export function layout(part: TreePart, width: number, row: number, rows: number): Cell[] {
  const below = new Map<number, number[]>();
  part.nodes.forEach((node, i) => {
    if (node.parent === null) return;
    const list = below.get(node.parent) ?? [];
    list.push(i);
    below.set(node.parent, list);
  });
  const cells: Cell[] = [];
  const place = (index: number, path: string[], x: number, wide: number): void => {
    const node = part.nodes[index];
    if (!node) return;
    const y = node.depth === 0 ? 0 : ROOT_ROW + GAP + (node.depth - 1) * (row + GAP);
    cells.push({ path, node, x, y, width: wide, height: node.depth === 0 ? ROOT_ROW : row, ...paint(node), rest: false });
    if (node.depth >= rows || node.visits === 0) return;
    const unit = wide / node.visits;
    const children = (below.get(index) ?? []).sort((a, b) => (part.nodes[b]?.visits ?? 0) - (part.nodes[a]?.visits ?? 0));
    let from = x;
    let counted = 0;
    for (const child of children) {
      const one = part.nodes[child];
      if (!one || one.visits * unit < NARROW) continue;
      const own = one.visits * unit;
      place(child, [...path, one.move ?? ""], from, own - GAP);
      from += own;
      counted += one.visits;
    }
    // One visit of a node is its own, the rest went to children.
    const left = node.visits - 1 - counted;
    if (left * unit >= NARROW && node.child_count > 0) {
      cells.push({
        path, node, x: from, y: ROOT_ROW + GAP + node.depth * (row + GAP), width: left * unit - GAP, height: row,
        ...paint(node), rest: true,
      });
    }
  };
  place(0, part.path, 0, width);
  return cells;
}

/** The sibling, parent or best child of a node, by an arrow key; nothing if there is none. */
export function step(part: TreePart, path: readonly string[], key: string): string[] | null {
  const depth = path.length - part.path.length;
  const index = find(part, path);
  if (index === null) return null;
  const children = (of: number) => part.nodes.flatMap((node, i) => (node.parent === of ? [i] : [])).sort((a, b) => (part.nodes[b]?.visits ?? 0) - (part.nodes[a]?.visits ?? 0));
  if (key === "ArrowLeft") return depth > 0 ? path.slice(0, -1) : null;
  if (key === "ArrowRight") {
    const best = children(index)[0];
    return best === undefined ? null : [...path, part.nodes[best]?.move ?? ""];
  }
  const parent = part.nodes[index]?.parent ?? null;
  if (parent === null) return null;
  const siblings = children(parent);
  const next = siblings[siblings.indexOf(index) + (key === "ArrowDown" ? 1 : -1)];
  return next === undefined ? null : [...path.slice(0, -1), part.nodes[next]?.move ?? ""];
}

/** The place of a node in a part; null if the part does not have it. */
export function find(part: TreePart, path: readonly string[]): number | null {
  if (!part.path.every((move, i) => path[i] === move)) return null;
  let index = 0;
  for (const move of path.slice(part.path.length)) {
    const next = part.nodes.findIndex((node) => node.parent === index && node.move === move);
    if (next < 0) return null;
    index = next;
  }
  return part.nodes.length > 0 ? index : null;
}
