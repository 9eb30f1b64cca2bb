// What the browser keeps: the game on the board, and progress with problems. Nothing leaves the browser.
import type { Player } from "../api";
import { stepsOf } from "./document";
import { readNotes, type Notes } from "./notes";
import { PERSON, type Clock, type Seat, type Seats } from "./seats";

export interface KeptGame {
  id: string | null;
  document: string;
  seats: Seats;
  clock: Clock | null;
  resigned: Player | null;
  dead: string[] | null;
  notes: Notes;
  /** When the clock of the side to move was started. */
  since: number | null;
  /** The document that an address brought, if one did; without a change since, it is not worth keeping when another comes. */
  brought: string | null;
}

/** A seat as it was kept; what cannot be one is a person's. */
function readSeat(kept: unknown): Seat {
  const seat = kept as Partial<Extract<Seat, { kind: "agent" }>> | null;
  if (seat?.kind !== "agent" || typeof seat.agent !== "string") return PERSON;
  const budget = typeof seat.budget === "object" && seat.budget !== null ? seat.budget : {};
  const limits = Object.entries(budget).filter(([, limit]) => typeof limit === "number" && limit > 0);
  return { kind: "agent", label: typeof seat.label === "string" ? seat.label : seat.agent, agent: seat.agent, budget: Object.fromEntries(limits) };
}

function readClock(kept: unknown): Clock | null {
  const clock = kept as Partial<Clock> | null | undefined;
  const numbers = [clock?.main, clock?.increment, ...(Array.isArray(clock?.left) && clock.left.length === 2 ? clock.left : [null])];
  return numbers.every((one) => typeof one === "number" && Number.isFinite(one)) ? (clock as Clock) : null;
}

interface Storage { getItem(key: string): string | null; setItem(key: string, value: string): void }

const GAME = "tesuji.game";
/** The game that an address or a tour replaced. */
export const BEFORE = "tesuji.game.before";

/** The game that was kept, or null where there is none or it cannot be read. */
export function readGame(storage: Storage, key = GAME): KeptGame | null {
  try {
    const found: unknown = JSON.parse(storage.getItem(key) ?? "null");
    if (typeof found !== "object" || found === null) return null;
    const game = found as Partial<KeptGame>;
    if (typeof game.document !== "string" || !Array.isArray(game.seats) || game.seats.length !== 2) return null;
    const seats = game.seats.map(readSeat) as Seats;
    return {
      id: typeof game.id === "string" ? game.id : null,
      document: game.document,
      seats,
      clock: readClock(game.clock),
      resigned: game.resigned === "first" || game.resigned === "second" ? game.resigned : null,
      dead: Array.isArray(game.dead) ? game.dead.filter((name) => typeof name === "string") : null,
      notes: readNotes(game.notes),
      since: typeof game.since === "number" && Number.isFinite(game.since) ? game.since : null,
      brought: typeof game.brought === "string" ? game.brought : null,
    };
  } catch {
    return null;
  }
}

/** Keeps the game; a full or forbidden storage is no reason to stop a game. */
export function writeGame(storage: Storage, game: KeptGame, key = GAME): void {
  try {
    storage.setItem(key, JSON.stringify(game));
  } catch {
    return;
  }
}

/** Whether a person would miss this game: it has moves or notes that no address gives back. */
export function worthKeeping(game: KeptGame): boolean {
  const noted = game.notes.variations.length > 0 || Object.keys(game.notes.comments).length > 0;
  return noted || (stepsOf(game.document).length > 0 && game.document !== game.brought);
}

const PROGRESS = "tesuji.problems";
export type Progress = Record<string, "solved" | "failed">;

export function readProgress(storage: Storage): Progress {
  try {
    const found: unknown = JSON.parse(storage.getItem(PROGRESS) ?? "{}");
    if (typeof found !== "object" || found === null) return {};
    const known = Object.entries(found).filter(([, value]) => value === "solved" || value === "failed");
    return Object.fromEntries(known) as Progress;
  } catch {
    return {};
  }
}

/** A problem once solved stays solved. */
export function writeProgress(storage: Storage, id: string, result: "solved" | "failed"): Progress {
  const progress = readProgress(storage);
  if (progress[id] !== "solved") progress[id] = result;
  try {
    storage.setItem(PROGRESS, JSON.stringify(progress));
  } catch {
    return progress;
  }
  return progress;
}
