//! The board: moves, set-ups, scores.

use super::{Answer, Gtp, NOTHING, colour, colour_name, number, refused, text};
use crate::protocol::engine::changed;
use tesuji_agents::AnyPosition;
use tesuji_agents::records::{self, Step};
use tesuji_core::spec::SpecValue;
use tesuji_core::{Outcome, Player};

/// The most stones that a board has star points for.
const MOST_STARS: usize = 9;

impl Gtp {
    pub(super) fn boardsize(&mut self, words: &[&str]) -> Answer {
        let columns: u32 = number(words.first(), "a size")?;
        let rows: u32 = if words.len() > 1 { number(words.get(1), "a size")? } else { columns };
        let spec = self.engine.session.game().clone();
        let (now_columns, now_rows) = self.size();
        let has = |name: &str| spec.arguments.iter().any(|argument| argument.name == name);
        let size = |number: u32| SpecValue::Integer(i64::from(number));
        let unacceptable = |reason: String| format!("unacceptable size: {reason}");
        let wanted = if let Some([width, height]) = self.position().conventions().sides {
            changed(&spec, &[(width, size(columns)), (height, size(rows))])
        } else if has("size") {
            if columns != rows {
                return Err(unacceptable(format!("the board of {} is square, not {columns}×{rows}", spec.name)));
            }
            changed(&spec, &[("size", size(columns))])
        } else if (now_columns, now_rows) == (columns as usize, rows as usize) {
            spec
        } else {
            let reason = format!("the board of {} is {now_columns}×{now_rows}, not {columns}×{rows}", spec.name);
            return Err(unacceptable(reason));
        };
        let restarted = self.engine.restart(&wanted);
        restarted.map_err(|error| {
            // The client wrote no spec: where in it the mistake is says nothing to it.
            let reason = refused(&error);
            unacceptable(reason.split(" (column ").next().unwrap_or_default().to_string())
        })?;
        self.engine.next_game();
        self.forget();
        NOTHING
    }

    /// The columns and the rows of the board.
    fn size(&self) -> (usize, usize) {
        let view = self.position().view();
        (view.columns.len(), view.rows.len())
    }

    /// The size as `boardsize` takes it.
    pub(super) fn query_boardsize(&self) -> Answer {
        let (columns, rows) = self.size();
        text(if columns == rows { columns.to_string() } else { format!("{columns} {rows}") })
    }

    pub(super) fn clear_board(&mut self) -> Answer {
        let spec = self.engine.session.game().clone();
        // A game with komi begins with an empty board, whatever was loaded; others where their spec
        // says.
        let spec = match self.position().komi() {
            Some(komi) => changed(&spec, &[("komi", SpecValue::Number(komi))]),
            None => spec,
        };
        self.engine.restart(&spec).map_err(|error| refused(&error))?;
        self.engine.next_game();
        self.forget();
        NOTHING
    }

    pub(super) fn komi(&mut self, words: &[&str]) -> Answer {
        let komi: f64 = number(words.first(), "a komi")?;
        // A client sends its komi whatever is played.
        if self.position().komi().is_none() {
            return NOTHING;
        }
        if self.position().with_komi(komi).is_none() {
            return Err("unacceptable komi: expected whole or half points".into());
        }
        if self.position().komi() == Some(komi) {
            return NOTHING;
        }
        // Another komi is no step of the game: `undo` takes back moves only.
        let mut spec = self.engine.session.game().clone();
        for argument in &mut spec.arguments {
            if argument.name == "komi" {
                argument.value = SpecValue::Number(komi);
            }
        }
        let changed = self.engine.session.change_all(&spec, |position| position.with_komi(komi));
        changed.map_err(|error| refused(&error))?;
        self.engine.setup.game = spec;
        NOTHING
    }

    pub(super) fn get_komi(&self) -> Answer {
        text(self.position().komi().unwrap_or_default().to_string())
    }

    /// Makes it this colour's turn, if the game allows it.
    pub(super) fn take_turn(&mut self, player: Player) -> Result<(), String> {
        let position = self.position();
        match records::turned(position, player) {
            Ok(None) => Ok(()),
            Ok(Some(_)) => self.engine.session.turn_to(player).map_err(|error| refused(&error)),
            Err(_) if position.outcome().is_some() => Err("the game is over".into()),
            Err(_) => Err(format!("it is {}'s turn", colour_name(position.turn()))),
        }
    }

    fn back_to(&mut self, steps: usize) -> Result<(), String> {
        while self.engine.session.steps() > steps {
            self.engine.session.undo().map_err(|error| refused(&error))?;
        }
        Ok(())
    }

    /// Plays a move of this colour, or changes nothing.
    pub(super) fn play_as(&mut self, player: Player, vertex: &str) -> Result<(), String> {
        if self.in_halves() && self.play_half(player, vertex)? {
            return Ok(());
        }
        let before = self.engine.session.steps();
        let result = self.take_turn(player).and_then(|()| {
            let mv = self.vertices.read(self.position(), vertex);
            self.engine.session.play(&mv).map(drop).map_err(|error| refused(&error))
        });
        match result {
            Ok(()) => {
                // A whole move is both of its halves.
                self.picked = None;
                self.marks.extend(vec![before; if self.in_halves() { 2 } else { 1 }]);
                Ok(())
            }
            Err(reason) => {
                self.back_to(before)?;
                Err(reason)
            }
        }
    }

    pub(super) fn play(&mut self, words: &[&str]) -> Answer {
        let player = colour(words.first())?;
        let vertex = words.get(1).ok_or("expected a point")?;
        if vertex.eq_ignore_ascii_case("resign") {
            self.resigned = Some((player, self.engine.session.steps()));
            return NOTHING;
        }
        self.play_as(player, vertex)?;
        NOTHING
    }

    pub(super) fn play_sequence(&mut self, words: &[&str]) -> Answer {
        let before = self.engine.session.steps();
        let marks = self.marks.len();
        for pair in words.chunks(2) {
            let played = colour(pair.first())
                .and_then(|player| pair.get(1).ok_or("expected a point".to_string()).map(|vertex| (player, vertex)))
                .and_then(|(player, vertex)| self.play_as(player, vertex));
            if let Err(reason) = played {
                self.back_to(before)?;
                self.marks.truncate(marks);
                return Err(reason);
            }
        }
        NOTHING
    }

    pub(super) fn undo(&mut self, count: usize) -> Answer {
        if count > self.marks.len() {
            return Err("cannot undo".into());
        }
        for _ in 0..count {
            let steps = self.marks.pop().unwrap_or_default();
            let undone = self.engine.session.last_move().filter(|_| self.engine.session.steps() > steps);
            let undone = undone.map(str::to_string);
            self.back_to(steps)?;
            self.unpick(undone.as_deref());
        }
        NOTHING
    }

    /// Sets up a position as one step.
    fn put(&mut self, position: Box<dyn AnyPosition>) -> Result<(), String> {
        let before = self.engine.session.steps();
        self.engine.session.set(position).map_err(|error| refused(&error))?;
        self.marks.push(before);
        Ok(())
    }

    fn is_empty(&self) -> bool {
        self.position().stones().is_some_and(|stones| stones.iter().all(Vec::is_empty))
    }

    pub(super) fn fixed_handicap(&mut self, words: &[&str]) -> Answer {
        let stones: u8 = number(words.first(), "a number of stones")?;
        let points = self.position().handicap_points(stones).filter(|points| !points.is_empty());
        self.place_handicap(points)
    }

    /// Places handicap stones on the star points; fewer than asked for if there are no more of
    /// those.
    pub(super) fn chosen_handicap(&mut self, words: &[&str]) -> Answer {
        let stones: usize = number(words.first(), "a number of stones")?;
        let fits = (2..self.position().view().points.len()).contains(&stones);
        let most = if fits { stones.min(MOST_STARS) as u8 } else { 0 };
        let points = (2..=most).rev().find_map(|stones| self.position().handicap_points(stones));
        self.place_handicap(points)
    }

    fn place_handicap(&mut self, points: Option<Vec<String>>) -> Answer {
        let points = points.ok_or("invalid number of stones")?;
        let words: Vec<&str> = points.iter().map(String::as_str).collect();
        self.free_handicap(&words)?;
        text(points.join(" "))
    }

    pub(super) fn free_handicap(&mut self, words: &[&str]) -> Answer {
        if !self.is_empty() {
            return Err("board not empty".into());
        }
        if words.len() < 2 {
            return Err("bad vertex list: expected at least two points".into());
        }
        let stones: Vec<(Player, String)> = words.iter().map(|point| (Player::First, (*point).to_string())).collect();
        let position = self
            .position()
            .with_stones(&stones, Player::Second)
            .map_err(|reason| format!("bad vertex list: {reason}"))?;
        self.put(position)?;
        NOTHING
    }

    /// `b D4 w E5 …`: stones to set up.
    fn stones(words: &[&str]) -> Result<Vec<(Player, String)>, String> {
        let pair = |pair: &[&str]| -> Result<(Player, String), String> {
            Ok((colour(pair.first())?, pair.get(1).ok_or("expected a point")?.to_string()))
        };
        words.chunks(2).map(pair).collect()
    }

    pub(super) fn gogui_setup(&mut self, words: &[&str]) -> Answer {
        let mut stones = Vec::new();
        let there = self.position().stones().unwrap_or_default();
        for (player, points) in Player::BOTH.into_iter().zip(there) {
            stones.extend(points.into_iter().map(|point| (player, point)));
        }
        for (player, point) in Gtp::stones(words)? {
            stones.retain(|(_, other)| !other.eq_ignore_ascii_case(&point));
            stones.push((player, point));
        }
        let position = self.position().with_stones(&stones, self.position().turn())?;
        self.put(position)?;
        NOTHING
    }

    pub(super) fn set_position(&mut self, words: &[&str]) -> Answer {
        let position = self.position().with_stones(&Gtp::stones(words)?, Player::First)?;
        self.put(position)?;
        NOTHING
    }

    pub(super) fn setup_player(&mut self, words: &[&str]) -> Answer {
        let before = self.engine.session.steps();
        self.take_turn(colour(words.first())?)?;
        if self.engine.session.steps() > before {
            self.marks.push(before);
        }
        NOTHING
    }

    pub(super) fn legal_moves(&self) -> Vec<String> {
        self.position().moves().iter().map(|mv| self.show(mv)).collect()
    }

    pub(super) fn is_legal(&self, words: &[&str]) -> Answer {
        let player = colour(words.first())?;
        let vertex = words.get(1).ok_or("expected a point")?;
        let turned = self.seen_by(player);
        let legal = turned.is_some_and(|mut position| {
            let mv = self.vertices.read(position.as_ref(), vertex);
            position.play(&mv).is_ok()
        });
        text(u8::from(legal).to_string())
    }

    /// The position with this colour to move, if the game allows it.
    pub(super) fn seen_by(&self, player: Player) -> Option<Box<dyn AnyPosition>> {
        let position = self.position();
        if position.turn() == player && position.outcome().is_none() {
            return Some(position.boxed_clone());
        }
        position.with_turn(player)
    }

    pub(super) fn all_legal(&self, words: &[&str]) -> Answer {
        let position = self.seen_by(colour(words.first())?);
        let moves = position.map_or(Vec::new(), |position| {
            let moves = position.moves().into_iter().filter(|mv| mv != "pass");
            moves.map(|mv| self.vertices.show(position.as_ref(), &mv)).collect()
        });
        text(moves.join(" "))
    }

    pub(super) fn list_stones(&self, words: &[&str]) -> Answer {
        let player = colour(words.first())?;
        let stones = self.position().stones().unwrap_or_default();
        text(stones[player.index()].join(" "))
    }

    pub(super) fn captures(&self, words: &[&str]) -> Answer {
        text(self.position().captured_by(colour(words.first())?).unwrap_or_default().to_string())
    }

    /// The moves since the last set-up with their players, as the other side writes them. A change
    /// of the side to move is no set-up.
    fn history(&self) -> Vec<(Player, String)> {
        let mut at = self.engine.session.first_position().boxed_clone();
        let mut history = Vec::new();
        for step in self.engine.session.history() {
            match step {
                Step::Move(player, mv) => {
                    if let Ok(Some(turned)) = records::turned(at.as_ref(), player) {
                        at = turned;
                    }
                    history.push((player, self.show_at(at.as_ref(), &mv)));
                    if at.play(&mv).is_err() {
                        break;
                    }
                }
                Step::Set(position) => {
                    if !records::same_board(at.as_ref(), position.as_ref()) {
                        history.clear();
                    }
                    at = position;
                }
            }
        }
        history
    }

    pub(super) fn last_move(&self) -> Answer {
        let last = self.history().pop().map(|(player, mv)| format!("{} {mv}", colour_name(player)));
        last.map_or(Err("no previous move known".into()), text)
    }

    pub(super) fn move_history(&self) -> Answer {
        let lines = self.history().into_iter().rev().map(|(player, mv)| format!("{} {mv}", colour_name(player)));
        text(lines.collect::<Vec<_>>().join("\n"))
    }

    pub(super) fn final_score(&self) -> Answer {
        if let Some(judgement) = records::judged(self.position()) {
            return text(match judgement.outcome.winner() {
                Some(Player::First) => format!("B+{:.1}", judgement.points),
                Some(Player::Second) => format!("W+{:.1}", judgement.points),
                None => "0".into(),
            });
        }
        self.position().outcome().map_or(Err("cannot score".into()), |outcome| text(self.result(outcome)))
    }

    /// `B+12`, `W+` or `0`: margins only where they mean something.
    pub(super) fn result(&self, outcome: Outcome) -> String {
        let has_margin = self.position().conventions().result_has_margin;
        let margin = if has_margin { outcome.margin.abs().to_string() } else { String::new() };
        match outcome.winner() {
            Some(Player::First) => format!("B+{margin}"),
            Some(Player::Second) => format!("W+{margin}"),
            None => "0".into(),
        }
    }

    pub(super) fn final_status_list(&self, words: &[&str]) -> Answer {
        let Some(judgement) = records::judged(self.position()) else { return Err("cannot judge".into()) };
        let [black, white] = match words.first() {
            Some(&"dead") => judgement.dead,
            Some(&"alive") => judgement.alive,
            Some(&"seki") => return NOTHING,
            _ => return Err("expected alive, dead or seki".into()),
        };
        text(black.into_iter().chain(white).collect::<Vec<_>>().join(" "))
    }
}
