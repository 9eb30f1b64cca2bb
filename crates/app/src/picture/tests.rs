//! Whole pictures, and what holds for all of them.

use super::{Ink, draw_within};
use unicode_width::UnicodeWidthStr;

/// Without colours.
fn bare(text: &str) -> String {
    let mut bare = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter == '\x1b' {
            for _ in letters.by_ref().take_while(|c| *c != 'm') {}
        } else {
            bare.push(letter);
        }
    }
    bare
}

/// A position and the place of its last move.
fn played(game: &str, moves: &[&str]) -> (Box<dyn tesuji_agents::AnyPosition>, Option<(usize, usize)>) {
    let mut position = tesuji_agents::start_game(&game.parse().expect("a spec")).expect("a game").position;
    let mut last = None;
    for mv in moves {
        last = super::place_of(position.as_ref(), mv);
        position.play(mv).expect("legal");
    }
    (position, last)
}

fn picture(game: &str, moves: &[&str], ink: Ink) -> String {
    let (position, last) = played(game, moves);
    let text = bare(&draw_within(80, &position.view(), ink, last));
    if ink == Ink::Plain {
        assert!(text.lines().all(|line| line.trim_end() == line), "{text}");
    }
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

#[test]
fn squares_crossings_and_hexagons() {
    assert_eq!(
        picture("tictactoe", &["b2", "a1"], Ink::Unicode),
        "    a   b   c\n  ┌───┬───┬───┐\n3 │   │   │   │\n  ├───┼───┼───┤\n\
         2 │   │ X │   │\n  ├───┼───┼───┤\n1 │(O)│   │   │\n  └───┴───┴───┘\nX to move\n"
    );
    assert_eq!(
        picture("go(size=3)", &["B2", "A1"], Ink::Unicode),
        "   A B C\n3  ┌─┬─┐  3\n2  ├─●─┤  2\n1 (○)┴─┘  1\n   A B C\n● Black, ○ White\n\
         Black to move\nCaptured: 0 by Black, 0 by White\nKomi 7.5, area scoring\n"
    );
    assert_eq!(
        picture("hex(size=3)", &["b2"], Ink::Unicode),
        "    a b c\n    ▪ ▪ ▪\n1 ▫ · · · ▫ 1\n 2 ▫ ·(●)· ▫ 2\n  3 ▫ · · · ▫ 3\n      ▪ ▪ ▪\n      a b c\n\
         ● Black, ○ White\nWhite to move, connects left and right, may swap\n"
    );
    assert_eq!(picture("tictactoe", &["b2"], Ink::Plain), "  a b c\n3 . . .\n2 .(X).\n1 . . .\nO to move\n");
    assert_eq!(
        picture("hex(size=2)", &["b2"], Ink::Plain),
        "    a b\n    x x\n1 o . . o 1\n 2 o .(X)o 2\n     x x\n     a b\nX Black, O White\n\
         White to move, connects left and right, may swap\n"
    );
}

#[test]
fn chinese_chess_has_a_river_two_palaces_and_both_scripts() {
    let chinese = picture("xiangqi", &["h2e2"], Ink::Unicode);
    for line in [
        "9  車──馬──象──士──將──士──象──馬──車  9",
        "   │   │   │   │ ╲ │ ╱ │   │   │   │",
        "8  ├───┼───┼───┼───┼───┼───┼───┼───┤   8",
        "5  ├───┴───┴───┴───┴───┴───┴───┴───┤   5",
        "   │       楚河        漢界        │",
        "2  ├───炮──┼───┼──(炮)─┼───┼───┼───┤   2",
        "0  俥──傌──相──仕──帥──仕──相──傌──俥  0",
    ] {
        assert!(chinese.lines().any(|shown| shown.starts_with(line)), "{line}\n{chinese}");
    }
    let marked = |moves: &[&str], ink: Ink, line: &str| {
        let picture = picture("xiangqi", moves, ink);
        assert!(picture.lines().any(|shown| shown.starts_with(line)), "{line}\n{picture}");
    };
    marked(&["h2e2"], Ink::Latin, "2  ├───C───┼───┼──(C)──┼───┼───┼───┤   2");
    marked(&["h2e2"], Ink::Plain, "2 . C . +(C)+ . . . 2");
    marked(&["a0a1"], Ink::Unicode, "1 (俥)─");
    marked(&["i0i1"], Ink::Plain, "1 . . . + + + . .(R)1");
    let latin = picture("xiangqi", &[], Ink::Latin);
    assert!(latin.contains("9  r───n───b───a───k───a───b───n───r   9"), "{latin}");
    assert!(latin.contains("K Red, k Black") && !latin.contains('帥'), "{latin}");
    let plain = picture("xiangqi", &[], Ink::Plain);
    assert!(plain.contains("8 . . . + + + . . . 8") && plain.contains("\n  ~ ~ ~ ~ ~ ~ ~ ~ ~\n"), "{plain}");
    let (position, _) = played("xiangqi", &[]);
    let coloured = draw_within(80, &position.view(), Ink::Unicode, None);
    assert!(coloured.contains("\x1b[1;38;5;124;48;5;179m帥"), "Red is red: {coloured}");
}

/// Hex 26 was broken by the terminal without a word.
#[test]
fn a_board_that_is_too_wide_says_so() {
    let (position, _) = played("hex(size=26)", &[]);
    let board = |width: usize| bare(&draw_within(width, &position.view(), Ink::Plain, None));
    let widest = board(80).lines().map(UnicodeWidthStr::width).max().expect("lines");
    assert!(board(80).contains(&format!("The board needs {widest} columns; there are 80.")), "{}", board(80));
    assert!(!board(widest).contains("The board needs"));
}

/// The board, its captions, a line about the last move, an empty line and the prompt are 24 lines.
#[test]
fn large_boards_fit_a_small_terminal() {
    for (game, mv) in
        [("go", "Q16"), ("connect6", "JJ"), ("gomoku", "h8"), ("xiangqi", "h2e2"), ("othello", "f5"), ("hex", "f6")]
    {
        for ink in [Ink::Plain, Ink::Latin, Ink::Unicode] {
            let picture = picture(game, &[mv], ink);
            assert!(picture.lines().count() <= 21, "{}\n{picture}", picture.lines().count());
            assert!(picture.lines().all(|line| line.width() <= 80), "{picture}");
        }
    }
    let go = picture("go", &["Q16"], Ink::Unicode);
    assert_eq!(go.matches('╋').count(), 8, "eight star points beside the stone\n{go}");
    assert!(go.starts_with("    A B C D E F G H J K L M N O P Q R S T\n"), "{go}");
    assert!(go.ends_with("\n    A B C D E F G H J K L M N O P Q R S T\n"), "{go}");
    assert!(go.contains("\n16 ") && go.contains(" 16   "), "{go}");
}

/// Captions of a problem are long: they are broken between words.
#[test]
fn captions_are_no_wider_than_the_terminal() {
    let (position, _) = played("gomoku(rule=renju)", &["h8"]);
    let mut view = position.view();
    view.captions.push(format!("Feasible: {}", "A1 B2 C13 ".repeat(40)));
    for width in [40, 60, 80, 120] {
        let text = bare(&draw_within(width, &view, Ink::Unicode, None));
        assert!(text.lines().all(|line| line.width() <= width), "{width}\n{text}");
        assert!(!text.contains("C1\n"), "{text}");
    }
}

/// Boards of Go named one side three ways: ●, X and Black.
#[test]
fn a_side_has_one_name() {
    let games = ["tictactoe", "mnk", "go(size=9)", "hex", "othello", "gomoku", "connect6", "xiangqi", "pgame"];
    for game in games {
        let (position, _) = played(game, &[]);
        let (sides, view) = (position.sides(), position.view());
        assert_eq!(sides, view.sides, "{game}");
        let to_move = sides.to_move(position.turn());
        assert!(view.captions.iter().any(|line| line.starts_with(&to_move)), "{game}: {:?}", view.captions);
        let others: Vec<&str> = ["Black", "White", "Red", "First", "X", "O"]
            .into_iter()
            .filter(|name| !sides.0.iter().any(|side| side.name == *name))
            .collect();
        for ink in [Ink::Plain, Ink::Unicode] {
            let picture = picture(game, &[], ink);
            let captions = picture.lines().filter_map(|line| line.find(&to_move).map(|at| &line[at..]));
            for word in captions.flat_map(|line| line.split([' ', ','])) {
                assert!(!others.contains(&word), "{game}: {picture}");
            }
        }
    }
}
