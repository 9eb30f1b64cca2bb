// What the network says of a position before any search, beside what a search makes of it.
import { useEffect, useState } from "preact/hooks";
import { Board } from "../board/board";
import { count, percent, points, whole } from "../format";
import { forFirst } from "../game/judgement";
import { live } from "../live";
import { Dialog } from "../parts";
import type { Candidate, Geometry, Report, State } from "../api";
import { counts, discs } from "./candidates";

/** The network's own value of the position, for the first player. */
export function networkValue(report: Report): number | null {
  const own = report.figures.find(({ name }) => name === "network-value")?.value;
  return own === undefined ? null : report.turn === "first" ? own : 1 - own;
}

const SETTLED_MS = 80;
/** As many candidates as the server tells: every move has its weight. */
const ALL = 400;

/** The network's judgement: out of the search that runs, or by an iteration of its own. */
export function useNetwork(document: string, over: boolean, network: string | null, searched: Report | null): Report | null {
  const [own, set] = useState<{ document: string; report: Report } | null>(null);
  const told = searched && networkValue(searched) !== null ? searched : null;
  const needed = !over && network !== null && told === null;
  useEffect(() => {
    if (!needed || network === null) return;
    let stop = (): void => undefined;
    const timer = setTimeout(() => {
      const search = live.search({ document, agent: network, budget: { iterations: 1 }, candidates: ALL }, {
        done: (report) => set({ document, report }),
        failed: () => undefined, // The search of the room says what is wrong.
      });
      stop = search.cancel;
    }, SETTLED_MS);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [document, network, needed]);
  return told ?? (own?.document === document ? own.report : null);
}

export interface Shares { move: string; prior: number; visits: number }

const sum = (candidates: Candidate[]): number => candidates.reduce((all, one) => all + one.visits, 0);

/** The moves that the network or the search gives most, each as a share. */
export function shares(judged: Report, searched: Report | null, rows = 6): Shares[] {
  const found = searched && counts(searched.candidates) ? searched.candidates : [];
  const all = sum(found) || 1;
  const visits = new Map(found.map((one) => [one.move, one.visits / all]));
  const both = judged.candidates.map((one): Shares => ({ move: one.move, prior: one.prior ?? 0, visits: visits.get(one.move) ?? 0 }));
  return both.sort((a, b) => Math.max(b.prior, b.visits) - Math.max(a.prior, a.visits)).slice(0, rows);
}

/** How far the search has left the network, in one sentence. */
export function changed(rows: Shares[]): string {
  const first = (by: "prior" | "visits"): Shares | undefined => rows.reduce<Shares | undefined>((best, row) => (!best || row[by] > best[by] ? row : best), undefined);
  const [before, after] = [first("prior"), first("visits")];
  if (!before || !after || after.visits === 0) return "Nothing has been searched yet.";
  if (before.move !== after.move) return `The search prefers ${after.move}, to which the network alone gives ${percent(after.prior)}.`;
  const gap = after.visits - before.prior;
  return Math.abs(gap) < 0.1 ? `The search keeps to the network’s ${after.move}.` : `The search ${gap > 0 ? "is surer" : "is less sure"} of ${after.move} than the network alone.`;
}

interface Props { state: State; geometry: Geometry; judged: Report; searched: Report | null; onClose: () => void }

export function NetworkBesideSearch({ state, geometry, judged, searched, onClose }: Props) {
  const value = networkValue(judged);
  const rows = shares(judged, searched);
  const side = state.sides[0].name;
  const most = Math.max(...rows.flatMap(({ prior, visits }) => [prior, visits]), 0.01);
  const board = (label: string, report: Report | null, by: "prior" | "value") => (
    <Board class="mini" geometry={geometry} pieces={state.pieces} sides={state.sides} last={state.last} label={label} heat={report ? discs(report, by, report.best) : []} />
  );
  const bar = (share: number, kind: string) => <span class="visit-bar"><i class={kind} style={{ width: `${(100 * share) / most}%` }} /></span>;
  return (
    <Dialog title="Network beside search" wide onClose={onClose}>
      <div class="beside">
        <figure>
          <figcaption><b>The network alone</b><span class="muted">{value === null ? "" : `${side} wins ${percent(value)}`}</span></figcaption>
          {board("The network’s weights of the moves", { ...judged, best: null }, "prior")}
        </figure>
        <figure>
          <figcaption><b>{searched ? `After ${count(searched.iterations || searched.nodes, searched.iterations ? "iteration" : "node")}` : "The search"}</b><span class="muted">{searched ? `${side} wins ${percent(forFirst(searched))}` : ""}</span></figcaption>
          {board("The candidates of the search", searched, "value")}
        </figure>
      </div>
      <p data-changed>{changed(rows)}</p>
      <table class="beside-table">
        <thead><tr><th scope="col">Move</th><th scope="col" class="number">Network %</th><td /><th scope="col" class="number">Visits %</th><td /></tr></thead>
        <tbody>
          {rows.map(({ move, prior, visits }) => (
            <tr key={move} data-beside={move}>
              <th scope="row">{move}</th>
              <td class="number">{points(prior)}</td><td class="bar-cell">{bar(prior, "network")}</td>
              <td class="number">{searched ? points(visits) : ""}</td><td class="bar-cell">{bar(visits, "")}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="caption">The network judges the position by one look at the board: a weight for each of {whole(judged.moves)} moves and a chance to win. The search begins with these weights and corrects them.</p>
    </Dialog>
  );
}
