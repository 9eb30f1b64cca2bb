// One board for all games, drawn from the geometry that the game states.
//
// Layers from below: surface, cells or lines, bands, labels, territory, heat, links, pieces, hover, ghosts,
// marks, focus, hit areas. The hit areas are a grid with one tab stop; arrow keys move the cursor.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Geometry, Piece, Player, Side } from "../api";
import { byRows, draw, neighbour, UNIT } from "./drawing";
import { Ghosts, Heat, Marks, Territory, type Disc, type Ghost, type Link, type Mark } from "./overlays";
import { Man, pieceName, sideOf } from "./pieces";
import { signOf, useSigns } from "./signs";

export interface BoardProps {
  geometry: Geometry;
  pieces: (Piece | null)[];
  sides: readonly [Side, Side];
  label: string;
  last?: number[];
  /** Points that answer a click. */
  targets?: ReadonlySet<number>;
  /** Points with a small dot: where a move may go. */
  dots?: ReadonlySet<number>;
  selected?: number | null;
  /** Whose stone is shown under the pointer. */
  hand?: Player | null;
  /** Points with a coloured ground, and the class that colours it. */
  tint?: ReadonlyMap<number, string>;
  heat?: Disc[];
  links?: Link[];
  ghosts?: Ghost[];
  marks?: Mark[];
  dead?: ReadonlySet<number>;
  ownership?: number[] | null;
  names?: (point: number) => string;
  onPoint?: (point: number, touch: boolean) => void;
  onDrag?: (from: number, to: number) => void;
  onHover?: (point: number | null) => void;
  class?: string;
}

/** Below this width of a point on the screen, in pixels, a finger first places a cursor. */
const FINGER = 30;

export function Board(props: BoardProps) {
  const { geometry, pieces, sides, selected = null, hand = null } = props;
  const drawing = useMemo(() => draw(geometry), [geometry]);
  const rows = useMemo(() => byRows(geometry), [geometry]);
  const [cursor, setCursor] = useState(() => Math.floor(geometry.points.length / 2));
  const [focused, setFocused] = useState(false);
  const [hover, setHover] = useState<number | null>(null);
  const [aimed, setAimed] = useState<number | null>(null);
  const signs = useSigns();
  const grid = useRef<SVGGElement>(null);
  const grabbed = useRef<number | null>(null);
  useEffect(() => {
    setCursor(Math.floor(geometry.points.length / 2));
    setAimed(null);
  }, [geometry]);
  useEffect(() => setAimed(null), [pieces]);

  const { view, places, stone } = drawing;
  const answers = (point: number): boolean => props.targets?.has(point) ?? false;
  const hovered = (point: number | null): void => {
    setHover(point);
    props.onHover?.(point);
  };
  const press = (point: number, event: PointerEvent | MouseEvent): void => {
    const touch = (event as PointerEvent).pointerType === "touch";
    const width = (event.currentTarget as SVGElement).getBoundingClientRect().width;
    if (touch && width < FINGER && props.hand && aimed !== point && answers(point)) {
      setAimed(point);
      return;
    }
    setAimed(null);
    setCursor(point);
    props.onPoint?.(point, touch);
  };
  const move = (columns: number, rowsDown: number): void => {
    const next = neighbour(geometry, cursor, columns, rowsDown);
    setCursor(next);
    grid.current?.querySelector<SVGElement>(`[data-point="${next}"]`)?.focus();
    hovered(next);
  };
  const key = (event: KeyboardEvent): void => {
    const steps: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    if (step) move(...step);
    else if (event.key === "Enter") props.onPoint?.(cursor, false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const name = (point: number): string => {
    const extra = props.names?.(point);
    const mark = props.last?.includes(point) ? ", last move" : "";
    const dead = props.dead?.has(point) ? ", dead" : "";
    return `${geometry.points[point]?.name ?? ""}, ${pieceName(pieces[point], sides, geometry.men)}${dead}${mark}${extra ? `, ${extra}` : ""}`;
  };
  const shown = aimed ?? hover;
  const at = (point: number): string => `translate(${places[point]?.x ?? 0} ${places[point]?.y ?? 0})`;
  const cells = geometry.shape === "hexagons";

  return (
    <svg
      class={`board surface-${geometry.surface} men-${geometry.men} ${props.class ?? ""}`}
      viewBox={`${view.x} ${view.y} ${view.width} ${view.height}`}
      style={{ "--w": view.width, aspectRatio: `${view.width} / ${view.height}` }}
      {...(props.onPoint ? { role: "group" } : { role: "img" })}
      aria-label={props.label}
      onPointerLeave={() => hovered(null)}
    >
      {geometry.shape !== "hexagons" && <rect class="surface" {...drawing.surface} rx={geometry.shape === "crossings" || geometry.men === "strokes" ? view.width * 0.014 : 2} />}
      {geometry.bands.map((band) => (
        <polygon class={`band ${sideOf(sides, band.player).paint}`} points={band.polygon.map(([x, y]) => `${x * UNIT},${y * UNIT}`).join(" ")} />
      ))}
      {cells && geometry.points.map((_, i) => <polygon class="cell" points={drawing.outline} transform={at(i)} />)}
      {props.tint && [...props.tint].map(([i, fill]) => <polygon class={`tint ${fill}`} data-tint={i} points={drawing.outline} transform={at(i)} />)}
      <path class={`lines ${geometry.men === "strokes" ? "open" : ""}`} d={drawing.lines} />
      {geometry.stars.map(([x, y]) => <circle class="star" cx={x * UNIT} cy={y * UNIT} r={3} />)}
      {drawing.labels.filter(({ kind }) => kind !== "river" || signs === "characters").map(({ text, x, y, kind }) => (
        <text class={kind === "river" ? "river" : "coordinate"} x={x * UNIT} y={y * UNIT} dominant-baseline="central">{text}</text>
      ))}
      {props.ownership && <Territory ownership={props.ownership} places={places} sides={sides} />}
      {props.dots && [...props.dots].map((i) => <circle class="legal" r={UNIT * 0.11} transform={at(i)} />)}
      {props.heat && <Heat discs={props.heat} places={places} radius={UNIT * 0.44} />}
      {props.links?.map(({ kind, ends: [x1, y1, x2, y2] }) => <line class={`link ${kind}`} data-link={kind} x1={x1 * UNIT} y1={y1 * UNIT} x2={x2 * UNIT} y2={y2 * UNIT} />)}
      <g class="men">
        {pieces.map((piece, i) =>
          piece && (
            <g transform={at(i)} class={props.dead?.has(i) ? "dead" : ""} key={`${i}${piece.owner}${piece.symbol}`}>
              <Man men={geometry.men} radius={stone} owner={piece.owner} symbol={geometry.men === "letters" ? signOf(piece, signs) : piece.symbol} side={sideOf(sides, piece.owner)}
                class={props.last?.includes(i) ? "new" : ""} />
            </g>
          ),
        )}
      </g>
      {hand && shown !== null && !pieces[shown] && answers(shown) && (
        <g transform={at(shown)} class="hover-man">
          <Man men={geometry.men === "letters" ? "stones" : geometry.men} radius={stone} owner={hand} symbol={sideOf(sides, hand).symbol} side={sideOf(sides, hand)} />
        </g>
      )}
      {aimed !== null && (
        <path class="aim" d={`M${view.x} ${places[aimed]?.y}H${view.x + view.width}M${places[aimed]?.x} ${view.y}V${view.y + view.height}`} />
      )}
      {props.ghosts && <Ghosts ghosts={props.ghosts} places={places} sides={sides} men={geometry.men} radius={UNIT * 0.34} />}
      <Marks
        marks={[...(props.last ?? []).map((point): Mark => ({ point, kind: "last" })), ...(props.marks ?? []),
          ...[...(props.dead ?? [])].map((point): Mark => ({ point, kind: "dead" }))]}
        pieces={pieces} places={places} sides={sides} men={geometry.men} radius={stone}
      />
      {selected !== null && <circle class="selected-point" r={stone * 1.08} transform={at(selected)} />}
      {focused && <rect class="focus-ring" x={-drawing.hit.width / 2 + 1} y={-drawing.hit.height / 2 + 1} width={drawing.hit.width - 2} height={drawing.hit.height - 2} rx={4} transform={at(cursor)} />}
      {props.onPoint && (
        <g role="grid" aria-label={props.label} ref={grid} onKeyDown={key}
          onFocusIn={(event: FocusEvent) => setFocused((event.target as Element).matches(":focus-visible"))}
          onFocusOut={() => setFocused(false)}>
          {rows.map((row) => (
            <g role="row">
              {row.map((i) => (
                <polygon role="gridcell" class={`hit ${answers(i) ? "answers" : ""}`} data-point={i} data-name={geometry.points[i]?.name}
                  tabindex={i === cursor ? 0 : -1} aria-label={name(i)} points={drawing.outline} transform={at(i)}
                  onPointerDown={(event: PointerEvent) => { grabbed.current = event.pointerType === "mouse" && pieces[i] ? i : null; }}
                  onPointerUp={() => { if (grabbed.current !== null && grabbed.current !== i) props.onDrag?.(grabbed.current, i); }}
                  onClick={(event: MouseEvent) => press(i, event)} onPointerEnter={() => hovered(i)} onFocus={() => setCursor(i)} />
              ))}
            </g>
          ))}
        </g>
      )}
    </svg>
  );
}
