// Problems: try a move, see why it fails, see the solution. Progress stays in the browser.
import { useEffect, useRef, useState } from "preact/hooks";
import { Board } from "../board/board";
import { useInput } from "../board/input";
import type { Ghost, Mark } from "../board/overlays";
import { sideOf, SideSign } from "../board/pieces";
import { api } from "../client";
import { count, short } from "../format";
import { extend } from "../game/document";
import { readProgress, writeProgress, type Progress } from "../game/kept";
import { Icon } from "../icons";
import { live, type Search } from "../live";
import { attempt, tell, useKeys, useLoaded } from "../parts";
import { go, href } from "../router";
import type { Geometry, Puzzle, Report, State } from "../api";
import { SetUpAny } from "./set-up";

/** A set in which most problems ask the same is shown by what they ask. */
const REPEATED = 3;
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Problems in sets by the first word of their id, in the order in which they come. */
export function sets(problems: Puzzle[]): { name: string; problems: Puzzle[] }[] {
  const by = (list: Puzzle[], name: (one: Puzzle) => string): Map<string, Puzzle[]> => {
    const found = new Map<string, Puzzle[]>();
    for (const one of list) found.set(name(one), [...(found.get(name(one)) ?? []), one]);
    return found;
  };
  return [...by(problems, (one) => capital(one.id.split("-")[0] ?? one.id))].flatMap(([name, list]) => {
    const asked = by(list, (one) => one.about);
    return asked.size * REPEATED <= list.length ? [...asked].map(([about, some]) => ({ name: capital(about), problems: some })) : [{ name, problems: list }];
  });
}

/** What a caption asks: "Kill 3: Black to kill A4 B4" gives the words before the points, and the points. */
export function goal(caption: string, geometry: Geometry): { words: string; points: number[] } {
  const names = new Map(geometry.points.map((point, i) => [point.name, i]));
  const words = caption.replace(/^[^:]*: /, "").split(" ");
  const points = words.flatMap((word) => names.get(word) ?? []);
  return { words: words.filter((word) => !names.has(word)).join(" "), points };
}

/** The problem in the address, the first unsolved one, or the first. */
function pick(problems: Puzzle[], id: string, progress: Progress): Puzzle | undefined {
  return problems.find((one) => key(one) === id) ?? problems.find((one) => progress[key(one)] !== "solved") ?? problems[0];
}
const key = (problem: Puzzle): string => `${problem.game}/${problem.id}`;

async function load(): Promise<{ problems: Puzzle[]; titles: Map<string, string> }> {
  const games = (await api.games()).filter((game) => game.problems > 0);
  const problems = (await Promise.all(games.map((game) => api.problems(game.name)))).flat();
  return { problems, titles: new Map(games.map((game) => [game.name, game.title])) };
}

export function ProblemsRoom({ rest }: { rest: string }) {
  const { value: loaded, error } = useLoaded(load, []);
  const problems = loaded?.problems;
  const titles = loaded?.titles ?? new Map<string, string>();
  const [progress, setProgress] = useState<Progress>(() => readProgress(localStorage));
  const [editing, setEditing] = useState(false);
  const [game] = rest.split("/");
  const games = [...new Set(problems?.map((one) => one.game))];
  const chosen = games.includes(game ?? "") ? game : games[0];
  const here = problems?.filter((one) => one.game === chosen) ?? [];
  const problem = pick(here, rest, progress);
  const solved = here.filter((one) => progress[key(one)] === "solved").length;
  const failed = here.filter((one) => progress[key(one)] === "failed").length;
  const next = problem && here[here.indexOf(problem) + 1];
  const unknown = problems !== null && rest !== "" && !here.some((one) => key(one) === rest) && rest.replace(/\/$/, "") !== chosen;
  useEffect(() => {
    if (unknown) tell(`There is no problem ${rest}. This is another.`, false);
  }, [unknown, rest]);
  return (
    <main id="main" tabIndex={-1} class="problems">
      <aside class="set" aria-label="All problems">
        <div>
          <h1 class="small">Problems</h1>
          <p class="caption">{here.length > 0 ? `${count(here.length, "problem")}. ${solved} solved${failed ? `, ${failed} to look at again` : ""}.` : ""}</p>
        </div>
        {games.length > 1 && <div class="row wrap">{games.map((name) => <a class="chip" href={href("problems", `${name}/`)} {...(name === chosen ? { "aria-current": "true" as const } : {})}>{titles.get(name) ?? name}</a>)}</div>}
        <ul class="squares">
          {sets(here).map((set) => (
            <li>
              <span>{set.name}</span><span class="caption">{set.problems.filter((one) => progress[key(one)] === "solved").length}/{set.problems.length}</span>
              <div>
                {set.problems.map((one) => (
                  <a class={`square ${progress[key(one)] ?? ""}`} href={href("problems", key(one))} {...(one === problem ? { "aria-current": "true" as const } : {})}
                    aria-label={`${one.id}, ${progress[key(one)] ?? "not tried"}`} title={one.id} />
                ))}
              </div>
            </li>
          ))}
        </ul>
        <button class="button" onClick={() => setEditing(true)}>Ask about a position of your own</button>
        <p class="caption">Progress stays in this browser.</p>
        {editing && <SetUpAny first={chosen} verb="Ask the solver" onDone={(document) => go("proof", document)} onClose={() => setEditing(false)} />}
      </aside>
      {problem ? <Solving key={key(problem)} problem={problem} next={next} onResult={(result) => setProgress(writeProgress(localStorage, key(problem), result))} />
        : <section class="puzzle"><p class="muted">{error ?? (problems ? "There are no problems here." : "")}</p></section>}
    </main>
  );
}

type Verdict =
  | { kind: "open" }
  | { kind: "asking"; move: string; report: Report | null }
  | { kind: "right" | "wrong" | "unclear"; move: string; report: Report }
  | { kind: "solving"; report: Report | null }
  | { kind: "solution"; report: Report }
  | { kind: "error"; text: string };

/** The solver's answer to the side that is asked: whether it gets what it wants. */
function won(report: Report): boolean | null {
  const [low, high] = report.bounds;
  if (report.proof?.status === "proved" || low === 1) return true;
  if (report.proof?.status === "disproved" || high === 0) return false;
  return low === high ? low > 0.5 : high < 0.5 ? false : null;
}

function Solving({ problem, next, onResult }: { problem: Puzzle; next: Puzzle | undefined; onResult: (result: "solved" | "failed") => void }) {
  const { value: start, error } = useLoaded(() => api.position(problem.document), [problem.document]);
  const { value: agents } = useLoaded(() => (start ? api.agents(start.game) : Promise.resolve(null)), [start?.game]);
  const { value: about } = useLoaded(() => api.about(), []);
  const [tried, setTried] = useState<State | null>(null);
  const [verdict, setVerdict] = useState<Verdict>({ kind: "open" });
  const [step, setStep] = useState(0);
  const search = useRef<Search | null>(null);
  useEffect(() => () => search.current?.cancel(), []);
  const solver = agents?.solver ?? "auto";
  const budget = { seconds: Math.min(30, about?.limits.seconds ?? 30) };
  const shown = tried ?? start;
  const mover = start?.turn ?? "first";

  const ask = (document: string, onReport: (report: Report, done: boolean) => void): void => {
    search.current?.cancel();
    search.current = live.search({ document, agent: solver, budget, every_ms: 300, candidates: 5 }, {
      snapshot: (report) => onReport(report, false),
      done: (report) => onReport(report, true),
      failed: (text) => setVerdict({ kind: "error", text }),
    });
  };
  const attemptMove = async (move: string): Promise<void> => {
    if (!start) return;
    // Said before the position comes, so that a second click is no second try.
    setVerdict({ kind: "asking", move, report: null });
    const after = await api.position(extend(start.document, move)).catch((problem: unknown) => {
      setVerdict({ kind: "open" });
      throw problem;
    });
    setTried(after);
    setStep(0);
    if (after.outcome) {
      const good = after.outcome.winner === mover;
      onResult(good ? "solved" : "failed");
      setVerdict({ kind: good ? "right" : "wrong", move, report: ended(after) });
      return;
    }
    ask(after.document, (report, done) => {
      if (!done) return setVerdict({ kind: "asking", move, report });
      const theirs = won(report);
      const good = theirs === null ? null : report.turn === mover ? theirs : !theirs;
      if (good !== null) onResult(good ? "solved" : "failed");
      setVerdict({ kind: good === null ? "unclear" : good ? "right" : "wrong", move, report });
      setStep(0);
    });
  };
  const again = (): void => {
    search.current?.cancel();
    setTried(null);
    setVerdict({ kind: "open" });
    setStep(0);
  };
  const solve = (): void => {
    if (!start) return;
    again();
    setVerdict({ kind: "solving", report: null });
    ask(start.document, (report, done) => {
      setVerdict(done ? { kind: "solution", report } : { kind: "solving", report });
      if (done) setStep(report.line.length);
    });
  };
  const open = verdict.kind === "open" && start !== null && !start.outcome;
  const input = useInput(shown, open, (move) => attempt(attemptMove(move)));
  const report = "report" in verdict ? verdict.report : null;
  const line = verdict.kind === "wrong" || verdict.kind === "right" || verdict.kind === "solution" || verdict.kind === "unclear" ? (report?.line ?? []) : [];
  const before = verdict.kind === "solution" ? 0 : 1;
  useKeys((event) => {
    if (event.key === ",") setStep((n) => Math.max(0, n - 1));
    else if (event.key === ".") setStep((n) => Math.min(line.length, n + 1));
  });
  if (!start || !shown?.geometry) return <section class="puzzle"><p class="muted">{error ?? ""}</p></section>;

  const seen = new Set<number>();
  const ghosts: Ghost[] = line.slice(0, step).flatMap((ply, i) => {
    if (ply.to === null || seen.has(ply.to)) return [];
    seen.add(ply.to);
    return [{ point: ply.to, owner: ply.player, number: i + 1 + before }];
  });
  const lastPoint = tried?.last ?? [];
  const marks: Mark[] = verdict.kind === "wrong" ? lastPoint.map((point): Mark => ({ point, kind: "wrong" })) : verdict.kind === "right" ? lastPoint.map((point): Mark => ({ point, kind: "right" })) : [];
  const mine = sideOf(start.sides, mover).name;
  const asked = goal(start.captions[0] ?? "", shown.geometry);
  for (const point of asked.points) if (shown.pieces[point] && !marks.some((mark) => mark.point === point)) marks.push({ point, kind: "triangle" });
  return (
    <>
      <section class="puzzle" aria-label="Problem">
        <div class="puzzle-title"><h2>{asked.points.length > 0 ? asked.words : `${mine} to play`}</h2><span class="muted">{problem.about}</span></div>
        <div class="board-box">
          <Board geometry={shown.geometry} pieces={shown.pieces} sides={shown.sides} label={`${problem.id}. ${mine} to play.`} last={marks.length > 0 || verdict.kind === "open" ? [] : shown.last} ghosts={ghosts} marks={marks}
            targets={input.targets} selected={input.selected} hand={open ? mover : null} onPoint={input.press} />
        </div>
      </section>
      <aside class="card verdict" aria-label="Verdict">
        <VerdictHead verdict={verdict} mine={mine} />
        {line.length > 0 && (
          <>
            <ol class="steps">
              {tried && verdict.kind !== "solution" && <li><span class="move-number">1</span><SideSign side={sideOf(start.sides, mover)} /><b>{"move" in verdict ? verdict.move : ""}</b><span class="caption">You</span></li>}
              {line.map((ply, i) => (
                <li class={i + 1 === step ? "now" : ""}><span class="move-number">{i + 1 + before}</span><SideSign side={sideOf(start.sides, ply.player)} /><button class="plain" onClick={() => setStep(i + 1)}>{ply.move}</button><span class="caption">{i === 0 && verdict.kind === "wrong" ? "the refutation" : ""}</span></li>
              ))}
            </ol>
            <div class="stepper">
              <button class="icon-button" aria-label="Previous move of the line" disabled={step === 0} onClick={() => setStep(step - 1)}><Icon name="previous" /></button>
              <span class="muted">move {step + before} of {line.length + before}</span>
              <button class="icon-button" aria-label="Next move of the line" disabled={step === line.length} onClick={() => setStep(step + 1)}><Icon name="next" /></button>
            </div>
          </>
        )}
        <div class="row pad verdict-buttons">
          {verdict.kind !== "open" && <button class="button primary grow" onClick={again}>Try again</button>}
          {(verdict.kind === "wrong" || verdict.kind === "right" || verdict.kind === "solution") && !shown.outcome && <a class="button grow" href={href("proof", shown.document)}>Why? See the proof</a>}
          {(verdict.kind === "right" || verdict.kind === "solution") && next
            ? <button class="button grow" onClick={() => go("problems", key(next))}>Next problem</button>
            : <button class="button grow" disabled={verdict.kind === "solving" || verdict.kind === "asking"} onClick={solve}>Show the solution</button>}
        </div>
      </aside>
    </>
  );
}

function VerdictHead({ verdict, mine }: { verdict: Verdict; mine: string }) {
  const report = "report" in verdict ? verdict.report : null;
  const effort = report ? `${short(report.nodes || report.iterations)} positions` : "";
  const [sign, title, text] = ((): [string, string, string] => {
    switch (verdict.kind) {
      case "open": return ["open", `${mine} to play`, "Find the move. Every try is checked by the solver."];
      case "asking": return ["asking", verdict.move, `The solver looks for a refutation. ${effort}`];
      case "right": return ["right", `${verdict.move} is right`, report?.nodes || report?.iterations ? `Proved with ${effort}.` : "The game ends here."];
      case "wrong": return ["wrong", `${verdict.move} fails`, report?.line[0] ? `Proved: ${report.line[0].move} refutes it.` : "Proved by the rules."];
      case "unclear": return ["asking", `${verdict.move}: not decided`, `The solver found no proof with ${effort}.`];
      case "solving": return ["asking", "Solving", effort];
      case "solution": return ["right", report?.best ? `${report.best}` : "No move reaches the goal", report && won(report) !== null ? `Proved with ${effort}.` : `Not proved: the best found with ${effort}.`];
      case "error": return ["wrong", "No answer", verdict.text];
    }
  })();
  return (
    <div class="verdict-head" role="status" data-verdict={verdict.kind}>
      <span class={`sign ${sign}`} aria-hidden="true">{sign === "right" ? "✓" : sign === "wrong" ? "✕" : sign === "asking" ? <span class="dot live" /> : "?"}</span>
      <div><h2>{title}</h2><p class="muted">{text}</p></div>
    </div>
  );
}

/** A report of a game that the rules have ended: nothing was searched. */
function ended(state: State): Report {
  const score = state.outcome?.score ?? 0.5;
  const value = state.turn === "first" ? score : 1 - score;
  return {
    turn: state.turn, best: null, resigns: false, value, bounds: [value, value], proof: null, line: [], candidates: [], moves: 0, path: [],
    playout_end: null, figures: [], iterations: 0, nodes: 0, depth: 0, memory_bytes: 0, seconds: 0, stopped: null,
  };
}
