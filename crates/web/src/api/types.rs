//! The types of the interface, version 1.

use super::describe::{Definition, Described, Field, Form, api, reference, sentence};
use serde_json::Value;

api! {
    /// A player of any game, by who moves first.
    words Player {
        /// The first player.
        First = "first",
        /// The second player.
        Second = "second",
    }

    /// What went wrong.
    answer Problem {
        /// A word for programs, such as illegal_move.
        code: String,
        /// A sentence for people.
        message: String,
    }

    /// The answer to a request that failed.
    answer Failed {
        /// What went wrong.
        error: Problem,
    }

    /// What this server is and allows.
    answer About {
        /// tesuji.
        name: String,
        /// The version of the program.
        version: String,
        /// The version of the interface.
        api: u32,
        /// What it allows.
        limits: Limits,
        /// Runs of experiments at the same time; 0 where none are started.
        lab_runs: usize,
        /// Sessions that are kept now.
        sessions: usize,
        /// Searches that run now.
        searches: usize,
        /// Searches that wait for a place.
        waiting: usize,
    }

    /// What one server allows its clients.
    answer Limits {
        /// Sessions that are kept; beyond, the least recently used one is dropped.
        sessions: usize,
        /// Searches at the same time; more wait.
        searches: usize,
        /// Searches of one WebSocket at the same time.
        searches_per_client: usize,
        /// The longest search.
        seconds: f64,
        /// The longest search while others wait for a place.
        turn_seconds: f64,
        /// The most memory of a search, in MiB.
        memory_mb: u64,
        /// The most threads of a search.
        threads: u32,
        /// The largest body of a request.
        body_bytes: usize,
        /// The largest message of a WebSocket.
        message_bytes: usize,
        /// The most steps of a game.
        steps: usize,
    }

    /// All games.
    answer Games {
        /// In the order of the registry.
        games: Vec<Game>,
    }

    /// A game.
    answer Game {
        /// Its name in specs.
        name: String,
        /// Its name for people.
        title: String,
        /// What it is.
        about: String,
        /// How its moves are written.
        moves: String,
        /// Its parameters, without those that name files or programs.
        parameters: Vec<Parameter>,
        /// The spec of its strongest agent.
        strongest: String,
        /// The spec of the agent that solves it.
        solver: String,
        /// How many problems are built in.
        problems: usize,
        /// Whether it has a board; other games show their moves as numbers.
        has_board: bool,
        /// What people call the two sides.
        sides: [Side; 2],
        /// Its usual start.
        document: String,
        /// Boards that people play on, small ones first.
        sizes: Vec<BoardSize>,
        /// Whether komi can be chosen.
        komi: bool,
        /// Numbers of handicap stones.
        handicaps: Vec<u32>,
    }

    /// A board that people play on.
    answer BoardSize {
        /// Its size for people.
        label: String,
        /// The game on it.
        game: String,
    }

    /// What kind of value a parameter takes.
    words ParameterKind {
        /// A whole number from low to high.
        Integer = "integer",
        /// A number from low to high.
        Number = "number",
        /// One of the choices.
        Choice = "choice",
        /// Quoted text.
        Text = "text",
        /// The id of a problem.
        Problem = "problem",
        /// One of the choices, with parameters of its own.
        Part = "part",
    }

    /// A parameter of a game or an agent.
    answer Parameter {
        /// Its name.
        name: String,
        /// What it is.
        about: String,
        /// What kind of value it takes.
        kind: ParameterKind,
        /// The least number.
        low: Option<f64>,
        /// The greatest number.
        high: Option<f64>,
        /// The words it can be.
        choices: Vec<String>,
        /// Its value if none is given.
        default: Option<String>,
        /// The values in words.
        values: String,
    }

    /// The agents that serve a game.
    answer Agents {
        /// The spec of the strongest.
        strongest: String,
        /// The spec of the one that solves the game.
        solver: String,
        /// Opponents from weak to strong; provisional, not measured.
        levels: Vec<Level>,
        /// The spec of the one that analyses: the strongest, or one that knows as much and visits more moves.
        analyst: String,
        /// The spec of the one whose first iteration is a network's judgement; nothing where there is no network.
        network: Option<String>,
        /// Different ways to search, to look at side by side.
        compare: Vec<Compared>,
        /// All agents.
        agents: Vec<Agent>,
    }

    /// One of several ways to search.
    answer Compared {
        /// Its name for people.
        name: String,
        /// The spec of the agent.
        agent: String,
    }

    /// An opponent.
    answer Level {
        /// A word for programs.
        id: String,
        /// Its name for people.
        name: String,
        /// What it is.
        about: String,
        /// The spec of the agent.
        agent: String,
        /// What it may use for a move.
        budget: Budget,
    }

    /// An agent.
    answer Agent {
        /// Its name.
        name: String,
        /// What it is.
        about: String,
        /// A spec that can be sent as it is.
        spec: String,
        /// Whether it goes on until a limit ends it.
        endless: bool,
        /// Whether it uses several threads.
        parallel: bool,
        /// Whether it is a solver of this game.
        solves: bool,
        /// Its parameters, without those that name files or programs.
        parameters: Vec<Parameter>,
    }

    /// Problems that are built in.
    answer Puzzles {
        /// In the order of their sets.
        problems: Vec<Puzzle>,
    }

    /// A problem.
    answer Puzzle {
        /// The name of its game.
        game: String,
        /// Its id.
        id: String,
        /// The set it belongs to: its id without the number.
        set: String,
        /// What it asks.
        about: String,
        /// Its position.
        document: String,
    }

    /// Experiments of the lab.
    answer Experiments {
        /// In alphabetical order.
        experiments: Vec<Experiment>,
    }

    /// Core-hours or jobs of the two sizes of an experiment.
    answer Sizes {
        /// Of the small one.
        quick: f64,
        /// Of the published one.
        full: f64,
    }

    /// An experiment.
    answer Experiment {
        /// Its id.
        id: String,
        /// Its title.
        title: String,
        /// The claim that it tests.
        claim: String,
        /// Where the claim was published.
        source: String,
        /// What kind of experiment it is.
        kind: String,
        /// About how long it takes.
        core_hours: Sizes,
        /// The programs it starts.
        programs: Vec<String>,
        /// The sizes whose results are there.
        reports: Vec<String>,
        /// Whether it can be started here.
        can_run: bool,
    }

    /// A run of an experiment to start.
    request NewRun {
        /// quick or full.
        size: String,
    }

    /// A run of an experiment.
    answer Run {
        /// The id of the experiment.
        id: String,
        /// quick or full.
        size: String,
        /// Whether it goes on.
        running: bool,
        /// Jobs that are done.
        done: usize,
        /// Jobs in all.
        planned: usize,
        /// Why it failed, if it has.
        failed: Option<String>,
    }

    /// What the results of an experiment say.
    answer ExperimentReport {
        /// The id of the experiment.
        id: String,
        /// quick or full.
        size: String,
        /// Jobs that are done.
        done: usize,
        /// Jobs in all.
        planned: usize,
        /// The report as a page that needs nothing else; to be shown in a sandboxed frame.
        html: String,
    }

    /// The colour of a side.
    words Paint {
        /// Black.
        Black = "black",
        /// White.
        White = "white",
        /// Red.
        Red = "red",
        /// Blue.
        Blue = "blue",
    }

    /// What people call a side.
    answer Side {
        /// Its name; it begins a sentence.
        name: String,
        /// The letter of its stones.
        letter: String,
        /// The sign of its stones.
        symbol: String,
        /// Its colour.
        paint: Paint,
    }

    /// What stands on a point.
    answer Piece {
        /// Whose it is.
        owner: Player,
        /// One ASCII letter.
        letter: String,
        /// The sign.
        symbol: String,
    }

    /// A legal move.
    answer Legal {
        /// As the game writes it.
        r#move: String,
        /// The point it is played on, or where a piece arrives: an index into the points.
        to: Option<usize>,
        /// The point that a piece leaves.
        from: Option<usize>,
    }

    /// A move in a line.
    answer Ply {
        /// As the game writes it.
        r#move: String,
        /// Who plays it.
        player: Player,
        /// The point it is played on, or where a piece arrives.
        to: Option<usize>,
        /// The point that a piece leaves.
        from: Option<usize>,
    }

    /// A step of a game.
    answer Step {
        /// The player; of a set-up, who is to move after it.
        player: Player,
        /// The move; nothing for a set-up.
        r#move: Option<String>,
        /// The point it was played on, or where a piece arrived.
        to: Option<usize>,
        /// The point that a piece left.
        from: Option<usize>,
    }

    /// Why a game ended.
    words Reason {
        /// By its rules.
        Rules = "rules",
        /// By counting, dead stones taken off.
        Score = "score",
        /// A player gave up.
        Resignation = "resignation",
        /// A player ran out of time.
        Time = "time",
    }

    /// How a game ended.
    answer Outcome {
        /// Who won; nothing in a draw.
        winner: Option<Player>,
        /// Worth for the first player, in [0, 1].
        score: f64,
        /// Points that the winner is ahead, where they are counted.
        points: Option<f64>,
        /// Why.
        reason: Reason,
        /// A sentence for people.
        text: String,
    }

    /// What can be done in a game.
    answer Abilities {
        /// There is a pass.
        pass: bool,
        /// The second player may swap now.
        swap: bool,
        /// The end is scored, and stones can be dead.
        dead_stones: bool,
        /// Stones can be set up.
        set_up: bool,
        /// The komi can be changed.
        komi: bool,
    }

    /// A game under way, at one of its steps.
    answer State {
        /// The id of the session; nothing for a position that is not kept.
        id: Option<String>,
        /// Changes whenever the session does.
        version: u64,
        /// The canonical spec of the game.
        game: String,
        /// The spec with what differs from the defaults.
        short: String,
        /// The name of the game in specs.
        name: String,
        /// The game and its board for people.
        title: String,
        /// What people call the two sides.
        sides: [Side; 2],
        /// All steps of the game, also those after this one.
        steps: Vec<Step>,
        /// How many of them lead to this position.
        at: usize,
        /// Who is to move.
        turn: Player,
        /// How the game ended, if it has.
        outcome: Option<Outcome>,
        /// What stands on each point.
        pieces: Vec<Option<Piece>>,
        /// The legal moves, at most 1,000; none once the game has ended.
        legal: Vec<Legal>,
        /// How many legal moves there are.
        legal_count: usize,
        /// The points of the last move: where it was played, or from and to.
        last: Vec<usize>,
        /// Whose turn it is, captures and the like, one line each.
        captions: Vec<String>,
        /// The komi.
        komi: Option<f64>,
        /// Stones that each player has captured.
        captures: Option<[u32; 2]>,
        /// The position as one line of text, such as FEN.
        setup: Option<String>,
        /// The game up to this step as text, for a URL.
        document: String,
        /// What can be done.
        abilities: Abilities,
        /// Where the parts of the board lie, if it was asked for.
        geometry: Option<Geometry>,
    }

    /// How the points of a board lie.
    words Shape {
        /// Crossings of lines.
        Crossings = "crossings",
        /// Squares.
        Cells = "cells",
        /// Hexagons.
        Hexagons = "hexagons",
        /// No board.
        Text = "text",
    }

    /// What a board is made of.
    words Surface {
        /// The wood under crossing lines.
        Wood = "wood",
        /// The felt under discs.
        Felt = "felt",
        /// Hexagons.
        Slate = "slate",
        /// The board of Chinese chess.
        River = "river",
        /// Lines on the page.
        Plain = "plain",
    }

    /// How pieces are drawn.
    words Men {
        /// Discs in the colour of their side.
        Stones = "stones",
        /// The letters of the sides as strokes.
        Strokes = "strokes",
        /// Discs that show their symbol.
        Letters = "letters",
    }

    /// What a text at the board names.
    words LabelKind {
        /// A column.
        Column = "column",
        /// A row.
        Row = "row",
        /// A river.
        River = "river",
    }

    /// A point of a board.
    answer Point {
        /// As the game writes it.
        name: String,
        /// To the right.
        x: f64,
        /// Downwards.
        y: f64,
        /// Its column, from 0.
        column: usize,
        /// Its row from the top, from 0.
        row: usize,
    }

    /// A text at a board.
    answer Label {
        /// What it says.
        text: String,
        /// Its middle, to the right.
        x: f64,
        /// Its middle, downwards.
        y: f64,
        /// What it names.
        kind: LabelKind,
    }

    /// An edge that belongs to a player.
    answer Band {
        /// Whose it is.
        player: Player,
        /// Its corners.
        polygon: Vec<[f64; 2]>,
    }

    /// Where the parts of a board lie. The unit is the distance of two neighbouring points; y grows
    /// downwards.
    answer Geometry {
        /// How the points lie.
        shape: Shape,
        /// What it is made of.
        surface: Surface,
        /// How pieces are drawn.
        men: Men,
        /// Left, top, right and bottom of everything, labels included.
        frame: [f64; 4],
        /// Left, top, right and bottom of the board without labels.
        field: [f64; 4],
        /// The points.
        points: Vec<Point>,
        /// The corners of a cell from its middle.
        outline: Vec<[f64; 2]>,
        /// Lines: x and y of both ends.
        lines: Vec<[f64; 4]>,
        /// Dots that help the eye.
        stars: Vec<[f64; 2]>,
        /// Edges of the players.
        bands: Vec<Band>,
        /// Names of columns and rows.
        labels: Vec<Label>,
    }

    /// What is dead at the end of a game, as a judgement.
    answer Dead {
        /// The dead stones of both players.
        dead: Vec<String>,
        /// For each point: 1 is surely the first player's, -1 the second's.
        ownership: Vec<f64>,
        /// The result once they are taken off.
        outcome: Outcome,
    }

    /// Points by name.
    answer Points {
        /// Their names.
        points: Vec<String>,
    }

    /// What a search may use. What is left out is the agent's usual effort.
    options Budget {
        /// Iterations.
        iterations: Option<u64>,
        /// Positions entered.
        nodes: Option<u64>,
        /// Seconds.
        seconds: Option<f64>,
        /// Memory in MiB.
        memory_mb: Option<u64>,
        /// Threads.
        threads: Option<u32>,
    }

    /// A new session: a game, or a document, or a record of a game.
    options NewSession {
        /// The spec of the game.
        game: Option<String>,
        /// A game as text.
        document: Option<String>,
        /// The text of an SGF record of the game.
        sgf: Option<String>,
        /// Points for the second player.
        komi: Option<f64>,
        /// Handicap stones.
        handicap: Option<u32>,
    }

    /// A move.
    request PlayMove {
        /// As the game writes it; also pass and swap.
        r#move: String,
    }

    /// A take-back.
    options TakeBack {
        /// How many steps; one if left out.
        steps: Option<usize>,
    }

    /// The end of a game that a player loses by giving up or by the clock, which clients keep.
    options Resign {
        /// Who loses; the side to move if left out.
        player: Option<Player>,
        /// Whether the player ran out of time.
        out_of_time: Option<bool>,
    }

    /// Another komi.
    request NewKomi {
        /// Points for the second player.
        komi: f64,
    }

    /// Stones to set up.
    request SetUp {
        /// The first player's points.
        first: Vec<String>,
        /// The second player's points.
        second: Vec<String>,
        /// Who is to move.
        turn: Player,
    }

    /// Which stones count as dead.
    request DeadStones {
        /// Their points.
        dead: Vec<String>,
    }

    /// A comment on a position.
    request Comment {
        /// The position, as a document.
        document: String,
        /// What is said of it.
        text: String,
    }

    /// A record to read.
    request NewRecord {
        /// The spec of the game; size, komi and rules are the record's where it names them.
        game: String,
        /// The text of the record.
        sgf: String,
    }

    /// What a record holds.
    answer RecordRead {
        /// The game as a document, to begin a session with.
        document: String,
        /// Other lines, each a document.
        variations: Vec<String>,
        /// The comments.
        comments: Vec<Comment>,
        /// Variations and comments that were left out: there are too many, or a move is not legal.
        left_out: usize,
    }

    /// What is written into the record of a session beside its moves.
    options Notes {
        /// The first player's name.
        first: Option<String>,
        /// The second player's name.
        second: Option<String>,
        /// Other lines, each a document.
        variations: Option<Vec<String>>,
        /// Comments.
        comments: Option<Vec<Comment>>,
    }

    /// A search whose answer is waited for.
    options Think {
        /// The spec of the agent; the game's strongest if left out.
        agent: Option<String>,
        /// What it may use.
        budget: Option<Budget>,
        /// The seed of everything random.
        seed: Option<u64>,
        /// Whether the move is played; it is if left out.
        play: Option<bool>,
        /// How many candidates are wanted.
        candidates: Option<usize>,
    }

    /// The answer of a search.
    answer Thought {
        /// What the search says.
        report: Report,
        /// The game after it.
        state: State,
    }

    /// Whether a question is answered by proof.
    words ProofStatus {
        /// The attacker reaches the aim.
        Proved = "proved",
        /// The defender prevents it.
        Disproved = "disproved",
        /// Neither is known.
        Unknown = "unknown",
    }

    /// What a proof-number search knows.
    answer Proof {
        /// The answer.
        status: ProofStatus,
        /// The proof number of the root; nothing stands for infinity.
        proof_number: Option<f64>,
        /// The disproof number of the root; nothing stands for infinity.
        disproof_number: Option<f64>,
    }

    /// A figure of a search.
    answer Figure {
        /// What it counts.
        name: String,
        /// The number.
        value: f64,
    }

    /// A move of the root and what the search thinks of it, for the side to move there.
    answer Candidate {
        /// The move.
        r#move: String,
        /// The point it is played on, or where a piece arrives.
        to: Option<usize>,
        /// The point that a piece leaves.
        from: Option<usize>,
        /// How often it was tried.
        visits: u64,
        /// What it seems to be worth.
        value: Option<f64>,
        /// What is proved: at least, at most.
        bounds: [f64; 2],
        /// Lower and upper confidence bound.
        confidence: Option<[f64; 2]>,
        /// What it was worth when it was played later.
        amaf: Option<f64>,
        /// The weight it had before it was tried.
        prior: Option<f64>,
        /// A remark of the search.
        note: Option<String>,
        /// The expected course of the game, beginning with it.
        line: Vec<Ply>,
    }

    /// What a search says, final or so far. Values are for the side to move, in [0, 1].
    answer Report {
        /// The side to move.
        turn: Player,
        /// The chosen move.
        best: Option<String>,
        /// Whether it resigns.
        resigns: bool,
        /// What the position seems to be worth.
        value: f64,
        /// What is proved: at least, at most.
        bounds: [f64; 2],
        /// What a proof-number search knows.
        proof: Option<Proof>,
        /// The expected course of the game.
        line: Vec<Ply>,
        /// The best moves first; then those that were not tried, by their prior, where they have one.
        candidates: Vec<Candidate>,
        /// How many moves the root has.
        moves: usize,
        /// The path of the last iteration.
        path: Vec<Ply>,
        /// The depth at which the last playout ended.
        playout_end: Option<u32>,
        /// Further figures.
        figures: Vec<Figure>,
        /// Iterations done.
        iterations: u64,
        /// Positions entered.
        nodes: u64,
        /// The depth reached.
        depth: u32,
        /// Memory of trees and tables.
        memory_bytes: u64,
        /// Time used.
        seconds: f64,
        /// Why it ended; nothing while it runs.
        stopped: Option<String>,
    }

    /// Starts a search that reports while it runs.
    request Search {
        /// A name of the client's own, at most 64 characters.
        id: String,
        /// A session, whose current position is searched unless at says otherwise.
        session: Option<String>,
        /// A game as text, in place of a session.
        document: Option<String>,
        /// After this number of steps.
        at: Option<usize>,
        /// The spec of the agent; the game's strongest if left out.
        agent: Option<String>,
        /// What it may use.
        budget: Option<Budget>,
        /// The seed of everything random.
        seed: Option<u64>,
        /// Milliseconds between two snapshots, 100 to 5,000; 250 if left out.
        every_ms: Option<u64>,
        /// How many candidates are wanted; 20 if left out.
        candidates: Option<usize>,
        /// Whether the move is played in the session when the search ends.
        play: Option<bool>,
    }

    /// Names a search.
    request Named {
        /// The client's name of it.
        id: String,
    }

    /// What a client says.
    incoming ClientMessage {
        /// Start a search.
        Search = "search" (Search),
        /// End a search with its answer.
        Stop = "stop" (Named),
        /// End a search without an answer.
        Cancel = "cancel" (Named),
    }

    /// All slots are taken; the search starts by itself.
    answer Queued {
        /// The client's name of the search.
        id: String,
    }

    /// A search has begun.
    answer Started {
        /// The client's name of the search.
        id: String,
        /// The canonical spec of the agent.
        agent: String,
        /// The spec with what differs from the defaults.
        short: String,
        /// The number of steps before the position.
        at: usize,
    }

    /// What a search says so far.
    answer Snapshot {
        /// The client's name of the search.
        id: String,
        /// What it says.
        report: Report,
    }

    /// A search has ended.
    answer Done {
        /// The client's name of the search.
        id: String,
        /// What it says.
        report: Report,
        /// The game after the move, if it was to be played.
        state: Option<State>,
        /// Whether it ended early because others waited for its place.
        made_way: bool,
    }

    /// A message could not be carried out, or a search failed.
    answer Refused {
        /// The client's name of the search, if it is about one.
        id: Option<String>,
        /// What went wrong.
        error: Problem,
    }

    /// What the server says.
    outgoing ServerMessage {
        /// All slots are taken.
        Queued = "queued" (Queued),
        /// A search has begun.
        Started = "started" (Started),
        /// What a search says so far.
        Snapshot = "snapshot" (Snapshot),
        /// A search has ended.
        Done = "done" (Done),
        /// Something went wrong.
        Error = "error" (Refused),
    }
}
