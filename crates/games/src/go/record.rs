//! Go games in SGF: a position from a record's main line, and a record of a game.
//!
//! Reading takes size, komi (`record_komi.rs`) and handicap stones from the file, everything else from the given
//! rules; [`Go::rules_of_sgf`] returns the rules that a file names. Writing names the rules (RU)
//! where they have a name, and states the handicap stones (HA).
//!
//! | RU | scoring | suicide | ko |
//! |---|---|---|---|
//! | Chinese | area | forbidden | simple or positional: as given, else positional |
//! | AGA | area | forbidden | situational |
//! | NZ | area | allowed | situational |
//! | Tromp-Taylor | area | allowed | positional |
//! | Japanese, Korean | territory | forbidden | simple |
//!
//! Set-up properties (AB, AW, AE, PL) may stand in any node; they begin a new history, because SGF
//! does not state how the position arose. A move out of turn belongs to the colour it names.
//! Writing is symmetric: two moves of one colour are two moves, and only a board that changes
//! otherwise becomes a set-up.

use super::coordinates::point_name;
use super::layout::MAX_SIZE;
use super::position::{Go, GoMove, SetupError};
use super::record_komi::komi_of;
use super::rules::{GoRules, KoRule, Scoring, SuicideRule};
use tesuji_core::{MOST_SET_UPS, MOST_STEPS, Notation, Player, Position, Step};
use tesuji_sgf::{self as sgf, BoardSize, Collection, Color, GameType, Node, NodeId, PointStyle};

/// Why a record is not a game of Go.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordError {
    /// The file is not valid SGF.
    #[error(transparent)]
    Syntax(#[from] sgf::ParseError),
    /// A property has an invalid value.
    #[error(transparent)]
    Value(#[from] sgf::ValueError),
    /// Another game, or an unsupported board.
    #[error("{0}")]
    Game(String),
    /// An impossible set-up.
    #[error("node {node}: {error}")]
    Setup {
        /// Counted along the main line, the root being 0.
        node: usize,
        /// What is wrong.
        error: SetupError,
    },
    /// A game that exceeds the limits.
    #[error("node {node}: the game has more than {most} {what}")]
    Long {
        /// Counted along the main line, the root being 0.
        node: usize,
        /// What is too large.
        what: &'static str,
        /// The limit.
        most: usize,
    },
    /// A move that is not legal.
    #[error("move {number}, {text}: {reason}")]
    Move {
        /// Its number in the game, from 1.
        number: usize,
        /// As Go players write it.
        text: String,
        /// Why it is not legal.
        reason: String,
    },
}

/// One step of a game.
pub type GoStep = Step<GoMove, Go>;

/// A game read from a record: its start, its steps and its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GoGame {
    /// The empty board of the record's size and komi.
    pub start: Go,
    /// The steps.
    pub steps: Vec<GoStep>,
    /// The position after them.
    pub end: Go,
}

fn player(color: Color) -> Player {
    match color {
        Color::Black => Player::First,
        Color::White => Player::Second,
    }
}

/// The rules with this name in records, completed by `given`; `None` for an unknown name.
fn named_rules(name: &str, given: GoRules) -> Option<GoRules> {
    let (scoring, suicide, ko) = match name.to_ascii_lowercase().as_str() {
        "chinese" if given.ko == KoRule::Simple => (Scoring::Area, SuicideRule::Forbidden, KoRule::Simple),
        "chinese" => (Scoring::Area, SuicideRule::Forbidden, KoRule::Positional),
        "aga" => (Scoring::Area, SuicideRule::Forbidden, KoRule::Situational),
        "nz" | "new zealand" => (Scoring::Area, SuicideRule::Allowed, KoRule::Situational),
        "tromp-taylor" => (Scoring::Area, SuicideRule::Allowed, KoRule::Positional),
        "japanese" | "korean" => (Scoring::Territory, SuicideRule::Forbidden, KoRule::Simple),
        _ => return None,
    };
    Some(GoRules { ko, suicide, scoring, ..given })
}

/// The name of these rules in records, if they have one.
fn rules_name(rules: &GoRules) -> Option<&'static str> {
    let names = ["Chinese", "AGA", "NZ", "Tromp-Taylor", "Japanese"];
    names.into_iter().find(|name| named_rules(name, *rules) == Some(*rules))
}

/// The rules with the size and the komi that the root of a record names.
fn board_of(root: Node<'_>, rules: GoRules) -> Result<(GoRules, BoardSize), RecordError> {
    if root.game_type()? != GameType::Go {
        return Err(RecordError::Game("the record is not a Go game (GM is not 1)".into()));
    }
    let size = root.size()?.unwrap_or(BoardSize::square(19));
    if size.columns != size.rows || usize::from(size.rows) > MAX_SIZE || size.rows < 2 {
        return Err(RecordError::Game(format!("a board of {size} lines; expected a square one of 2 to {MAX_SIZE}")));
    }
    let komi = komi_of(root, usize::from(size.rows).pow(2))?.unwrap_or(rules.komi);
    Ok((GoRules { size: usize::from(size.rows), komi, handicap: 0, ..rules }, size))
}

impl Go {
    /// The rules that a record names (RU), completed by `given`. The result is `given` if it has
    /// V-Run's or Hawk's scoring, which no record can name, or if the record names no known rules.
    ///
    /// # Errors
    /// If the file is not SGF.
    pub fn rules_of_sgf(bytes: &[u8], given: GoRules) -> Result<GoRules, RecordError> {
        let record = Collection::parse(bytes)?;
        let name = record.node(record.roots()[0]).rules();
        let own = matches!(given.scoring, Scoring::VRun | Scoring::Hawk);
        Ok(name.filter(|_| !own).and_then(|name| named_rules(name.trim(), given)).unwrap_or(given))
    }

    /// The rules with the size and the komi that a record names.
    ///
    /// # Errors
    /// If the file is not SGF, not Go, or of a board or komi that cannot be.
    pub fn board_of_sgf(bytes: &[u8], rules: GoRules) -> Result<GoRules, RecordError> {
        let record = Collection::parse(bytes)?;
        board_of(record.node(record.roots()[0]), rules).map(|(rules, _)| rules)
    }

    /// The position after `moves` moves (all, if not given) of the main line of the first game in
    /// an SGF file.
    ///
    /// # Errors
    /// If the file is not SGF, not Go, or not a legal game; the message states where.
    pub fn from_sgf(bytes: &[u8], rules: GoRules, moves: Option<usize>) -> Result<Go, RecordError> {
        Go::replay_sgf(bytes, rules, moves).map(|game| game.end)
    }

    /// The first `moves` moves (all, if not given) of the main line of the first game in an SGF
    /// file, with the set-ups between them.
    ///
    /// # Errors
    /// If the file is not SGF, not Go, or not a legal game; the message states where.
    pub fn replay_sgf(bytes: &[u8], rules: GoRules, moves: Option<usize>) -> Result<GoGame, RecordError> {
        let record = Collection::parse(bytes)?;
        let root = record.node(record.roots()[0]);
        let (rules, size) = board_of(root, rules)?;
        let mut go = Go::new(rules).map_err(|error| RecordError::Setup { node: 0, error })?;
        let (start, mut steps, mut played) = (go.clone(), Vec::new(), 0);
        let mut set_ups = 0;
        for (number, node) in record.main_line(root.id()).enumerate() {
            let set_up = go.set_up_by(node, size).map_err(|error| match error {
                RecordError::Setup { error, .. } => RecordError::Setup { node: number, error },
                other => other,
            })?;
            if steps.len() >= MOST_STEPS {
                return Err(RecordError::Long { node: number, what: "moves and set-ups", most: MOST_STEPS });
            }
            if let Some(set_up) = set_up {
                set_ups += 1;
                if set_ups > MOST_SET_UPS {
                    return Err(RecordError::Long { node: number, what: "set-ups", most: MOST_SET_UPS });
                }
                go = set_up;
                steps.push(GoStep::SetUp(Box::new(go.clone())));
            }
            for (name, color) in [("B", Color::Black), ("W", Color::White)] {
                let Some(value) = node.value(name) else { continue };
                if moves.is_some_and(|most| played >= most) {
                    return Ok(GoGame { start, steps, end: go });
                }
                let mv = match value.go_move(size)? {
                    sgf::GoMove::Pass => GoMove::PASS,
                    sgf::GoMove::Play(point) => GoMove::stone(go.point_of(point)),
                };
                // After two passes a game may be resumed; any other move belongs to the colour it
                // names.
                go.resume(player(color));
                if let Some(reason) = go.why_illegal(mv) {
                    let text = format!("{name} {}", go.show_move(mv));
                    return Err(RecordError::Move { number: played + 1, text, reason: reason.to_string() });
                }
                go.play(mv);
                steps.push(GoStep::Move(player(color), mv));
                played += 1;
            }
        }
        Ok(GoGame { start, steps, end: go })
    }

    /// The point of a record, which counts rows from the top.
    fn point_of(&self, point: sgf::Point) -> super::layout::Point {
        let row = self.size() - 1 - usize::from(point.row);
        self.board().point(usize::from(point.column), row).expect("the record's reader checked the size")
    }

    /// The position after a node's set-up, if it has any.
    fn set_up_by(&self, node: Node<'_>, size: BoardSize) -> Result<Option<Go>, RecordError> {
        let turn = node.to_play()?.map(player);
        let names = [("AB", Some(Player::First)), ("AW", Some(Player::Second)), ("AE", None)];
        if names.iter().all(|(name, _)| !node.has(name)) {
            return match turn {
                Some(turn) if turn != self.turn() => {
                    let mut turned = self.clone();
                    turned.set_turn(turn);
                    Ok(Some(turned))
                }
                _ => Ok(None),
            };
        }
        let board = self.board();
        let mut stones: Vec<Option<Player>> = board.points().map(|point| board.stone_at(point)).collect();
        let mut set = vec![false; stones.len()];
        for (name, stone) in names {
            for point in node.points(name, PointStyle::Go, size)? {
                let number = board.number(self.point_of(point));
                if std::mem::replace(&mut set[number], true) {
                    let (column, row) = board.column_row(self.point_of(point));
                    return Err(RecordError::Setup { node: 0, error: SetupError::Taken(point_name(column, row)) });
                }
                stones[number] = stone;
            }
        }
        let placed: Vec<(Player, usize, usize)> = board
            .points()
            .zip(stones)
            .filter_map(|(point, stone)| {
                let (column, row) = board.column_row(point);
                Some((stone?, column, row))
            })
            .collect();
        // After handicap stones White moves first, unless the file states otherwise.
        let handicap =
            self.moves_played() == 0 && placed.len() > 1 && placed.iter().all(|stone| stone.0 == Player::First);
        let turn = turn.unwrap_or(if handicap { Player::Second } else { self.turn() });
        let set_up = Go::with_stones(*self.rules(), &placed, turn);
        set_up.map(Some).map_err(|error| RecordError::Setup { node: 0, error })
    }

    /// The record of a game: this position as the set-up, then the moves, which must be legal from
    /// here.
    #[must_use]
    pub fn record(&self, moves: &[GoMove]) -> Collection {
        let mut turn = self.turn();
        let mut steps = Vec::with_capacity(moves.len());
        for mv in moves {
            steps.push(GoStep::Move(turn, *mv));
            turn = turn.other();
        }
        self.record_steps(&steps)
    }

    /// The record of a game: this position as the set-up, then the steps, whose moves must be legal
    /// where they are played.
    #[must_use]
    pub fn record_steps(&self, steps: &[GoStep]) -> Collection {
        let fits = "a Go record is within the limits of SGF";
        // Set-ups before the first move belong to the root.
        let first = steps.iter().position(|step| matches!(step, GoStep::Move(..))).unwrap_or(steps.len());
        let (before, steps) = steps.split_at(first);
        let start = match before.last() {
            Some(GoStep::SetUp(set_up)) => set_up.as_ref(),
            _ => self,
        };
        let komi = steps.iter().rev().find_map(|step| match step {
            GoStep::SetUp(set_up) => Some(set_up.rules().komi),
            GoStep::Move(..) => None,
        });
        let mut record = Collection::new();
        let root = record.add_game(GameType::Go).expect(fits);
        record.set_size(root, BoardSize::square(self.size() as u8)).expect(fits);
        record.set_komi(root, f64::from(komi.unwrap_or(start.rules().komi).0) / 2.0).expect(fits);
        if let Some(name) = rules_name(start.rules()) {
            record.set_rules(root, name).expect(fits);
        }
        let stones = |player| {
            let board = start.board();
            board.points().filter(|point| board.stone_at(*point) == Some(player)).count()
        };
        let black = stones(Player::First);
        if black > 1 && stones(Player::Second) == 0 && start.turn() == Player::Second {
            record.set_handicap(root, black as u32).expect(fits);
        }
        start.write_stones(&mut record, root, None);
        if start.turn() == Player::Second {
            record.set_to_play(root, Color::White).expect(fits);
        }
        let (mut node, mut position) = (root, start.clone());
        for (number, step) in steps.iter().enumerate() {
            match step {
                GoStep::Move(mover, mv) => {
                    node = record.add_child(node).expect(fits);
                    let name = if *mover == Player::First { "B" } else { "W" };
                    let text = mv.point().map(|point| position.letters(point)).unwrap_or_default();
                    record.set_raw(node, name, &[text.as_str()]).expect(fits);
                    position.resume(*mover);
                    position.play(*mv);
                }
                GoStep::SetUp(set_up) => {
                    let same = set_up
                        .board()
                        .points()
                        .all(|point| set_up.board().stone_at(point) == position.board().stone_at(point));
                    // The next move implies the side to move.
                    if !same || (number + 1 == steps.len() && set_up.turn() != position.turn()) {
                        node = record.add_child(node).expect(fits);
                        set_up.write_stones(&mut record, node, Some(&position));
                        let turn = if set_up.turn() == Player::First { Color::Black } else { Color::White };
                        record.set_to_play(node, turn).expect(fits);
                    }
                    position = (**set_up).clone();
                }
            }
        }
        record
    }

    /// A point in SGF's letters.
    fn letters(&self, point: super::layout::Point) -> String {
        let (column, row) = self.board().column_row(point);
        let point = sgf::Point { column: column as u8, row: (self.size() - 1 - row) as u8 };
        sgf::GoMove::Play(point).show().expect("a Go record is within the limits of SGF")
    }

    /// Writes the stones that are new relative to `before` (AB, AW), and the points that became
    /// empty (AE).
    fn write_stones(&self, record: &mut Collection, node: NodeId, before: Option<&Go>) {
        let here = |point| self.board().stone_at(point);
        let there = |point| before.and_then(|go| go.board().stone_at(point));
        for (name, stone) in [("AB", Some(Player::First)), ("AW", Some(Player::Second)), ("AE", None)] {
            let points = self.board().points().filter(|point| here(*point) == stone && there(*point) != stone);
            let points: Vec<String> = points.map(|point| self.letters(point)).collect();
            let points: Vec<&str> = points.iter().map(String::as_str).collect();
            if !points.is_empty() {
                record.set_raw(node, name, &points).expect("a Go record is within the limits of SGF");
            }
        }
    }
}
