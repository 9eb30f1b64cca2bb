// Several agents on one position: where do they disagree?
import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../client";
import { percent, short } from "../format";
import { bareName } from "../game/document";
import { Icon } from "../icons";
import { live, type Search } from "../live";
import { attempt } from "../parts";
import type { Agents, Budget, Report } from "../api";
import { proved, provedWord } from "./candidates";

interface Entry { key: number; name: string; spec: string; report: Report | null; running: boolean; error: string | null }

const BUDGETS: { label: string; budget: Budget }[] = [
  { label: "1 s each", budget: { seconds: 1 } },
  { label: "5 s each", budget: { seconds: 5 } },
  { label: "20 s each", budget: { seconds: 20 } },
  { label: "20,000 iterations", budget: { iterations: 20_000 } },
];
/** Searches that run side by side, the others after them: one place of the server is left for the room's own search. */
const AT_ONCE = 2;
const atOnce = (places: number): number => Math.max(1, Math.min(AT_ONCE, places - 1));

/** The agents that are compared at first: those that the server proposes, or else the strongest and the solver. */
export function proposed(agents: Agents): { name: string; spec: string }[] {
  const named = agents.compare.map(({ name, agent }) => ({ name, spec: agent }));
  return named.length > 0 ? named : [...new Set([agents.strongest, agents.solver])].map((spec) => ({ name: bareName(spec), spec }));
}

let numbers = 0;
const entry = ({ name, spec }: { name: string; spec: string }): Entry => ({ key: ++numbers, name, spec, report: null, running: false, error: null });

export function Compare({ document, over, agents }: { document: string; over: boolean; agents: Agents }) {
  const [entries, set] = useState<Entry[]>(() => proposed(agents).map(entry));
  const [budget, setBudget] = useState(0);
  const searches = useRef<Search[]>([]);
  const update = (key: number, some: Partial<Entry>): void => set((all) => all.map((one) => (one.key === key ? { ...one, ...some } : one)));
  const stop = (): void => {
    for (const search of searches.current.splice(0)) search.cancel();
    set((all) => all.map((one) => ({ ...one, running: false })));
  };
  // Reports belong to a position.
  useEffect(() => {
    set((all) => all.map((one) => ({ ...one, report: null, error: null })));
    return stop;
  }, [document]);
  const run = async (): Promise<void> => {
    stop();
    const { limits } = await api.about();
    const waiting = entries.map(({ key, spec }) => ({ key, spec }));
    const next = (): void => {
      const one = waiting.shift();
      if (!one) return;
      update(one.key, { running: true, report: null, error: null });
      searches.current.push(live.search({ document, agent: one.spec, budget: BUDGETS[budget]?.budget ?? {}, every_ms: 500, candidates: 8 }, {
        snapshot: (report) => update(one.key, { report }),
        done: (report) => { update(one.key, { report, running: false }); next(); },
        failed: (error) => { update(one.key, { error, running: false }); next(); },
      }));
    };
    for (let i = 0; i < atOnce(limits.searches); i++) next();
  };
  const running = entries.some((one) => one.running);
  const votes = entries.flatMap((one) => (one.report?.best ? [one.report.best] : []));
  const common = votes.reduce<string | null>((best, vote) => (votes.filter((v) => v === vote).length > votes.filter((v) => v === best).length ? vote : best), null);
  const agree = votes.length > 1 && votes.every((vote) => vote === common);
  return (
    <section class="card compare" aria-label="Several agents">
      <div class="between pad compare-head">
        <div>
          <h2>Where do agents disagree?</h2>
          <p class="caption" data-verdict={votes.length === entries.length ? (agree ? "agree" : "disagree") : ""}>
            {votes.length < 2 ? "The same position, each with its own budget." : agree ? `All choose ${common}.` : new Set(votes).size === votes.length ? "Each chooses another move." : `${votes.filter((vote) => vote === common).length} of ${votes.length} choose ${common}.`}
          </p>
        </div>
        <div class="row wrap">
          <label><span class="unseen">Add an agent</span>
            <select class="small-select" value="" onChange={(event) => { const spec = event.currentTarget.value; if (spec) set([...entries, entry({ name: bareName(spec), spec })]); event.currentTarget.value = ""; }}>
              <option value="">Add an agent</option>
              {agents.agents.map((agent) => <option value={agent.spec}>{agent.name}: {agent.about}</option>)}
            </select>
          </label>
          <label><span class="unseen">Budget</span>
            <select class="small-select" value={budget} onChange={(event) => setBudget(Number(event.currentTarget.value))}>{BUDGETS.map((one, i) => <option value={i}>{one.label}</option>)}</select>
          </label>
          <button class="button" disabled={over} onClick={running ? stop : () => attempt(run())}><Icon name={running ? "stop" : "go"} size={16} />{running ? "Stop" : "Ask them"}</button>
        </div>
      </div>
      <ul>
        {entries.map((one) => {
          const { report } = one;
          const result = report ? proved(report.bounds) : null;
          const all = report?.candidates.reduce((sum, candidate) => sum + candidate.visits, 0) ?? 0;
          return (
            <li class={`agent ${report?.best && common && votes.length > 1 && report.best !== common ? "differs" : ""}`} data-agent={one.spec}>
              <div class="agent-name">
                <b title={one.spec}>{one.name}</b>
                <span class="caption" title={one.spec}>{report ? `${short(report.iterations || report.nodes)} ${report.iterations ? "iterations" : "nodes"}` : one.spec}</span>
              </div>
              <div class="agent-move">{report?.best ?? (one.running ? <span class="dot live" /> : "")}</div>
              <div class="agent-value">{result ? <span class={`tag ${result}`}>{provedWord(report?.bounds ?? [0, 0])}</span> : report ? percent(report.value) : ""}</div>
              <div class="agent-bar only-desk" aria-hidden="true">{report && all > 0 && report.candidates.slice(0, 6).map((candidate, i) => <i style={{ width: `${(100 * candidate.visits) / all}%`, background: `var(--visit-${Math.max(1, 5 - i)})` }} />)}</div>
              <div class="caption agent-note only-desk">{one.error ?? (report ? note(report) : "")}</div>
              <button class="icon-button" aria-label={`Leave ${one.name} out`} onClick={() => set((list) => list.filter((other) => other.key !== one.key))}><Icon name="close" size={14} /></button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** What stands behind the choice, in a few words. */
function note(report: Report): string {
  const [first, second] = report.candidates;
  const all = report.candidates.reduce((sum, candidate) => sum + candidate.visits, 0);
  if (proved(report.bounds)) return `depth ${report.depth}`;
  if (first && second && all > 0 && second.visits > 0.5 * first.visits) return `${second.move} close behind`;
  if (first && all > 0) return `${percent(first.visits / all)} of its visits`;
  const line = report.line.slice(0, 5).map((ply) => ply.move).join(" ");
  return line ? `its line: ${line}` : "";
}
