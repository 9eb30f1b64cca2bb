// Microscope: a Monte-Carlo search, node by node and iteration by iteration. UCB levels the tops: each
// child gets visits until its sum is no longer the highest.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Agents, NewTree, State, Tour } from "../../api";
import { api } from "../../client";
import { bytes, whole } from "../../format";
import { openKept } from "../../game/opened";
import { tableNow, useTable } from "../../game/table";
import { Icon } from "../../icons";
import { attempt, Dialog, useLoaded } from "../../parts";
import { href } from "../../router";
import { Children, type Columns } from "./children";
import { Curves } from "./curves";
import { Icicle } from "./icicle";
import { drawn, page, save, styles } from "./offline";
import { Position } from "./position";
import { joined, requests, tours as loadTours } from "./requests";
import { Scope, type View } from "./scope";
import { show, Stop, TourList } from "./tours";
import { Transport } from "./transport";
import { judges, sentence } from "./words";

export interface Setting { agent: string; seed: number; iterations: number }
const USUAL = "mcts(select=ucb1(c=0.7),solver=false)";
const FIRST: Setting = { agent: USUAL, seed: 1, iterations: 2000 };
const LARGEST = 1_000_000;

/** A tour under way; `document` is its position as the server writes it, once it is on the board. */
interface Touring { tour: Tour; at: number; document: string | null }

/** Whether a search is the one that a tour is about. */
const isOf = (question: NewTree, { tour, document }: Touring): boolean =>
  question.document === document && question.agent === tour.agent && question.seed === tour.seed && question.iterations === tour.iterations;

/** The trees that can be looked into: those of the mcts family. */
export const choices = (agents: Agents | null): { name: string; agent: string }[] => {
  const known = [{ name: "Plain UCT", agent: USUAL }, ...(agents?.compare ?? []).filter(({ agent }) => /^mcts\b/.test(agent)),
    ...(agents && /^mcts\b/.test(agents.strongest) ? [{ name: "Strongest", agent: agents.strongest }] : []), { name: "mcts, its defaults", agent: "mcts" }];
  return known.filter((one, i) => known.findIndex((other) => other.agent === one.agent || other.name === one.name) === i);
};

export function MicroscopeRoom({ ready }: { ready: boolean }) {
  const { game, shown, geometry } = useTable();
  if (!game || !shown || !geometry) {
    return (
      <main id="main" tabIndex={-1} class="first-game">
        <div class="card pad stack gap-4">
          <h1>Microscope</h1>
          {ready && <><p class="muted">There is no game yet. Start one, and look at how a search thinks about it.</p>
            <div class="row wrap"><button class="button primary large" onClick={() => attempt(openKept("othello~f5.f6.e6.f4.c3.c4"))}>Look at Othello</button><a class="button large" href={href("play")}>Play a game</a></div></>}
        </div>
      </main>
    );
  }
  return <Microscope shown={shown} />;
}

function useScope(): [Scope, View] {
  const scope = useMemo(() => new Scope(requests), []);
  const [view, set] = useState(scope.now());
  useEffect(() => {
    const stop = scope.subscribe(set);
    return () => {
      stop();
      scope.close();
    };
  }, []);
  return [scope, view];
}

function Microscope({ shown }: { shown: State }) {
  const { geometry } = useTable();
  const [scope, view] = useScope();
  const [setting, setSetting] = useState(FIRST);
  const [asking, setAsking] = useState(false);
  const [columns, setColumns] = useState<Columns>("sum");
  const [tour, setTour] = useState<Touring | null>(null);
  const touring = useRef(tour);
  touring.current = tour;
  const { value: agents } = useLoaded(() => api.agents(shown.game), [shown.game]);
  const { value: tours } = useLoaded(loadTours, []);
  const over = shown.outcome !== null;
  const key = `${shown.document} ${JSON.stringify(setting)}`;
  useEffect(() => {
    if (over) return;
    const question = { document: shown.document, ...setting };
    void scope.open(question).then(() => {
      const now = touring.current;
      if (now && scope.now().question === question && scope.now().tree && isOf(question, now)) return stopAt(now.tour, now.at);
    });
  }, [key, over]);
  const stopAt = async (one: Tour, at: number): Promise<void> => {
    setTour((now) => (now ? { ...now, tour: one, at } : now));
    const stop = one.stops[at];
    if (!stop) return;
    setColumns(stop.view === "tree" ? "bounds" : "sum");
    await show(scope, stop);
  };
  const begin = async (one: Tour): Promise<void> => {
    setTour({ tour: one, at: 0, document: null });
    if (shown.document !== one.document) await openKept(one.document);
    const document = tableNow().shown?.document ?? one.document;
    const next: Setting = { agent: one.agent, seed: one.seed, iterations: one.iterations };
    setTour({ tour: one, at: 0, document });
    setSetting(next);
    // The search that is on the page may be the tour's own.
    if (view.tree && view.question && isOf(view.question, { tour: one, at: 0, document })) await stopAt(one, 0);
  };
  const [saving, setSaving] = useState(false);
  const record = async (one: Tour): Promise<void> => {
    setSaving(true);
    try {
      const rooms: string[] = [];
      for (const at of one.stops.keys()) {
        await stopAt(one, at);
        // The drawing follows the numbers by a frame.
        await new Promise((done) => setTimeout(done, 100));
        rooms.push(drawn());
      }
      save(`${one.id.replace(/[^\w-]/g, "")}.html`, page(one, rooms, await styles()));
    } finally {
      setSaving(false);
    }
  };
  const { tree, step, phase, trace } = view;
  const arrived = !tour || (view.question !== null && isOf(view.question, tour));
  const chosen = step?.record.path[1]?.move ?? (joined(view.path) || (tree?.best ?? ""));
  return (
    <main id="main" tabIndex={-1} class="microscope" data-phase={step ? phase : 0} data-view={tour?.tour.stops[tour.at]?.view ?? "room"} data-ready={tree && view.part && !view.busy && !view.loading && arrived ? "yes" : "no"}>
      <h1 class="unseen">Microscope</h1>
      {tour && <Stop tour={tour.tour} at={tour.at} onGo={(at) => void stopAt(tour.tour, at)} busy={saving || !arrived || !view.part} onSave={() => attempt(record(tour.tour))} onEnd={() => setTour(null)} />}
      {tree && geometry ? (
        <>
          <Transport view={view} scope={scope} tree={tree} />
          <section class="board-side">
            <Position view={view} tree={tree} root={shown} geometry={geometry} />
            <p class="say" data-say>{view.error ?? (step ? sentence(step, phase, tree.sides, judges(tree)) : <End view={view} />)}</p>
            {trace && trace.looks.length > 1 && <Curves trace={trace} at={scope.shown()} chosen={view.watch.includes(joined(view.path)) ? joined(view.path) : chosen} best={tree.best} />}
          </section>
          <section class="tree-side">
            <Icicle view={view} scope={scope} tree={tree} />
            <Children view={view} scope={scope} tree={tree} columns={columns} onColumns={setColumns} />
            <div class="row foot">
              <span class="search-says grow">
                <i class={`dot ${view.growing ? "live" : "still"}`} /> <b>{view.growing ? "Searching on" : "Stopped"}</b>{" "}
                <span class="muted" data-nodes={tree.nodes}>{whole(tree.iterations)} iterations, {whole(tree.nodes)} nodes, {bytes(tree.memory_bytes)}</span>
              </span>
              {view.growing
                ? <button class="button" onClick={() => scope.stop()}><Icon name="stop" size={16} />Stop</button>
                : [1_000, 10_000, 100_000].map((n) => <button class="button" disabled={tree.stopped === "finished"} onClick={() => void scope.grow(n)} aria-label={`Search on by ${whole(n)} iterations`}>+{whole(n)}</button>)}
              <button class="button" onClick={() => setAsking(true)}>Search again</button>
            </div>
            {!tour && <TourList tours={tours ?? []} onStart={(one) => attempt(begin(one))} />}
          </section>
        </>
      ) : (
        <section class="card pad waiting" aria-live="polite">
          {over ? <p>The game is over. Go back to a move to look at a search of it.</p> : view.error ? <><p>{view.error}</p><button class="button" onClick={() => setAsking(true)}>Search again</button></> : <p><i class="dot live" /> {view.busy ?? "Searching"}</p>}
          {over && <TourList tours={tours ?? []} onStart={(one) => attempt(begin(one))} />}
        </section>
      )}
      {asking && <Ask setting={setting} agents={agents} onClose={() => setAsking(false)} onAsk={(next) => { setAsking(false); setTour(null); setSetting(next); }} />}
    </main>
  );
}

/** The end of a search in a sentence: what it would play, and since when. */
function End({ view }: { view: View }) {
  const { tree, trace } = view;
  if (!tree) return null;
  const settled = trace?.settled ?? null;
  return (
    <>
      {tree.best ? <>After {whole(tree.iterations)} iterations the search plays <b>{tree.best}</b>.</> : "The search has no move."}{" "}
      {settled !== null && trace && <span data-settled={settled}>Convergent move: at every look from iteration {whole(settled)} on (a look every {whole(trace.every)}).</span>}{" "}
      {tree.no_steps ? `Single iterations cannot be looked at: ${tree.no_steps}.` : "Step through the iterations to see why."}
    </>
  );
}

function Ask({ setting, agents, onClose, onAsk }: { setting: Setting; agents: Agents | null; onClose: () => void; onAsk: (setting: Setting) => void }) {
  const [next, set] = useState(setting);
  const known = choices(agents);
  const own = !known.some(({ agent }) => agent === next.agent);
  return (
    <Dialog title="Search again" onClose={onClose} foot={<button class="button primary" onClick={() => onAsk(next)}>Search</button>}>
      <label class="field"><span>Agent</span>
        <select value={own ? "" : next.agent} onChange={(event) => set({ ...next, agent: event.currentTarget.value || next.agent })}>
          {known.map(({ name, agent }) => <option value={agent}>{name}</option>)}
          <option value="">as written below</option>
        </select>
      </label>
      <label class="field"><span>Its spec, of the mcts family</span><input class="mono" value={next.agent} onInput={(event) => set({ ...next, agent: event.currentTarget.value })} /></label>
      <label class="field"><span>Seed</span><input type="number" min={0} value={next.seed} onInput={(event) => set({ ...next, seed: Math.max(0, Math.floor(Number(event.currentTarget.value))) })} /></label>
      <label class="field"><span>Iterations, 1 to {whole(LARGEST)}</span><input type="number" min={1} max={LARGEST} value={next.iterations} onInput={(event) => set({ ...next, iterations: Math.max(1, Math.min(LARGEST, Math.floor(Number(event.currentTarget.value)))) })} /></label>
    </Dialog>
  );
}
