//! Experiment files of any content are read or refused.

use super::{Experiment, fingerprint, library};
use crate::tasks::Task;
use tesuji_agents::Access;
use tesuji_core::{Rng, Seed};

/// Parts that mean something, to be put where they do not belong.
const PARTS: [&str; 18] = [
    "\"",
    "[",
    "]",
    "{",
    "}",
    "=",
    "\n",
    "[[setup.agents]]",
    "[sizes.quick]",
    "{i}",
    "-1",
    "1e999",
    "99999999999999999999",
    "nan",
    "name = \"x\"",
    "sweep = { x = [1.0] }",
    "é",
    "\u{0}",
];

fn mutated(text: &str, rng: &mut Rng) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=rng.below(3) {
        let at = rng.below(letters.len() as u32) as usize;
        let end = (at + rng.below(12) as usize).min(letters.len());
        let part = PARTS[rng.below(PARTS.len() as u32) as usize];
        letters.splice(at..end, part.chars().take(if rng.below(3) == 0 { 0 } else { part.len() }));
    }
    letters.into_iter().collect()
}

#[test]
fn changed_files_are_read_or_refused_with_a_place() {
    let mut rng = Rng::new(Seed(14));
    let texts: Vec<&str> =
        ["vrun-balance", "zhang-ties", "lin-multi", "li-fig12"].map(|id| library::text(id).expect("it is ours")).into();
    let mut refused = 0;
    for number in 0..1_000 {
        let text = mutated(texts[number % texts.len()], &mut rng);
        if let Err(problem) = Experiment::read("x.toml", &text, &Access::restricted()) {
            refused += 1;
            let lines = text.lines().count() + 1;
            assert!((1..=lines).contains(&problem.line) && problem.column >= 1, "{problem}");
            assert!(!problem.to_string().contains('\n'), "{problem}");
        }
    }
    assert!(refused > 500, "{refused}");
}

#[test]
fn changed_jobs_are_run_or_refused() {
    let text = r#"{"task":"game","game":"tictactoe","opening":["b2"],"first":{"agent":"rps","limits":{"iterations":5}},"second":{"agent":"random","limits":{}},"seed":1}"#;
    let mut rng = Rng::new(Seed(15));
    let mut read = 0;
    for _ in 0..1_000 {
        if let Ok(task) = Task::read(&mutated(text, &mut rng)) {
            read += 1;
            let line = task.run(&Access::restricted());
            assert_eq!(line.result.is_none(), line.void.is_some());
        }
    }
    assert!(read > 5, "{read}");
}

/// An estimate says nothing of what is run; anything else does.
#[test]
fn estimates_are_no_part_of_the_hash() {
    let text = library::text("vrun-c").expect("it is ours");
    let other = |from: &str, to: &str| {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        fingerprint(&changed) == fingerprint(text)
    };
    assert!(other("core-hours = ", "core-hours = 9"));
    assert!(!other("repeats = 60", "repeats = 61"));
}

/// Values of watched moves: one for each, from 0 to 1.
#[test]
fn worth_belongs_to_what_is_watched() {
    let text = library::text("lin-bounds").expect("it is ours");
    for (worth, what) in [("[1.0]", "each watched move"), ("[2.0, 0, 0, 0, 0, 0, 0, 0, 0]", "from 0 to 1")] {
        let text = text.replace("[1.0, 0.7, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]", worth);
        let problem = Experiment::read("x.toml", &text, &Access::restricted()).err().expect("it is refused");
        assert!(problem.to_string().contains(what) && problem.line > 8, "{problem}");
    }
}
