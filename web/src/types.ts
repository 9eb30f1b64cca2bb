// The shapes of the API, as docs/web.md describes them.

export type Player = "first" | "second";
export type Paint = "black" | "white" | "red" | "blue";

export interface Side { name: string; letter: string; symbol: string; paint: Paint }
export interface Piece { owner: Player; letter: string; symbol: string }
export interface Legal { move: string; to: number | null; from: number | null }
export interface Outcome { winner: Player | null; score: number; points: number | null; reason: "rules" | "score" | "resignation"; text: string }
export interface Step { player: Player; move: string | null; to: number | null; from: number | null }

export interface Abilities { pass: boolean; swap: boolean; dead_stones: boolean; set_up: boolean; komi: boolean }

export interface Geometry {
  shape: "crossings" | "cells" | "hexagons" | "text";
  surface: "wood" | "felt" | "slate" | "river" | "plain";
  men: "stones" | "strokes" | "letters";
  frame: [number, number, number, number];
  field: [number, number, number, number];
  points: { name: string; x: number; y: number; column: number; row: number }[];
  outline: [number, number][];
  lines: [number, number, number, number][];
  stars: [number, number][];
  bands: { player: Player; polygon: [number, number][] }[];
  labels: { text: string; x: number; y: number; kind: "column" | "row" | "river" }[];
}

export interface State {
  id: string | null; version: number; game: string; name: string; short: string; title: string;
  sides: [Side, Side]; steps: Step[]; at: number; turn: Player; outcome: Outcome | null;
  pieces: (Piece | null)[]; legal: Legal[]; legal_count: number; last: number[]; captions: string[];
  komi: number | null; captures: [number, number] | null; setup: string | null;
  document: string; abilities: Abilities; geometry: Geometry | null;
}

export interface Parameter {
  name: string; about: string; kind: "integer" | "number" | "choice" | "text" | "problem" | "part";
  low: number | null; high: number | null; choices: string[]; default: string | null; values: string;
}
export interface Game {
  name: string; title: string; about: string; moves: string; parameters: Parameter[]; strongest: string; solver: string;
  problems: number; has_board: boolean; sides: [Side, Side]; document: string;
  sizes: { label: string; game: string }[]; komi: boolean; handicaps: number[];
}

export interface Budget { iterations?: number | null; nodes?: number | null; seconds?: number | null; memory_mb?: number | null; threads?: number | null }
export interface Level { id: string; name: string; about: string; agent: string; budget: Budget }
export interface Agent { name: string; about: string; spec: string; endless: boolean; parallel: boolean; solves: boolean; parameters: Parameter[] }
export interface Agents { strongest: string; solver: string; levels: Level[]; agents: Agent[] }

export interface Ply { move: string; player: Player; to: number | null; from: number | null }
export interface Candidate {
  move: string; to: number | null; from: number | null; visits: number; value: number | null; bounds: [number, number];
  confidence: [number, number] | null; amaf: number | null; prior: number | null; note: string | null; line: Ply[];
}
export interface Report {
  turn: Player; best: string | null; resigns: boolean; value: number; bounds: [number, number];
  proof: { status: "proved" | "disproved" | "unknown"; proof_number: number | null; disproof_number: number | null } | null;
  line: Ply[]; candidates: Candidate[]; moves: number; path: Ply[]; playout_end: number | null;
  figures: { name: string; value: number }[]; iterations: number; nodes: number; depth: number;
  memory_bytes: number; seconds: number; stopped: string | null;
}

export interface Dead { dead: string[]; ownership: number[]; outcome: Outcome }
export interface Problem { game: string; id: string; about: string; document: string }
export interface Experiment {
  id: string; title: string; claim: string; source: string; kind: string;
  core_hours: { quick: number; full: number }; programs: string[]; reports: string[];
}
export interface ExperimentReport { id: string; size: string; done: number; planned: number; html: string }

export interface Limits {
  sessions: number; searches: number; searches_per_client: number; seconds: number; memory_mb: number; threads: number;
  body_bytes: number; message_bytes: number; steps: number;
}
export interface About { name: string; version: string; api: number; limits: Limits; allow_programs: boolean; sessions: number; searches: number }

export interface ApiError { code: string; message: string }

export interface SearchMessage {
  type: "search"; id: string; session?: string; document?: string; at?: number; agent?: string; budget?: Budget;
  seed?: number; every_ms?: number; candidates?: number; play?: boolean;
}
export type ClientMessage = SearchMessage | { type: "stop"; id: string } | { type: "cancel"; id: string };
export type ServerMessage =
  | { type: "queued"; id: string }
  | { type: "started"; id: string; agent: string; short: string; at: number }
  | { type: "snapshot"; id: string; report: Report }
  | { type: "done"; id: string; report: Report; state: State | null }
  | { type: "error"; id: string | null; error: ApiError };
