// Play: one game against an agent, or between two people.
import { useEffect, useState } from "preact/hooks";
import { Board } from "../board/board";
import { named, useInput } from "../board/input";
import type { Mark } from "../board/overlays";
import { PathBoard } from "../board/path";
import { other, sideOf, SideSign } from "../board/pieces";
import { toggleSigns, useSigns } from "../board/signs";
import { api } from "../client";
import { clock as clockText, count, whole } from "../format";
import { address, bareName, lastTurn } from "../game/document";
import { budgetWords, seatOf } from "../game/seats";
import * as actions from "../game/table";
import { useTable, type Table } from "../game/table";
import { Icon } from "../icons";
import { attempt, Dialog, tell, useKeys } from "../parts";
import { go, href, useRoute } from "../router";
import type { Player, State } from "../api";
import { CommentBox } from "./comment";
import { Moves, Strip } from "./moves";
import { NewGame } from "./new-game";
import { Players } from "./players";

export function PlayRoom({ ready }: { ready: boolean }) {
  const table = useTable();
  const { rest } = useRoute();
  const wanted = rest.startsWith("new/") ? rest.slice(4) : null;
  const [asking, setAsking] = useState(false);
  const { game, shown, geometry } = table;
  const open = asking || wanted !== null;
  const close = () => {
    setAsking(false);
    if (wanted !== null) go("play");
  };
  if (!ready && !game) return <main id="main" tabIndex={-1} class="play" aria-busy="true"><h1 class="unseen">Play</h1></main>;
  if (!game || !shown || !geometry) {
    return (
      <main id="main" tabIndex={-1} class="first-game">
        <div class="card pad stack gap-4"><h1>A new game</h1><NewGame first={wanted ?? ""} onStarted={close} /></div>
      </main>
    );
  }
  return (
    <>
      <AtTheBoard table={table} game={game} shown={shown} onNew={() => setAsking(true)} />
      {open && <Dialog title="A new game" onClose={close}><NewGame first={wanted ?? bareName(game.game)} onStarted={close} /></Dialog>}
    </>
  );
}

function AtTheBoard({ table, game, shown, onNew }: { table: Table; game: State; shown: State; onNew: () => void }) {
  const { geometry, judged, agreed } = table;
  const mover = actions.personToMove(table);
  const move = (text: string) => attempt(actions.play(text));
  const input = useInput(shown, mover !== null, move);
  const settling = judged !== null && !agreed;
  const passes = named(shown);
  const pass = passes.find((one) => one.move === "pass");
  useReviewKeys();
  useKeys((event) => {
    const key = event.key.toLowerCase();
    if (key === "u") attempt(actions.takeBack());
    else if (key === "p" && pass && mover) move(pass.move);
    else if (key === "h") attempt(actions.hint());
  });
  const marks: Mark[] = table.hint?.point !== null && table.hint ? [{ point: table.hint.point, kind: "hint" }] : [];
  const names = geometry?.points.map((point) => point.name) ?? [];
  const dead = new Set((judged?.dead ?? []).map((name) => names.indexOf(name)).filter((i) => i >= 0));
  const press = (point: number) => {
    if (settling && shown.pieces[point]) attempt(actions.toggleDead(names[point] ?? ""));
    else input.press(point);
  };
  const occupied = new Set(shown.pieces.flatMap((piece, i) => (piece ? [i] : [])));
  const label = `${game.title}, after ${count(shown.at, "move")}. ${status(shown)}`;
  const bottom: Player = seatOf(table.seats, "second").kind === "person" && seatOf(table.seats, "first").kind === "agent" ? "second" : "first";

  return (
    <main id="main" tabIndex={-1} class="play">
      <aside class="left stack gap-5 only-desk">
        <div>
          <h1 class="small">{game.title}</h1>
          <p class="muted mono">{game.short}</p>
        </div>
        <Facts table={table} game={game} />
        <Tools table={table} game={game} onNew={onNew} />
        <p class="caption">Kept in this browser. Close the page and come back to it.</p>
        <div class="keyboard caption">
          <div><kbd>arrows</kbd> cursor &nbsp; <kbd>Enter</kbd> play</div>
          <div><kbd>U</kbd> take back &nbsp; {pass && <><kbd>P</kbd> pass &nbsp; </>}<kbd>H</kbd> hint</div>
        </div>
      </aside>
      <section class="board-column" aria-label="Board">
        <div class="only-phone row seat-strip"><Seat table={table} player={other(bottom)} /></div>
        <div class="board-box">
          {geometry && geometry.shape !== "text" ? (
            <Board geometry={geometry} pieces={shown.pieces} sides={shown.sides} label={label} last={lastTurn(shown)} marks={marks}
              targets={settling ? occupied : input.targets} dots={input.dots} selected={input.selected} hand={mover}
              dead={dead} ownership={settling ? judged.ownership : null} onPoint={press} onDrag={input.drag} />
          ) : (
            <PathBoard state={shown} active={mover !== null} onMove={move} />
          )}
        </div>
        <p class="unseen" role="status" aria-live="polite">{announce(shown)}</p>
      </section>
      <div class="only-phone"><Strip game={game} at={shown.at} /></div>
      <aside class="right card" aria-label="Game">
        <div class="seat only-desk"><Seat table={table} player={other(bottom)} /></div>
        <div class="moves only-desk"><Moves game={game} at={shown.at} table={table} /><CommentBox table={table} /></div>
        <div class="seat mine"><Seat table={table} player={bottom} /></div>
        <Result table={table} game={game} settling={settling} />
        {table.hint && <p class="hint-line muted">{table.hint.text}</p>}
        {table.stuck && <div class="notice stuck" role="alert"><span class="grow">{table.stuck}</span><button class="button" onClick={actions.tryAgain}>{table.stuck === actions.PAUSED ? "Go on" : "Try again"}</button></div>}
        {shown !== game && <button class="button back-to-game" onClick={() => attempt(actions.goTo(game.steps.length))}>Back to the game</button>}
        {settling ? (
          <div class="acts">
            <button class="button primary" onClick={() => attempt(actions.agree(judged.dead))}>Accept</button>
            <button class="button" onClick={() => attempt(actions.takeBack())}>Play on</button>
          </div>
        ) : (
          <div class="acts">
            <button class="button" disabled={game.steps.length === 0} onClick={() => attempt(actions.takeBack())}><Icon name="back" />Take back</button>
            {geometry?.shape !== "text" && passes.map((one) => <button class="button named" disabled={!mover} onClick={() => move(one.move)}>{one.move.charAt(0).toUpperCase() + one.move.slice(1)}</button>)}
            {(geometry?.shape === "text" || passes.length === 0) && <button class="button" onClick={() => attempt(actions.hint())} disabled={game.outcome !== null}>Hint</button>}
            <button class="button quiet" disabled={game.outcome !== null} onClick={() => attempt(actions.resign())}><Icon name="flag" />Resign</button>
            {geometry?.shape !== "text" && passes.length > 0 && <button class="button quiet" onClick={() => attempt(actions.hint())} disabled={game.outcome !== null}>Hint</button>}
          </div>
        )}
      </aside>
      <div class="only-phone phone-tools"><div class="only-phone"><CommentBox table={table} /></div><Tools table={table} game={game} onNew={onNew} /><p class="caption">{game.short}. Kept in this browser.</p></div>
    </main>
  );
}

/** Keys that walk through the moves. */
export function useReviewKeys(): void {
  useKeys((event) => {
    const far = event.shiftKey ? 10 : 1;
    if (event.key === "," || event.key === "<" || event.key === ";") attempt(actions.step(-far));
    else if (event.key === "." || event.key === ">" || event.key === ":") attempt(actions.step(far));
    else if (event.key === "Home") attempt(actions.goTo(0));
    else if (event.key === "End") attempt(actions.goTo(Infinity));
  });
}

function status(shown: State): string {
  return shown.outcome ? `${shown.outcome.text}.` : `${sideOf(shown.sides, shown.turn).name} to move.`;
}

function announce(shown: State): string {
  const last = shown.steps[shown.at - 1];
  return `${last?.move ? `${sideOf(shown.sides, last.player).name} ${last.move}. ` : ""}${status(shown)}`;
}

function Seat({ table, player }: { table: Table; player: Player }) {
  const { game, seats, thinking } = table;
  if (!game) return null;
  const seat = seatOf(seats, player);
  const side = sideOf(game.sides, player);
  const both = seats.every((one) => one.kind === seat.kind);
  const turn = !game.outcome && game.turn === player;
  const name = seat.kind === "agent" ? seat.label : both ? side.name : "You";
  const report = thinking?.report;
  return (
    <>
      <SideSign side={side} large />
      <div class="who" data-seat={player}>
        <b>{name}</b>
        {turn && thinking ? (
          <span class="caption turn"><span class="dot live" /> {thinking.waiting ? "Waiting for other searches" : "Thinking"}{report ? `, ${whole(report.iterations || report.nodes)} ${report.iterations ? "iterations" : "nodes"}` : ""}</span>
        ) : turn && seat.kind === "person" ? (
          <span class="caption turn">{both ? "To move" : "Your move"}</span>
        ) : (
          <span class="caption">{seat.kind === "agent" ? budgetWords(seat.budget) : both ? "Person" : side.name}</span>
        )}
      </div>
      {turn && thinking && (both ? <button class="button small" onClick={actions.pause}>Pause</button> : <button class="button small" onClick={actions.moveNow}>Move now</button>)}
      {(table.clock || !(turn && thinking)) && <Time table={table} player={player} />}
    </>
  );
}

function Time({ table, player }: { table: Table; player: Player }) {
  const { clock, game, since } = table;
  const [, tick] = useState(0);
  const runs = clock !== null && game !== null && !game.outcome && game.turn === player && game.steps.length > 0;
  const left = clock ? clock.left[player === "first" ? 0 : 1] - (runs ? (Date.now() - since) / 1000 : 0) : 0;
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => tick((n) => n + 1), 250);
    return () => clearInterval(timer);
  }, [runs]);
  useEffect(() => {
    if (runs && left <= 0) actions.outOfTime(player);
  });
  return <span class={`clock ${clock && left < 20 ? "low" : ""}`}>{clock ? clockText(left) : "no clock"}</span>;
}

function Facts({ table, game }: { table: Table; game: State }) {
  const { shown } = table;
  const [first, second] = game.sides;
  const captures = shown?.captures ?? game.captures;
  return (
    <dl class="facts">
      <dt>Move</dt><dd>{(shown ?? game).at}</dd>
      {captures && <><dt>{first.name} took</dt><dd>{captures[0]}</dd><dt>{second.name} took</dt><dd>{captures[1]}</dd></>}
      {game.komi !== null && <><dt>Komi</dt><dd>{game.komi}</dd></>}
      <dt>Evaluation</dt><dd class="muted">hidden in play</dd>
    </dl>
  );
}

function Tools({ table, game, onNew }: { table: Table; game: State; onNew: () => void }) {
  const [players, setPlayers] = useState(false);
  const signs = useSigns();
  const share = async (): Promise<void> => {
    const link = address("play", (table.shown ?? game).document);
    try {
      await navigator.clipboard.writeText(link);
      tell("The address of this position is copied.");
    } catch {
      tell(link);
    }
  };
  const save = async (): Promise<void> => {
    const label = (player: Player) => {
      const seat = seatOf(table.seats, player);
      return seat.kind === "agent" ? seat.label : "Person";
    };
    const { variations, comments } = table.notes;
    const notes = { variations, comments: Object.entries(comments).map(([document, text]) => ({ document, text })) };
    const text = await actions.onSession((id) => api.sgf(id, { first: label("first"), second: label("second"), ...notes }));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/x-go-sgf" }));
    link.download = `${bareName(game.game)}-${new Date().toISOString().slice(0, 10)}.sgf`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  return (
    <div class="stack gap-2 tools">
      <div class="row">
        <button class="button grow" onClick={onNew}><Icon name="plus" />New game</button>
        <button class="button grow" onClick={() => setPlayers(true)}>Players</button>
      </div>
      <a class="button" href={href("analyse")}><Icon name="analyse" />Analyse this game</a>
      <div class="row">
        <button class="button grow" onClick={() => attempt(share())}><Icon name="share" />Share</button>
        <button class="button grow" onClick={() => attempt(save())}>SGF</button>
      </div>
      {table.before && <button class="button" onClick={() => attempt(actions.backToBefore())}>Back to the game before</button>}
      {table.geometry?.men === "letters" && table.geometry.shape !== "text" && <button class="button" onClick={toggleSigns}>{signs === "letters" ? "Characters on the pieces" : "Letters on the pieces"}</button>}
      {players && <Players game={game} seats={table.seats} onClose={() => setPlayers(false)} />}
    </div>
  );
}

function Result({ table, game, settling }: { table: Table; game: State; settling: boolean }) {
  const { judged } = table;
  if (!game.outcome) return null;
  const { text } = judged?.outcome ?? game.outcome;
  return (
    <div class="result" role="status">
      <b>{text}</b>
      {settling && <span class="caption">Stones with a cross count as dead. Click a chain to change it.</span>}
    </div>
  );
}
