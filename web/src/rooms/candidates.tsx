// The candidates of a search: discs on the board, a table beside it, a sentence about both.
import type { Disc, Ghost } from "../board/overlays";
import { percent, points, short } from "../format";
import { candidateStep, discRadius, halfWidth, visitStep } from "../scale";
import type { Candidate, Report } from "../api";

export type Labels = "value" | "visits" | "prior" | "none";

/** Won, lost, drawn or worth exactly so much, where it is proved. */
export function proved([low, high]: readonly [number, number]): "won" | "lost" | "drawn" | "exact" | null {
  if (low !== high) return null;
  return low === 1 ? "won" : low === 0 ? "lost" : low === 0.5 ? "drawn" : "exact";
}
export const SIGN = { won: "✓", lost: "✕", drawn: "=", exact: "=" } as const;
/** A proved result in a word: "won", or its worth of a hundred. */
export const provedWord = (bounds: readonly [number, number]): string => {
  const result = proved(bounds);
  return result === "exact" ? points(bounds[0]) : (result ?? "");
};

/** Whether the counts of a search tell what it prefers; those with remarks, such as "at most +110", prove bounds instead. */
export const counts = (candidates: Candidate[]): boolean => candidates.every((candidate) => candidate.note === null);
const most = (candidates: Candidate[]): number => (counts(candidates) ? Math.max(0, ...candidates.map((candidate) => candidate.visits)) : 0);
const bestValue = (candidates: Candidate[]): number => candidates[0]?.value ?? Math.max(0, ...candidates.map((candidate) => candidate.value ?? 0));

/** Lighter moves have no disc of their weight. */
const LEAST_PRIOR = 0.002;

export function discs(report: Report, labels: Labels, chosen: string | null): Disc[] {
  if (labels === "none") return [];
  // What was not tried has nothing but its prior.
  const all = report.candidates.filter((candidate) => candidate.to !== null && (labels === "prior" ? (candidate.prior ?? 0) >= LEAST_PRIOR : candidate.visits > 0 || candidate.value !== null || proved(candidate.bounds) !== null));
  const [top, best] = [most(all), bestValue(report.candidates)];
  const priors = Math.max(0, ...all.map((candidate) => candidate.prior ?? 0));
  const seen = new Set<number>();
  return all.flatMap((candidate): Disc[] => {
    const point = candidate.to ?? -1;
    if (seen.has(point)) return [];
    seen.add(point);
    const result = proved(candidate.bounds);
    const selected = candidate.move === chosen;
    const value = candidate.value ?? best;
    const size = labels === "prior" ? discRadius(candidate.prior ?? 0, priors) : top > 0 ? discRadius(candidate.visits, top) : 0.7;
    if (result) return [{ point, size: Math.max(size, 0.55), fill: `proved-${result}`, on: "on-proved", label: SIGN[result], selected }];
    const step = candidateStep(value, best, top > 0 ? candidate.visits : 1000);
    // A weight is attention, as visits are: violet.
    const violet = labels === "prior" ? visitStep(candidate.prior ?? 0, priors) : visitStep(candidate.visits, top);
    if (labels === "prior") return [{ point, size, fill: `visit-${violet}`, on: `on-visit-${violet}`, label: points(candidate.prior ?? 0), selected }];
    if (labels === "visits") return [{ point, size, fill: `visit-${violet}`, on: `on-visit-${violet}`, label: short(candidate.visits), selected }];
    return [{ point, size, fill: `value-${step}`, on: `on-value-${step}`, label: (100 * value).toFixed(0), ...(top > 0 ? { under: short(candidate.visits) } : {}), selected }];
  });
}

/** The line of a candidate as numbered stones, the candidate itself first. */
export function ghosts(report: Report, candidate: Candidate | undefined): Ghost[] {
  if (!candidate) return [];
  const whole = candidate.line[0]?.move === candidate.move ? candidate.line : [{ move: candidate.move, player: report.turn, to: candidate.to, from: candidate.from }, ...candidate.line];
  const seen = new Set<number>();
  return whole.flatMap((ply, i): Ghost[] => {
    if (ply.to === null || seen.has(ply.to)) return [];
    seen.add(ply.to);
    return [{ point: ply.to, owner: ply.player, number: i + 1 }];
  });
}

/** What the search says, in one sentence. */
export function sentence(report: Report): string {
  const [first, second] = report.candidates;
  const result = proved(report.bounds);
  if (result === "won") return `Proved: ${report.best ?? "the side to move"} wins.`;
  if (result === "lost") return "Proved: every move loses.";
  if (result === "drawn") return "Proved: a draw with best play.";
  if (result === "exact") return `Proved: worth ${percent(report.bounds[0])} to the side to move.`;
  if (!first) return report.best ? `${report.best} is the choice so far.` : "Nothing is known yet.";
  if (!counts(report.candidates)) return `${first.move} is the choice at depth ${report.depth}.`;
  const all = report.candidates.reduce((sum, candidate) => sum + candidate.visits, 0);
  const share = all > 0 ? first.visits / all : 0;
  const part = all === 0 ? "is the choice so far" : `has ${share > 0.9 ? "nearly all" : percent(share).replace(".0", "")} of the visits`;
  const gap = second && first.value !== null && second.value !== null ? first.value - second.value : null;
  const behind = second === undefined ? "." : gap === null ? "." : gap >= 0.001 ? `; ${second.move} is ${points(gap)} points behind.` : `; ${second.move} looks as good.`;
  return `${first.move} ${part}${behind}`;
}

interface TableProps { report: Report; chosen: string | null; onChoose: (move: string | null) => void; onHover: (move: string | null) => void; rows?: number }

export function CandidateTable({ report, chosen, onChoose, onHover, rows = 10 }: TableProps) {
  const shown = report.candidates.slice(0, rows);
  const top = most(report.candidates);
  const has = { visits: top > 0, amaf: shown.some((one) => one.amaf !== null), prior: shown.some((one) => one.prior !== null), note: shown.some((one) => one.note !== null) };
  const whiskers = shown.map((one) => whisker(one, has.visits));
  // The axis covers the whiskers of the moves that matter, at most ten points beyond their means.
  const ends = shown.flatMap((one, i) => (one.value === null || (has.visits && one.visits < 30) ? []
    : [Math.max(whiskers[i]?.[0] ?? 0, one.value - 0.1), Math.min(whiskers[i]?.[1] ?? 1, one.value + 0.1)]));
  const [low, high] = [Math.max(0, Math.floor(10 * Math.min(0.45, ...ends)) / 10), Math.min(1, Math.ceil(10 * Math.max(0.55, ...ends)) / 10)];
  const x = (value: number): number => (100 * (Math.min(high, Math.max(low, value)) - low)) / (high - low || 1);
  const ticks = Array.from({ length: 11 }, (_, i) => i / 10).filter((tick) => tick > low && tick < high && (high - low < 0.55 || Math.round(tick * 10) % 2 === 0));
  const best = bestValue(report.candidates);
  // A network's weight stands on the bar of the visits that the search gave: both are shares, on one scale.
  const all = report.candidates.reduce((sum, one) => sum + one.visits, 0) || 1;
  const widest = has.prior ? Math.max(top / all, ...shown.map((one) => one.prior ?? 0)) : top / all;
  return (
    <table class="candidates" onMouseLeave={() => onHover(null)}>
      <thead>
        <tr>
          <th scope="col">Move</th>
          {has.visits && <><th scope="col" class="number">Visits</th><td class="bar-cell" /></>}
          <th scope="col" class="number">Value %</th>
          <td class="whisker-cell"><span class="axis" aria-hidden="true">{ticks.map((tick) => <span style={{ left: `${x(tick)}%` }}>{Math.round(100 * tick)}</span>)}</span></td>
          {has.amaf && <th scope="col" class="number only-desk">AMAF</th>}
          {has.prior && <th scope="col" class="number only-desk">Prior</th>}
          {has.note && <th scope="col" class="only-desk">Note</th>}
          <th scope="col" class="only-desk">then</th>
        </tr>
      </thead>
      <tbody>
        {shown.map((one, i) => {
          const result = proved(one.bounds);
          const [a, b] = whiskers[i] ?? [0, 0];
          const step = one.value === null ? 5 : candidateStep(one.value, best, has.visits ? one.visits : 1000);
          const then = one.line.filter((ply, n) => n > 0 || ply.move !== one.move).slice(0, 4).map((ply) => ply.move).join(" ");
          return (
            <tr class={one.move === chosen ? "chosen" : ""} onMouseEnter={() => onHover(one.move)} data-candidate={one.move}>
              <td><button class="plain" aria-pressed={one.move === chosen} onFocus={() => onHover(one.move)} onBlur={() => onHover(null)} onClick={() => onChoose(one.move === chosen ? null : one.move)}>{one.move}</button></td>
              {has.visits && (
                <>
                  <td class="number" data-cell="visits">{short(one.visits)}</td>
                  <td class="bar-cell"><span class="visit-bar"><i style={{ width: `${(100 * one.visits) / all / (widest || 1)}%` }} />{has.prior && <u style={{ left: `${(100 * (one.prior ?? 0)) / (widest || 1)}%` }} />}</span></td>
                </>
              )}
              <td class="number" data-cell="value">{result ? <span class={`tag ${result}`}>{provedWord(one.bounds)} {SIGN[result]}</span> : one.value === null ? "–" : points(one.value)}</td>
              <td class="whisker-cell">
                {one.value !== null && !result && (
                  <svg class="whisker" viewBox="0 0 100 18" preserveAspectRatio="none" aria-hidden="true">
                    {low < 0.5 && high > 0.5 && <path class="grid" d={`M${x(0.5)} 0V18`} />}
                    {has.visits && <path class="stem" d={`M${x(a)} 9H${x(b)}`} />}
                  </svg>
                )}
                {one.value !== null && !result && <i class="bead" style={{ left: `${x(one.value)}%`, background: `var(--value-${step})` }} />}
              </td>
              {has.amaf && <td class="number muted only-desk">{one.amaf === null ? "" : points(one.amaf)}</td>}
              {has.prior && <td class="number muted only-desk">{one.prior === null ? "" : points(one.prior)}</td>}
              {has.note && <td class="muted only-desk">{one.note}</td>}
              <td class="muted line only-desk">{then}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function whisker(one: Candidate, visited: boolean): [number, number] {
  if (one.value === null) return [0, 1];
  if (!visited) return [one.value, one.value];
  const half = halfWidth(one.value, one.visits);
  const [a, b] = one.confidence ?? [one.value - half, one.value + half];
  return [Math.max(0, a), Math.min(1, b)];
}
