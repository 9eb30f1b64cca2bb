// The types of the interface. Generated from crates/web/src/api/types.rs by
// TESUJI_BLESS=1 cargo test -p tesuji-web; do not edit.

/** A player of any game, by who moves first. */
export type Player = "first" | "second";

/** What went wrong. */
export interface Problem {
  /** A word for programs, such as illegal_move. */
  code: string;
  /** A sentence for people. */
  message: string;
}

/** The answer to a request that failed. */
export interface Failed {
  /** What went wrong. */
  error: Problem;
}

/** What this server is and allows. */
export interface About {
  /** tesuji. */
  name: string;
  /** The version of the program. */
  version: string;
  /** The version of the interface. */
  api: number;
  /** What it allows. */
  limits: Limits;
  /** Runs of experiments at the same time; 0 where none are started. */
  lab_runs: number;
  /** Sessions that are kept now. */
  sessions: number;
  /** Searches that run now. */
  searches: number;
  /** Searches that wait for a place. */
  waiting: number;
}

/** What one server allows its clients. */
export interface Limits {
  /** Sessions that are kept; beyond, the least recently used one is dropped. */
  sessions: number;
  /** Searches at the same time; more wait. */
  searches: number;
  /** Searches of one WebSocket at the same time. */
  searches_per_client: number;
  /** The longest search. */
  seconds: number;
  /** The longest search while others wait for a place. */
  turn_seconds: number;
  /** The most memory of a search, in MiB. */
  memory_mb: number;
  /** The most threads of a search. */
  threads: number;
  /** The largest body of a request. */
  body_bytes: number;
  /** The largest message of a WebSocket. */
  message_bytes: number;
  /** The most steps of a game. */
  steps: number;
}

/** All games. */
export interface Games {
  /** In the order of the registry. */
  games: Game[];
}

/** A game. */
export interface Game {
  /** Its name in specs. */
  name: string;
  /** Its name for people. */
  title: string;
  /** What it is. */
  about: string;
  /** How its moves are written. */
  moves: string;
  /** Its parameters, without those that name files or programs. */
  parameters: Parameter[];
  /** The spec of its strongest agent. */
  strongest: string;
  /** The spec of the agent that solves it. */
  solver: string;
  /** How many problems are built in. */
  problems: number;
  /** Whether it has a board; other games show their moves as numbers. */
  has_board: boolean;
  /** What people call the two sides. */
  sides: [Side, Side];
  /** Its usual start. */
  document: string;
  /** Boards that people play on, small ones first. */
  sizes: BoardSize[];
  /** Whether komi can be chosen. */
  komi: boolean;
  /** Numbers of handicap stones. */
  handicaps: number[];
}

/** A board that people play on. */
export interface BoardSize {
  /** Its size for people. */
  label: string;
  /** The game on it. */
  game: string;
}

/** What kind of value a parameter takes. */
export type ParameterKind = "integer" | "number" | "choice" | "text" | "problem" | "part";

/** A parameter of a game or an agent. */
export interface Parameter {
  /** Its name. */
  name: string;
  /** What it is. */
  about: string;
  /** What kind of value it takes. */
  kind: ParameterKind;
  /** The least number. */
  low: number | null;
  /** The greatest number. */
  high: number | null;
  /** The words it can be. */
  choices: string[];
  /** Its value if none is given. */
  default: string | null;
  /** The values in words. */
  values: string;
}

/** The agents that serve a game. */
export interface Agents {
  /** The spec of the strongest. */
  strongest: string;
  /** The spec of the one that solves the game. */
  solver: string;
  /** Opponents from weak to strong; provisional, not measured. */
  levels: Level[];
  /** The spec of the one that analyses: the strongest, or one that knows as much and visits more moves. */
  analyst: string;
  /** The spec of the one whose first iteration is a network's judgement; nothing where there is no network. */
  network: string | null;
  /** Different ways to search, to look at side by side. */
  compare: Compared[];
  /** All agents. */
  agents: Agent[];
}

/** One of several ways to search. */
export interface Compared {
  /** Its name for people. */
  name: string;
  /** The spec of the agent. */
  agent: string;
}

/** An opponent. */
export interface Level {
  /** A word for programs. */
  id: string;
  /** Its name for people. */
  name: string;
  /** What it is. */
  about: string;
  /** The spec of the agent. */
  agent: string;
  /** What it may use for a move. */
  budget: Budget;
}

/** An agent. */
export interface Agent {
  /** Its name. */
  name: string;
  /** What it is. */
  about: string;
  /** A spec that can be sent as it is. */
  spec: string;
  /** Whether it goes on until a limit ends it. */
  endless: boolean;
  /** Whether it uses several threads. */
  parallel: boolean;
  /** Whether it is a solver of this game. */
  solves: boolean;
  /** Its parameters, without those that name files or programs. */
  parameters: Parameter[];
}

/** Problems that are built in. */
export interface Puzzles {
  /** In the order of their sets. */
  problems: Puzzle[];
}

/** A problem. */
export interface Puzzle {
  /** The name of its game. */
  game: string;
  /** Its id. */
  id: string;
  /** The set it belongs to: its id without the number. */
  set: string;
  /** What it asks. */
  about: string;
  /** Its position. */
  document: string;
}

/** Experiments of the lab. */
export interface Experiments {
  /** In alphabetical order. */
  experiments: Experiment[];
}

/** Core-hours or jobs of the two sizes of an experiment. */
export interface Sizes {
  /** Of the small one. */
  quick: number;
  /** Of the published one. */
  full: number;
}

/** An experiment. */
export interface Experiment {
  /** Its id. */
  id: string;
  /** Its title. */
  title: string;
  /** The claim that it tests. */
  claim: string;
  /** Where the claim was published. */
  source: string;
  /** What kind of experiment it is. */
  kind: string;
  /** About how long it takes. */
  core_hours: Sizes;
  /** The programs it starts. */
  programs: string[];
  /** The sizes whose results are there. */
  reports: string[];
  /** Whether it can be started here. */
  can_run: boolean;
}

/** A run of an experiment to start. */
export interface NewRun {
  /** quick or full. */
  size: string;
}

/** A run of an experiment. */
export interface Run {
  /** The id of the experiment. */
  id: string;
  /** quick or full. */
  size: string;
  /** Whether it goes on. */
  running: boolean;
  /** Jobs that are done. */
  done: number;
  /** Jobs in all. */
  planned: number;
  /** Why it failed, if it has. */
  failed: string | null;
}

/** What the results of an experiment say. */
export interface ExperimentReport {
  /** The id of the experiment. */
  id: string;
  /** quick or full. */
  size: string;
  /** Jobs that are done. */
  done: number;
  /** Jobs in all. */
  planned: number;
  /** The report as a page that needs nothing else; to be shown in a sandboxed frame. */
  html: string;
}

/** The colour of a side. */
export type Paint = "black" | "white" | "red" | "blue";

/** What people call a side. */
export interface Side {
  /** Its name; it begins a sentence. */
  name: string;
  /** The letter of its stones. */
  letter: string;
  /** The sign of its stones. */
  symbol: string;
  /** Its colour. */
  paint: Paint;
}

/** What stands on a point. */
export interface Piece {
  /** Whose it is. */
  owner: Player;
  /** One ASCII letter. */
  letter: string;
  /** The sign. */
  symbol: string;
}

/** A legal move. */
export interface Legal {
  /** As the game writes it. */
  move: string;
  /** The point it is played on, or where a piece arrives: an index into the points. */
  to: number | null;
  /** The point that a piece leaves. */
  from: number | null;
}

/** A move in a line. */
export interface Ply {
  /** As the game writes it. */
  move: string;
  /** Who plays it. */
  player: Player;
  /** The point it is played on, or where a piece arrives. */
  to: number | null;
  /** The point that a piece leaves. */
  from: number | null;
}

/** A step of a game. */
export interface Step {
  /** The player; of a set-up, who is to move after it. */
  player: Player;
  /** The move; nothing for a set-up. */
  move: string | null;
  /** The point it was played on, or where a piece arrived. */
  to: number | null;
  /** The point that a piece left. */
  from: number | null;
}

/** Why a game ended. */
export type Reason = "rules" | "score" | "resignation" | "time";

/** How a game ended. */
export interface Outcome {
  /** Who won; nothing in a draw. */
  winner: Player | null;
  /** Worth for the first player, in [0, 1]. */
  score: number;
  /** Points that the winner is ahead, where they are counted. */
  points: number | null;
  /** Why. */
  reason: Reason;
  /** A sentence for people. */
  text: string;
}

/** What can be done in a game. */
export interface Abilities {
  /** There is a pass. */
  pass: boolean;
  /** The second player may swap now. */
  swap: boolean;
  /** The end is scored, and stones can be dead. */
  dead_stones: boolean;
  /** Stones can be set up. */
  set_up: boolean;
  /** The komi can be changed. */
  komi: boolean;
}

/** A game under way, at one of its steps. */
export interface State {
  /** The id of the session; nothing for a position that is not kept. */
  id: string | null;
  /** Changes whenever the session does. */
  version: number;
  /** The canonical spec of the game. */
  game: string;
  /** The spec with what differs from the defaults. */
  short: string;
  /** The name of the game in specs. */
  name: string;
  /** The game and its board for people. */
  title: string;
  /** What people call the two sides. */
  sides: [Side, Side];
  /** All steps of the game, also those after this one. */
  steps: Step[];
  /** How many of them lead to this position. */
  at: number;
  /** Who is to move. */
  turn: Player;
  /** How the game ended, if it has. */
  outcome: Outcome | null;
  /** What stands on each point. */
  pieces: (Piece | null)[];
  /** The legal moves, at most 1,000; none once the game has ended. */
  legal: Legal[];
  /** How many legal moves there are. */
  legal_count: number;
  /** The points of the last move: where it was played, or from and to. */
  last: number[];
  /** Whose turn it is, captures and the like, one line each. */
  captions: string[];
  /** The komi. */
  komi: number | null;
  /** Stones that each player has captured. */
  captures: [number, number] | null;
  /** The position as one line of text, such as FEN. */
  setup: string | null;
  /** The game up to this step as text, for a URL. */
  document: string;
  /** What can be done. */
  abilities: Abilities;
  /** Where the parts of the board lie, if it was asked for. */
  geometry: Geometry | null;
}

/** How the points of a board lie. */
export type Shape = "crossings" | "cells" | "hexagons" | "text";

/** What a board is made of. */
export type Surface = "wood" | "felt" | "slate" | "river" | "plain";

/** How pieces are drawn. */
export type Men = "stones" | "strokes" | "letters";

/** What a text at the board names. */
export type LabelKind = "column" | "row" | "river";

/** A point of a board. */
export interface Point {
  /** As the game writes it. */
  name: string;
  /** To the right. */
  x: number;
  /** Downwards. */
  y: number;
  /** Its column, from 0. */
  column: number;
  /** Its row from the top, from 0. */
  row: number;
}

/** A text at a board. */
export interface Label {
  /** What it says. */
  text: string;
  /** Its middle, to the right. */
  x: number;
  /** Its middle, downwards. */
  y: number;
  /** What it names. */
  kind: LabelKind;
}

/** An edge that belongs to a player. */
export interface Band {
  /** Whose it is. */
  player: Player;
  /** Its corners. */
  polygon: [number, number][];
}

/** Where the parts of a board lie. The unit is the distance of two neighbouring points; y grows downwards. */
export interface Geometry {
  /** How the points lie. */
  shape: Shape;
  /** What it is made of. */
  surface: Surface;
  /** How pieces are drawn. */
  men: Men;
  /** Left, top, right and bottom of everything, labels included. */
  frame: [number, number, number, number];
  /** Left, top, right and bottom of the board without labels. */
  field: [number, number, number, number];
  /** The points. */
  points: Point[];
  /** The corners of a cell from its middle. */
  outline: [number, number][];
  /** Lines: x and y of both ends. */
  lines: [number, number, number, number][];
  /** Dots that help the eye. */
  stars: [number, number][];
  /** Edges of the players. */
  bands: Band[];
  /** Names of columns and rows. */
  labels: Label[];
}

/** What is dead at the end of a game, as a judgement. */
export interface Dead {
  /** The dead stones of both players. */
  dead: string[];
  /** For each point: 1 is surely the first player's, -1 the second's. */
  ownership: number[];
  /** The result once they are taken off. */
  outcome: Outcome;
}

/** Points by name. */
export interface Points {
  /** Their names. */
  points: string[];
}

/** What a search may use. What is left out is the agent's usual effort. */
export interface Budget {
  /** Iterations. */
  iterations?: number | null;
  /** Positions entered. */
  nodes?: number | null;
  /** Seconds. */
  seconds?: number | null;
  /** Memory in MiB. */
  memory_mb?: number | null;
  /** Threads. */
  threads?: number | null;
}

/** A new session: a game, or a document, or a record of a game. */
export interface NewSession {
  /** The spec of the game. */
  game?: string | null;
  /** A game as text. */
  document?: string | null;
  /** The text of an SGF record of the game. */
  sgf?: string | null;
  /** Points for the second player. */
  komi?: number | null;
  /** Handicap stones. */
  handicap?: number | null;
}

/** A move. */
export interface PlayMove {
  /** As the game writes it; also pass and swap. */
  move: string;
}

/** A take-back. */
export interface TakeBack {
  /** How many steps; one if left out. */
  steps?: number | null;
}

/** The end of a game that a player loses by giving up or by the clock, which clients keep. */
export interface Resign {
  /** Who loses; the side to move if left out. */
  player?: Player | null;
  /** Whether the player ran out of time. */
  out_of_time?: boolean | null;
}

/** Another komi. */
export interface NewKomi {
  /** Points for the second player. */
  komi: number;
}

/** Stones to set up. */
export interface SetUp {
  /** The first player's points. */
  first: string[];
  /** The second player's points. */
  second: string[];
  /** Who is to move. */
  turn: Player;
}

/** Which stones count as dead. */
export interface DeadStones {
  /** Their points. */
  dead: string[];
}

/** A comment on a position. */
export interface Comment {
  /** The position, as a document. */
  document: string;
  /** What is said of it. */
  text: string;
}

/** A record to read. */
export interface NewRecord {
  /** The spec of the game; size, komi and rules are the record's where it names them. */
  game: string;
  /** The text of the record. */
  sgf: string;
}

/** What a record holds. */
export interface RecordRead {
  /** The game as a document, to begin a session with. */
  document: string;
  /** Other lines, each a document. */
  variations: string[];
  /** The comments. */
  comments: Comment[];
  /** Variations and comments that were left out: there are too many, or a move is not legal. */
  left_out: number;
}

/** What is written into the record of a session beside its moves. */
export interface Notes {
  /** The first player's name. */
  first?: string | null;
  /** The second player's name. */
  second?: string | null;
  /** Other lines, each a document. */
  variations?: string[] | null;
  /** Comments. */
  comments?: Comment[] | null;
}

/** A search whose answer is waited for. */
export interface Think {
  /** The spec of the agent; the game's strongest if left out. */
  agent?: string | null;
  /** What it may use. */
  budget?: Budget | null;
  /** The seed of everything random. */
  seed?: number | null;
  /** Whether the move is played; it is if left out. */
  play?: boolean | null;
  /** How many candidates are wanted. */
  candidates?: number | null;
}

/** The answer of a search. */
export interface Thought {
  /** What the search says. */
  report: Report;
  /** The game after it. */
  state: State;
}

/** Whether a question is answered by proof. */
export type ProofStatus = "proved" | "disproved" | "unknown";

/** What a proof-number search knows. */
export interface Proof {
  /** The answer. */
  status: ProofStatus;
  /** The proof number of the root; nothing stands for infinity. */
  proof_number: number | null;
  /** The disproof number of the root; nothing stands for infinity. */
  disproof_number: number | null;
}

/** A figure of a search. */
export interface Figure {
  /** What it counts. */
  name: string;
  /** The number. */
  value: number;
}

/** A move of the root and what the search thinks of it, for the side to move there. */
export interface Candidate {
  /** The move. */
  move: string;
  /** The point it is played on, or where a piece arrives. */
  to: number | null;
  /** The point that a piece leaves. */
  from: number | null;
  /** How often it was tried. */
  visits: number;
  /** What it seems to be worth. */
  value: number | null;
  /** What is proved: at least, at most. */
  bounds: [number, number];
  /** Lower and upper confidence bound. */
  confidence: [number, number] | null;
  /** What it was worth when it was played later. */
  amaf: number | null;
  /** The weight it had before it was tried. */
  prior: number | null;
  /** A remark of the search. */
  note: string | null;
  /** The expected course of the game, beginning with it. */
  line: Ply[];
}

/** What a search says, final or so far. Values are for the side to move, in [0, 1]. */
export interface Report {
  /** The side to move. */
  turn: Player;
  /** The chosen move. */
  best: string | null;
  /** Whether it resigns. */
  resigns: boolean;
  /** What the position seems to be worth. */
  value: number;
  /** What is proved: at least, at most. */
  bounds: [number, number];
  /** What a proof-number search knows. */
  proof: Proof | null;
  /** The expected course of the game. */
  line: Ply[];
  /** The best moves first; then those that were not tried, by their prior, where they have one. */
  candidates: Candidate[];
  /** How many moves the root has. */
  moves: number;
  /** The path of the last iteration. */
  path: Ply[];
  /** The depth at which the last playout ended. */
  playout_end: number | null;
  /** Further figures. */
  figures: Figure[];
  /** Iterations done. */
  iterations: number;
  /** Positions entered. */
  nodes: number;
  /** The depth reached. */
  depth: number;
  /** Memory of trees and tables. */
  memory_bytes: number;
  /** Time used. */
  seconds: number;
  /** Why it ended; nothing while it runs. */
  stopped: string | null;
}

/** Starts a search that reports while it runs. */
export interface Search {
  /** A name of the client's own, at most 64 characters. */
  id: string;
  /** A session, whose current position is searched unless at says otherwise. */
  session?: string | null;
  /** A game as text, in place of a session. */
  document?: string | null;
  /** After this number of steps. */
  at?: number | null;
  /** The spec of the agent; the game's strongest if left out. */
  agent?: string | null;
  /** What it may use. */
  budget?: Budget | null;
  /** The seed of everything random. */
  seed?: number | null;
  /** Milliseconds between two snapshots, 100 to 5,000; 250 if left out. */
  every_ms?: number | null;
  /** How many candidates are wanted; 20 if left out. */
  candidates?: number | null;
  /** Whether the move is played in the session when the search ends. */
  play?: boolean | null;
}

/** Names a search. */
export interface Named {
  /** The client's name of it. */
  id: string;
}

/** What a client says. */
export type ClientMessage =
  | ({ type: "search" } & Search)
  | ({ type: "stop" } & Named)
  | ({ type: "cancel" } & Named);

/** All slots are taken; the search starts by itself. */
export interface Queued {
  /** The client's name of the search. */
  id: string;
}

/** A search has begun. */
export interface Started {
  /** The client's name of the search. */
  id: string;
  /** The canonical spec of the agent. */
  agent: string;
  /** The spec with what differs from the defaults. */
  short: string;
  /** The number of steps before the position. */
  at: number;
}

/** What a search says so far. */
export interface Snapshot {
  /** The client's name of the search. */
  id: string;
  /** What it says. */
  report: Report;
}

/** A search has ended. */
export interface Done {
  /** The client's name of the search. */
  id: string;
  /** What it says. */
  report: Report;
  /** The game after the move, if it was to be played. */
  state: State | null;
  /** Whether it ended early because others waited for its place. */
  made_way: boolean;
}

/** A message could not be carried out, or a search failed. */
export interface Refused {
  /** The client's name of the search, if it is about one. */
  id: string | null;
  /** What went wrong. */
  error: Problem;
}

/** What the server says. */
export type ServerMessage =
  | ({ type: "queued" } & Queued)
  | ({ type: "started" } & Started)
  | ({ type: "snapshot" } & Snapshot)
  | ({ type: "done" } & Done)
  | ({ type: "error" } & Refused);

/** A search whose tree is kept: of a session or a document, by an agent of the mcts family, with one thread. */
export interface NewTree {
  /** A session, whose current position is searched unless at says otherwise. */
  session?: string | null;
  /** A game as text, in place of a session. */
  document?: string | null;
  /** After this number of steps. */
  at?: number | null;
  /** The spec of the agent; mcts if left out. */
  agent?: string | null;
  /** The seed of everything random; 1 if left out. */
  seed?: number | null;
  /** Iterations; 1,000 if left out. */
  iterations?: number | null;
}

/** More budget for a tree. */
export interface MoreIterations {
  /** Iterations in addition. */
  iterations: number;
}

/** A tree that is kept. Values are for the side to move at its root, in [0, 1]. */
export interface Tree {
  /** Its id. */
  id: string;
  /** The position of the root as text. */
  document: string;
  /** What people call the two sides. */
  sides: [Side, Side];
  /** The canonical spec of the agent. */
  agent: string;
  /** The spec with what differs from the defaults. */
  short: string;
  /** The seed. */
  seed: number;
  /** The side to move at the root. */
  turn: Player;
  /** Iterations so far. */
  iterations: number;
  /** Nodes of the tree. */
  nodes: number;
  /** Bytes of the tree. */
  memory_bytes: number;
  /** The move that the search would play. */
  best: string | null;
  /** What the root seems to be worth. */
  value: number;
  /** What is proved: at least, at most. */
  bounds: [number, number];
  /** The last iteration that can be looked at by itself. */
  steps: number;
  /** Why single iterations cannot be looked at; nothing if they can. */
  no_steps: string | null;
  /** Why the search ended. */
  stopped: string;
}

/** Lin's minimax node: the descendant whose mean is the value if both sides choose by means. */
export interface Minimax {
  /** The moves to it, from the root of the tree. */
  path: string[];
  /** Its visits. */
  visits: number;
  /** Its mean, for the side to move at the root. */
  value: number;
  /** Its lower and upper confidence bound, for the side that chooses. */
  confidence: [number, number];
}

/** The value of a child by the selection rule, as a sum of parts, for the side that chooses. */
export interface Selected {
  /** The mean, or its share where all-moves-as-first is mixed in; what an untried child counts. */
  exploitation: number;
  /** What the rule adds because the child has few visits. */
  exploration: number;
  /** The share of all-moves-as-first. */
  amaf: number;
  /** What knowledge adds. */
  bias: number;
  /** The sum. */
  total: number;
}

/** All moves as first. */
export interface Amaf {
  /** Playouts in which the move was made later. */
  visits: number;
  /** Their mean, for the side that chooses. */
  mean: number;
}

/** Whether selection considers a child. */
export type ChildState = "open" | "closed" | "settled" | "excluded";

/** A child of a node. */
export interface TreeChild {
  /** The move that leads to it. */
  move: string;
  /** The point it is played on, or where a piece arrives. */
  to: number | null;
  /** The point that a piece leaves. */
  from: number | null;
  /** How often it was visited. */
  visits: number;
  /** Its mean for the side to move at the root. */
  value: number | null;
  /** Its mean for the side that chooses here. */
  mean: number | null;
  /** What is proved, for the side to move at the root: at least, at most. */
  bounds: [number, number];
  /** Lower and upper confidence bound, for the side that chooses here. */
  confidence: [number, number] | null;
  /** The value by which the selection rule compares it with its siblings. */
  selection: Selected | null;
  /** All moves as first. */
  amaf: Amaf | null;
  /** The weight the move had before it was tried. */
  prior: number | null;
  /** Its minimax node. */
  minimax: Minimax | null;
  /** Whether selection considers it. */
  state: ChildState;
  /** The number of its own children. */
  child_count: number;
}

/** A node of a tree. */
export interface TreeNode {
  /** Iterations at the time of this look. */
  iteration: number;
  /** The moves from the root. */
  path: Ply[];
  /** Who is to move here. */
  turn: Player;
  /** How often it was visited. */
  visits: number;
  /** Its mean for the side to move at the root. */
  value: number | null;
  /** What is proved, for the side to move at the root: at least, at most. */
  bounds: [number, number];
  /** How the game ended here, if it has. */
  outcome: Outcome | null;
  /** Its minimax node. */
  minimax: Minimax | null;
  /** Whether the walk for minimax nodes ended before it had seen every node above the threshold. */
  minimax_cut: boolean;
  /** Its children, the most visited first, as far as they were asked for. */
  children: TreeChild[];
  /** The number of all children. */
  child_count: number;
}

/** A node of a part of a tree. */
export interface PartNode {
  /** The place of its parent in the list; nothing for the first node. */
  parent: number | null;
  /** The move that leads to it; nothing for the first node. */
  move: string | null;
  /** Plies below the first node. */
  depth: number;
  /** How often it was visited. */
  visits: number;
  /** Its mean for the side to move at the root of the tree. */
  value: number | null;
  /** What is proved, for the side to move at the root of the tree: at least, at most. */
  bounds: [number, number];
  /** The number of all its children. */
  child_count: number;
}

/** A part of a tree: the most visited nodes below one node. */
export interface TreePart {
  /** Iterations at the time of this look. */
  iteration: number;
  /** The moves from the root to the first node. */
  path: string[];
  /** The nodes, each after its parent. */
  nodes: PartNode[];
}

/** What an iteration adds to a node. */
export interface Gained {
  /** Visits. */
  visits: number;
  /** The sum of the first player's rewards. */
  reward: number;
}

/** A node of the path of an iteration, after the backup. */
export interface PathStep {
  /** The move that leads to it; nothing for the root. */
  move: string | null;
  /** The point it is played on, or where a piece arrives. */
  to: number | null;
  /** The point that a piece leaves. */
  from: number | null;
  /** Who made the move; at the root, who is to move. */
  player: Player;
  /** Its visits. */
  visits: number;
  /** Its mean for the side to move at the root. */
  value: number | null;
  /** What is proved, for the side to move at the root: at least, at most. */
  bounds: [number, number];
}

/** A child that was simulated by itself, and what it got. */
export interface Simulated {
  /** The move. */
  move: string;
  /** What it got. */
  gain: Gained;
}

/** A playout. */
export interface TreePlayout {
  /** The child of the last node from which it began, where children are simulated one by one. */
  from: string | null;
  /** Its moves. */
  moves: string[];
  /** Its worth for the first player at its end, in [0, 1]. */
  score: number;
  /** The first player's reward. */
  reward: number;
}

/** One iteration. */
export interface Iteration {
  /** Which one, from 1. */
  iteration: number;
  /** The nodes of its path, the root first, as they are after the backup. */
  path: PathStep[];
  /** Depths on the path of the nodes that got their children in this iteration. */
  expanded: number[];
  /** The depth of the first node on the path that no iteration had reached before. */
  entered: number | null;
  /** Children of the last node that were simulated one by one. */
  simulated: Simulated[];
  /** Its playouts. */
  playouts: TreePlayout[];
  /** What every node of the path got. */
  gain: Gained;
}

/** Iterations in order. */
export interface Iterations {
  /** Fewer than asked for if the search had nothing left to do. */
  records: Iteration[];
}

/** One iteration with the boards and the choices that belong to it. */
export interface IterationStep {
  /** What the iteration did. */
  record: Iteration;
  /** The nodes of its path before it, with the children among which it chose. */
  choices: TreeNode[];
  /** What stands on each point at the end of the path. */
  leaf: (Piece | null)[];
  /** The moves of the first playout. */
  playout: Ply[];
  /** What stands on each point at the end of the first playout. */
  end: (Piece | null)[] | null;
  /** How the first playout, or else the path, ended. */
  outcome: Outcome | null;
}

/** A node at one look. */
export interface TraceValue {
  /** Its visits. */
  visits: number;
  /** Its mean for the side to move at the root; nothing before the first visit. */
  value: number | null;
}

/** Nodes at one look. */
export interface TraceLook {
  /** Iterations at this look. */
  iteration: number;
  /** The move that the search would play. */
  best: string | null;
  /** The nodes that were asked for, in this order. */
  nodes: TraceValue[];
}

/** Nodes over time. */
export interface Trace {
  /** The paths of the nodes, moves separated by spaces. */
  paths: string[];
  /** Iterations between two looks. */
  every: number;
  /** The looks. */
  looks: TraceLook[];
  /** The first look from which on the search would always have played its last move (Lin's convergent move). */
  settled: number | null;
}

/** The guided tours. */
export interface Tours {
  /** In the order of a lecture. */
  tours: Tour[];
}

/** A guided tour of the microscope. */
export interface Tour {
  /** Its id. */
  id: string;
  /** What it shows. */
  title: string;
  /** Where it comes from. */
  source: string;
  /** The position of the root as text. */
  document: string;
  /** The spec of the agent. */
  agent: string;
  /** The seed. */
  seed: number;
  /** Iterations. */
  iterations: number;
  /** Its stops. */
  stops: TourStop[];
}

/** What a tour shows in the room. */
export type TourView = "step" | "tree" | "trace";

/** A stop of a tour. */
export interface TourStop {
  /** A few words. */
  title: string;
  /** What to see, in plain sentences. */
  text: string;
  /** What is shown. */
  view: TourView;
  /** The iteration; all of them if nothing. */
  iteration?: number | null;
  /** The phase of the iteration: 1 select, 2 expand, 3 play out, 4 back up. */
  phase?: number | null;
  /** The node, by its moves from the root; the root if left out. */
  path?: string[] | null;
  /** Nodes whose curves are shown, moves separated by spaces; the moves of the root if left out. */
  watch?: string[] | null;
}

/** Asks for the proof of what a position is worth. */
export interface NewProof {
  /** The position, as a game in text. */
  document: string;
  /** The agent that solves; the game's solver if left out. */
  agent?: string | null;
  /** What the search may take; at most 30 seconds if left out. */
  budget?: Budget | null;
}

/** A saved proof, as tesuji solve --proof writes it. */
export interface ProofFile {
  /** The bytes of the file, in base64. */
  base64: string;
}

/** A proof that was checked and is kept, or the answer of a search that proved nothing. */
export interface ProofBook {
  /** Its id; nothing if nothing was proved. */
  id: string | null;
  /** The position that it is about. */
  document: string;
  /** The agent that solved it; nothing for a file. */
  agent: string | null;
  /** What the search said; nothing for a file. */
  report: Report | null;
  /** What is proved. */
  claims: ProofClaim[];
  /** Whether it can be saved as a file. */
  has_file: boolean;
}

/** One claim of a proof that holds. */
export interface ProofClaim {
  /** The claimant. */
  player: Player;
  /** What is claimed, in a sentence. */
  text: string;
  /** Whether the claimant wins. */
  wins: boolean;
  /** Positions that it lists. */
  positions: number;
  /** Ends of games among them. */
  ends: number;
  /** References to equal positions. */
  references: number;
  /** Certificates. */
  certificates: number;
  /** The longest line of play. */
  depth: number;
  /** Its size. */
  bytes: number;
}

/** What a proof says of a position. */
export type ProofKind = "end" | "plays" | "replies" | "certificate" | "beyond";

/** A position of a proof. */
export interface ProofView {
  /** Which claim. */
  claim: number;
  /** The claimant. */
  claimant: Player;
  /** The moves from the position that the proof is about. */
  path: Ply[];
  /** The position. */
  state: State;
  /** What the proof says of it. */
  kind: ProofKind;
  /** The claimant's move, where it is to move and the proof or its certificate names one. */
  answer: Ply | null;
  /** The opponent's replies, those that lose by moves first, the hardest of them first. */
  replies: ProofReply[];
  /** How many positions the proof lists from here on. */
  size: number;
  /** Whether an equal position was listed before, where the proof goes on. */
  again: boolean;
  /** The certificate. */
  reason: ProofReason | null;
}

/** A reply of the opponent, and its refutation. */
export interface ProofReply {
  /** The reply. */
  reply: Ply;
  /** The claimant's answer, if it is to move then and the proof names one. */
  answer: Ply | null;
  /** How many positions the proof lists for it; 0 if a certificate answers it. */
  size: number;
  /** The name of the certificate that answers it, here or after it. */
  reason: string | null;
}

/** A certificate as it is drawn. Points are indices. */
export interface ProofReason {
  /** Its name. */
  kind: string;
  /** The points that it needs. */
  area: number[];
  /** If the opponent takes one point of a pair, the claimant takes the other. */
  pairs: [number, number][];
  /** Regions in which the claimant has an eye each. */
  eyes: number[][];
  /** Moves of both players in order. */
  line: ProofPoint[];
  /** Ways to win within a turn, each a list of points. */
  threats: number[][];
}

/** A move of a certificate's line. */
export interface ProofPoint {
  /** The player. */
  player: Player;
  /** The point. */
  point: number;
}

/** Asks for the tree of a proof-number search. */
export interface NewProofTree {
  /** The position, as a game in text. */
  document: string;
  /** The agent: pn, deep-pn, mcpn or ppn with their parameters; pn if left out. */
  agent?: string | null;
  /** What the search may take; at most 30 seconds if left out. */
  budget?: Budget | null;
}

/** The tree of a proof-number search that has stopped. */
export interface ProofTree {
  /** Its id. */
  id: string;
  /** The agent, canonical. */
  agent: string;
  /** The position of the root. */
  document: string;
  /** The player who wants to prove. */
  attacker: Player;
  /** What is to be proved, in a sentence. */
  text: string;
  /** Whether it is. */
  status: ProofStatus;
  /** Nodes of the tree. */
  nodes: number;
  /** Bytes of the tree. */
  bytes: number;
  /** What the search said. */
  report: Report;
  /** The root's numbers over time. */
  moments: ProofMoment[];
  /** Expansions between two moments. */
  every: number;
  /** How often the first move of the most-proving path changed. */
  switches: number;
}

/** The root's numbers after an expansion. */
export interface ProofMoment {
  /** Expansions so far. */
  expansions: number;
  /** The proof number; nothing if it is infinite. */
  pn: number | null;
  /** The disproof number; nothing if it is infinite. */
  dn: number | null;
}

/** Nodes of a proof tree: those of a path, and their siblings, equal ones together. */
export interface ProofTreeView {
  /** The moves of the path that was asked for. */
  path: Ply[];
  /** The position after them. */
  state: State;
  /** The most-proving path from there on. */
  most_proving: Ply[];
  /** The levels: the root alone, its children, and so on along path and most-proving path. */
  levels: ProofLevel[];
}

/** The children of a node of the path. */
export interface ProofLevel {
  /** Whether the attacker moves in these nodes. */
  or_nodes: boolean;
  /** Who moved. */
  mover: Player;
  /** The children, the one on the path first. */
  groups: ProofGroup[];
}

/** Siblings with equal numbers. */
export interface ProofGroup {
  /** Their moves, some of them; none at the root. */
  moves: Ply[];
  /** How many there are. */
  count: number;
  /** What is known. */
  status: ProofStatus;
  /** The proof number; nothing if it is infinite, or the node is solved. */
  pn: number | null;
  /** The disproof number. */
  dn: number | null;
  /** Whether it is on the path. */
  on_path: boolean;
  /** Whether one of them has children. */
  expanded: boolean;
}
