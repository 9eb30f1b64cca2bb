//! What a candidate is worth by df-pn, and how hard it is for Lin's searches.

use super::LONG;
use tesuji_agents::Access;
use tesuji_core::{Budget, NoObserver, Player, Position, Score, Seed};
use tesuji_games::goproblem::{GoProblem, Place, Problem};
use tesuji_lab::kinds::settled;
use tesuji_lab::tasks::limits::Limits;
use tesuji_lab::tasks::position::Begun;
use tesuji_lab::tasks::think::ThinkTask;

pub const PLAIN: &str = "mcts(select=ucb1(c=1.0),expand=each,leaf=random,decide=max,solver=false)";
const COMBINED: &str = "mcts(select=ucb1(c=1.0),expand=each,leaf=random,decide=robust,solver=false,backup=combined(parameter=PARAMETER,form=FORM))";

/// Reached by every score above 0.
pub const LEAST: &str = "score>=0.15";
/// Nodes of df-pn for one first move.
const NODES: u64 = 150_000;
/// Iterations after which a hidden move shall still be hidden.
const HIDDEN: u64 = 400_000;

/// The problem as the text of a game.
pub fn spec_of(problem: &Problem) -> String {
    let text = problem.to_string().replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("goproblem(text=\"{text}\")")
}

pub fn shown(needed: Option<u64>) -> String {
    needed.map_or_else(|| "not found".into(), |needed| needed.to_string())
}

/// The simulations until the right move is picked for good; nothing: not within the iterations.
pub fn simulations(game: &str, agent: &str, right: &[String], iterations: u64, seed: u64) -> Option<u64> {
    let task = ThinkTask {
        game: game.into(),
        moves: Vec::new(),
        agent: agent.into(),
        limits: Limits { iterations: Some(iterations), ..Limits::default() },
        seed,
        every: Some(100),
        simulations: true,
        watch: Vec::new(),
        alike: Vec::new(),
    };
    settled(&task.run(&Access::restricted()).ok()?.picks, right)
}

/// The wrong move with the highest mean after 2,000 iterations of plain MCTS: what it is lured by.
pub fn lure(game: &str, right: &[String]) -> Option<String> {
    let begun = Begun::new(game, &[], &Access::restricted()).ok()?;
    let limits = Limits { iterations: Some(2_000), ..Limits::default() };
    let mut agent = begun.agent(PLAIN, &limits, &Access::restricted()).ok()?;
    let budget = Budget::iterations(2_000);
    let report = agent.think(begun.position.as_ref(), &budget, Seed(1), &mut NoObserver).ok()?;
    let others = report.root.iter().filter(|entry| !right.contains(&entry.mv));
    let value = |mv: &&tesuji_core::RootMove<String>| mv.value.map_or(0.0, |value| value.for_player(Player::First));
    others.max_by(|one, other| value(one).total_cmp(&value(other))).map(|entry| entry.mv.clone())
}

/// What all searches need, three runs each, and the wrong move that plain MCTS likes best early.
pub fn figures(game: &str, right: &[String]) -> String {
    let runs = |agent: &str| {
        let all: Vec<String> = (1..=3).map(|seed| shown(simulations(game, agent, right, LONG, seed))).collect();
        all.join(" ")
    };
    let combined = |parameter: &str, form: &str| COMBINED.replace("PARAMETER", parameter).replace("FORM", form);
    let hidden = shown(simulations(game, PLAIN, right, HIDDEN, 1));
    format!(
        "simulations: plain {}; jump 50 {}; jump 100 {}; descent 50 {}; plain within {HIDDEN} iterations {hidden}; \
         {}",
        runs(PLAIN),
        runs(&combined("50", "jump")),
        runs(&combined("100", "jump")),
        runs(&combined("50", "descent")),
        lure_in_words(game, right),
    )
}

/// The lure, and the plies in which it is refuted.
pub fn lure_in_words(game: &str, right: &[String]) -> String {
    let lure = lure(game, right).unwrap_or_default();
    let plies = refuted(game, &lure, 7).map_or("more than 7".into(), |plies| plies.to_string());
    format!("lure {lure} refuted in {plies} plies")
}

/// The plies in which a wrong move is refuted, if these are at most `most`.
pub fn refuted(game: &str, mv: &str, most: u32) -> Option<u32> {
    let position = typed(game, mv)?;
    (1..=most).step_by(2).find(|plies| is_lost(&position, *plies))
}

/// The position after a move.
fn typed(game: &str, mv: &str) -> Option<GoProblem> {
    let text = game.strip_prefix("goproblem(text=\"")?.strip_suffix("\")")?;
    let text = text.replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\");
    let mut position = GoProblem::new(Problem::from_bytes(text.as_bytes()).ok()?).ok()?;
    let place = Place::read(mv, position.problem().size)?;
    let mv = position.move_to(place)?;
    position.play(mv);
    Some(position)
}

/// Whether White, within these plies, has the full score: the problem has ended, or the important
/// stones are statically dead. "The white player cuts off black stones in three moves" (Lin 2017,
/// §4.2): the capture comes later.
fn is_lost(position: &GoProblem, plies: u32) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.score == Score::LOSS;
    }
    if position.settled() == Some(Player::Second) {
        return true;
    }
    if plies == 0 {
        return false;
    }
    let lost = |mv| {
        let mut next = position.clone();
        next.play(mv);
        is_lost(&next, plies - 1)
    };
    let mut moves = position.moves().into_iter();
    if position.turn() == Player::Second { moves.any(lost) } else { moves.all(lost) }
}

/// The first moves after which df-pn proves that the goal is reached; nothing if one is not answered.
pub fn winning_moves(game: &str, goal: &str) -> Option<Vec<String>> {
    let access = Access::restricted();
    let start = Begun::new(game, &[], &access).ok()?;
    let moves = start.position.moves();
    if moves.len() < 4 {
        return None;
    }
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let budget = Budget { nodes: Some(NODES), memory: Some(64 << 20), ..Budget::default() };
    let mut winning = Vec::new();
    for mv in moves {
        let after = Begun::new(game, std::slice::from_ref(&mv), &access).ok()?;
        let reached = match after.position.outcome() {
            Some(outcome) => outcome.score >= threshold(goal),
            None => {
                let mut solver = after.agent(&format!("df-pn(goal=\"{goal}\")"), &limits, &access).ok()?;
                let report = solver.think(after.position.as_ref(), &budget, Seed(1), &mut NoObserver).ok()?;
                match report.proof?.status {
                    tesuji_core::ProofStatus::Proved => true,
                    tesuji_core::ProofStatus::Disproved => false,
                    tesuji_core::ProofStatus::Unknown => return None,
                }
            }
        };
        if reached {
            winning.push(mv);
        }
    }
    Some(winning)
}

fn threshold(goal: &str) -> Score {
    goal.trim_start_matches("score>=").parse().ok().and_then(Score::from_f64).expect("a goal of ours")
}

/// How many are missing of: no move worth 0.85, one worth 0.7, one worth 0.5, one worth less. One
/// move is known to be worth 1. Nothing if df-pn does not answer.
pub fn missing_values(game: &str) -> Option<u32> {
    let count = |goal: &str| winning_moves(game, goal).map(|moves| moves.len());
    let all = Begun::new(game, &[], &Access::restricted()).ok()?.position.moves().len();
    let seki = count("score>=0.7")?;
    let high = if seki > 1 { count("score>=0.85")? } else { 1 };
    let ko = count("score>=0.5")?;
    Some([high == 1, seki > high, ko > seki, ko < all].iter().filter(|holds| !**holds).count() as u32)
}
