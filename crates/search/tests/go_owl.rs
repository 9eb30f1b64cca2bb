//! GNU Go's questions of life and death, asked of df-pn with its knowledge of problems: can these stones be killed, can they be saved?
//!
//! Each question becomes a problem (`goproblem`): the target's chain is important, play is allowed on the points around it, friends of the target that reach
//! beyond them are alive. The region is a guess, so what is proved is proved of the region only. Empty points just outside it are given to the attacker, as if he had
//! closed the target in; if stones cannot be saved so, they may still get out: then it is asked again without. Regions grow by two points as long as they are solved
//! within the limit of nodes, and the largest that is solved answers. A question that is not solved in the smallest is answered by a Monte-Carlo search of the same
//! problem; both shares are told.
#![allow(clippy::print_stderr)]

use std::collections::VecDeque;
use tesuji_core::solver::Settings;
use tesuji_core::{Budget, Goal, NoObserver, Player, Position, Seed};
use tesuji_games::go::{Go, GoRules};
use tesuji_games::goproblem::{GoProblem, LifeAndDeath, Mode, Place, Problem};
use tesuji_search::Search;
use tesuji_search::mcts::Mcts;
use tesuji_search::proof::Advised;
use tesuji_testing::{public, setting};

/// The stones of a board, row by row from the top.
struct Stones {
    size: u8,
    owners: Vec<Option<Player>>,
}

impl Stones {
    fn of(go: &Go) -> Stones {
        let board = go.board();
        let size = go.size() as u8;
        let mut owners = vec![None; usize::from(size) * usize::from(size)];
        for point in board.points() {
            let (column, row) = board.column_row(point);
            owners[(go.size() - 1 - row) * go.size() + column] = board.stone_at(point);
        }
        Stones { size, owners }
    }

    fn index(&self, place: Place) -> usize {
        usize::from(place.row) * usize::from(self.size) + usize::from(place.column)
    }

    fn at(&self, place: Place) -> Option<Player> {
        self.owners[self.index(place)]
    }

    fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let size = self.size;
        (0..size).flat_map(move |row| (0..size).map(move |column| Place { row, column }))
    }

    fn beside(&self, place: Place) -> impl Iterator<Item = Place> + use<> {
        let size = self.size;
        [(-1, 0), (1, 0), (0, -1), (0, 1)].into_iter().filter_map(move |(down, right)| {
            let row = place.row.checked_add_signed(down)?;
            let column = place.column.checked_add_signed(right)?;
            (row < size && column < size).then_some(Place { row, column })
        })
    }

    /// The chain of a stone and its liberties.
    fn chain(&self, stone: Place) -> (Vec<Place>, Vec<Place>) {
        let owner = self.at(stone);
        let (mut chain, mut liberties) = (vec![stone], Vec::new());
        let mut next = 0;
        while next < chain.len() {
            for place in self.beside(chain[next]) {
                match self.at(place) {
                    None if !liberties.contains(&place) => liberties.push(place),
                    other if other == owner && !chain.contains(&place) => chain.push(place),
                    _ => {}
                }
            }
            next += 1;
        }
        (chain, liberties)
    }

    /// How far each point is from these: a step to an empty point or a friend counts `step(place)`.
    fn distances(&self, from: &[Place], step: impl Fn(Place) -> u32) -> Vec<u32> {
        let mut far = vec![u32::MAX; self.owners.len()];
        let mut queue: VecDeque<Place> = from.iter().copied().collect();
        from.iter().for_each(|place| far[self.index(*place)] = 0);
        while let Some(place) = queue.pop_front() {
            for next in self.beside(place) {
                let distance = far[self.index(place)].saturating_add(step(next));
                if distance < far[self.index(next)] {
                    far[self.index(next)] = distance;
                    queue.push_back(next);
                }
            }
        }
        far
    }
}

/// Where play is allowed: on so many points, closed in or not.
#[derive(Clone, Copy)]
struct Region {
    points: usize,
    closed: bool,
}

/// The problem of killing (`mode` is kill) or saving the stones at `target`; whoever has to do it is Black there.
fn problem(stones: &Stones, target: Place, mode: Mode, region: Region, rings: u32) -> Option<Problem> {
    let defender = stones.at(target)?;
    let attacker = defender.other();
    let black = if mode == Mode::Kill { attacker } else { defender };
    let (chain, _) = stones.chain(target);
    // The dragon's way: through empty points and friends; weak stones of the attacker are no wall.
    let step = |place: Place| match stones.at(place) {
        None => 2,
        Some(owner) if owner == defender => 1,
        Some(_) => {
            let (_, liberties) = stones.chain(place);
            if liberties.len() <= 2 { 4 } else { 1_000 }
        }
    };
    let far = stones.distances(&chain, step);
    let mut near: Vec<Place> = stones.places().filter(|place| stones.at(*place).is_none()).collect();
    near.retain(|place| far[stones.index(*place)] <= 8);
    near.sort_by_key(|place| far[stones.index(*place)]);
    near.truncate(region.points);
    // Stones far away are left out: what touches the region or the target counts, and what touches that.
    let mut counts: Vec<bool> = stones.places().map(|place| near.contains(&place) || chain.contains(&place)).collect();
    for _ in 0..rings {
        let before = counts.clone();
        for place in stones.places().filter(|place| stones.at(*place).is_some()) {
            if !counts[stones.index(place)] && stones.beside(place).any(|next| before[stones.index(next)]) {
                stones.chain(place).0.iter().for_each(|stone| counts[stones.index(*stone)] = true);
            }
        }
    }
    let mut problem = Problem::new(stones.size, mode);
    for place in stones.places() {
        if !counts[stones.index(place)] {
            continue;
        }
        let site = problem.site_mut(place);
        site.stone = stones.at(place).map(|owner| if owner == black { Player::First } else { Player::Second });
        site.feasible = near.contains(&place);
        site.important = chain.contains(&place);
        let Some(owner) = stones.at(place) else { continue };
        let (own, liberties) = stones.chain(place);
        let outside = liberties.iter().filter(|liberty| !near.contains(liberty)).count();
        // What may be captured may be played on again.
        site.feasible = outside == 0 && own.iter().any(|stone| far[stones.index(*stone)] < 1_000);
        site.alive = owner == defender && !site.important && outside >= 2;
    }
    if region.closed {
        let open = |place: &Place| {
            let is_ours = |next: Place| {
                let site = problem.site(next);
                near.contains(&next) || stones.at(next) == Some(defender) && site.stone.is_some() && !site.alive
            };
            stones.at(*place).is_none() && !near.contains(place) && stones.beside(*place).any(is_ours)
        };
        let wall: Vec<Place> = stones.places().filter(open).collect();
        for place in wall {
            problem.site_mut(place).stone = Some(if attacker == black { Player::First } else { Player::Second });
        }
    }
    Some(problem)
}

/// What is found: how well it goes (1 yes, 2 or 3 by a ko, 0 no), the move, and whether that is proved.
#[derive(Clone, Debug)]
struct Found {
    code: u32,
    mv: String,
    proved: bool,
}

/// How much may be spent: points of the smallest and of the largest region, nodes of a proof, iterations of a guess.
#[derive(Clone, Copy)]
struct Limits {
    least: usize,
    most: usize,
    nodes: u64,
    iterations: u64,
}

/// Asks in growing regions; the largest that is solved answers.
fn ask(stones: &Stones, target: Place, mode: Mode, closed: bool, limits: Limits) -> Option<Found> {
    let asked = |points| ask_in(stones, target, mode, Region { points, closed }, limits);
    let mut found = asked(limits.least)?;
    let mut points = limits.least + 2;
    while found.proved && points <= limits.most {
        match asked(points) {
            Some(next) if next.proved => found = next,
            _ => break,
        }
        points += 2;
    }
    Some(found)
}

/// Whether it can be saved: closed in, or else by getting out.
fn ask_to_save(stones: &Stones, target: Place, limits: Limits) -> Option<Found> {
    let closed = ask(stones, target, Mode::Save, true, limits);
    match closed {
        Some(found) if found.code > 0 => Some(found),
        _ => ask(stones, target, Mode::Save, false, limits).or(closed),
    }
}

fn ask_in(stones: &Stones, target: Place, mode: Mode, region: Region, limits: Limits) -> Option<Found> {
    let small = |rings: u32| GoProblem::new(problem(stones, target, mode, region, rings)?).ok();
    let start = small(2).or_else(|| small(1))?;
    let show = |mv| start.place_of(mv).map_or("PASS".into(), |place: Place| place.show(stones.size));
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
        let report = search.search(&start, &budget, Seed(1), &mut NoObserver).ok()?;
        let Goal::Question(aim) = goal else { continue };
        let (least, most) = report.bounds.for_player(Player::First);
        if i64::from(least.units()) >= i64::from(aim.least) {
            // In a ko, whoever takes back needs the first threat elsewhere: the opponent (2) or we (3).
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
            let report = guess.search(&start, &Budget::iterations(limits.iterations), Seed(1), &mut NoObserver).ok()?;
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

fn place(text: &str, size: u8) -> Option<Place> {
    let column = "ABCDEFGHJKLMNOPQRST".find(text.get(..1)?)? as u8;
    let row: u8 = text.get(1..)?.parse().ok()?;
    (column < size && (1..=size).contains(&row)).then(|| Place { row: size - row, column })
}

#[test]
fn patterns() {
    let answer = |text: &str| -> Vec<String> { text.split(' ').map(Into::into).collect() };
    assert!(right("1 (C12|B14)", &answer("1 B14")) && !right("1 (C12|B14)", &answer("1 B1")));
    assert!(right("0", &answer("0 PASS")) && right("!1 A2", &answer("1 A3")) && right("(1|2) A2", &answer("2 A2")));
    assert!(right("critical A2 (A2|A5)", &answer("critical A2 A5")) && !right("dead", &answer("alive")));
}

#[test]
#[ignore = "some minutes: 451 questions; LEAST, MOST, NODES and ITERATIONS set the limits, PART=k/n a share"]
fn attack_and_defence() {
    let limits = Limits {
        least: setting("LEAST", 12),
        most: setting("MOST", 22),
        nodes: setting("NODES", 60_000),
        iterations: setting("ITERATIONS", 1_000),
    };
    let part = std::env::var("PART").unwrap_or("0/1".into());
    let (part, parts) = part.split_once('/').expect("k/n");
    let (part, parts): (usize, usize) = (part.parse().expect("a number"), parts.parse().expect("a number"));
    for file in ["ld_owl.tst", "owl.tst"] {
        let Some(text) = public(&format!("go/gnugo-regression/{file}")) else { return };
        let (mut stones, mut question, mut number): (Option<Stones>, Vec<String>, usize) = (None, Vec::new(), 0);
        let (mut asked, mut good, mut proved, mut proved_good) = (0, 0, 0, 0);
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["loadsgf", path, ref rest @ ..] => {
                    let path =
                        format!("{}/../../../shared/data/go/gnugo-regression/{path}", env!("CARGO_MANIFEST_DIR"));
                    let bytes = std::fs::read(&path).ok();
                    let moves = rest.first().and_then(|number| number.parse::<usize>().ok()).map(|number| number - 1);
                    let go = bytes.and_then(|bytes| Go::from_sgf(&bytes, GoRules::on(19), moves).ok());
                    if go.is_none() {
                        eprintln!("{path}: not read, so its questions count as wrong");
                    }
                    stones = go.as_ref().map(Stones::of);
                }
                [id, command, ..] if id.parse::<u32>().is_ok() && !command.starts_with('#') => {
                    question = words[1..].iter().map(|word| (*word).to_owned()).collect();
                }
                _ if line.starts_with("#?") && !question.is_empty() => {
                    let expected =
                        line.split_once('[').and_then(|(_, rest)| rest.rsplit_once(']')).expect("brackets").0;
                    let question = std::mem::take(&mut question);
                    number += 1;
                    if number % parts != part {
                        continue;
                    }
                    asked += 1;
                    let target = stones.as_ref().and_then(|stones| place(question.last()?, stones.size));
                    let (Some(stones), Some(target)) = (&stones, target) else {
                        eprintln!("{number} {question:?}: not asked");
                        continue;
                    };
                    let kill = || ask(stones, target, Mode::Kill, true, limits);
                    let save = || ask_to_save(stones, target, limits);
                    let (answer, sure): (Vec<String>, bool) = match question[0].as_str() {
                        command @ ("owl_attack" | "owl_defend") => {
                            let found = if command == "owl_attack" { kill() } else { save() };
                            let Some(found) = found else {
                                eprintln!("{number} {question:?}: no problem");
                                continue;
                            };
                            (vec![found.code.to_string(), found.mv], found.proved)
                        }
                        "dragon_status" => {
                            let (Some(kill), Some(save)) = (kill(), ask(stones, target, Mode::Save, true, limits))
                            else {
                                continue;
                            };
                            let status = match (kill.code, save.code) {
                                (0, _) => "alive",
                                (_, 0) => "dead",
                                _ => "critical",
                            };
                            (vec![status.into(), kill.mv, save.mv], kill.proved && save.proved)
                        }
                        _ => continue,
                    };
                    let is_right = right(expected, &answer);
                    good += u32::from(is_right);
                    proved += u32::from(sure);
                    proved_good += u32::from(sure && is_right);
                    if setting("LIST", 0_u32) > 0 {
                        eprintln!("{} {question:?}: {answer:?} [{expected}] {is_right} proved {sure}", number);
                    }
                }
                _ => {}
            }
        }
        eprintln!("{file}: {good} of {asked} right; {proved} solved in their region, {proved_good} of them right");
        assert!(parts > 1 || asked > 0 && good > 0);
    }
}
