// The Proof room: a proof is an answer to every reply; pn and dn count what is missing.
//
// Left: the position, and why it is lost, by a proof that was checked. Right: the AND/OR tree of a
// proof-number search of the same position, and the root's numbers over time.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ProofBook, ProofTree, ProofTreeView, ProofView, State } from "../../api";
import { Board } from "../../board/board";
import { PathBoard } from "../../board/path";
import { sideOf, SideSign } from "../../board/pieces";
import { api } from "../../client";
import { count, whole } from "../../format";
import { useTable } from "../../game/table";
import { Icon } from "../../icons";
import { attempt, useKeys, useLoaded } from "../../parts";
import { go } from "../../router";
import { Plot } from "./plot";
import { base64, proofs } from "./requests";
import { Tree } from "./tree";
import { Why } from "./why";
import { drawing, links } from "./words";
import "./proof.css";

/** Positions to look at, for a person without a game: each has its proof at once. */
const EXAMPLES = [
  { name: "Hex 5×5: two bridges", document: "hex(size=5,swap=false)~d2.d4.c4.c3.d3" },
  { name: "Tic-tac-toe: a fork", document: "tictactoe~b2.a2.a1" },
  { name: "Hex 4×4: the first move", document: "hex(size=4,swap=false)" },
];
/** The longest solving and the largest search for a tree. */
const SECONDS = 30;
const EXPANSIONS = 20_000;
/** Moves before the position that are shown. */
const PLAYED = 5;
/** Moves that follow a reply by themselves: a turn of Connect6 has two. */
const FOLLOWED = 4;

type Asked = "solving" | "growing" | null;

/** A proof from a file that is about another position, until the room shows that position. */
let brought: ProofBook | null = null;

/** The room of a position in the address, which leaves the game on the board alone; else of that game. */
export function ProofRoom({ ready, rest }: { ready: boolean; rest: string }) {
  const { shown, geometry } = useTable();
  const { value: named, error } = useLoaded(() => (rest ? api.position(rest) : Promise.resolve(null)), [rest]);
  const state = rest ? named : shown && { ...shown, geometry: shown.geometry ?? geometry };
  const blank = (rest ? error : ready) ? <Examples error={rest ? error : null} /> : "";
  if (!state || (!rest && !ready)) return <main id="main" tabIndex={-1} class="proof">{blank}</main>;
  return <Room key={state.document} start={state} solves={rest !== ""} />;
}

function Examples({ error }: { error: string | null }) {
  return (
    <section class="card pad stack gap-3 examples">
      <h1 class="small">Proof room</h1>
      {error && <p class="notice" role="alert">{error}</p>}
      <p class="muted">A proof is an answer to every reply. Begin a game, or look at one of these positions.</p>
      {EXAMPLES.map(({ name, document }) => <button class="button" onClick={() => go("proof", document)}>{name}</button>)}
    </section>
  );
}

function Room({ start, solves }: { start: State; solves: boolean }) {
  const { document } = start;
  const [asked, setAsked] = useState<Asked>(null);
  const [book, setBook] = useState<ProofBook | null>(null);
  const [claim, setClaim] = useState(0);
  const [view, setView] = useState<ProofView | null>(null);
  const [grown, setGrown] = useState<ProofTree | null>(null);
  const [tree, setTree] = useState<ProofTree | null>(null);
  const [nodes, setNodes] = useState<ProofTreeView | null>(null);
  const [agent, setAgent] = useState("pn");
  const [lens, setLens] = useState<"proof" | "tree">("proof");
  const alive = useRef(true);
  useEffect(() => {
    if (brought?.document === document) attempt(arrived(brought));
    else if (solves && !start.outcome) solve();
    brought = null;
    return () => void (alive.current = false);
  }, []);

  const ask = async (what: Asked, work: () => Promise<void>): Promise<void> => {
    setAsked(what);
    try {
      await work();
    } finally {
      if (alive.current) setAsked(null);
    }
  };
  const arrived = async (found: ProofBook): Promise<void> => {
    setBook(found);
    setClaim(0);
    setLens("proof");
    setView(found.id ? await proofs.view(found.id, 0, []) : null);
  };
  const solve = (): void => attempt(ask("solving", async () => arrived(await proofs.solve(document, SECONDS))));
  const load = (file: File): void => attempt(ask("solving", async () => {
    const found = await proofs.open(await base64(file));
    // The proof is about its own position, which the room shows then.
    if (found.document === document) return arrived(found);
    brought = found;
    go("proof", found.document);
  }));
  /** Shows the position after these moves; the claimant's answer follows by itself. */
  const walk = async (moves: string[], follow: boolean): Promise<void> => {
    if (!book?.id) return;
    let next = await proofs.view(book.id, claim, moves);
    for (let i = 0; follow && i < FOLLOWED && next.answer && next.state.turn === next.claimant && !next.state.outcome; i++) {
      next = await proofs.view(book.id, claim, [...next.path.map((ply) => ply.move), next.answer.move]);
    }
    setLens("proof");
    setView(next);
  };
  const toClaim = (number: number): void => {
    setClaim(number);
    if (book?.id) attempt(proofs.view(book.id, number, []).then(setView));
  };
  const grow = (iterations: number, isWhole: boolean): void => attempt(ask("growing", async () => {
    const found = await proofs.grow(document, agent, { seconds: SECONDS, iterations });
    if (isWhole) setGrown(found);
    setTree(found);
    setNodes(await proofs.tree(found.id, []));
    if (isWhole && !book) setLens("tree");
  }));
  const look = (path: string[]): void => {
    if (tree) attempt(proofs.tree(tree.id, path).then((found) => { setNodes(found); setLens("tree"); }));
  };

  const path = lens === "proof" ? view?.path ?? [] : nodes?.path ?? [];
  const state = (lens === "proof" ? view?.state : nodes?.state) ?? start;
  const step = (to: number): void => {
    const moves = path.slice(0, to).map((ply) => ply.move);
    if (lens === "proof") attempt(walk(moves, false));
    else look(moves);
  };
  const forward = (): void => {
    if (lens === "tree") {
      const next = nodes?.most_proving[0];
      if (next) look([...path.map((ply) => ply.move), next.move]);
      return;
    }
    const next = view?.answer ?? view?.replies[0]?.reply;
    if (view && next && view.kind !== "end") attempt(walk([...path.map((ply) => ply.move), next.move], false));
  };
  useKeys((event) => {
    if (event.key === "," && path.length > 0) step(path.length - 1);
    else if (event.key === ".") forward();
    else if (event.key === "Home" && path.length > 0) step(0);
  });
  const geometry = state.geometry ?? start.geometry;
  const overlay = lens === "proof" && view ? drawing(view) : null;
  const onPath = lens === "tree" && nodes ? nodes.most_proving.slice(0, 6) : [];
  const seen = new Set<number>();
  const ghosts = overlay?.ghosts ?? onPath.flatMap((ply, i) => {
    if (ply.to === null || seen.has(ply.to)) return [];
    seen.add(ply.to);
    return [{ point: ply.to, owner: ply.player, number: i + 1 }];
  });
  // Only moves that the proof answers: any reply, or the claimant's own move.
  const browsed = lens === "proof" && view !== null && view.kind !== "end" ? view : null;
  const legal = browsed ? (browsed.state.turn === browsed.claimant ? (browsed.answer ? [browsed.answer] : []) : browsed.replies.map(({ reply }) => reply)) : [];
  const targets = new Set(legal.flatMap((ply) => (ply.to === null ? [] : [ply.to])));
  const press = (point: number): void => {
    const ply = legal.find((one) => one.to === point && one.from === null) ?? legal.find((one) => one.to === point);
    if (ply && browsed) attempt(walk([...path.map((one) => one.move), ply.move], ply.player !== browsed.claimant));
  };
  const turn = sideOf(state.sides, state.turn).name;
  const ended = start.outcome !== null;
  const played = start.steps.slice(0, start.at).filter((step) => step.move !== null);
  const full = grown?.moments.at(-1)?.expansions ?? 1;
  return (
    <main id="main" tabIndex={-1} class="proof">
      <h1 class="unseen">Proof room</h1>
      <div class="board-column">
        <div class="proof-line" role="group" aria-label="Moves of the line">
          <button class="icon-button" aria-label="Back one move" disabled={path.length === 0} onClick={() => step(path.length - 1)}><Icon name="previous" /></button>
          {path.length === 0 && <><span class="muted">{state.title}</span>{played.length > PLAYED && <span class="muted">…</span>}{played.slice(-PLAYED).map((step, i, all) => <span class={`line-played ${i + 1 < all.length ? "only-desk" : ""}`}><SideSign side={sideOf(start.sides, step.player)} />{step.move}</span>)}</>}
          {path.map((ply, i) => (
            <button class="line-move" {...(i + 1 === path.length ? { "aria-current": "true" as const } : {})} onClick={() => step(i + 1)}><SideSign side={sideOf(state.sides, ply.player)} />{ply.move}</button>
          ))}
          <span class="caption" role="status">{state.outcome ? state.outcome.text : `${turn} to move`}</span>
        </div>
        <div class="board-box">
          {geometry && geometry.shape !== "text"
            ? <Board geometry={geometry} pieces={state.pieces} sides={state.sides} label={`${state.title}. ${turn} to move.`} last={path.length > 0 ? state.last : []} ghosts={ghosts}
                marks={overlay?.marks ?? []} tint={overlay?.tint ?? new Map()} links={overlay && view ? links(view, geometry) : []} class={view ? `claimed-${sideOf(state.sides, view.claimant).paint}` : ""} targets={targets} hand={targets.size > 0 ? state.turn : null} onPoint={press} />
            : <PathBoard state={state} active={legal.length > 0} onMove={(move) => attempt(walk([...path.map((one) => one.move), move], true))} />}
        </div>
        {book?.id && view ? <Why book={book} view={view} claim={claim} onClaim={toClaim} onGo={(moves) => attempt(walk(moves, true))} />
          : <Ask book={book} asked={asked} ended={ended} name={turn} onSolve={solve} onFile={load} />}
      </div>
      <div class="results">
        <section class="card tree-card" aria-label="Most-proving path">
          <div class="between wrap">
            <h2>Most-proving path</h2>
            {tree ? (
              <p class="caption tree-legend"><b class="pn">pn</b> leaves needed to prove “{tree.text}” <b class="dn">dn</b> to disprove it <b class="pn">✓</b> proved <b class="dn">✕</b> refuted</p>
            ) : <p class="caption">Each node says how many leaves are missing to prove and to disprove it.</p>}
          </div>
          {tree && nodes ? <Tree tree={tree} view={nodes} sides={start.sides} onGo={look} />
            : (
              <div class="empty">
                <p class="muted">Proof-number search expands the leaf that the shortest proof and the shortest disproof both need. No tree was grown here yet.</p>
                <Grow agent={agent} onAgent={setAgent} busy={asked !== null || ended} onGrow={() => grow(EXPANSIONS, true)} />
              </div>
            )}
        </section>
        {grown && tree && (
          <section class="card plot-card" aria-label="Root, by expansions">
            <div class="between wrap">
              <h2>Root, by expansions</h2>
              <p class="caption">
                {grown.agent.split("(")[0]} search, {count(grown.nodes, "node")}, {whole(Math.max(1, Math.round(grown.report.seconds * 1000)))} ms · seesaw: the first move of the path changed {count(grown.switches, "time")}
                {grown.every > 1 && <> · every {whole(grown.every)} expansions drawn</>}
              </p>
            </div>
            <Plot height={196} tree={grown} at={tree.report.iterations} onAt={(expansions) => grow(expansions, expansions >= full)} />
            <div class="row wrap">
              <Grow agent={agent} onAgent={setAgent} busy={asked !== null} onGrow={() => grow(EXPANSIONS, true)} again />
              <span class="caption">A click on the plot shows the tree at that moment.</span>
            </div>
          </section>
        )}
      </div>
    </main>
  );
}

/** No proof yet: one sentence, and what can be done. */
function Ask({ book, asked, ended, name, onSolve, onFile }: { book: ProofBook | null; asked: Asked; ended: boolean; name: string; onSolve: () => void; onFile: (file: File) => void }) {
  const report = book?.report;
  return (
    <section class="card why" aria-label="Why">
      <h2>Who wins?</h2>
      <p class="muted" role="status">
        {asked === "solving" ? <><span class="dot live" /> The solver looks for a proof, {SECONDS} seconds at most.</>
          : report ? `Not decided: the solver proved nothing with ${whole(report.nodes || report.iterations)} positions.`
          : ended ? "The game is over. Take a move back to ask for a proof."
          : `${name} is to move. The solver looks for a proof; then every reply can be tried.`}
      </p>
      <div class="row wrap">
        <button class="button primary" disabled={asked !== null || ended} onClick={onSolve}>Solve</button>
        <label class="button file"><input type="file" aria-label="Open a saved proof" disabled={asked !== null} onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) onFile(file);
        }} />Open a saved proof</label>
      </div>
    </section>
  );
}

const AGENTS = [{ value: "pn", label: "PN" }, { value: "deep-pn", label: "DeepPN" }, { value: "mcpn", label: "MCPN" }, { value: "ppn", label: "PPN" }];

function Grow({ agent, onAgent, busy, onGrow, again = false }: { agent: string; onAgent: (agent: string) => void; busy: boolean; onGrow: () => void; again?: boolean }) {
  return (
    <div class="row wrap">
      <select class="small-select" aria-label="Search" value={agent} onChange={(event) => onAgent(event.currentTarget.value)}>
        {AGENTS.map(({ value, label }) => <option value={value}>{label}</option>)}
      </select>
      <button class={`button ${again ? "" : "primary"}`} disabled={busy} onClick={onGrow}>{again ? "Grow again" : "Grow the tree"}</button>
    </div>
  );
}
