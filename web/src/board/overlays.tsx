// What is drawn over a position: heat, ghost stones of a line, marks, territory.
import type { Geometry, Piece, Player, Side } from "../api";
import type { Place } from "./drawing";
import { shade, sideOf } from "./pieces";

/** A candidate: its size tells visits, its colour value. */
export interface Disc {
  point: number;
  /** Share of the largest radius. */
  size: number;
  /** A class that fills it: `value-7`, `visit-3`, `proved-won`. */
  fill: string;
  /** The class of the text on it. */
  on?: string;
  label?: string;
  under?: string;
  selected?: boolean;
}

/** The width of a digit of the lower line. */
const UNDER = 4.3;

export function Heat({ discs, places, radius }: { discs: Disc[]; places: Place[]; radius: number }) {
  return (
    <g class="heat">
      {discs.map(({ point, size, fill, on = "", label, under, selected }) => {
        const place = places[point];
        const below = under && under.length * UNDER < 1.8 * radius * size ? under : "";
        return place && (
          <g transform={`translate(${place.x} ${place.y})`} key={point} data-heat={point}>
            {selected && <circle class="chosen" r={radius * size + 2.4} />}
            <circle class={`heat-disc ${fill}`} r={radius * size} />
            {label && size > 0.62 && (
              <>
                <text class={`heat-label ${on}`} y={below ? -0.5 : 3.4}>{label}</text>
                {below && <text class={`heat-under ${on}`} y={8.4}>{below}</text>}
              </>
            )}
          </g>
        );
      })}
    </g>
  );
}

/** A line between two places of the geometry: stones that touch, or a way that stays open. */
export interface Link { kind: "solid" | "open"; ends: [number, number, number, number] }

/** A stone of a line that has not been played. */
export interface Ghost { point: number; owner: Player; number: number }

interface Pieces { places: Place[]; sides: readonly [Side, Side]; men: Geometry["men"]; radius: number }

export function Ghosts({ ghosts, places, sides, men, radius }: Pieces & { ghosts: Ghost[] }) {
  return (
    <g class="ghosts">
      {ghosts.map(({ point, owner, number }) => {
        const place = places[point];
        const side = sideOf(sides, owner);
        const stones = men === "stones";
        return place && (
          <g transform={`translate(${place.x} ${place.y})`} key={number} data-ghost={number}>
            {stones ? <circle class={`disc ${side.paint}`} r={radius} /> : <circle class={`ghost-plain ${owner}`} r={radius} />}
            <text class={`ghost-number on-${stones ? shade(men, side) : "plain"}`} y={radius * 0.36} font-size={radius}>{number}</text>
          </g>
        );
      })}
    </g>
  );
}

export interface Mark {
  point: number;
  kind: "last" | "from" | "to" | "dead" | "wrong" | "right" | "hint" | "text" | "triangle" | "number" | "path" | "leaf" | "owner";
  text?: string;
}

export function Marks({ marks, pieces, places, sides, men, radius }: Pieces & { marks: Mark[]; pieces: (Piece | null)[] }) {
  return (
    <g class="marks">
      {marks.map(({ point, kind, text }) => {
        const place = places[point];
        if (!place) return null;
        const piece = pieces[point];
        const on = piece ? shade(men, sideOf(sides, piece.owner)) : "board";
        const r = radius;
        return (
          <g transform={`translate(${place.x} ${place.y})`} key={`${kind}${point}`} data-mark={kind} data-at={point}>
            {kind === "last" && (men === "stones"
              ? piece && <circle class={`last on-${on}`} r={r * 0.42} />
              : <circle class="last-plain" r={piece && men === "letters" ? r * 1.06 : r * (men === "letters" ? 0.3 : 1.12)} />)}
            {kind === "dead" && <path class={`cross on-${on}`} d={`M${-r * 0.4} ${-r * 0.4}L${r * 0.4} ${r * 0.4}M${r * 0.4} ${-r * 0.4}L${-r * 0.4} ${r * 0.4}`} />}
            {kind === "hint" && <circle class="hint" r={r * 0.8} />}
            {kind === "wrong" && <circle class="ring-wrong" r={r * 0.86} />}
            {kind === "right" && <circle class="ring-right" r={r * 0.86} />}
            {kind === "path" && <circle class="ring-path" r={r} />}
            {kind === "leaf" && <circle class="ring-leaf" r={r} />}
            {kind === "owner" && <circle class={`disc ${text}`} r={r * 0.36} />}
            {kind === "triangle" && <path class={`triangle on-${on}`} d={`M0 ${-r * 0.5}L${r * 0.44} ${r * 0.3}H${-r * 0.44}Z`} />}
            {(kind === "text" || kind === "number") && <text class={`mark-text on-${on}`} y={r * 0.34} font-size={r * 0.92}>{text}</text>}
          </g>
        );
      })}
    </g>
  );
}

/** Whose area a point is, as small squares; nothing where it is open. */
export function Territory({ ownership, places, sides }: { ownership: number[]; places: Place[]; sides: readonly [Side, Side] }) {
  return (
    <g class="territory">
      {ownership.map((owner, point) => {
        const place = places[point];
        if (!place || Math.abs(owner) < 0.4) return null;
        const side = sideOf(sides, owner > 0 ? "first" : "second");
        return <rect class={`disc ${side.paint}`} x={place.x - 5} y={place.y - 5} width={10} height={10} rx={1.5} />;
      })}
    </g>
  );
}
