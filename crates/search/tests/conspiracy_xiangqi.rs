//! Zhang 2019, chapter 4: relative Single Conspiracy Numbers along self-play from won, drawn and handicap positions. Measurements:
//!
//! `cargo test --release -p tesuji-search --test conspiracy_xiangqi -- --ignored --nocapture`
//!
//! Settings from the environment: `TESUJI_RSCN_GAMES` (96 of each kind), `TESUJI_RSCN_NODES` (positions a move), `TESUJI_RSCN_DEPTH`,
//! `TESUJI_RSCN_PLIES`, `TESUJI_RSCN_T` (600), `TESUJI_RSCN_EXTENSIONS` (1: a ply more in check).

#[path = "../../games/tests/shared/mod.rs"]
mod shared;

use shared::share;
use std::io::Write;
use tesuji_core::{Budget, Player, Position, Seed};
use tesuji_games::xiangqi::{Handicap, PieceKind, Xiangqi};
use tesuji_search::conspiracy::{Scn, rscn};

fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

fn search(threshold: i32) -> Scn {
    let mut scn = Scn::new(threshold);
    scn.options.extensions = share("TESUJI_RSCN_EXTENSIONS", 0) == 1;
    scn
}

fn budget() -> Budget {
    let depth = Some(share("TESUJI_RSCN_DEPTH", 8));
    Budget { nodes: Some(share("TESUJI_RSCN_NODES", 200_000)), depth, ..Budget::default() }
}

/// What a game shows of both sides.
type Pair = [rscn::Average; 2];
/// A number of won and drawn games.
type Statistic<'a> = dyn Fn(&[Pair], &[Pair]) -> Option<f64> + 'a;

fn play(position: &Xiangqi, scn: &Scn, plies: u32, seed: u64) -> Pair {
    let moments = rscn::self_play(position, scn, &budget(), plies, Seed(seed)).expect("live");
    [Player::First, Player::Second].map(|player| rscn::average(&moments, player))
}

/// The compositions of the file, those with a mate first named.
fn compositions(text: &str) -> Vec<(&str, bool)> {
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("\"fen\": \"") {
            found.push((rest.trim_end_matches("\","), false));
        }
        if let (true, Some(last)) = (line.starts_with("\"mate_in\": "), found.last_mut()) {
            last.1 = true;
        }
    }
    found
}

/// Zhang's drawn positions: rooks, horses, cannons and soldiers are taken off. Nothing if that leaves no legal position
/// (the generals face each other) or none with a move.
fn disarmed(fen: &str) -> Option<Xiangqi> {
    let (board, rest) = fen.split_once(' ')?;
    let mut rows = Vec::new();
    for row in board.split('/') {
        let points = row.chars().flat_map(|letter| match letter.to_digit(10) {
            Some(empty) => vec!['1'; empty as usize],
            None if "rncpRNCP".contains(letter) => vec!['1'],
            None => vec![letter],
        });
        rows.push(points.collect::<String>());
    }
    let position = Xiangqi::from_fen(&format!("{} {rest}", rows.join("/"))).ok()?;
    position.outcome().is_none().then_some(position)
}

/// Ten classes between the extremes, three kinds side by side.
fn histogram(title: &str, kinds: &[(&str, Vec<f64>)]) {
    let all = || kinds.iter().flat_map(|(_, numbers)| numbers.iter().copied());
    let (low, high) = (all().fold(f64::MAX, f64::min), all().fold(f64::MIN, f64::max));
    say(&format!("{title}:"));
    for (name, numbers) in kinds {
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        let (least, most) = numbers.iter().fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(*x), b.max(*x)));
        say(&format!("  {name}: {} games, mean {mean:.1}, from {least:.1} to {most:.1}", numbers.len()));
    }
    const CLASSES: usize = 16;
    let class = |number: f64| (((number - low) / (high - low).max(1e-9) * CLASSES as f64) as usize).min(CLASSES - 1);
    say(&format!("  {:>20}  {}", "from", kinds.iter().map(|(name, _)| format!("{name:<22}")).collect::<String>()));
    for number in 0..CLASSES {
        let from = low + (high - low) * number as f64 / CLASSES as f64;
        let bars = kinds.iter().map(|(_, numbers)| {
            let count = numbers.iter().filter(|found| class(**found) == number).count();
            format!("{:<22}", format!("{} {count}", "█".repeat(count.div_ceil(6))))
        });
        say(&format!("  {from:>20.1}  {}", bars.collect::<String>()));
    }
}

/// Figures 4-4 to 4-7: do the numbers tell won, drawn and lost positions apart, and better than values do?
#[test]
#[ignore = "minutes; a measurement; release"]
fn won_drawn_and_lost() {
    let path = format!("{}/../../../shared/data/xiangqi/mate_compositions.json", env!("CARGO_MANIFEST_DIR"));
    let Ok(text) = std::fs::read_to_string(&path) else { return say(&format!("SKIPPED: no data file {path}")) };
    let games = share("TESUJI_RSCN_GAMES", 96);
    let (scn, plies) = (search(share("TESUJI_RSCN_T", 600)), share("TESUJI_RSCN_PLIES", 24));
    let all = compositions(&text);
    let mates = all.iter().filter(|(_, mate)| *mate).take(games);
    let won: Vec<Pair> =
        mates.map(|(fen, _)| play(&Xiangqi::from_fen(fen).expect("a position"), &scn, plies, 1)).collect();
    let drawn: Vec<Pair> =
        all.iter().filter_map(|(fen, _)| disarmed(fen)).take(games).map(|start| play(&start, &scn, plies, 1)).collect();
    // By number and by value: the winner's side, both sides of a drawn game, the loser's side.
    let number = |average: &rscn::Average| average.rscn;
    let value = |average: &rscn::Average| average.value;
    let side = |games: &[Pair], side: usize, of: &dyn Fn(&rscn::Average) -> Option<f64>| {
        games.iter().filter_map(|pair| of(&pair[side])).collect::<Vec<f64>>()
    };
    let kinds = |of: &dyn Fn(&rscn::Average) -> Option<f64>| {
        let both = [side(&drawn, 0, of), side(&drawn, 1, of)].concat();
        vec![("won", side(&won, 0, of)), ("drawn", both), ("lost", side(&won, 1, of))]
    };
    say(&format!("{} won games, {} drawn games, T = {}, {:?}", won.len(), drawn.len(), scn.threshold, budget()));
    histogram("RSCN (smaller is better)", &kinds(&number));
    histogram("value (larger is better)", &kinds(&value));

    // The area under the curve of "this one is better", for both measures, with the games drawn anew.
    let pick = |games: &[Pair], drawn: &[usize]| drawn.iter().map(|at| games[*at]).collect::<Vec<Pair>>();
    let area = |better: &str, won: &[Pair], drawn: &[Pair], by_number: bool| {
        let of: &dyn Fn(&rscn::Average) -> Option<f64> = if by_number { &number } else { &value };
        let both = || [side(drawn, 0, of), side(drawn, 1, of)].concat();
        let (good, bad) = match better {
            "won against lost" => (side(won, 0, of), side(won, 1, of)),
            "won against drawn" => (side(won, 0, of), both()),
            _ => (both(), side(won, 1, of)),
        };
        let (smaller, larger) = if by_number { (good, bad) } else { (bad, good) };
        rscn::separation(&smaller, &larger).map(|(area, _)| area)
    };
    for better in ["won against lost", "won against drawn", "drawn against lost"] {
        let sizes = [won.len(), drawn.len()];
        let again = |of: &Statistic<'_>| {
            rscn::bootstrap(sizes, 1_000, Seed(1), |one, two| of(&pick(&won, one), &pick(&drawn, two)))
        };
        let show = |name: &str, of: &Statistic<'_>| {
            if let (Some(found), Some((low, high))) = (of(&won, &drawn), again(of)) {
                say(&format!("{better}, {name}: {found:.3} (95 %: {low:.3} to {high:.3})"));
            }
        };
        show("area by RSCN", &|won, drawn| area(better, won, drawn, true));
        show("area by value", &|won, drawn| area(better, won, drawn, false));
        show("difference", &|won, drawn| Some(area(better, won, drawn, true)? - area(better, won, drawn, false)?));
        // Whatever the direction: how far the two kinds are apart at all.
        let apart = |area: Option<f64>| area.map(|area| area.max(1.0 - area));
        show("difference, either direction", &|won, drawn| {
            Some(apart(area(better, won, drawn, true))? - apart(area(better, won, drawn, false))?)
        });
    }
}

/// Figures 4-9 and 4-10: openings in which Red gives pieces. The more he gives, the larger his numbers should be.
#[test]
#[ignore = "minutes; a measurement; release"]
fn handicaps() {
    let mut openings = vec![("nothing", Xiangqi::new())];
    for (name, kind) in [("a horse", PieceKind::Horse), ("a cannon", PieceKind::Cannon), ("a rook", PieceKind::Rook)] {
        openings.push((name, Xiangqi::with_handicap(Handicap::One(kind))));
    }
    for (name, kind) in
        [("two horses", PieceKind::Horse), ("two cannons", PieceKind::Cannon), ("two rooks", PieceKind::Rook)]
    {
        openings.push((name, Xiangqi::with_handicap(Handicap::Two(kind))));
    }
    // Two moves a player, as Zhang has it, and several games.
    let (games, plies) = (share("TESUJI_RSCN_SEEDS", 5), share("TESUJI_RSCN_PLIES", 5));
    say(&format!(
        "Red gives, {games} games of {plies} plies, {:?}: mean RSCN of Red (least to most), mean value",
        budget()
    ));
    for threshold in [200, 600] {
        for (name, start) in &openings {
            let played: Vec<Pair> = (0..games).map(|seed| play(start, &search(threshold), plies, seed)).collect();
            let numbers: Vec<f64> = played.iter().filter_map(|pair| pair[0].rscn).collect();
            let values: Vec<f64> = played.iter().filter_map(|pair| pair[0].value).collect();
            let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
            let (least, most) = numbers.iter().fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(*x), b.max(*x)));
            say(&format!(
                "T = {threshold}  {name:<12} {:>8.1} ({least:.1} to {most:.1})  {:>8.0}",
                mean(&numbers),
                mean(&values)
            ));
        }
    }
}
