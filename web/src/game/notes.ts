// Variations and comments of a game. A line and a commented position are documents, so notes stay true whatever becomes of
// the game: a move taken back, a variation that becomes the game.
import { prefix, stepsOf } from "./document";

export interface Notes {
  /** Lines beside the game, each from the start. */
  variations: string[];
  /** Comments by position. */
  comments: Record<string, string>;
}

export const NO_NOTES: Notes = { variations: [], comments: {} };
/** As many as the server writes into a record. */
const MOST_VARIATIONS = 100;
export const MOST_COMMENTS = 400;

/** How many steps two documents of one game begin with in common. */
export function shared(one: string, other: string): number {
  const [a, b] = [stepsOf(one), stepsOf(other)];
  const differs = a.findIndex((step, i) => step !== b[i]);
  return differs < 0 ? a.length : differs;
}

const begins = (line: string, start: string): boolean => shared(start, line) === stepsOf(start).length;

/** The notes with one more line; one that another line contains is not kept twice, nor is the game itself. */
export function withLine(notes: Notes, game: string, line: string): Notes {
  if ([game, ...notes.variations].some((known) => begins(known, line))) return notes;
  const variations = [...notes.variations.filter((known) => !begins(line, known)), line];
  return { ...notes, variations: variations.slice(-MOST_VARIATIONS) };
}

/** The notes without the lines through this position, and without their comments that no other line has. */
export function withoutLine(notes: Notes, game: string, position: string): Notes {
  const variations = notes.variations.filter((line) => !begins(line, position));
  const left = [game, ...variations];
  const kept = Object.entries(notes.comments).filter(([at]) => !begins(at, position) || left.some((line) => begins(line, at)));
  return { variations, comments: Object.fromEntries(kept) };
}

/** The notes with this comment on a position; an empty one removes it. */
export function withComment(notes: Notes, position: string, text: string): Notes {
  const { [position]: _before, ...others } = notes.comments;
  const full = Object.keys(others).length >= MOST_COMMENTS;
  return { ...notes, comments: text.trim() === "" || full ? others : { ...others, [position]: text } };
}

/** Another line becomes the game; the old game becomes a variation unless the new one goes on from it. */
export function promoted(notes: Notes, game: string, line: string): Notes {
  const others = { ...notes, variations: notes.variations.filter((known) => !begins(line, known)) };
  return withLine(others, line, game);
}

export interface Branch { document: string; from: number; moves: { text: string; document: string }[] }

/** The lines beside the game, with the step after which each leaves it. */
export function branches(notes: Notes, game: string): Branch[] {
  return notes.variations.flatMap((document) => {
    const [steps, from] = [stepsOf(document), shared(document, game)];
    const moves = steps.slice(from).map((text, i) => ({ text: text.split(".").at(-1) ?? text, document: prefix(document, from + i + 1) }));
    return moves.length > 0 ? [{ document, from, moves }] : [];
  });
}

/** Notes that were kept; what cannot be read is left out. */
export function readNotes(found: unknown): Notes {
  const { variations, comments } = (typeof found === "object" && found !== null ? found : {}) as Partial<Notes>;
  const texts = Object.entries(typeof comments === "object" && comments !== null ? comments : {}).filter(([, text]) => typeof text === "string");
  return { variations: Array.isArray(variations) ? variations.filter((line) => typeof line === "string") : [], comments: Object.fromEntries(texts) };
}
