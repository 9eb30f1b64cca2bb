// The root's proof and disproof number over the expansions, on a logarithmic scale.
import type { ProofMoment, ProofTree } from "../../api";
import { useWidth } from "../../charts/win-rate";
import { whole } from "../../format";
import { shown } from "./words";

const [LEFT, RIGHT, TOP, BOTTOM] = [44, 64, 12, 30];
/** Rows of the table behind the plot. */
const ROWS = 40;

/** The powers of ten of the axis: at least two decades. */
export function decades(moments: readonly ProofMoment[]): number[] {
  const finite = moments.flatMap(({ pn, dn }) => [pn, dn].filter((n): n is number => n !== null && n > 0));
  const low = Math.min(0, Math.floor(Math.log10(Math.min(1, ...finite))));
  const high = Math.max(low + 2, Math.ceil(Math.log10(Math.max(1, ...finite))));
  return Array.from({ length: high - low + 1 }, (_, i) => low + i);
}

/** The moment at or before an expansion. */
export const momentAt = (moments: readonly ProofMoment[], expansions: number): ProofMoment | undefined =>
  moments.filter((moment) => moment.expansions <= expansions).at(-1) ?? moments[0];

export function Plot({ tree, at, onAt, height }: { tree: ProofTree; at: number; onAt: (expansions: number) => void; height: number }) {
  const [box, width] = useWidth<HTMLDivElement>();
  const { moments } = tree;
  const last = Math.max(1, moments.at(-1)?.expansions ?? 1);
  const tens = decades(moments);
  const [low, high] = [tens[0] ?? 0, tens.at(-1) ?? 2];
  const x = (n: number): number => LEFT + ((width - LEFT - RIGHT) * n) / last;
  const y = (n: number): number => TOP + ((height - TOP - BOTTOM) * (high - Math.log10(Math.max(n, 10 ** low)))) / (high - low);
  const line = (pick: (moment: ProofMoment) => number | null): string => {
    let drawn = "";
    for (const moment of moments) {
      const number = pick(moment);
      if (number === null) continue;
      drawn += `${drawn ? "L" : "M"}${x(moment.expansions).toFixed(1)} ${y(number).toFixed(1)}`;
    }
    return drawn;
  };
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6].find((n) => last / n <= (width - LEFT - RIGHT) / 90) ?? last;
  const ticks = Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => i * step).filter((t) => Math.abs(x(t) - x(at)) > 34 && (t === 0 || x(last) - x(t) > 40));
  const now = momentAt(moments, at);
  const end = moments.at(-1);
  const go = (event: PointerEvent): void => {
    const place = (event.clientX - (event.currentTarget as SVGElement).getBoundingClientRect().left - LEFT) / (width - LEFT - RIGHT);
    onAt(Math.max(1, Math.min(last, Math.round(place * last))));
  };
  const endOf = (pick: (moment: ProofMoment) => number | null): number | null => moments.map(pick).filter((n): n is number => n !== null).at(-1) ?? null;
  const [pnY, dnY] = [y(endOf((m) => m.pn) ?? 1), y(endOf((m) => m.dn) ?? 1)];
  const apart = Math.abs(pnY - dnY) < 16 ? (pnY <= dnY ? -9 : 9) : 0;
  const table = moments.filter((_, i) => i % Math.max(1, Math.ceil(moments.length / ROWS)) === 0);
  return (
    <div class="proof-plot" ref={box}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img"
        aria-label={`Proof and disproof number of the root over ${whole(last)} expansions, logarithmic`} onPointerDown={go}>
        {tens.map((ten) => (
          <>
            <path class="grid" d={`M${LEFT} ${Math.round(y(10 ** ten)) + 0.5}H${width - RIGHT}`} />
            <text class="tick end" x={LEFT - 6} y={y(10 ** ten) + 4}>{ten < 0 ? 10 ** ten : whole(10 ** ten)}</text>
          </>
        ))}
        {ticks.map((t) => <text class="tick middle" x={x(t)} y={height - 8}>{whole(t)}</text>)}
        <path class="pn-line" d={line((moment) => moment.pn)} />
        <path class="dn-line" d={line((moment) => moment.dn)} />
        <path class="now" d={`M${x(at)} ${TOP - 8}V${height - 22}`} />
        {now?.pn !== null && now && <circle class="pn-dot" cx={x(at)} cy={y(now.pn)} r={4} />}
        {now?.dn !== null && now && <circle class="dn-dot" cx={x(at)} cy={y(now.dn)} r={4} />}
        <rect class="now-box" x={x(at) - 22} y={height - 22} width={44} height={17} rx={3} />
        <text class="now-text" x={x(at)} y={height - 9.5}>{whole(at)}</text>
        <text class="plot-end dn" x={width - RIGHT + 8} y={dnY + 4 - apart}>dn {end?.dn === null ? "→ ∞" : shown(end?.dn ?? null)}</text>
        <text class="plot-end pn" x={width - RIGHT + 8} y={pnY + 4 + apart}>pn {end?.pn === null ? "→ ∞" : end?.dn === null ? "→ 0" : shown(end?.pn ?? null)}</text>
      </svg>
      <details class="behind">
        <summary>As a table</summary>
        <table>
          <thead><tr><th scope="col" class="number">Expansions</th><th scope="col" class="number">pn</th><th scope="col" class="number">dn</th></tr></thead>
          <tbody>{table.map((moment) => <tr><td class="number">{whole(moment.expansions)}</td><td class="number">{shown(moment.pn)}</td><td class="number">{shown(moment.dn)}</td></tr>)}</tbody>
        </table>
      </details>
    </div>
  );
}
