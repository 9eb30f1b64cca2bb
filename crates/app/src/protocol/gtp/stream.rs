//! What an analysis writes.
//!
//! | dialect | numbers | clients |
//! |---|---|---|
//! | `lz-` | whole, times 10,000 | Lizzie, Sabaki |
//! | `kata-`, `analyze` | fractions | Lizzie, KaTrain, Sabaki |
//! | `cgos-` | JSON, once | CGOS |
//!
//! One line an update: `info move … pv …` for each move, best first, and **`pv` last in each
//! group**, as Sabaki's parser demands. All values are for the side to move. The line beyond the
//! first move is known for the best move only. `avoid` and `allow` choose which moves are shown,
//! and which one is played; they do not restrict the search. The lower bound of a proved move is
//! its value.

use super::Thought;
use crate::move_choice::move_to_play;
use crate::protocol::Vertices;
use crate::ranking::{self, lower_bound, ranked, winrate};
use std::time::Duration;
use tesuji_agents::AnyPosition;
use tesuji_core::{Player, Report, RootMove, Seed};

/// Updates come no faster.
const FASTEST: Duration = Duration::from_millis(10);

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    LeelaZero,
    Kata,
}

impl Dialect {
    /// The dialect of a command that writes while it searches.
    pub(super) fn of(command: &str) -> Option<Dialect> {
        match command {
            "lz-analyze" | "lz-genmove_analyze" => Some(Dialect::LeelaZero),
            "kata-analyze" | "kata-genmove_analyze" | "analyze" | "genmove_analyze" => Some(Dialect::Kata),
            _ => None,
        }
    }
}

/// An analysis being written.
pub(super) struct Stream {
    dialect: Dialect,
    vertices: Vertices,
    interval: Duration,
    has_written: bool,
    most_moves: usize,
    root_info: bool,
    ownership: Option<Vec<f64>>,
    /// Moves that are not shown, as the game writes them.
    avoid: Vec<String>,
    /// If not empty: the only moves that are shown.
    allow: Vec<String>,
}

impl Stream {
    /// Reads the words after the colour.
    pub(super) fn new(
        dialect: Dialect,
        words: &[&str],
        position: &dyn AnyPosition,
        vertices: Vertices,
    ) -> Result<Stream, String> {
        let mut stream = Stream {
            dialect,
            vertices,
            interval: Duration::from_secs(1),
            has_written: false,
            most_moves: usize::MAX,
            root_info: false,
            ownership: None,
            avoid: Vec::new(),
            allow: Vec::new(),
        };
        let centiseconds = |word: &str| -> Option<Duration> {
            let number: f64 = word.parse().ok()?;
            (0.0..=1e8).contains(&number).then(|| Duration::from_secs_f64(number / 100.0).max(FASTEST))
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "interval" => {
                    let given = value_after(word, &mut words)?;
                    stream.interval = centiseconds(given).ok_or("expected an interval in hundredths of a second")?;
                }
                "maxmoves" => {
                    stream.most_moves =
                        value_after(word, &mut words)?.parse().map_err(|_| "expected a number of moves")?;
                }
                "minmoves" | "pvVisits" | "movesOwnership" | "ownershipStdev" | "pvEdgeVisits" => {
                    value_after(word, &mut words)?;
                }
                "rootInfo" => stream.root_info = value_after(word, &mut words)? == "true",
                "ownership" => {
                    if value_after(word, &mut words)? == "true" {
                        stream.ownership = position.judge(Seed(1)).map(|judgement| judgement.ownership);
                    }
                }
                which @ ("avoid" | "allow") => {
                    let _player = value_after(word, &mut words)?;
                    let moves = value_after(word, &mut words)?;
                    let _depth = value_after(word, &mut words)?;
                    let moves = moves.split(',').map(|text| {
                        let native = vertices.read(position, text);
                        position.boxed_clone().play(&native).unwrap_or(native)
                    });
                    if which == "avoid" { stream.avoid.extend(moves) } else { stream.allow.extend(moves) }
                }
                number => match centiseconds(number) {
                    Some(interval) => stream.interval = interval,
                    None => {
                        return Err(format!("cannot read the option {}", number.chars().take(40).collect::<String>()));
                    }
                },
            }
        }
        Ok(stream)
    }

    /// The time between two updates.
    pub(super) fn interval(&self) -> Duration {
        self.interval
    }

    /// Whether an update was written.
    pub(super) fn has_written(&self) -> bool {
        self.has_written
    }

    fn shows(&self, entry: &RootMove<String>) -> bool {
        !self.avoid.contains(&entry.mv) && (self.allow.is_empty() || self.allow.contains(&entry.mv))
    }

    /// The move to play after this search: the best one that is shown. Nothing is a resignation.
    pub(super) fn chosen(&self, position: &dyn AnyPosition, report: &Report<String>) -> Option<String> {
        let best = move_to_play(position, report)?;
        if report.root.iter().any(|entry| entry.mv == best && self.shows(entry)) {
            return Some(best);
        }
        // Own eyes come last: only if nothing else is allowed.
        let shown = ranked(report).into_iter().filter(|entry| self.shows(entry)).map(|entry| entry.mv.clone());
        let legal = position.moves().into_iter().filter(|mv| self.shows(&RootMove::untried(mv.clone())));
        let mut last = None;
        for mv in shown.chain(legal) {
            if !position.fills_own_eye(&mv) {
                return Some(mv);
            }
            last.get_or_insert(mv);
        }
        last.or(Some(best))
    }

    /// One update.
    pub(super) fn write(&mut self, report: &Report<String>, position: &dyn AnyPosition, out: &mut String) {
        self.has_written = true;
        let turn = report.turn;
        let mut groups = Vec::new();
        for entry in ranked(report).into_iter().filter(|entry| self.shows(entry)).take(self.most_moves) {
            let value = winrate(entry, turn);
            let prior = entry.prior.unwrap_or(0.0);
            let lower = lower_bound(entry, value);
            let line = self.line(report, entry, position);
            let (order, visits) = (groups.len(), entry.visits);
            let shown = self.vertices.show(position, &entry.mv);
            let whole = |number: f64| (number * 10_000.0).round() as i64;
            groups.push(match self.dialect {
                Dialect::LeelaZero => format!(
                    "info move {shown} visits {visits} winrate {} prior {} lcb {} order {order} pv {line}",
                    whole(value),
                    whole(prior),
                    whole(lower),
                ),
                Dialect::Kata => format!(
                    "info move {shown} visits {visits} utility {:.6} winrate {value:.6} prior {prior:.6} \
                     lcb {lower:.6} order {order} pv {line}",
                    2.0 * value - 1.0,
                ),
            });
        }
        if groups.is_empty() {
            return;
        }
        let mut text = groups.join(" ");
        if self.dialect == Dialect::Kata {
            if self.root_info {
                let value = report.value.for_player(turn);
                let visits: u64 = report.root.iter().map(|entry| entry.visits).sum();
                text += &format!(" rootInfo visits {visits} utility {:.6} winrate {value:.6}", 2.0 * value - 1.0);
            }
            if let Some(ownership) = &self.ownership {
                let sign = if turn == Player::First { 1.0 } else { -1.0 };
                let numbers: Vec<String> = ownership.iter().map(|owner| format!("{:.4}", sign * owner)).collect();
                text += &format!(" ownership {}", numbers.join(" "));
            }
        }
        out.push_str(&text);
        out.push('\n');
    }

    fn line(&self, report: &Report<String>, entry: &RootMove<String>, position: &dyn AnyPosition) -> String {
        line_of(report, entry, position, self.vertices).join(" ")
    }
}

/// The word that belongs to an option.
fn value_after<'a>(option: &str, words: &mut std::slice::Iter<'_, &'a str>) -> Result<&'a str, String> {
    words.next().copied().ok_or_else(|| format!("expected a value after {option}"))
}

/// The expected course after a move.
pub(super) fn line_of(
    report: &Report<String>,
    entry: &RootMove<String>,
    position: &dyn AnyPosition,
    vertices: Vertices,
) -> Vec<String> {
    vertices.show_line(position, ranking::line_of(report, entry))
}

/// CGOS's account of a move: one line of JSON.
pub(super) fn cgos(thought: &Thought, vertices: Vertices) -> String {
    let (report, position) = (&thought.report, thought.position.as_ref());
    let tidy = |number: f64| (number * 1e4).round() / 1e4;
    let moves: Vec<serde_json::Value> = ranked(report)
        .into_iter()
        .take(10)
        .map(|entry| {
            serde_json::json!({
                "move": vertices.show(position, &entry.mv),
                "visits": entry.visits,
                "winrate": tidy(winrate(entry, report.turn)),
                "prior": entry.prior.map(tidy),
                "pv": line_of(report, entry, position, vertices).join(" "),
            })
        })
        .collect();
    let visits: u64 = report.root.iter().map(|entry| entry.visits).sum();
    serde_json::json!({
        "winrate": tidy(report.value.for_player(report.turn)),
        "visits": visits,
        "moves": moves,
    })
    .to_string()
}
