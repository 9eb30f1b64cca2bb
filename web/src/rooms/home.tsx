// Home: one picture that moves, a small search thinking live; then the games as boards.
import { useEffect, useState } from "preact/hooks";
import { Board } from "../board/board";
import { sideOf } from "../board/pieces";
import { api } from "../client";
import { lastTurn } from "../game/document";
import { whole } from "../format";
import { live, type Search } from "../live";
import { useLoaded } from "../parts";
import { href } from "../router";
import { candidateStep } from "../scale";
import { useVisible } from "../visible";
import type { Game, Report, State } from "../api";
import examples from "../data/examples.json";
import { discs } from "./candidates";

/** Positions to look at, in the order in which games are shown. */
const EXAMPLES: Record<string, string> = examples;

/** A search of one thread with a fixed seed grows the same tree however it is cut: each of these continues the one before. */
const LADDER = Array.from({ length: 21 }, (_, i) => Math.round(30 * 1.35 ** i));
const LAST = LADDER[LADDER.length - 1] ?? 0;
const STEP_MS = 700;

interface Tile { game: Game; state: State }

async function tiles(): Promise<Tile[]> {
  const games = (await api.games()).filter((game) => game.has_board);
  // A game that has no example here shows its usual start.
  const rank = (game: Game): number => (game.name in EXAMPLES ? Object.keys(EXAMPLES).indexOf(game.name) : Infinity);
  games.sort((a, b) => rank(a) - rank(b) || 0);
  const loaded = await Promise.all(games.map(async (game): Promise<Tile[]> => {
    const state = await api.position(EXAMPLES[game.name] ?? game.document).catch(() => null);
    return state?.geometry ? [{ game, state }] : [];
  }));
  return loaded.flat();
}

export function HomeRoom() {
  const { value: boards, error } = useLoaded(tiles, []);
  const hero = boards?.find(({ state }) => state.geometry?.shape === "hexagons" && !state.outcome) ?? boards?.find(({ state }) => !state.outcome);
  const problems = boards?.reduce((sum, { game }) => sum + game.problems, 0) ?? 0;
  return (
    <main id="main" tabIndex={-1} class="home">
      <section class="hero">
        <div>
          <h1>Watch a search think.</h1>
          <p class="lead">tesuji plays, solves and studies games of perfect information. Nothing it does is hidden: see where it looks, what it believes, and what it has proved.</p>
          <div class="row cta">
            <a class="button primary large" href={href("play")}>Play a game</a>
            <a class="button large" href={href("analyse")}>Analyse a game</a>
          </div>
          <ul class="rooms only-desk">
            <li><a href={href("play")}><b>Play</b><span>Who wins?</span></a></li>
            <li><a href={href("analyse")}><b>Analyse</b><span>What would it play?</span></a></li>
            <li><a href={href("microscope")}><b>Microscope</b><span>How does it choose?</span></a></li>
            <li><a href={href("proof")}><b>Proof room</b><span>What is certain?</span></a></li>
            <li><a href={href("problems")}><b>Problems</b><span>Why does it fail?</span></a></li>
            <li><a href={href("lab")}><b>Lab</b><span>Does the paper hold?</span></a></li>
          </ul>
        </div>
        {hero ? <Thinking tile={hero} /> : <figure class="live-figure empty" aria-busy="true">{error && <p class="notice" role="alert">{error}</p>}</figure>}
      </section>
      <section class="games" aria-label="Games">
        <div class="between"><h2>{boards ? `${inWords(boards.length)} games, one board` : "Games"}</h2>{problems > 0 && <a class="caption" href={href("problems")}>or try one of {whole(problems)} problems →</a>}</div>
        <div class="tiles">
          {boards?.map(({ game, state }) => state.geometry && (
            <a class="tile" href={leads(game)}>
              <span class={`tile-board surface-${state.geometry.surface}`}><Board class="mini" geometry={state.geometry} pieces={state.pieces} sides={state.sides} label={`${state.title}, a position`} last={lastTurn(state)} /></span>
              <span class="tile-name"><b>{game.title}</b><span class="caption">{game.about.replace(/^[^:]*: /, "")}</span></span>
            </a>
          ))}
        </div>
      </section>
    </main>
  );
}

/** A game that is nothing but problems leads to them. */
const leads = (game: Game): string => (game.problems > 0 && game.sizes.length === 0 ? href("problems", `${game.name}/`) : href("play", `new/${game.name}`));

const WORDS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"];
const inWords = (n: number): string => WORDS[n] ?? whole(n);

function Thinking({ tile }: { tile: Tile }) {
  const { state } = tile;
  const [rung, setRung] = useState(0);
  const [report, setReport] = useState<Report | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const seen = useVisible();
  useEffect(() => {
    if (!seen) return;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const wanted = still ? LADDER.length - 1 : rung;
    let search: Search | null = null;
    const next = (): void => {
      search = live.search({ document: state.document, agent: "mcts", budget: { iterations: LADDER[wanted] ?? LAST, threads: 1 }, seed: 1, candidates: 100, every_ms: 5000 }, {
        done: (found) => {
          setReport(found);
          if (wanted + 1 < LADDER.length) setRung(wanted + 1);
        },
        failed: setFailed,
      });
    };
    const timer = window.setTimeout(next, rung === 0 ? 0 : STEP_MS);
    return () => {
      clearTimeout(timer);
      search?.cancel();
    };
  }, [rung, seen, state.document]);
  const geometry = state.geometry;
  if (!geometry) return null;
  const candidates = report?.candidates.filter((one) => one.visits > 0) ?? [];
  const best = candidates[0]?.value ?? 0.5;
  const finished = report !== null && report.iterations >= LAST;
  const says = failed ?? (!report ? "It starts from nothing." : report.iterations < 100 ? "It tries every move." : finished ? `It looked at ${report.best} most of all.` : "It returns to what went well.");
  return (
    <figure class="live-figure">
      <div class="hero-board">
        <Board geometry={geometry} pieces={state.pieces} sides={state.sides} last={state.last} label={`${state.title}: where a search looks`} heat={report ? discs(report, "value", null).map(({ label: _label, under: _under, ...disc }) => disc) : []} />
      </div>
      <figcaption>
        <div class="between">
          <span><span class={`dot ${finished ? "still" : "live"}`} /> <b data-iterations={report?.iterations ?? 0}>{whole(report?.iterations ?? 0)}</b> <span class="muted"><span class="only-desk">of {whole(LAST)} </span>iterations</span></span>
          <span class="muted">{report?.best ? <>{sideOf(state.sides, report.turn).name} would play <b>{report.best}</b></> : ""}</span>
        </div>
        <div class="share-strip" aria-hidden="true">
          {candidates.map((one) => {
            const step = candidateStep(one.value ?? best, best, one.visits);
            return <i key={one.move} style={{ flexGrow: one.visits, background: `var(--value-${step})`, color: `var(--on-value-${step})` }}>{one.visits > 0.05 * (report?.iterations ?? 1) ? one.move : ""}</i>;
          })}
        </div>
        <div class="between caption">
          <span>{says} {finished && <button class="plain link" onClick={() => { setReport(null); setRung(0); }}>Again</button>}</span>
          <span class="row"><span class="legend-size" /> size: visits <span class="legend-scale" /> colour: value</span>
        </div>
      </figcaption>
    </figure>
  );
}
