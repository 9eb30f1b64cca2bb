//! df-pn with knowledge of life-and-death problems: unconditional life and static death against
//! full expansion, and the problem set.
#![allow(clippy::print_stderr)]

use std::path::Path;
use tesuji_core::solver::Settings;
use tesuji_core::{Budget, Certificate, Certifier, Goal, NoObserver, Player, Position, Rng, Score, Seed};
use tesuji_games::goproblem::{
    Answer, GoProblem, LifeAndDeath, LifeCertifier, Mode, Move, Place, Problem, STATIC_DEATH, UNCONDITIONAL_LIFE,
    settled_certificate,
};
use tesuji_proof::{ExpansionLimits, check_by_rules, check_with};
use tesuji_search::Search;
use tesuji_search::oracle::Oracle;
use tesuji_search::proof::Advised;
use tesuji_testing::setting;

/// A random board with room for two small eyes.
fn random_problem(rng: &mut Rng) -> Option<GoProblem> {
    let size = 4 + rng.below(2) as u8;
    let mode = if rng.below(2) == 0 { Mode::Save } else { Mode::Kill };
    let mut problem = Problem::new(size, mode);
    let defender = mode.defender();
    let places: Vec<_> = problem.places().collect();
    for place in places {
        let site = problem.site_mut(place);
        site.feasible = true;
        match rng.below(20) {
            0..12 => (site.stone, site.important) = (Some(defender), rng.below(3) == 0),
            12..17 => {}
            _ => site.stone = Some(defender.other()),
        }
    }
    GoProblem::new(problem).ok()
}

/// Finder and checker, which share no code, agree on a live position.
fn compare_with_checker(position: &GoProblem) {
    let owner = position.problem().mode.defender();
    let certificate = |kind| Certificate::new(kind, Vec::new());
    let life = LifeCertifier.wins(position, owner, &certificate(UNCONDITIONAL_LIFE));
    assert_eq!(position.lives_unconditionally(), life.is_ok(), "{life:?} {position:?}");
    let death = LifeCertifier.wins(position, owner.other(), &certificate(STATIC_DEATH));
    assert_eq!(position.dies_statically(), death.is_ok(), "{death:?} {position:?}");
}

/// Stones that live unconditionally: full expansion gives their owner the full score, with either
/// side to move.
#[test]
fn unconditional_life_is_life() {
    let mut rng = Rng::new(Seed(7));
    let (mut lives, mut larger, mut moved) = (0, 0, 0);
    for _ in 0..60_000 {
        let Some(mut position) = random_problem(&mut rng) else { continue };
        for _ in 0..rng.below(4) {
            if let Some(mv) = position.random_move(&mut rng) {
                position.play(mv);
            }
        }
        if position.outcome().is_some() {
            continue;
        }
        compare_with_checker(&position);
        if !position.lives_unconditionally() {
            continue;
        }
        let owner = position.problem().mode.defender();
        let mut oracle = Oracle::default();
        let budget = Budget { nodes: Some(20_000), ..Budget::default() };
        let finished = oracle.search(&position, &budget, Seed(1), &mut NoObserver);
        if finished.is_ok_and(|report| report.root.iter().all(|entry| entry.bounds.proved().is_some())) {
            let truth = oracle.truth(&position).expect("it has finished").outcome.score;
            assert_eq!(truth.for_player(owner), Score::WIN, "{position:?}");
            lives += 1;
            larger += u32::from(position.moves().len() > 4);
            moved += u32::from(position.turn() != owner);
        }
        let certificate = settled_certificate(&position, owner).expect("it lives");
        let mut replies = position.moves();
        LifeCertifier.answers(&position, owner, &certificate, &mut replies).expect("derived again");
        assert!(replies.is_empty());
        assert!(LifeCertifier.wins(&position, owner.other(), &certificate).is_err());
        let foreign = Certificate::new(UNCONDITIONAL_LIFE, vec![1]);
        assert!(LifeCertifier.wins(&position, owner, &foreign).is_err());
        if lives >= 80 {
            break;
        }
    }
    assert!(
        lives >= 60 && larger >= 10 && moved >= 20,
        "{lives} positions, {larger} larger, {moved} with the attacker to move"
    );
}

/// A chain of the defender's around a small space in the corner or at the edge, walled in, with
/// holes and loose stones at random.
fn random_corner(rng: &mut Rng) -> Option<GoProblem> {
    let mode = if rng.below(2) == 0 { Mode::Save } else { Mode::Kill };
    let defender = mode.defender();
    let mut problem = Problem::new(7, mode);
    // The space, point by point; the defender around it, then the attacker, then points for ever
    // empty.
    let corner = [(0, 0), (0, 2), (2, 2)][rng.below(3) as usize];
    let mut space = vec![corner];
    while space.len() < 1 + rng.below(5) as usize {
        let (row, column) = space[rng.below(space.len() as u32) as usize];
        let (down, right) = [(0, 1), (1, 0), (0, -1), (-1, 0)][rng.below(4) as usize];
        let next = (row + down, column + right);
        if (0..5).contains(&next.0) && (0..5).contains(&next.1) && !space.contains(&next) {
            space.push(next);
        }
    }
    let far = |place: Place| {
        let steps =
            |point: &(i32, i32)| (i32::from(place.row) - point.0).abs().max((i32::from(place.column) - point.1).abs());
        space.iter().map(steps).min().unwrap_or(9)
    };
    let places: Vec<Place> = problem.places().collect();
    for place in places {
        let far = far(place);
        let site = problem.site_mut(place);
        match far {
            0 => {
                site.feasible = true;
                site.stone = (rng.below(3) == 0).then_some(defender.other());
            }
            1 => {
                site.feasible = true;
                (site.stone, site.important) = match rng.below(12) {
                    0 => (None, false),
                    1 => (Some(defender.other()), false),
                    2 => (Some(defender), false),
                    _ => (Some(defender), true),
                };
            }
            2 => {
                site.feasible = rng.below(3) == 0;
                site.stone = match rng.below(24) {
                    0..2 => None,
                    2 => Some(defender),
                    _ => Some(defender.other()),
                };
            }
            _ => {}
        }
        site.alive = site.stone.is_some() && rng.below(24) == 0;
    }
    GoProblem::new(problem).ok()
}

/// Checks a position that is said to be dead against full expansion, which tells the plies to the
/// end; nothing if it is too large for that.
fn check_death(position: &GoProblem, nodes: u64) -> Option<u32> {
    let attacker = position.problem().mode.defender().other();
    let certificate = settled_certificate(position, attacker).expect("it is dead");
    assert_eq!(certificate.kind, STATIC_DEATH);
    let mut oracle = Oracle::default();
    let budget = Budget { nodes: Some(nodes), ..Budget::default() };
    let finished = oracle.search(position, &budget, Seed(1), &mut NoObserver);
    if finished.is_ok_and(|report| report.root.iter().all(|entry| entry.bounds.proved().is_some())) {
        let truth = oracle.truth(position).expect("it has finished");
        assert_eq!(truth.outcome.score.for_player(attacker), Score::WIN, "{}{position:?}", position.problem());
        return Some(truth.distance);
    }
    None
}

/// Stones that are dead by their shape: solvers without knowledge give the attacker the full score,
/// with either side to move, in composed corners and in random positions of the problem set.
#[test]
fn static_death_is_death() {
    let mut rng = Rng::new(Seed(11));
    let set: Vec<GoProblem> = problems().into_iter().map(|(_, it)| GoProblem::new(it).expect("a problem")).collect();
    let (positions, nodes) = (setting("POSITIONS", 20_000_u32), setting("NODES", 3_000));
    let (mut seen, mut unchecked, mut owners, mut passed) = (0_u32, 0_u32, 0, 0);
    let mut checked = [0_u32; 32];
    for number in 0..positions {
        let mut position = if number % 4 != 1 {
            let Some(position) = random_corner(&mut rng) else { continue };
            position
        } else {
            set[rng.below(set.len() as u32) as usize].clone()
        };
        let plies = rng.below([8, 24, 8, 72][number as usize % 4]);
        for ply in 0..=plies {
            if position.outcome().is_some() {
                break;
            }
            seen += 1;
            compare_with_checker(&position);
            // Not only where it is seen first: deeper ones are nearer to the limits of passes and
            // plies.
            if (ply == plies || rng.below(8) == 0) && position.dies_statically() {
                match check_death(&position, nodes) {
                    Some(plies) => checked[plies.min(31) as usize] += 1,
                    None => unchecked += 1,
                }
                owners += u32::from(position.turn() == position.problem().mode.defender());
                passed += u32::from(position.pass_balance() != 0);
            }
            let Some(mv) = position.random_move(&mut rng) else { break };
            let passes = position.is_legal(Move::PASS) && rng.below(2) == 0;
            position.play(if passes { Move::PASS } else { mv });
        }
    }
    eprintln!(
        "{seen} positions; dead, by plies to the end: {checked:?}; not checked: {unchecked}; {owners} with \
         the owner to move, {passed} after passes"
    );
    let long: u32 = checked[5..].iter().sum();
    assert!(
        long >= 50 && owners >= 100 && passed >= 20 && unchecked < 10,
        "{checked:?}, {owners}, {passed}, {unchecked}"
    );
}

/// A claim of static death is refused from the wrong side, with data, under another name, and of a
/// position that is not dead.
#[test]
fn static_death_is_derived_again() {
    let read = |text: &str| GoProblem::new(text.parse().expect("a problem")).expect("a problem");
    let board = |corner: &str, turn: &str| {
        read(&format!("board:\nX X X X .\no o o X .\n{corner} o X .\no o o X .\nX X X X .\nfeasible: A3\n{turn}"))
    };
    let certificate = Certificate::new(STATIC_DEATH, Vec::new());
    let dead = board("+ +", "");
    assert!(LifeCertifier.wins(&dead, Player::First, &certificate).is_ok());
    assert!(LifeCertifier.wins(&dead, Player::Second, &certificate).is_err());
    assert!(LifeCertifier.wins(&dead, Player::First, &Certificate::new(STATIC_DEATH, vec![0])).is_err());
    assert!(LifeCertifier.wins(&dead, Player::First, &Certificate::new(UNCONDITIONAL_LIFE, Vec::new())).is_err());
    let mut replies = vec![Move::PASS];
    assert!(LifeCertifier.answers(&dead, Player::First, &certificate, &mut replies).is_ok() && replies.is_empty());
    let three = |stones: &str| {
        read(&format!("kind: kill\nboard:\n{stones}\no o o o o X\nX X X X X X\n. . . . . .\n. . . . . .\n. . . . . ."))
    };
    assert!(three("+ + + o o X").dies_statically(), "the attacker takes the middle");
    let mut lost = three("+ + + o o X");
    lost.play(lost.move_to(Place { row: 0, column: 0 }).expect("a point"));
    assert!(!lost.dies_statically(), "the defender takes the middle");
    assert!(LifeCertifier.wins(&lost, Player::First, &certificate).is_err());
    assert!(!three("+ + + + o X").dies_statically(), "four in a row live");
}

fn problems() -> Vec<(String, Problem)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/problems/go");
    let files = std::fs::read_dir(folder).expect("the folder of problems").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|extension| extension == "txt")).collect();
    files.sort();
    let read = |path: &std::path::PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, Problem::from_bytes(&std::fs::read(path).expect("a file")).unwrap_or_else(|error| panic!("{error}")))
    };
    files.iter().map(read).collect()
}

fn solve(
    search: &mut dyn Search<GoProblem>,
    start: &GoProblem,
    budget: &Budget,
) -> (Option<Score>, Option<Answer>, u64) {
    let report = search.search(start, budget, Seed(1), &mut NoObserver).expect("live");
    let best = report.best.map(|mv| start.place_of(mv).map_or(Answer::Pass, Answer::Play));
    (report.bounds.proved(), best, report.nodes)
}

/// A checker that knows one kind of certificate only.
struct Only(&'static str);

impl Certifier<GoProblem> for Only {
    fn wins(&self, position: &GoProblem, claimant: Player, certificate: &Certificate) -> Result<(), String> {
        if certificate.kind != self.0 {
            return Err("another kind".into());
        }
        LifeCertifier.wins(position, claimant, certificate)
    }

    fn answers(
        &self,
        position: &GoProblem,
        claimant: Player,
        certificate: &Certificate,
        replies: &mut Vec<Move>,
    ) -> Result<(), String> {
        if certificate.kind != self.0 {
            return Err("another kind".into());
        }
        LifeCertifier.answers(position, claimant, certificate, replies)
    }
}

/// Values, first moves and proofs of small problems, with certificates of either kind in some.
#[test]
fn small_problems_are_proved() {
    let (mut solved, mut lives, mut deaths) = (0, 0, 0);
    let (mut certificates, mut unexpanded) = (0, 0);
    let limits = ExpansionLimits { positions: 20_000, deadline: Budget::unlimited().meter().deadline() };
    for (name, problem) in problems() {
        let start = GoProblem::new(problem.clone()).expect("a problem");
        let mut search = Advised::new(Settings::default(), Box::new(LifeAndDeath)).with_goal(Goal::default());
        let budget = Budget { nodes: Some(20_000), memory: Some(16 << 20), ..Budget::default() };
        let (Some(value), best, _) = solve(&mut search, &start, &budget) else { continue };
        assert_eq!(Some(value), problem.value, "{name}");
        assert!(problem.answer.contains(&best.expect("live")), "{name}");
        for claim in search.proof(&start, &Budget::unlimited()).expect("it is solved") {
            let checked = check_with(&start, &claim, Some(&LifeCertifier), &mut Budget::unlimited().meter());
            let checked = checked.unwrap_or_else(|error| panic!("{name}: {error}"));
            // The rules alone agree wherever the expansion ends.
            let by_rules = check_by_rules(&start, &claim, &limits, &mut Budget::unlimited().meter());
            let by_rules = by_rules.unwrap_or_else(|error| panic!("{name} by the rules: {error}"));
            assert_eq!(by_rules.certificates, checked.certificates, "{name}");
            (certificates, unexpanded) = (certificates + by_rules.certificates, unexpanded + by_rules.unexpanded);
            let without =
                |kind| check_with(&start, &claim, Some(&Only(kind)), &mut Budget::unlimited().meter()).is_err();
            lives += u32::from(without(STATIC_DEATH));
            deaths += u32::from(without(UNCONDITIONAL_LIFE));
        }
        solved += 1;
    }
    eprintln!("{solved} solved; claims that need life {lives}, death {deaths}");
    eprintln!("{certificates} certificates, of which {unexpanded} were not expanded by the rules");
    assert!(certificates > 100 && unexpanded * 10 < certificates, "{unexpanded} of {certificates} not expanded");
    assert!(
        solved >= 75 && lives >= 5 && deaths >= 20,
        "{solved} solved; claims that need life {lives}, death {deaths}"
    );
}
