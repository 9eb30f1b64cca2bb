//! GNU Go's questions of life and death, asked of df-pn with its knowledge of problems: can these
//! stones be killed, can they be saved? `cargo bench -p tesuji-agents --bench owl`; the result is
//! in docs/verification.md.
//!
//! Each question becomes a problem cut out of the board (`goproblem::Region`). Regions grow by two
//! points as long as they are solved within the limit of nodes, and the largest that is solved
//! answers. A kill is asked in a closed region; so is a rescue, and if that fails again in an open
//! one, since the stones may escape. A question that is not solved in the smallest region is
//! answered by a Monte-Carlo search of the same problem. `TESUJI_LEAST`, `TESUJI_MOST`,
//! `TESUJI_NODES` and
//! `TESUJI_ITERATIONS` set the limits; `TESUJI_STEP=n` asks every n-th question only.

use tesuji_core::solver::Settings;
use tesuji_core::{Budget, Goal, NoObserver, Player, Position, Seed};
use tesuji_games::go::{Go, GoRules};
use tesuji_games::goproblem::{GoProblem, LifeAndDeath, Mode, Place, Region};
use tesuji_search::Search;
use tesuji_search::mcts::Mcts;
use tesuji_search::proof::Advised;
use tesuji_testing::data::public_path;
use tesuji_testing::figures::{Figures, Unit};
use tesuji_testing::{public, setting};

/// What is found: how well it goes (1 yes, 2 or 3 by a ko, 0 no), the move, and whether that is
/// proved.
#[derive(Clone, Debug)]
struct Found {
    code: u32,
    mv: String,
    proved: bool,
}

/// How much may be spent: points of the smallest and of the largest region, nodes of a proof,
/// iterations of a guess.
#[derive(Clone, Copy)]
struct Limits {
    least: usize,
    most: usize,
    nodes: u64,
    iterations: u64,
}

/// Asks in growing regions; the largest that is solved answers.
fn ask(go: &Go, target: Place, mode: Mode, closed: bool, limits: Limits) -> Option<Found> {
    let mut best: Option<Found> = None;
    for (region, start) in Region::growing(go, target, mode, closed, limits.least..=limits.most) {
        match ask_in(&start, mode, region, limits) {
            Some(found) if found.proved => best = Some(found),
            found => return best.or(found),
        }
    }
    best
}

/// Whether it can be saved: enclosed, or else by an escape.
fn ask_to_save(go: &Go, target: Place, limits: Limits) -> Option<Found> {
    let closed = ask(go, target, Mode::Save, true, limits);
    match closed {
        Some(found) if found.code > 0 => Some(found),
        _ => ask(go, target, Mode::Save, false, limits).or(closed),
    }
}

fn ask_in(start: &GoProblem, mode: Mode, region: Region, limits: Limits) -> Option<Found> {
    let show = |mv| start.place_of(mv).map_or("PASS".into(), |place: Place| place.show(start.problem().size));
    if let Some(outcome) = start.outcome() {
        return Some(Found { code: u32::from(outcome.score.units() > 42_000), mv: "PASS".into(), proved: true });
    }
    // Seki saves, and does not kill.
    let full = if mode == Mode::Kill { "score>=0.85" } else { "score>=0.7" };
    for (goal, code) in [(full, 1), ("score>=0.5", 2)] {
        let goal: Goal = goal.parse().expect("a goal");
        let settings = Settings { epsilon: 0.25, ..Settings::default() };
        let mut search = Advised::new(settings, Box::new(LifeAndDeath)).with_goal(goal);
        let budget = Budget { nodes: Some(limits.nodes), memory: Some(64 << 20), ..Budget::default() };
        let report = search.search(start, &budget, Seed(1), &mut NoObserver).ok()?;
        let Goal::Question(aim) = goal else { continue };
        let (least, most) = report.bounds.for_player(Player::First);
        if i64::from(least.units()) >= i64::from(aim.least) {
            // In a ko, the side that takes back needs the first threat elsewhere: the opponent (2)
            // or we (3).
            let mut end = start.clone();
            for mv in &report.line {
                if end.is_legal(*mv) {
                    end.play(*mv);
                }
            }
            let code = if code == 2 && end.ko_winner() == Some(Player::First) { 3 } else { code };
            return Some(Found { code, mv: show(report.best?), proved: true });
        }
        if i64::from(most.units()) >= i64::from(aim.least) {
            if region.points > limits.least {
                return None;
            }
            let mut guess = Mcts::default();
            let report = guess.search(start, &Budget::iterations(limits.iterations), Seed(1), &mut NoObserver).ok()?;
            let value = report.value.for_player(Player::First);
            let code = if value > 0.6 {
                1
            } else if value > 0.45 {
                2
            } else {
                0
            };
            return Some(Found { code, mv: show(report.best?), proved: false });
        }
    }
    Some(Found { code: 0, mv: "PASS".into(), proved: true })
}

/// Whether a text is one of `A`, `(A|B)`, `.+`.
fn fits(pattern: &str, text: &str) -> bool {
    let inner = pattern.trim_start_matches('(').trim_end_matches(')');
    inner == ".+" || inner.split('|').any(|one| one.eq_ignore_ascii_case(text))
}

/// Whether an answer satisfies what stands between the brackets.
fn right(expected: &str, answer: &[String]) -> bool {
    let (expected, wanted) = expected.strip_prefix('!').map_or((expected, true), |rest| (rest, false));
    let parts: Vec<&str> = expected.split_whitespace().collect();
    let same = parts.len() <= answer.len() && parts.iter().zip(answer).all(|(pattern, text)| fits(pattern, text));
    same == wanted
}

/// A question and the pattern of its answer.
struct Question<'a> {
    go: &'a Go,
    words: Vec<&'a str>,
    expected: &'a str,
}

/// The answer as GNU Go writes it, and whether it is proved of its region; nothing if no problem
/// can be made of it.
fn answer(question: &Question<'_>, limits: Limits) -> Option<(Vec<String>, bool)> {
    let go = question.go;
    let target = Place::read(question.words.last()?, go.size() as u8)?;
    let kill = || ask(go, target, Mode::Kill, true, limits);
    match question.words[0] {
        "owl_attack" => kill().map(|found| (vec![found.code.to_string(), found.mv], found.proved)),
        "owl_defend" => {
            let found = ask_to_save(go, target, limits)?;
            Some((vec![found.code.to_string(), found.mv], found.proved))
        }
        "dragon_status" => {
            let (kill, save) = (kill()?, ask(go, target, Mode::Save, true, limits)?);
            let status = match (kill.code, save.code) {
                (0, _) => "alive",
                (_, 0) => "dead",
                _ => "critical",
            };
            Some((vec![status.into(), kill.mv, save.mv], kill.proved && save.proved))
        }
        _ => None,
    }
}

/// Counts of one file: asked, right, solved in their region, and right among those.
#[derive(Default)]
struct Counts {
    asked: u32,
    right: u32,
    solved: u32,
    solved_right: u32,
}

impl Counts {
    fn add(&mut self, question: &Question<'_>, limits: Limits) {
        self.asked += 1;
        let Some((answer, solved)) = answer(question, limits) else { return };
        let is_right = right(question.expected, &answer);
        self.right += u32::from(is_right);
        self.solved += u32::from(solved);
        self.solved_right += u32::from(solved && is_right);
    }
}

/// All questions of a file. A record that cannot be read leaves its questions out, which the count
/// of those asked shows.
fn file(name: &str, text: &str, limits: Limits, step: usize) -> Counts {
    let (mut go, mut words, mut number): (Option<Go>, Vec<&str>, usize) = (None, Vec::new(), 0);
    let mut counts = Counts::default();
    for line in text.lines() {
        let parts: Vec<&str> = line.split_whitespace().collect();
        match parts[..] {
            ["loadsgf", path, ref rest @ ..] => {
                let bytes =
                    public_path(&format!("go/gnugo-regression/{path}")).and_then(|path| std::fs::read(path).ok());
                let moves = rest.first().and_then(|number| number.parse::<usize>().ok()).map(|number| number - 1);
                go = bytes.and_then(|bytes| Go::from_sgf(&bytes, GoRules::on(19), moves).ok());
            }
            [id, command, ..] if id.parse::<u32>().is_ok() && !command.starts_with('#') => words = parts[1..].to_vec(),
            _ if line.starts_with("#?") && !words.is_empty() => {
                let brackets = line.split_once('[').and_then(|(_, rest)| rest.rsplit_once(']'));
                let (expected, _) = brackets.unwrap_or_else(|| panic!("{name}: no brackets in {line}"));
                let words = std::mem::take(&mut words);
                number += 1;
                if let Some(go) = &go
                    && number.is_multiple_of(step)
                {
                    counts.add(&Question { go, words, expected }, limits);
                }
            }
            _ => {}
        }
    }
    counts
}

/// The patterns are read as their source means them.
fn check_patterns() {
    let answer = |text: &str| -> Vec<String> { text.split(' ').map(Into::into).collect() };
    assert!(right("1 (C12|B14)", &answer("1 B14")) && !right("1 (C12|B14)", &answer("1 B1")));
    assert!(right("0", &answer("0 PASS")) && right("!1 A2", &answer("1 A3")) && right("(1|2) A2", &answer("2 A2")));
    assert!(right("critical A2 (A2|A5)", &answer("critical A2 A5")) && !right("dead", &answer("alive")));
}

fn main() {
    check_patterns();
    let limits = Limits {
        least: setting("TESUJI_LEAST", 12),
        most: setting("TESUJI_MOST", 22),
        nodes: setting("TESUJI_NODES", 60_000),
        iterations: setting("TESUJI_ITERATIONS", 1_000),
    };
    let mut figures = Figures::new("owl");
    for name in ["ld_owl.tst", "owl.tst"] {
        let Some(text) = public(&format!("go/gnugo-regression/{name}")) else { return };
        let counts = file(name, &text, limits, setting("TESUJI_STEP", 1));
        for (row, count) in [
            ("asked", counts.asked),
            ("right", counts.right),
            ("solved in their region", counts.solved),
            ("right of those solved", counts.solved_right),
        ] {
            figures.add(format!("{name}: {row}"), f64::from(count), Unit::Count);
        }
    }
    figures.finish();
}
