//! Go games in SGF: a position from a record's main line, and a record of a game.
//!
//! Reading takes size, komi and handicap stones from the file, everything else from the given rules.
//! Set-up properties (AB, AW, AE, PL) may stand in any node; they begin a new history, as
//! SGF says nothing about the way there. A move out of turn is played by the colour it names.

use super::board::MAX_SIZE;
use super::notation::point_name;
use super::position::{Go, GoMove, SetupError};
use super::rules::{GoRules, Komi};
use crate::sgf::{self, BoardSize, Collection, Color, GameType, Node, PointStyle};
use tesuji_core::{Notation, Player, Position};

/// Why a record is not a game of Go.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordError {
    /// It is not SGF.
    #[error(transparent)]
    Syntax(#[from] sgf::ParseError),
    /// A property has a value that makes no sense.
    #[error(transparent)]
    Value(#[from] sgf::ValueError),
    /// Another game, or a board we do not have.
    #[error("{0}")]
    Game(String),
    /// A set-up that cannot be.
    #[error("node {node}: {error}")]
    Setup {
        /// Counted along the main line, the root being 0.
        node: usize,
        /// What is wrong.
        error: SetupError,
    },
    /// A move that is not legal.
    #[error("move {number}, {text}: {reason}")]
    Move {
        /// Its number in the game, from 1.
        number: usize,
        /// As Go players write it.
        text: String,
        /// Why not.
        reason: String,
    },
}

fn player(color: Color) -> Player {
    match color {
        Color::Black => Player::First,
        Color::White => Player::Second,
    }
}

impl Go {
    /// The position after `moves` moves (all, if not given) of the main line of the first game in an SGF file.
    ///
    /// # Errors
    /// If the file is not SGF, not Go, or an impossible game; says where.
    pub fn from_sgf(bytes: &[u8], rules: GoRules, moves: Option<usize>) -> Result<Go, RecordError> {
        let record = Collection::parse(bytes)?;
        let root = record.node(record.roots()[0]);
        if root.game_type()? != GameType::Go {
            return Err(RecordError::Game("the record is of another game than Go (GM is not 1)".into()));
        }
        let size = root.size()?.unwrap_or(BoardSize::square(19));
        if size.columns != size.rows || usize::from(size.rows) > MAX_SIZE || size.rows < 2 {
            return Err(RecordError::Game(format!(
                "a board of {size} lines; expected a square one of 2 to {MAX_SIZE}"
            )));
        }
        let komi = match root.komi()? {
            None => rules.komi,
            Some(komi) if (komi * 2.0).fract() == 0.0 && komi.abs() <= 10_000.0 => Komi((komi * 2.0) as i32),
            Some(komi) => return Err(RecordError::Game(format!("a komi of {komi}; expected whole or half points"))),
        };
        let rules = GoRules { size: usize::from(size.rows), komi, handicap: 0, ..rules };
        let mut go = Go::new(rules).map_err(|error| RecordError::Setup { node: 0, error })?;
        let mut played = 0;
        for (number, node) in record.main_line(root.id()).enumerate() {
            go = go.set_up_by(node, size).map_err(|error| match error {
                RecordError::Setup { error, .. } => RecordError::Setup { node: number, error },
                other => other,
            })?;
            for (name, color) in [("B", Color::Black), ("W", Color::White)] {
                let Some(value) = node.value(name) else { continue };
                if moves.is_some_and(|most| played >= most) {
                    return Ok(go);
                }
                let mv = match value.go_move(size)? {
                    sgf::GoMove::Pass => GoMove::PASS,
                    sgf::GoMove::Play(point) => GoMove::stone(go.crossing(point)),
                };
                // After two passes a game may be taken up again; any other move is by the colour it names.
                go.go_on(player(color));
                if let Some(reason) = go.why_illegal(mv) {
                    let text = format!("{name} {}", go.show_move(mv));
                    return Err(RecordError::Move { number: played + 1, text, reason: reason.to_string() });
                }
                go.play(mv);
                played += 1;
            }
        }
        Ok(go)
    }

    /// The point of a crossing of a record, which counts rows from the top.
    fn crossing(&self, point: sgf::Point) -> super::board::Point {
        let row = self.size() - 1 - usize::from(point.row);
        self.board().point(usize::from(point.column), row).expect("the record's reader checked the size")
    }

    /// The position with a node's set-up done, if it has any.
    fn set_up_by(self, node: Node<'_>, size: BoardSize) -> Result<Go, RecordError> {
        let turn = node.to_play()?.map(player);
        let names = [("AB", Some(Player::First)), ("AW", Some(Player::Second)), ("AE", None)];
        if names.iter().all(|(name, _)| !node.has(name)) {
            return match turn {
                Some(turn) if turn != self.turn() => {
                    let mut turned = self;
                    turned.set_turn(turn);
                    Ok(turned)
                }
                _ => Ok(self),
            };
        }
        let board = self.board();
        let mut stones: Vec<Option<Player>> = board.points().map(|point| board.stone_at(point)).collect();
        let mut set = vec![false; stones.len()];
        for (name, stone) in names {
            for point in node.points(name, PointStyle::Go, size)? {
                let number = board.number(self.crossing(point));
                if std::mem::replace(&mut set[number], true) {
                    let (column, row) = board.column_row(self.crossing(point));
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
        // Handicap stones leave the move to White unless the file says otherwise.
        let handicap =
            self.moves_played() == 0 && placed.len() > 1 && placed.iter().all(|stone| stone.0 == Player::First);
        let turn = turn.unwrap_or(if handicap { Player::Second } else { self.turn() });
        Go::with_stones(*self.rules(), &placed, turn).map_err(|error| RecordError::Setup { node: 0, error })
    }

    /// The record of a game: this position as the set-up, then the moves, which must be legal from here.
    #[must_use]
    pub fn record(&self, moves: &[GoMove]) -> Collection {
        let fits = "a Go record keeps every limit of SGF";
        let mut record = Collection::new();
        let root = record.add_game(GameType::Go).expect(fits);
        record.set_size(root, BoardSize::square(self.size() as u8)).expect(fits);
        record.set_komi(root, f64::from(self.rules().komi.0) / 2.0).expect(fits);
        let name_of = |point| {
            let (column, row) = self.board().column_row(point);
            let point = sgf::Point { column: column as u8, row: (self.size() - 1 - row) as u8 };
            sgf::GoMove::Play(point).show().expect(fits)
        };
        for (name, player) in [("AB", Player::First), ("AW", Player::Second)] {
            let points = self.board().points().filter(|point| self.board().stone_at(*point) == Some(player));
            let points: Vec<String> = points.map(name_of).collect();
            if !points.is_empty() {
                record.set_raw(root, name, &points.iter().map(String::as_str).collect::<Vec<_>>()).expect(fits);
            }
        }
        if self.turn() == Player::Second {
            record.set_to_play(root, Color::White).expect(fits);
        }
        let (mut node, mut position) = (root, self.clone());
        for mv in moves {
            node = record.add_child(node).expect(fits);
            let name = if position.turn() == Player::First { "B" } else { "W" };
            let text = mv.point().map(name_of).unwrap_or_default();
            record.set_raw(node, name, &[text.as_str()]).expect(fits);
            position.play(*mv);
        }
        record
    }
}
