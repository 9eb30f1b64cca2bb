//! Variations and comments go into an SGF record and come back.

use tesuji_agents::annotated::{self, Annotated, Comment, MostRead};
use tesuji_agents::records::{Details, Step};
use tesuji_agents::{AnyPosition, games, start_game};
use tesuji_core::spec::Spec;
use tesuji_core::{Rng, Seed};

const MOST: MostRead = MostRead { moves: 300, variations: 20, comments: 30 };

fn read(game: &str, text: &str, most: MostRead) -> Result<Annotated, String> {
    annotated::read(start_game(&game.parse().expect("a spec")).expect("starts"), text.as_bytes(), most)
}

fn moves(steps: &[Step]) -> String {
    let name = |step: &Step| match step {
        Step::Move(_, mv) => mv.clone(),
        Step::Set(_) => "set".into(),
    };
    steps.iter().map(name).collect::<Vec<_>>().join(" ")
}

/// Up to `length` random moves after these.
fn played(start: &dyn AnyPosition, begin: &[Step], length: usize, rng: &mut Rng) -> Vec<Step> {
    let (mut position, mut steps) = (start.boxed_clone(), begin.to_vec());
    for step in begin {
        let Step::Move(_, mv) = step else { panic!("moves only") };
        position.play(mv).expect("legal");
    }
    while position.outcome().is_none() && steps.len() < begin.len() + length {
        let legal = position.moves();
        let text = &legal[rng.below(legal.len() as u32) as usize];
        steps.push(Step::Move(position.turn(), position.play(text).expect("legal")));
    }
    steps
}

#[test]
fn every_game_has_variations_and_comments() {
    let mut rng = Rng::new(Seed(3));
    for game in games() {
        let name = game.description.name;
        let spec = Spec::bare(name);
        let start = start_game(&spec).expect("starts").position;
        let first = played(start.as_ref(), &[], 12, &mut rng);
        let mut lines = vec![first.clone()];
        for at in [0, 1, first.len() / 2] {
            let line = played(start.as_ref(), &first[..at], 5, &mut rng);
            // What begins like another line and ends in it is no line of its own.
            if lines.iter().all(|known| !known.starts_with(&line) && !line.starts_with(known)) {
                lines.push(line);
            }
        }
        let comments: Vec<Comment> = (0..lines.len())
            .map(|line| Comment {
                line,
                steps: lines[line].len(),
                text: format!("the end of {line}: ]\\ \u{56f2}\u{7881}"),
            })
            .chain([Comment { line: 0, steps: 0, text: "the start".into() }])
            .collect();
        let text = annotated::write(&spec, start.as_ref(), &lines, &comments, &Details::default()).expect(name);
        let back = read(name, &text, MOST).expect(name);
        assert_eq!(back.left_out, 0, "{name}: {text}");
        let mut found: Vec<String> = back.variations.iter().map(|line| moves(line)).collect();
        let mut known: Vec<String> = lines[1..].iter().map(|line| moves(line)).collect();
        found.sort();
        known.sort();
        assert_eq!((moves(&back.record.steps), found), (moves(&first), known), "{name}: {text}");
        let told = |lines: &[&[Step]], comments: &[Comment]| {
            let mut told: Vec<(String, String)> =
                comments.iter().map(|one| (moves(&lines[one.line][..one.steps]), one.text.clone())).collect();
            told.sort();
            told
        };
        let own: Vec<&[Step]> = lines.iter().map(Vec::as_slice).collect();
        let theirs: Vec<&[Step]> =
            [back.record.steps.as_slice()].into_iter().chain(back.variations.iter().map(Vec::as_slice)).collect();
        assert_eq!(told(&own, &comments), told(&theirs, &back.comments), "{name}: {text}");
    }
}

/// A file of another program: set-ups, two variations at one move, one of them not legal.
#[test]
fn records_of_others_are_read() {
    let text = "(;GM[1]SZ[9]AB[cc][gg]C[two stones];W[ee]C[the middle](;B[ec];W[gc]C[here])(;B[ce]C[or here]\
                (;W[eg])(;W[ee]C[taken]))(;B[gc]))";
    let found = read("go", text, MOST).expect("a game");
    assert_eq!(moves(&found.record.steps), "set E5 E7 G7");
    assert_eq!(found.variations.iter().map(|line| moves(line)).collect::<Vec<_>>(), ["set E5 C5 E3", "set E5 G7"]);
    let told: Vec<(usize, usize, &str)> =
        found.comments.iter().map(|one| (one.line, one.steps, one.text.as_str())).collect();
    assert_eq!(told, [(0, 1, "two stones"), (0, 2, "the middle"), (0, 4, "here"), (1, 3, "or here")]);
    assert_eq!(found.left_out, 2, "a line with a taken point, and its comment");
    // And written again.
    let lines: Vec<Vec<Step>> = [found.record.steps.clone()].into_iter().chain(found.variations).collect();
    let (spec, start) = (&found.record.game, found.record.start.as_ref());
    let again = annotated::write(spec, start, &lines, &found.comments, &Details::default()).expect("a record");
    let back = read("go", &again, MOST).expect("a game");
    assert_eq!((moves(&back.record.steps), back.comments), ("set E5 E7 G7".into(), found.comments), "{again}");
}

#[test]
fn what_is_read_is_bounded() {
    let many: String = (0..50).map(|_| "(;W[ee]C[x])").collect();
    let text = format!("(;GM[1]SZ[9];B[aa]{many})");
    let found = read("go", &text, MostRead { moves: 10, variations: 4, comments: 3 }).expect("a game");
    assert_eq!((found.variations.len(), found.comments.len(), found.left_out), (4, 3, 45 + 47));
    let deep = format!("(;GM[1]SZ[9]{}(;B[aa])(;B[bb]C[x]))", ";".repeat(5_000));
    let found = read("go", &deep, MOST).expect("a game");
    assert_eq!((found.variations.len(), found.comments.len(), found.left_out), (0, 0, 2));
    assert!(read("go", "(;GM[1]SZ[9];B[zz])", MOST).is_err());
}

#[test]
fn what_cannot_be_written() {
    let spec: Spec = "go(size=9)".parse().expect("a spec");
    let start = start_game(&spec).expect("starts").position;
    let write = |lines: &[Vec<Step>], comment: Comment| {
        annotated::write(&spec, start.as_ref(), lines, &[comment], &Details::default())
    };
    let comment = |line, steps| Comment { line, steps, text: "x".into() };
    assert!(write(&[vec![]], comment(0, 0)).is_ok());
    assert!(write(&[vec![]], comment(0, 1)).is_err());
    assert!(write(&[vec![]], comment(1, 0)).is_err());
    let set = start.with_stones(&[(tesuji_core::Player::First, "E5".into())], tesuji_core::Player::First);
    let other = vec![Step::Set(set.expect("a position"))];
    assert!(write(&[vec![], other], comment(0, 0)).expect_err("another set-up").contains("set-up"));
}
