//! `tesuji play`: the conversation over plain streams. Processes, pipes and pseudo-terminals are in
//! `play_processes.rs`.

use super::play_processes::Folder;
use tesuji::picture::Ink;
use tesuji::protocol::{Engine, GRACE, Gtp, Setup, Vertices, talk};
use tesuji::terminal::{Plan, Seat, Streamed, Terminal};
use tesuji_core::{Budget, Seed};

/// Without colours and other control sequences.
pub fn bare(text: &str) -> String {
    let mut bare = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\x1b' => {
                let is_open = letters.next() == Some('[');
                let _ = letters.by_ref().take_while(|_| is_open).find(|end| ('@'..='~').contains(end));
            }
            '\r' => {}
            other => bare.push(other),
        }
    }
    bare
}

fn converse(game: &str, seats: [Seat; 2], said: &str) -> String {
    converse_within(Budget::unlimited(), game, seats, said)
}

fn converse_within(limits: Budget, game: &str, seats: [Seat; 2], said: &str) -> String {
    let plan = Plan {
        game: game.parse().expect("a game"),
        seats,
        adviser: "oracle".parse().expect("an agent"),
        limits,
        pace: None,
        seed: Seed(1),
        ink: Ink::Plain,
    };
    let (mut input, mut output) = (Streamed::new(std::io::Cursor::new(said.to_string())), Vec::new());
    Terminal::new(plan, &mut input, &mut output).expect("a table").run().expect("streams that work");
    bare(&String::from_utf8(output).expect("UTF-8"))
}

fn oracle() -> Seat {
    Seat::Agent("oracle".parse().expect("an agent"))
}

#[test]
fn a_person_plays_asks_takes_back_and_resigns() {
    let text = converse(
        "tictactoe",
        [Seat::Person, oracle()],
        "help\nz9\nmoves\nexplain\nhint\nb2\nexplain\nundo\nundo\nb2\nresign\nb1\nundo\nnew\nquit\n",
    );
    assert!(text.contains("cannot read the move") || text.contains("is not legal here"), "{text}");
    assert!(text.contains("a3 b3 c3 a2 b2 c2 a1 b1 c1"), "{text}");
    assert!(text.contains("No agent has moved yet."), "{text}");
    assert!(text.contains("Perhaps "), "{text}");
    assert!(text.contains("was played because:"), "{text}");
    assert!(text.contains("There is nothing to take back."), "{text}");
    assert!(text.contains("O has won by resignation."), "{text}");
    assert!(text.contains("The game is over."), "{text}");
    // The end of the input is as good as quit.
    assert!(converse("tictactoe", [Seat::Person, oracle()], "b2\n").ends_with("> \n"));
}

#[test]
fn two_agents_play_to_the_end() {
    let text = converse("tictactoe", [oracle(), oracle()], "");
    assert!(text.ends_with("A draw.\n"), "{text}");
    assert_eq!(text.matches(" plays ").count(), 9, "{text}");
}

/// A game that was loaded got new players and a new day, and lost its result.
#[test]
fn a_loaded_game_keeps_its_players_until_it_goes_on() {
    let folder = Folder::new("loaded");
    let [first, second, third] = ["in.sgf", "out.sgf", "on.sgf"].map(|name| folder.file(name));
    let said = "PB[Al]PW[Bo]DT[2020-01-01]RE[W+R]";
    std::fs::write(&first, format!("(;FF[4]GM[1]SZ[9]KM[6.5]{said};B[ee];W[cc])")).expect("written");
    let lines = format!("load {first}\nsave {second}\nC3\nsave {third}\nquit\n");
    let text = converse("go(size=9)", [Seat::Person, Seat::Person], &lines);
    let [kept, on] = [&second, &third].map(|file| std::fs::read_to_string(file).expect("saved"));
    for property in ["PB[Al]", "PW[Bo]", "DT[2020-01-01]", "RE[W+R]"] {
        assert!(kept.contains(property) && !on.contains(property), "{property}: {kept} {on}\n{text}");
    }
}

/// `RESIGN` was no move that could be read, `fen` neither.
#[test]
fn commands_in_capitals_misspelled_ones_and_fen() {
    let text = converse("xiangqi", [Seat::Person, Seat::Person], "FEN\nresig\nRESIGN\nquit\n");
    assert!(text.contains("\nrnbakabnr/9/") || text.contains("> rnbakabnr/9/"), "{text}");
    assert!(text.contains("did you mean resign?"), "{text}");
    assert!(text.contains("has won by resignation."), "{text}");
    let text = converse("hex(size=3)", [Seat::Person, Seat::Person], "fen\nhelp\nquit\n");
    assert!(text.contains("cannot read the move") && !text.contains("one line of text"), "{text}");
}

#[test]
fn records_are_saved_and_loaded() {
    let folder = Folder::new("play");
    let path = folder.file("game.sgf");
    let person = || [Seat::Person, Seat::Person];
    let text = converse("go(size=5)", person(), &format!("C3\nB2\nsave {path}\nsave\nsave {path}/x/y\nquit\n"));
    assert!(text.contains(&format!("Saved in {path}.")) && text.contains("Say which file."), "{text}");
    assert!(text.contains("Cannot save: "), "{text}");
    // The file's board is larger than the game's; it brings its own size.
    let text = converse("go(size=9)", person(), &format!("load {path}\nboard\nundo\nload {path}x\nquit\n"));
    assert!(text.contains("3 . . X . .") && text.contains("2 .(O). . ."), "{text}");
    assert!(text.contains("Cannot load"), "{text}");
}

/// Help did not name pass and swap.
#[test]
fn help_names_pass_and_swap_where_the_game_has_them() {
    for (game, pass, swap) in [
        ("go(size=5)", true, false),
        ("othello", true, false),
        ("hex(size=5)", false, true),
        ("hex(size=5,swap=false)", false, false),
        ("tictactoe", false, false),
    ] {
        let text = converse(game, [Seat::Person, Seat::Person], "help\n");
        let names = |word: &str| text.lines().any(|line| line.split_whitespace().next() == Some(word));
        assert_eq!((names("pass"), names("swap")), (pass, swap), "{game}: {text}");
        assert!(names("resign") && !names("accept"), "{text}");
    }
}

/// A hint said "resignation", which is not a command, and an agent that resigned had the last word.
#[test]
fn resignation_is_a_command_and_an_agent_can_be_asked_to_play_on() {
    // O has to answer two threats.
    let lost = "tictactoe(position=\"X.XO..X.O\")";
    let agent = || Seat::Agent("mcts(resign=0.3)".parse().expect("an agent"));
    let limits = || Budget::iterations(2_000);
    let text = converse_within(limits(), lost, [Seat::Person, agent()], "help\nb3\ncontinue\nb3\nmoves\nquit\n");
    assert!(text.contains("mcts resigns.\nX has won by resignation.\nThe game is over; continue, save FILE"), "{text}");
    assert!(text.contains("\ncontinue  plays on"), "{text}");
    let (before, after) = text.split_once("> continue\n").expect("continued");
    assert!(before.contains("> b3\nThe game is over.\n"), "{text}");
    assert!(after.contains("mcts plays ") && after.contains("X to move > b3\n"), "{text}");
    let hint = converse_within(
        limits(),
        "tictactoe(position=\"X.XO..X.O\")",
        [Seat::Person, Seat::Person],
        "hint\nresign\nquit\n",
    );
    assert!(hint.contains("Perhaps ") && hint.contains("X has won by resignation."), "{hint}");
}

/// What is typed is one move, and a line that is none says what can be typed.
#[test]
fn a_line_with_more_than_a_move_is_refused() {
    let text = converse("tictactoe", [Seat::Person, Seat::Person], "b2 a1\naccept\nb2\nquit\n");
    assert!(text.contains("cannot read the move \"b2 a1\""), "{text}");
    assert!(text.contains("There is nothing to accept now."), "{text}");
    assert!(text.contains("O to move > quit"), "{text}");
}

/// Two walls, and a stone in the area of each other side; both have passed.
const WALLS: &str = "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 E3 A3 pass pass";

/// What GTP says of the same game.
fn gtp(commands: &[&str]) -> String {
    let setup = Setup {
        game: "go(size=5)".parse().expect("a game"),
        agent: "random".parse().expect("an agent"),
        limits: Budget::iterations(1),
        chosen: true,
        seed: Seed(1),
        ponder: false,
        grace: GRACE,
        access: tesuji_agents::Access::restricted(),
    };
    let mut gtp = Gtp::new(Engine::new(setup).expect("an engine"), Vertices::Native);
    for (number, mv) in WALLS.split(' ').enumerate() {
        let colour = if number % 2 == 0 { 'b' } else { 'w' };
        assert!(talk(&mut gtp, &format!("play {colour} {mv}")).0.starts_with('='), "{mv}");
    }
    let answer = commands.iter().map(|command| talk(&mut gtp, command).0).last().expect("a command");
    answer.trim_start_matches('=').trim().to_string()
}

fn spoken(moves: &str) -> String {
    moves.replace(' ', "\n") + "\n"
}

/// There was no dead-stone step, and the score counted dead stones as living.
#[test]
fn both_sides_agree_on_the_dead_stones_and_the_score_is_that_of_gtp() {
    let folder = Folder::new("dead");
    let path = folder.file("game.sgf");
    let people = || [Seat::Person, Seat::Person];
    let said = format!("{}accept\nsave {path}\nquit\n", spoken(WALLS));
    let text = converse("go(size=5)", people(), &said);
    assert_eq!(gtp(&["final_status_list dead"]), "E3 A3");
    assert!(text.contains("Dead stones of Black: E3\nDead stones of White: A3\n"), "{text}");
    let score = gtp(&["final_score"]);
    assert_eq!(score, "W+2.5");
    let record = std::fs::read_to_string(&path).expect("saved");
    assert!(record.contains("RE[W+2.5]") && text.contains("White has won by 2.5."), "{text}{record}");
    assert!(gtp(&["printsgf"]).contains("RE[W+2.5]"), "GTP's record agrees");
    // Without the dead stones of one side the score is another one; both can be marked and taken
    // back, and undo leaves the step.
    let said = format!("{}a3\nZ9\nA3\nA3\nE3\nhelp\nundo\npass\naccept\nquit\n", spoken(WALLS));
    let text = converse("go(size=5)", people(), &said);
    assert!(text.contains("Dead stones of Black: E3\nDead stones of White: none\n"), "{text}");
    assert!(text.contains("Dead stones of Black: none\nDead stones of White: none\n"), "{text}");
    assert!(text.contains("There is no stone on Z9"), "{text}");
    assert!(text.contains("\naccept    agrees") && text.contains("\ncontinue  plays on"), "{text}");
    assert!(text.ends_with("White has won by 2.5.\nThe game is over; save FILE, undo, new or quit > quit\n"), "{text}");
}

/// An agent agrees to what it proposed itself; otherwise the game is played on.
#[test]
fn an_agent_agrees_to_the_dead_stones_or_the_game_is_played_on() {
    let folder = Folder::new("agree");
    let path = folder.file("walls.sgf");
    let people = [Seat::Person, Seat::Person];
    converse("go(size=5)", people, &format!("{}save {path}\nquit\n", spoken(WALLS)));
    let record = std::fs::read_to_string(&path).expect("saved");
    assert!(!record.contains("RE["), "nothing is agreed yet: {record}");
    let agent = || [Seat::Person, Seat::Agent("mcts".parse().expect("an agent"))];
    let few = || Budget::iterations(200);
    // White's A3 is dead, Black's E3 too: a Black who calls E3 alive is not believed.
    let said = format!("load {path}\nE3\naccept\nE3\naccept\nquit\n");
    let text = converse_within(few(), "go(size=5)", agent(), &said);
    assert!(text.contains("White does not agree."), "{text}");
    assert!(text.contains("White has won by 2.5."), "{text}");
    // Played on, Black captures A3: the program answers, and the new agreement has the new board.
    let said = format!("load {path}\ncontinue\nA2\nundo\nquit\n");
    let text = converse_within(few(), "go(size=5)", agent(), &said);
    assert!(text.contains("Black to move > A2\n") && text.contains("mcts plays "), "{text}");
}
