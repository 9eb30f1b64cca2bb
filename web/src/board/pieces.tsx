// Stones, strokes and men, each around (0, 0).
import type { Geometry, Piece, Player, Side } from "../api";
import { useSigns } from "./signs";

interface Props {
  men: Geometry["men"];
  radius: number;
  owner: Player;
  symbol: string;
  side: Side;
  class?: string;
}

/** A piece as the geometry wants it: a disc in the side's colour, a stroke, or a round man with its sign. */
export function Man({ men, radius, owner, symbol, side, class: extra = "" }: Props) {
  if (men === "strokes") {
    const r = radius * 0.66;
    return symbol === "O" || (owner === "second" && symbol !== "X") ? (
      <circle class={`stroke-man ${extra}`} r={r} stroke-width={radius * 0.26} />
    ) : (
      <path class={`stroke-man ${extra}`} d={`M${-r} ${-r}L${r} ${r}M${r} ${-r}L${-r} ${r}`} stroke-width={radius * 0.26} />
    );
  }
  if (men === "letters") {
    const red = side.paint === "red";
    return (
      <g class={`letter-man ${red ? "red" : "black"} ${extra}`}>
        <circle class="stone-shadow" cy={radius * 0.06} r={radius} />
        <circle class="face" r={radius} />
        <circle class="rim" r={radius * 0.84} />
        <text y={radius * 0.36} font-size={radius * 1.05}>{symbol}</text>
      </g>
    );
  }
  return (
    <g class={extra}>
      <circle class="stone-shadow" cy={radius * 0.07} r={radius} />
      <circle class={`disc ${side.paint}`} r={radius} />
    </g>
  );
}

/** The colour class on which a mark must be seen: dark marks on light pieces, light marks on dark ones. */
export function shade(men: Geometry["men"], side: Side): "dark" | "light" {
  return men === "stones" && (side.paint === "black" || side.paint === "blue") ? "dark" : "light";
}

/** A side's sign beside its name. */
export function SideSign({ side, large = false }: { side: Side; large?: boolean }) {
  const signs = useSigns();
  // A disc in the side's colour says more than the letter of its king.
  const plain = side.symbol > "\u2fff" && signs === "letters";
  const sign = side.symbol !== "●" && side.symbol !== "○" && !plain;
  const size = large ? "large" : "";
  return sign ? (
    <span class={`stone sign ${size}`} aria-hidden="true">{side.symbol}</span>
  ) : (
    <span class={`stone ${side.paint} ${size}`} aria-hidden="true" />
  );
}

export const sideOf = (sides: readonly [Side, Side], player: Player): Side => sides[player === "first" ? 0 : 1];
export const other = (player: Player): Player => (player === "first" ? "second" : "first");

/** What stands on a point, in words. */
export function pieceName(piece: Piece | null | undefined, sides: readonly [Side, Side], men: Geometry["men"]): string {
  if (!piece) return "empty";
  const side = sideOf(sides, piece.owner).name;
  return men === "letters" ? `${side} ${piece.symbol}` : side;
}
