// Iterations one at a time: the buttons, the slider, and the four phases.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Tree } from "../../api";
import { whole } from "../../format";
import { Icon } from "../../icons";
import { useKeys } from "../../parts";
import type { Phase, Scope, View } from "./scope";
import { brief, judges, phases } from "./words";

/** The time of a phase while iterations run, in ms; the design's --step. */
const PHASE_TIME = 240;
const calm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function Transport({ view, scope, tree }: { view: View; scope: Scope; tree: Tree }) {
  const { at, phase, step } = view;
  const [running, setRunning] = useState(false);
  const now = useRef(view);
  now.current = view;
  const most = tree.steps;
  const shown = at ?? tree.iterations;
  const go = (to: number, to_phase: Phase = 1): void => {
    setRunning(false);
    void scope.seek(to, to_phase);
  };
  // Forwards goes through the phases; back goes to the iteration before, where it is complete.
  const forward = (): void => {
    if (at === null) go(1);
    else if (phase < 4) scope.setPhase((phase + 1) as Phase);
    else if (at < most) go(at + 1);
  };
  const back = (): void => {
    if (at === null) go(most, 4);
    else if (phase > 1) scope.setPhase((phase - 1) as Phase);
    else if (at > 1) go(at - 1, 4);
  };
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => {
      const { at: from, phase: reached, step: loaded } = now.current;
      if (from === null || (loaded && loaded.record.iteration !== from)) return;
      if (reached < 4 && !calm()) scope.setPhase((reached + 1) as Phase);
      else if (from < most) void scope.seek(from + 1, calm() ? 4 : 1);
      else setRunning(false);
    }, calm() ? 4 * PHASE_TIME : PHASE_TIME);
    return () => clearInterval(timer);
  }, [running, most]);
  const run = (): void => {
    if (!running && (at === null || at >= most)) void scope.seek(1);
    setRunning(!running);
  };
  useKeys((event) => {
    const far = event.shiftKey ? 10 : 1;
    if (most === 0) return;
    if (event.key === "." || event.key === ">") go(at === null ? 1 : Math.min(most, at + far), phase);
    else if (event.key === "," || event.key === "<") go(at === null ? most : Math.max(1, at - far), phase);
    else if (event.key === "Home") go(1);
    else if (event.key === "End") void scope.seek(null);
    else if (event.key === " ") run();
    else return;
    event.preventDefault();
  });
  const off = most === 0;
  return (
    <section class="card iterations" aria-label="Iterations">
      <div class="row buttons">
        <button class="icon-button" aria-label="First iteration" disabled={off} onClick={() => go(1)}><Icon name="first" /></button>
        <button class="icon-button" aria-label="Step back" disabled={off || at === 1 && phase === 1} onClick={back}><Icon name="previous" /></button>
        <button class="icon-button run" aria-label={running ? "Stop stepping" : "Run"} disabled={off} onClick={run}><Icon name={running ? "stop" : "go"} size={16} /></button>
        <button class="icon-button" aria-label="Step" disabled={off || at === most && phase === 4} onClick={forward}><Icon name="next" /></button>
        <button class="icon-button" aria-label="End of the search" disabled={at === null} onClick={() => { setRunning(false); void scope.seek(null); }}><Icon name="last" /></button>
      </div>
      <div class="iteration-number"><span class="only-desk">Iteration </span><b data-iteration={shown}>{whole(shown)}</b><span class="muted"> of {whole(tree.iterations)}</span></div>
      <input class="scrub" type="range" min={1} max={Math.max(1, most)} value={Math.min(shown, Math.max(1, most))} disabled={off} aria-label="Iteration" aria-valuetext={`Iteration ${whole(shown)} of ${whole(tree.iterations)}`}
        style={{ "--share": `${most > 1 ? (100 * (Math.min(shown, most) - 1)) / (most - 1) : 100}%` }}
        onInput={(event) => go(Number(event.currentTarget.value), phase)} />
      <ol class="phases" aria-label="Phases of the iteration">
        {phases(judges(tree)).map(({ phase: one, name }) => (
          <li key={one}>
            <button class={`phase ${step && one === phase ? "is" : ""}`} data-phase={one} aria-pressed={step !== null && one === phase} disabled={!step} onClick={() => scope.setPhase(one)}>
              <i>{one}</i><b>{name}</b>{step && <span class="only-wide">{brief(step, one, judges(tree))}</span>}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
