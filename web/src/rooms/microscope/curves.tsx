// Values of nodes over the iterations: what a node seems to be worth while the search learns (Li's
// prediction distortion is the distance of a curve from where it ends).
import type { Trace } from "../../api";
import { useWidth } from "../../charts/win-rate";
import { count, points, whole } from "../../format";

const HEIGHT = 138;
const [LEFT, RIGHT, TOP, BOTTOM] = [32, 40, 6, 20];

/** The axis: whole tenths around all values, at least 0.2 high. */
export function span(trace: Trace): [number, number] {
  const late = trace.looks.slice(Math.floor(trace.looks.length / 20));
  const values = late.flatMap((look) => look.nodes.flatMap((node) => (node.value === null ? [] : [node.value])));
  if (values.length === 0) return [0, 1];
  const low = Math.floor(10 * Math.min(...values) + 1e-9) / 10;
  const high = Math.ceil(10 * Math.max(...values) - 1e-9) / 10;
  return high - low < 0.2 ? [Math.max(0, low - 0.1), Math.min(1, high + 0.1)] : [low, high];
}

/** The curve of one node as points; breaks where it was not visited yet. */
export function curve(trace: Trace, index: number, x: (n: number) => number, y: (v: number) => number): string {
  return trace.looks
    .flatMap((look) => {
      const value = look.nodes[index]?.value ?? null;
      return value === null ? [] : [`${x(look.iteration).toFixed(1)},${y(value).toFixed(1)}`];
    })
    .join(" ");
}

export function Curves({ trace, at, chosen, best }: { trace: Trace; at: number; chosen: string; best: string | null }) {
  const [box, width] = useWidth<HTMLDivElement>();
  const end = trace.looks[trace.looks.length - 1]?.iteration ?? 1;
  const [low, high] = span(trace);
  const x = (n: number): number => LEFT + ((width - LEFT - RIGHT) * n) / end;
  const y = (v: number): number => TOP + ((HEIGHT - TOP - BOTTOM) * (high - Math.max(low, Math.min(high, v)))) / (high - low);
  const tenths = Array.from({ length: 11 }, (_, i) => i / 10).filter((t) => t >= low - 1e-9 && t <= high + 1e-9 && (high - low <= 0.5 || Math.round(10 * t) % 2 === 0));
  const finals = trace.paths.map((path, i) => ({ path, i, value: [...trace.looks].reverse().find((look) => look.nodes[i]?.value != null)?.nodes[i]?.value ?? null }));
  // Labels at the right that do not touch each other: the chosen one first.
  const labels: typeof finals = [];
  for (const one of [...finals].sort((a, b) => Number(b.path === chosen) - Number(a.path === chosen) || Number(b.path === best) - Number(a.path === best))) {
    if (one.value !== null && labels.every((other) => Math.abs(y(other.value ?? 0) - y(one.value ?? 0)) > 12) && labels.length < 6) labels.push(one);
  }
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => Math.round(share * end));
  return (
    <div class="curves">
      <h3>Mean value over the iterations</h3>
      <div ref={box}>
        <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={`Mean values of ${count(trace.paths.length, "node")} over ${whole(end)} iterations`} data-looks={trace.looks.length}>
          {tenths.map((t) => <><path class={t === 0.5 ? "axis-line" : "grid"} d={`M${LEFT} ${Math.round(y(t)) + 0.5}H${width - RIGHT}`} /><text class="tick end" x={LEFT - 6} y={y(t) + 4}>{t.toFixed(1)}</text></>)}
          {finals.map(({ path, i }) => <polyline key={path} class={path === chosen ? "node-curve is" : path === best ? "node-curve best" : "node-curve"} points={curve(trace, i, x, y)} data-curve={path} />)}
          {at <= end && <path class="here-line" d={`M${x(at)} ${TOP}V${HEIGHT - BOTTOM}`} />}
          {labels.map(({ path, value }) => <text class={`tick ${path === chosen ? "is" : ""}`} x={width - RIGHT + 5} y={y(value ?? 0) + 4}>{path.split(" ").pop()}</text>)}
          {ticks.map((t) => <text class="tick middle" x={x(t)} y={HEIGHT - 4}>{whole(t)}</text>)}
        </svg>
      </div>
      <details class="behind">
        <summary>As a table</summary>
        <div class="scroll" tabIndex={0} role="group" aria-label="Values over the iterations">
          <table>
            <thead><tr><th scope="col" class="number">Iterations</th>{trace.paths.map((path) => <th scope="col" class="number">{path} %</th>)}</tr></thead>
            <tbody>{trace.looks.filter((_, i) => i % 10 === 9 || i === trace.looks.length - 1).map((look) => <tr><td class="number">{whole(look.iteration)}</td>{look.nodes.map(({ value }) => <td class="number">{value === null ? "" : points(value)}</td>)}</tr>)}</tbody>
          </table>
        </div>
      </details>
    </div>
  );
}
