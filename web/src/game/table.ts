// The game on the board: the one document that Play and Analyse show.
//
// The server keeps the game as a session; the browser keeps its text, so that a session the server has
// dropped is made again. Every change goes through this file and is told to the rooms that watch.
import { useEffect, useState } from "preact/hooks";
import { other } from "../board/pieces";
import { api, Refusal } from "../client";
import { live, type Search } from "../live";
import type { Dead, Geometry, NewSession, Player, Report, State } from "../api";
import { extend, prefix, stepsOf } from "./document";
import { BEFORE, readGame, worthKeeping, writeGame, type KeptGame } from "./kept";
import { NO_NOTES, promoted, shared, withComment, withLine, withoutLine, type Notes } from "./notes";
import { allowance, PERSON, seatOf, spent, type Clock, type Seats } from "./seats";

export interface Table {
  /** The whole game; null before the first one. */
  game: State | null;
  /** What the board shows: the end of the game, an earlier move, or a variation. */
  shown: State | null;
  geometry: Geometry | null;
  seats: Seats;
  clock: Clock | null;
  /** When the clock of the side to move was started. */
  since: number;
  /** Moves of a variation from `shown.at` that are not part of the game. */
  variation: { from: number; moves: string[] } | null;
  /** Variations and comments that are kept with the game. */
  notes: Notes;
  /** The agent's search: what it says so far, and whether it waits for a place on the server. */
  thinking: { report: Report | null; waiting: boolean } | null;
  /** Why an agent's move did not come. */
  stuck: string | null;
  /** The stones that count as dead, once the game has ended. */
  judged: Dead | null;
  agreed: boolean;
  hint: { point: number | null; text: string } | null;
  /** A move of a person is on its way to the server; the turn is not theirs any more. */
  sending: boolean;
  /** The document that an address brought, if one did. */
  brought: string | null;
  /** Whether a game that was replaced by one is kept beside this one. */
  before: boolean;
}

let table: Table = {
  game: null, shown: null, geometry: null, seats: [PERSON, PERSON], clock: null, since: 0, variation: null, notes: NO_NOTES, thinking: null,
  stuck: null, judged: null, agreed: false, hint: null, sending: false, brought: null, before: false,
};
let search: Search | null = null;
let asked = 0;
const watchers = new Set<(table: Table) => void>();

function change(some: Partial<Table>): void {
  table = { ...table, ...some };
  watchers.forEach((watcher) => watcher(table));
}

/** The table, kept up to date. */
export function useTable(): Table {
  const [now, set] = useState(table);
  useEffect(() => {
    set(table);
    watchers.add(set);
    return () => void watchers.delete(set);
  }, []);
  return now;
}
export const tableNow = (): Table => table;

const gaveUp = ({ outcome }: State): boolean => outcome?.reason === "resignation" || outcome?.reason === "time";

function keep(): void {
  const { game, seats, clock, judged, agreed, notes, since, brought } = table;
  if (!game) return;
  const resigned = gaveUp(game) && game.outcome?.winner ? other(game.outcome.winner) : null;
  writeGame(localStorage, { id: game.id, document: game.document, seats, clock, resigned, dead: agreed && judged ? judged.dead : null, notes, since, brought });
}

/** A new state of the game: shown, kept, and the next side set to work. */
function arrived(game: State, since = Date.now()): void {
  const geometry = game.geometry ?? table.geometry;
  nowhere();
  change({ game, shown: game, geometry, variation: null, stuck: null, judged: null, agreed: false, hint: null, sending: false, since });
  keep();
  if (game.outcome && !gaveUp(game) && game.abilities.dead_stones) void judge();
  else think();
}

/** Runs a request on the session; one that the server has dropped is made again from its text first. */
export async function onSession<T>(act: (id: string) => Promise<T>): Promise<T> {
  const { game } = table;
  if (!game) throw new Refusal("no_game", "There is no game yet.");
  try {
    if (game.id) return await act(game.id);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "not_found") throw error;
  }
  const again = await api.start({ document: game.document });
  change({ game: { ...again, geometry: null }, geometry: again.geometry ?? table.geometry });
  keep();
  return act(again.id ?? "");
}

function quiet(): void {
  search?.cancel();
  search = null;
  if (table.thinking) change({ thinking: null });
}

export async function newGame(start: NewSession, seats: Seats, clock: Clock | null = null, notes: Notes = NO_NOTES): Promise<void> {
  const game = await api.start(start);
  quiet();
  change({ seats, clock, notes, brought: null, before: readGame(localStorage, BEFORE) !== null });
  arrived(game);
}

/** The game that was kept in this browser, if there is one. */
export async function restore(found: KeptGame | null = readGame(localStorage)): Promise<boolean> {
  if (!found) return false;
  let game: State | null = null;
  if (found.id) game = await api.session(found.id).catch(() => null);
  if (!game || game.document !== found.document) {
    game = await api.start({ document: found.document });
    if (found.resigned && game.id) game = { ...(await api.resign(game.id, found.resigned)), geometry: game.geometry };
  }
  quiet();
  change({ seats: found.seats, clock: found.clock, notes: found.notes, brought: found.brought, before: readGame(localStorage, BEFORE) !== null });
  // The clock ran while the page was away; before the first move no clock runs.
  arrived(game, (game.steps.length > 0 ? found.since : null) ?? Date.now());
  if (found.dead && table.game?.id) await agree(found.dead);
  return true;
}

/** A position from an address, for two people until an opponent is chosen. A game that it replaces is kept beside it; whether it was is the answer. */
export async function open(document: string): Promise<boolean> {
  if (table.game?.document === document) return false;
  const old = readGame(localStorage);
  await newGame({ document }, [PERSON, PERSON]);
  const aside = old !== null && old.document !== table.game?.document && worthKeeping(old);
  if (aside) writeGame(localStorage, old, BEFORE);
  change({ brought: table.game?.document ?? null, before: table.before || aside });
  keep();
  return aside;
}

/** Back to the game that an address replaced; the one on the board takes its place. */
export async function backToBefore(): Promise<void> {
  const [found, old] = [readGame(localStorage, BEFORE), readGame(localStorage)];
  if (!found || !(await restore(found))) return;
  if (old) writeGame(localStorage, old, BEFORE);
}

/** The side to move, if a person may move now. */
export function personToMove(now: Table): Player | null {
  const { game } = now;
  if (!game || game.outcome || now.thinking || now.sending || now.shown !== game) return null;
  return seatOf(now.seats, game.turn).kind === "person" ? game.turn : null;
}

/** Plays a person's move. Until it is answered nothing else is played: the board still shows the turn before. */
export async function play(move: string): Promise<void> {
  const { game, clock, since, sending } = table;
  if (!game || sending) return;
  const player = game.turn;
  change({ sending: true });
  try {
    const next = await onSession((id) => api.play(id, move));
    if (next.id !== table.game?.id) return;
    if (clock) change({ clock: spent(clock, player, (Date.now() - since) / 1000) });
    arrived(next);
  } finally {
    change({ sending: false });
  }
}

/** Takes back to the last move of a person, or one move where people or agents play among themselves. */
export async function takeBack(): Promise<void> {
  const { game, seats } = table;
  if (!game || game.steps.length === 0) return;
  quiet();
  let steps = 1;
  const people = seats.some((seat) => seat.kind === "person");
  const isAgents = (n: number): boolean => {
    const step = game.steps[game.steps.length - n];
    return step !== undefined && seatOf(seats, step.player).kind === "agent";
  };
  if (people && !game.outcome) while (steps < game.steps.length && isAgents(steps)) steps += 1;
  const wanted = game.steps.length - steps;
  let next = await onSession((id) => api.undo(id, steps));
  // A move that the agent made while it was told to stop goes too.
  if (next.steps.length > wanted) next = await onSession((id) => api.undo(id, next.steps.length - wanted));
  arrived(next);
}

export async function resign(): Promise<void> {
  const { game } = table;
  if (!game) return;
  quiet();
  const agent = seatOf(table.seats, game.turn).kind === "agent";
  const player = agent ? other(game.turn) : game.turn;
  arrived(await onSession((id) => api.resign(id, player)));
}

/** Lets the agent whose turn it is move. */
function think(): void {
  const { game, seats, clock } = table;
  if (!game || game.outcome || !game.id || search) return;
  const player = game.turn;
  const seat = seatOf(seats, player);
  if (seat.kind !== "agent") return;
  const budget = clock ? { ...seat.budget, seconds: Math.min(seat.budget.seconds ?? Infinity, allowance(clock, player)) } : seat.budget;
  const began = Date.now();
  change({ thinking: { report: null, waiting: false }, since: began });
  const number = ++asked;
  void onSession(async (id) => {
    if (number !== asked || table.game !== game && table.game?.id !== id) return;
    search = live.search({ session: id, agent: seat.agent, budget, play: true, candidates: 1 }, {
      queued: () => change({ thinking: { report: null, waiting: true } }),
      started: () => change({ thinking: { report: null, waiting: false } }),
      snapshot: (report) => change({ thinking: { report, waiting: false } }),
      failed: (message) => {
        search = null;
        change({ thinking: null, stuck: message });
      },
      done: (report, state) => {
        search = null;
        if (table.clock) change({ clock: spent(table.clock, player, (Date.now() - began) / 1000) });
        change({ thinking: null });
        if (state) arrived(state);
        else if (report.resigns) void onSession((session) => api.resign(session, player)).then(arrived);
        else change({ stuck: "The agent found no move." });
      },
    });
  }).catch((error: unknown) => change({ thinking: null, stuck: String((error as Error).message) }));
}

/** The agent moves at once, with what it has found. */
export const moveNow = (): void => search?.stop();
/** Stops an agent before it moves; two agents would play on by themselves. */
export function pause(): void {
  quiet();
  change({ stuck: PAUSED });
}
export const PAUSED = "Paused.";
export function tryAgain(): void {
  change({ stuck: null });
  think();
}

export function changeSeats(seats: Seats): void {
  quiet();
  change({ seats });
  keep();
  think();
}

/** The clock of the side to move has run out. */
export function outOfTime(player: Player): void {
  // A clock on the page may tick once more before it is gone.
  if (!table.game || table.game.outcome || !table.clock) return;
  quiet();
  change({ clock: null });
  void onSession((id) => api.resign(id, player, true)).then(arrived);
}

/** The place that is on its way to the board: what the next step counts from. A later wish replaces it. */
interface Place { document: string; at: number; beside: boolean }
let heading: Place | null = null;
let walking: Promise<void> = Promise.resolve();
/** What is done in turn: tried moves, each from the board that the one before leaves, and steps after them. */
let line: Promise<unknown> = Promise.resolve();
let waiting = 0;
/** Changes with every wish that does not start from the board; what waits in turn is then dropped. */
let wish = 0;

function nowhere(): void {
  wish += 1;
  heading = null;
}

/** Brings a place to the board unless another is wanted by the time it comes. */
function head(place: Place, load: () => Promise<State>, put: (shown: State, wanted: boolean) => void): Promise<void> {
  heading = place;
  walking = load().then((shown) => {
    const wanted = heading === place;
    if (wanted) heading = null;
    put(shown, wanted);
  }, (error: unknown) => {
    if (heading === place) heading = null;
    throw error;
  });
  return walking;
}

function inTurn(act: () => Promise<void>): Promise<void> {
  const mine = wish;
  waiting += 1;
  const done = line.then(() => (mine === wish ? act() : undefined)).finally(() => void (waiting -= 1));
  line = done.catch(() => undefined);
  return done;
}

async function walkTo(at: number): Promise<void> {
  const { game } = table;
  if (!game) return;
  const wanted = Math.max(0, Math.min(game.steps.length, at));
  if (wanted === game.steps.length) {
    heading = null;
    change({ shown: game, variation: null, hint: null });
    return;
  }
  await head({ document: prefix(game.document, wanted), at: wanted, beside: false }, () => onSession((id) => api.session(id, wanted)),
    (shown, asked) => asked && change({ shown, variation: null, hint: null }));
}

async function walkAlong(document: string): Promise<void> {
  const { game } = table;
  if (!game) return;
  const [steps, from] = [stepsOf(document), shared(document, game.document)];
  if (from === steps.length) return walkTo(from);
  await head({ document, at: steps.length, beside: true }, () => api.position(document), (shown, asked) => {
    if (asked) change({ shown, variation: { from, moves: steps.slice(from).map((step) => step.split(".").at(-1) ?? step) }, hint: null });
  });
}

async function walk(by: number): Promise<void> {
  const { shown, variation, notes } = table;
  if (!shown) return;
  const here = heading ?? { document: shown.document, at: variation ? stepsOf(shown.document).length : shown.at, beside: variation !== null };
  if (!here.beside) return walkTo(here.at + by);
  const further = notes.variations.find((known) => shared(here.document, known) === here.at) ?? here.document;
  await walkAlong(prefix(further, Math.max(0, here.at + by)));
}

async function tryNow(move: string): Promise<void> {
  while (heading) await walking.catch(() => undefined);
  const { game, shown, variation } = table;
  if (!game || !shown) return;
  if (!variation && game.steps[shown.at]?.move === move) return walkTo(shown.at + 1);
  const document = extend(shown.document, move);
  const next = { from: variation?.from ?? shown.at, moves: [...(variation?.moves ?? []), move] };
  await head({ document, at: stepsOf(document).length, beside: true }, () => api.position(document), (tried, wanted) => {
    if (table.game?.document !== game.document) return;
    change({ notes: withLine(table.notes, game.document, tried.document), ...(wanted ? { shown: tried, variation: next, hint: null } : {}) });
    keep();
  });
}

/** Shows the position after `at` moves of the game. */
export function goTo(at: number): Promise<void> {
  wish += 1;
  return walkTo(at);
}

/** Shows a position of the game or of a line beside it. */
export function show(document: string): Promise<void> {
  wish += 1;
  return walkAlong(document);
}

/** Goes along the line on the board: the game, or the variation that is shown. */
export const step = (by: number): Promise<void> => (waiting > 0 ? inTurn(() => walk(by)) : walk(by));

/** A move that is tried without changing the game, from its end or from an earlier move: the game's own move, or a variation, which is kept. */
export const tryMove = (move: string): Promise<void> => inTurn(() => tryNow(move));

/** Leaves the last move of a variation, or the whole of it. */
export async function leaveVariation(whole: boolean): Promise<void> {
  const { variation, shown } = table;
  if (!variation || !shown) return;
  await (whole ? goTo(variation.from) : show(prefix(shown.document, stepsOf(shown.document).length - 1)));
}

/** Forgets the lines through the position on the board. */
export async function deleteVariation(): Promise<void> {
  const { variation, shown, game } = table;
  if (!variation || !shown || !game) return;
  change({ notes: withoutLine(table.notes, game.document, prefix(shown.document, variation.from + 1)) });
  keep();
  await goTo(variation.from);
}

/** The variation becomes the game, and the game a variation. */
export async function keepVariation(): Promise<void> {
  const { shown, game, notes } = table;
  if (shown && game) await newGame({ document: shown.document }, [PERSON, PERSON], null, promoted(notes, game.document, shown.document));
}

/** Writes a comment on a position; false where there are too many for one more. */
export function comment(document: string, text: string): boolean {
  change({ notes: withComment(table.notes, document, text) });
  keep();
  return text.trim() === "" || table.notes.comments[document] === text;
}

async function judge(): Promise<void> {
  const game = table.game;
  const judged = await onSession((id) => api.dead(id)).catch(() => null);
  if (judged && table.game === game) change({ judged, agreed: false });
}

/** Turns the chain on this point from dead to alive, or back. */
export async function toggleDead(point: string): Promise<void> {
  const { judged } = table;
  if (!judged) return;
  const chain = await onSession((id) => api.chain(id, point));
  const dead = judged.dead.includes(point) ? judged.dead.filter((name) => !chain.includes(name)) : [...new Set([...judged.dead, ...chain])];
  const game = await onSession((id) => api.setDead(id, dead));
  if (game.outcome) change({ game, shown: game, judged: { dead, ownership: [], outcome: game.outcome }, agreed: false });
}

/** Both sides agree on the dead stones: the result stands. */
export async function agree(dead: string[]): Promise<void> {
  const game = await onSession((id) => api.setDead(id, dead));
  if (!game.outcome) return;
  change({ game, shown: game, judged: { dead, ownership: [], outcome: game.outcome }, agreed: true });
  keep();
}

let looking: Search | null = null;

/** Asks the game's strongest agent for a move, for a second. */
export async function hint(): Promise<void> {
  const { shown } = table;
  if (!shown || shown.outcome) return;
  looking?.cancel();
  change({ hint: { point: null, text: "Looking for a move" } });
  looking = live.search({ document: shown.document, budget: { seconds: 1 }, candidates: 1 }, {
    failed: (message) => change({ hint: { point: null, text: message } }),
    done: (report) => {
      if (table.shown !== shown) return;
      const best = report.candidates.find((candidate) => candidate.move === report.best);
      change({ hint: { point: best?.to ?? null, text: report.best ? `Try ${report.best}` : "No move found" } });
    },
  });
}
