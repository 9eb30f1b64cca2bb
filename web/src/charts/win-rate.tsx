// The win rate of the first player over the game, with its mistakes.
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { sideOf } from "../board/pieces";
import { points } from "../format";
import type { Judged, Mistake } from "../game/judgement";
import type { Side } from "../api";

/** The width of an element in pixels, so that text in a chart keeps its size. */
export function useWidth<T extends Element>(): [RefObject<T | null>, number] {
  const box = useRef<T>(null);
  const [width, set] = useState(520);
  useEffect(() => {
    if (!box.current) return;
    const watch = new ResizeObserver(([entry]) => entry && set(Math.round(entry.contentRect.width)));
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  return [box, width];
}

interface Props {
  values: (Judged | null)[];
  mistakes: Mistake[];
  at: number;
  sides: readonly [Side, Side];
  onGo: (at: number) => void;
}

const HEIGHT = 150;
const [LEFT, RIGHT, TOP, BOTTOM] = [34, 16, 14, 30];

/** The range of the axis: whole tens around the values and the middle, at least 30 points high. */
export function range(values: (Judged | null)[]): [number, number] {
  const known = values.flatMap((one) => (one ? [one.value] : []));
  const low = Math.floor(10 * Math.min(0.4, ...known.map((v) => v - 0.02))) / 10;
  const high = Math.ceil(10 * Math.max(0.6, ...known.map((v) => v + 0.02))) / 10;
  return [Math.max(0, low), Math.min(1, high)];
}

export function WinRate({ values, mistakes, at, sides, onGo }: Props) {
  const [box, width] = useWidth<HTMLDivElement>();
  const steps = Math.max(1, values.length - 1);
  const [low, high] = range(values);
  const x = (n: number): number => LEFT + ((width - LEFT - RIGHT) * n) / steps;
  const y = (v: number): number => TOP + ((HEIGHT - TOP - BOTTOM) * (high - v)) / (high - low);
  const known = values.flatMap((one, n) => (one ? [[n, one.value] as const] : []));
  const line = known.map(([n, v], i) => `${i === 0 ? "M" : "L"}${x(n).toFixed(1)} ${y(v).toFixed(1)}`).join("");
  const area = (pick: (v: number) => number): string => {
    const [first, last] = [known[0], known[known.length - 1]];
    if (!first || !last) return "";
    return `${x(first[0])},${y(0.5)} ${known.map(([n, v]) => `${x(n).toFixed(1)},${y(pick(v)).toFixed(1)}`).join(" ")} ${x(last[0])},${y(0.5)}`;
  };
  const tens = Array.from({ length: 11 }, (_, i) => i / 10).filter((t) => t >= low && t <= high && (high - low <= 0.5 || Math.round(t * 10) % 2 === 0 || t === 0.5));
  const every = [1, 2, 4, 5, 10, 20, 25, 50, 100, 200].find((n) => steps / n <= width / 52) ?? 400;
  const ticks = Array.from({ length: Math.floor(steps / every) + 1 }, (_, i) => i * every);
  const worst = [...mistakes].sort((a, b) => b.loss - a.loss).slice(0, Math.max(3, Math.floor(width / 75)));
  const go = (event: PointerEvent): void => {
    const svg = event.currentTarget as SVGElement;
    const place = (event.clientX - svg.getBoundingClientRect().left - LEFT) / (width - LEFT - RIGHT);
    onGo(Math.max(0, Math.min(steps, Math.round(place * steps))));
  };
  const first = sides[0].name;
  return (
    <div ref={box} class="win-rate">
      <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={`Win rate of ${first} over ${steps} moves, with ${mistakes.length} mistakes`} onPointerDown={go}>
        {tens.map((t) => (
          <>
            <path class={t === 0.5 ? "axis-line" : "grid"} d={`M${LEFT} ${Math.round(y(t)) + 0.5}H${width - RIGHT}`} />
            <text class="tick end" x={LEFT - 6} y={y(t) + 4}>{Math.round(100 * t)}</text>
          </>
        ))}
        <polygon points={area((v) => Math.max(v, 0.5))} class="value-7" opacity=".45" />
        <polygon points={area((v) => Math.min(v, 0.5))} class="value-3" opacity=".45" />
        <path class="curve" d={line} />
        {known.length < 3 && known.map(([n, v]) => <circle class="curve-dot" cx={x(n)} cy={y(v)} r={3} />)}
        {ticks.filter((t) => Math.abs(x(t) - x(at)) > 18).map((t) => <text class="tick middle" x={x(t)} y={HEIGHT - 8}>{t}</text>)}
        <path class="now" d={`M${x(at)} ${TOP - 10}V${HEIGHT - 22}`} />
        <rect class="now-box" x={x(at) - 14} y={HEIGHT - 22} width={28} height={17} rx={3} />
        <text class="now-text" x={x(at)} y={HEIGHT - 9.5}>{at}</text>
        {mistakes.map((one) => {
          const value = values[one.at]?.value ?? 0.5;
          return <circle class={`mistake-ring ${sideOf(sides, one.player).paint}`} data-mistake={one.at} cx={x(one.at)} cy={y(value)} r={4} />;
        })}
        {worst.map((one) => {
          const value = values[one.at]?.value ?? 0.5;
          const up = one.player === "second";
          const place = Math.max(LEFT + 20, Math.min(width - 26, x(one.at)));
          return <text class="tick middle" x={place} y={y(value) + (up ? -8 : 16)}>{one.move} −{Math.round(100 * one.loss)}</text>;
        })}
      </svg>
      <details class="behind">
        <summary>As a table</summary>
        <table>
          <thead><tr><th scope="col" class="number">Move</th><th scope="col" class="number">{first} %</th><th scope="col">Best</th></tr></thead>
          <tbody>{values.map((one, n) => <tr><td class="number">{n}</td><td class="number">{one ? points(one.value) : "–"}</td><td>{one?.best ?? ""}</td></tr>)}</tbody>
        </table>
      </details>
    </div>
  );
}
