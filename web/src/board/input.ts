// From clicks on points to moves: one click where a stone is put, two where a piece is moved.
import { useEffect, useState } from "preact/hooks";
import type { Legal, State } from "../api";

export interface Input {
  targets: ReadonlySet<number>;
  dots: ReadonlySet<number>;
  selected: number | null;
  press: (point: number) => void;
  /** A piece was dragged from one point to another. */
  drag: (from: number, to: number) => void;
}

const points = (legal: Legal[], end: "from" | "to"): Set<number> =>
  new Set(legal.map((move) => move[end]).filter((point): point is number => point !== null));

/** What a click on a point means, given the piece that was picked up before. */
export function answer(legal: Legal[], picked: number | null, point: number): { move: string } | { pick: number | null } {
  const put = legal.find((move) => move.from === null && move.to === point);
  if (put) return { move: put.move };
  if (picked !== null) {
    const moved = legal.find((move) => move.from === picked && move.to === point);
    if (moved) return { move: moved.move };
  }
  return { pick: point !== picked && legal.some((move) => move.from === point) ? point : null };
}

/** Where a small dot says that a move may go: for a picked piece, or where few empty points are open. */
export function dotted(legal: Legal[], picked: number | null, empty: number): Set<number> {
  if (picked !== null) return points(legal.filter((move) => move.from === picked), "to");
  const open = points(legal.filter((move) => move.from === null), "to");
  return open.size * 2 <= empty ? open : new Set();
}

export function useInput(state: State | null, active: boolean, onMove: (move: string) => void): Input {
  const [selected, setSelected] = useState<number | null>(null);
  useEffect(() => setSelected(null), [state]);
  const legal = active && state ? state.legal : [];
  const ends = selected === null ? points(legal.filter((move) => move.from === null), "to") : points(legal.filter((move) => move.from === selected), "to");
  return {
    targets: new Set([...ends, ...points(legal, "from")]),
    dots: dotted(legal, selected, state ? state.pieces.filter((piece) => piece === null).length : 0),
    selected,
    press: (point) => {
      const found = answer(legal, selected, point);
      if ("move" in found) onMove(found.move);
      else setSelected(found.pick);
    },
    drag: (from, to) => {
      const found = answer(legal.filter((move) => move.from !== null), from, to);
      setSelected(null);
      if ("move" in found) onMove(found.move);
    },
  };
}

/** Moves that no point shows: pass, swap, numbered moves. */
export const named = (state: State): Legal[] => state.legal.filter((move) => move.to === null && move.from === null);
