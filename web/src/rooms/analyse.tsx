// Analyse: which moves matter, and how sure that is.
import { useEffect, useRef, useState } from "preact/hooks";
import { Board } from "../board/board";
import { named, useInput } from "../board/input";
import { PathBoard } from "../board/path";
import { sideOf } from "../board/pieces";
import { WinRate } from "../charts/win-rate";
import { api } from "../client";
import { bytes, count, percent, points, short, whole } from "../format";
import { learnOutcome, useAnalysis, useJudgements, walk, type Walk } from "../game/analysis";
import { bareName, lastTurn } from "../game/document";
import { curve, MISTAKE, mistakes } from "../game/judgement";
import * as actions from "../game/table";
import { useTable, type Table } from "../game/table";
import { Icon } from "../icons";
import { attempt, Segments, tell, useKeys, useLoaded } from "../parts";
import { href } from "../router";
import type { Agents, Report, State } from "../api";
import { CandidateTable, discs, ghosts, proved, provedWord, sentence, type Labels } from "./candidates";
import { CommentBox } from "./comment";
import { Compare } from "./compare";
import { NetworkBesideSearch, networkValue, useNetwork } from "./judgement";
import { Moves } from "./moves";
import { useReviewKeys } from "./play";
import { canSetUp, SetUp } from "./set-up";

const LABELS: { value: Labels; label: string }[] = [
  { value: "value", label: "Value" }, { value: "visits", label: "Visits" }, { value: "prior", label: "Prior" }, { value: "none", label: "None" },
];

export function AnalyseRoom({ ready }: { ready: boolean }) {
  const table = useTable();
  const { game, shown, geometry } = table;
  const { value: agents } = useLoaded(() => (game ? api.agents(game.game) : Promise.resolve(null)), [game?.game]);
  if (!game || !shown || !geometry) {
    return (
      <main id="main" tabIndex={-1} class="first-game">
        <div class="card pad stack gap-4">
          <h1>Analyse</h1>
          {ready && <><p class="muted">There is no game yet. Start one, or read a record, and come back.</p><a class="button primary large" href={href("play")}>Play a game</a></>}
        </div>
      </main>
    );
  }
  return <Analysis table={table} game={game} shown={shown} agents={agents} />;
}

function Analysis({ table, game, shown, agents }: { table: Table; game: State; shown: State; agents: Agents | null }) {
  const { geometry, variation } = table;
  const [run, setRun] = useState(true);
  const [asked, setAgent] = useState("");
  const agent = asked || (agents?.analyst ?? null);
  const [labels, setLabels] = useState<Labels>("value");
  const [chosen, setChosen] = useState<string | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const [spoken, setSpoken] = useState("");
  const [editing, setEditing] = useState(false);
  const { value: games } = useLoaded(() => api.games(), []);
  const editable = canSetUp(game, games?.find((one) => one.name === game.name));
  const over = shown.outcome !== null;
  const analysis = useAnalysis(shown.document, over, agent, run, () => setRun(false));
  const { report } = analysis;
  const judged = useNetwork(shown.document, over, agents?.network ?? null, report);
  const [beside, setBeside] = useState(false);
  const judgements = useJudgements();
  const values = curve(game.document, game.steps.length, judgements);
  const wrong = mistakes(game.steps, values);
  const input = useInput(shown, !over, (move) => attempt(actions.tryMove(move)));
  useReviewKeys();
  useEffect(() => {
    setChosen(null);
    setHovered(null);
  }, [shown.document]);
  useEffect(() => {
    if (game.outcome) learnOutcome(game.document, game.outcome.score);
  }, [game.document, game.outcome?.score]);
  useKeys((event) => {
    if (event.key === " ") {
      event.preventDefault();
      setRun((now) => !now);
    } else if (event.key === "g" || event.key === "G") {
      const next = (LABELS.findIndex((one) => one.value === labels) + 1) % LABELS.length;
      setLabels(LABELS[next]?.value ?? "value");
    } else if ((event.key === "a" || event.key === "A") && report) setSpoken(`${sentence(report)} ${whole(report.iterations || report.nodes)} ${report.iterations ? "iterations" : "nodes"}.`);
    else if ((event.key === "l" || event.key === "L") && report?.best) setChosen((now) => (now ? null : report.best));
    else if (event.key === "n" || event.key === "N") {
      const next = event.shiftKey ? wrong.findLast((one) => one.at - 1 < shown.at) : wrong.find((one) => one.at - 1 > shown.at);
      if (next) attempt(actions.goTo(next.at - 1));
    } else if (event.key === "Backspace" && variation) attempt(actions.leaveVariation(false));
  });
  const focus = hovered ?? chosen;
  const candidate = report?.candidates.find((one) => one.move === focus);
  const at = (point: number) => report?.candidates.find((one) => one.to === point);
  const first = game.sides[0].name;
  const moves = named(shown);
  const winner = report ? (report.turn === "first" ? report.value : 1 - report.value) : null;
  const hasPrior = report?.candidates.some((one) => one.prior !== null) ?? false;
  const alone = judged && networkValue(judged);
  const favourite = judged?.candidates.reduce((most, one) => ((one.prior ?? 0) > (most.prior ?? 0) ? one : most));

  return (
    <main id="main" tabIndex={-1} class="analyse">
      <h1 class="unseen">Analyse</h1>
      <p class="unseen" role="status" aria-live="polite">{spoken}</p>
      <section class="board-column" aria-label="Board">
        <div class="board-box">
          {geometry && geometry.shape !== "text" ? (
            <Board geometry={geometry} pieces={shown.pieces} sides={shown.sides} last={lastTurn(shown)} onPoint={input.press} onDrag={input.drag} targets={input.targets} selected={input.selected}
              label={`${game.title}, after ${count(shown.at, "move")}, with the candidates of the search`}
              heat={report && !over ? discs(report, labels, focus ?? report.best) : []} ghosts={report ? ghosts(report, candidate) : []}
              names={(point) => { const one = at(point); return one ? `${one.value === null ? "" : `${points(one.value)} percent, `}${whole(one.visits)} visits` : ""; }}
              onHover={(point) => setHovered(point === null ? null : (at(point)?.move ?? null))} />
          ) : (
            <PathBoard state={shown} active={!over} onMove={(move) => attempt(actions.tryMove(move))} />
          )}
        </div>
        <Transport game={game} shown={shown} variation={variation !== null}>
          {geometry?.shape !== "text" && moves.slice(0, 2).map((one) => <button class="button try only-desk" onClick={() => attempt(actions.tryMove(one.move))}>Try {one.move}</button>)}
          {editable && <button class="button try only-desk" onClick={() => setEditing(true)}>Set up</button>}
          <Segments label="Discs" value={labels} choices={LABELS.filter((one) => one.value !== "prior" || hasPrior)} class={hasPrior ? "four" : ""} onChange={setLabels} />
        </Transport>
        {variation && (
          <div class="variation notice calm">
            <span class="grow">Variation from move {variation.from}: <b>{variation.moves.join(" ")}</b></span>
            <button class="button" onClick={() => attempt(actions.leaveVariation(true))}>Back</button>
            <button class="button" onClick={() => attempt(actions.deleteVariation())}>Delete</button>
            <button class="button" onClick={() => attempt(actions.keepVariation())}>Make it the game</button>
          </div>
        )}
        {geometry?.shape !== "text" && (moves.length > 0 || editable) && (
          <div class="only-phone row named-moves">
            {moves.slice(0, 2).map((one) => <button class="button grow" onClick={() => attempt(actions.tryMove(one.move))}>Try {one.move}</button>)}
            {editable && <button class="button grow" onClick={() => setEditing(true)}>Set up</button>}
          </div>
        )}
        {beside && geometry && judged && <NetworkBesideSearch state={shown} geometry={geometry} judged={judged} searched={report} onClose={() => setBeside(false)} />}
        {editing && geometry && <SetUp state={shown} geometry={geometry} onClose={() => setEditing(false)} />}
        <Record table={table} game={game} shown={shown} agent={agent} values={values} wrong={wrong} />
      </section>
      <section class="results" aria-label="Search">
        <div class="card thinking">
          <span class={`dot ${analysis.running ? "live" : "still"}`} />
          <span class="grow" data-thinking={analysis.running ? "yes" : "no"}>
            <b>{over ? "The game is over" : analysis.waiting ? "Waiting for other searches" : analysis.running ? "Thinking" : analysis.made_way ? "Others waited" : "Stopped"}</b>{" "}
            <span class="muted" data-effort={report?.iterations || report?.nodes || 0}>{over ? shown.outcome?.text : analysis.error ?? (report ? <Effort report={report} /> : "")}</span>
          </span>
          {winner !== null && <span class="only-desk headline"><span class="muted">{first} wins </span><b>{percent(winner)}</b></span>}
          <label><span class="unseen">Agent</span>
            <select class="small-select" value={asked} onChange={(event) => setAgent(event.currentTarget.value)}>
              <option value="">{agents?.network ? "network" : "strongest"}</option>
              {agents?.network && <option value="auto">strongest</option>}
              {agents && <option value={agents.solver}>solver</option>}
              {agents?.agents.map((one) => <option value={one.spec}>{one.name}</option>)}
            </select>
          </label>
          <button class="button" disabled={over} onClick={() => setRun(!run)}><Icon name={analysis.running ? "stop" : "go"} size={16} />{analysis.running ? "Stop" : "Go on"}</button>
        </div>
        <div class="card">
          {report && report.candidates.length > 0 ? <CandidateTable report={report} chosen={chosen} onChoose={setChosen} onHover={setHovered} rows={judged ? 8 : 10} />
            : <p class="pad muted">{over ? "Go back to a move to analyse it." : report ? sentence(report) : "The first figures come in a moment."}</p>}
          {report && report.candidates.length > 0 && (
            <div class="legend caption">
              <span class="says">{sentence(report)}</span>
              {alone !== null && judged && favourite && (
                <span class="says network-says" data-network={alone}>
                  The network alone: {first} wins {percent(alone)}, {favourite.move} first ({percent(favourite.prior ?? 0)}).
                  <button class="plain link" onClick={() => setBeside(true)}>Beside the search</button>
                </span>
              )}
              {labels === "prior" ? <span><i class="size" /> size and colour: weight before any search</span> : <span><i class="size" /> size: visits</span>}
              {labels === "value" && <span><i class="scale" /> colour: points behind the best, 0 to 20</span>}
              {hasPrior && <span><u class="tick-sign" /> weight before any search</span>}
            </div>
          )}
        </div>
        {agents && <Compare key={bareName(game.game)} document={shown.document} over={over} agents={agents} />}
      </section>
    </main>
  );
}

/** How much was searched, how fast, and with how much memory. */
function Effort({ report }: { report: Report }) {
  const [n, unit] = report.iterations ? [report.iterations, "iterations"] : [report.nodes, "nodes"];
  return (
    <>
      {whole(n)} {unit}
      <span class="only-desk">
        {report.seconds > 0.05 ? `, ${short(n / report.seconds)} a second` : ""}
        {report.memory_bytes > 0 ? `, ${bytes(report.memory_bytes)}` : ""}
      </span>
      {proved(report.bounds) ? `, proved ${provedWord(report.bounds)}` : ""}
    </>
  );
}

function Transport({ game, shown, variation, children }: { game: State; shown: State; variation: boolean; children: preact.ComponentChildren }) {
  const all = game.steps.length;
  const button = (name: string, icon: string, to: number, act: () => Promise<void>) => (
    <button class="icon-button" aria-label={name} disabled={to < 0 || (!variation && (to > all || to === shown.at))} onClick={() => attempt(act())}><Icon name={icon} /></button>
  );
  return (
    <div class="transport">
      {button("First move", "first", 0, () => actions.goTo(0))}
      {button("Back", "previous", shown.at - 1, () => actions.step(-1))}
      <span class="move-count"><b>{shown.at}</b><span class="muted"> of {Math.max(all, shown.at)}</span></span>
      {button("Forward", "next", shown.at + 1, () => actions.step(1))}
      {button("Last move", "last", all, () => actions.goTo(all))}
      <span class="grow" />
      {children}
    </div>
  );
}

interface RecordProps { table: Table; game: State; shown: State; agent: string | null; values: ReturnType<typeof curve>; wrong: ReturnType<typeof mistakes> }

/** The whole record: its curve, its mistakes, and the walk that finds them. */
function Record({ table, game, shown, agent, values, wrong }: RecordProps) {
  const [walking, setWalking] = useState<Walk | null>(null);
  const end = useRef<(() => void) | null>(null);
  useEffect(() => () => end.current?.(), [game.document]);
  const { variations, comments } = table.notes;
  const notes = [count(variations.length, "variation"), count(Object.keys(comments).length, "comment")].filter((text) => !text.startsWith("0 "));
  const marks = new Map(wrong.map((one) => [one.at, `−${Math.round(100 * one.loss)}`]));
  const start = (): void => {
    if (agent === null) return;
    end.current = walk(game.document, game.outcome ? game.steps.length - 1 : game.steps.length, agent, { seconds: 0.4 }, (now, error) => {
      setWalking(now);
      if (now === null) end.current = null;
      if (error) tell(error, false);
    });
  };
  const known = values.filter((one) => one !== null).length;
  return (
    <section class="record" aria-label="The whole game">
      {game.steps.length > 0 && <div class="between record-head">
        <div>
          <h2>{game.sides[0].name}’s win rate</h2>
          <p class="caption"><i class="dot bad" /> mistake: {points(MISTAKE)} points or more lost</p>
        </div>
        {walking
          ? <button class="button" onClick={() => end.current?.()}><Icon name="stop" size={16} />{walking.done} of {walking.all}</button>
          : <button class="button" disabled={agent === null} onClick={start}>Analyse the game</button>}
      </div>}
      {known > 0 && <WinRate values={values} mistakes={wrong} at={Math.min(shown.at, game.steps.length)} sides={game.sides} onGo={(to) => attempt(actions.goTo(to))} />}
      {wrong.length > 0 && (
        <ul class="mistakes">
          {[...wrong].sort((a, b) => b.loss - a.loss).slice(0, 4).map((one) => (
            <li><button class="plain" onClick={() => attempt(actions.goTo(one.at - 1))}>
              <span class="muted">Move {one.at}</span> {sideOf(game.sides, one.player).name} <b>{one.move}</b> loses {points(one.loss)} points{one.better ? <>; better <b>{one.better}</b></> : ""}
            </button></li>
          ))}
        </ul>
      )}
      <details class="record-moves">
        <summary>{[count(game.steps.length, "move"), ...notes].join(", ")}</summary>
        <Moves game={game} at={shown.at} marks={marks} table={table} />
        <CommentBox table={table} />
      </details>
    </section>
  );
}
