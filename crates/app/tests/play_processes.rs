//! `tesuji play` as a process: at a pseudo-terminal (made by `script` of util-linux), from a pipe,
//! and without any input.

use super::command::without_user;
use super::play::bare;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tesuji_testing::skip;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tesuji");
/// A test waits no longer than this for one thing.
const PATIENCE: Duration = Duration::from_secs(60);

/// A folder of a test, which is also the home of the programs that it starts.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("tesuji-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }

    pub fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a plain path").to_string()
    }

    /// A program that finds its user's folders here.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        without_user(&mut command).env("HOME", &self.0).env("XDG_DATA_HOME", self.0.join("data"));
        command.env("XDG_STATE_HOME", self.0.join("state")).env("LC_ALL", "C.UTF-8").env("TERM", "xterm");
        command
    }

    /// The records of the games that were kept, the oldest first.
    fn kept(&self) -> Vec<String> {
        let Ok(files) = std::fs::read_dir(self.0.join("data/tesuji/games")) else { return Vec::new() };
        let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
        files.sort();
        files.iter().map(|file| std::fs::read_to_string(file).expect("a record")).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A program at a pseudo-terminal.
struct Pty {
    child: Child,
    shown: Arc<Mutex<Vec<u8>>>,
    /// What was waited for already.
    seen: usize,
}

impl Pty {
    /// Starts `tesuji play` with these words of a shell; nothing where there is no `script`.
    ///
    /// The shell names its process before the program takes its place; what the terminal's mode is
    /// afterwards is the last line.
    fn start(folder: &Folder, words: &str) -> Option<Pty> {
        let script = folder.file("run.sh");
        let text = format!(
            "trap : INT\nsh -c 'echo pid $$ here; exec \"$0\" play \"$@\"' '{PROGRAM}' {words}\n\
             code=$?\nstty -a | grep -o -e '-*icanon'\nexit $code\n"
        );
        std::fs::write(&script, text).expect("written");
        let mut command = folder.command("script");
        // `script` runs its words in the user's shell, which Ctrl-C reaches too: it gives its place away.
        command.args(["-qec", &format!("exec sh {script}"), "/dev/null"]).env("SHELL", "/bin/sh");
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let Ok(mut child) = started else {
            skip("script", "no pseudo-terminal is tried (script is part of util-linux)");
            return None;
        };
        let shown = Arc::<Mutex<Vec<u8>>>::default();
        let (sink, mut output) = (shown.clone(), child.stdout.take().expect("piped"));
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = output.read(&mut bytes) {
                sink.lock().expect("no panic").extend(&bytes[..read]);
            }
        });
        Some(Pty { child, shown, seen: 0 })
    }

    fn all(&self) -> String {
        String::from_utf8_lossy(&self.shown.lock().expect("no panic")).into_owned()
    }

    /// Waits until this is shown, after what was waited for before.
    fn wait_for(&mut self, text: &str) -> String {
        let began = Instant::now();
        loop {
            let all = bare(&self.all());
            if let Some(at) = all[self.seen..].find(text) {
                let before = all[self.seen..self.seen + at].to_string();
                self.seen += at + text.len();
                return before;
            }
            assert!(began.elapsed() < PATIENCE, "{text} did not come: {}", &all[self.seen..]);
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn send(&mut self, text: &str) {
        self.child.stdin.as_mut().expect("piped").write_all(text.as_bytes()).expect("written");
    }

    /// Sends a signal to the program.
    fn signal(&self, name: &str) {
        let all = self.all();
        let id = all.split_whitespace().nth(1).expect("the number of the process");
        assert!(Command::new("kill").args(["-s", name, id]).status().expect("kill runs").success());
    }

    /// Waits for the end: the exit code, and what was shown.
    fn end(mut self) -> (Option<i32>, String) {
        let began = Instant::now();
        let status = loop {
            match self.child.try_wait().expect("a child") {
                Some(status) => break status,
                None => std::thread::sleep(Duration::from_millis(20)),
            }
            if began.elapsed() > PATIENCE {
                self.child.kill().expect("killed");
                panic!("no end: {}", self.all());
            }
        };
        // What was written last is read.
        std::thread::sleep(Duration::from_millis(100));
        (status.code(), bare(&self.all()))
    }
}

/// Runs `tesuji play` with lines from a pipe; exit code, output, errors.
fn piped(folder: &Folder, arguments: &[&str], said: &str) -> (Option<i32>, String, String) {
    let mut command = folder.command(PROGRAM);
    command.arg("play").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    child.stdin.take().expect("piped").write_all(said.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn without_a_terminal_and_without_input_there_is_a_demonstration() {
    let folder = Folder::new("demonstration");
    let (code, text, _) = piped(&folder, &[], "");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("has connected"), "{text}");
    assert!(!text.contains('\x1b'), "no colours without a terminal");
    let (code, text, _) = piped(&folder, &["tictactoe", "--agent", "oracle"], "");
    assert_eq!((code, text.matches(" plays ").count()), (Some(0), 9), "{text}");
    assert_eq!(folder.kept(), [""; 0], "games without a person are not kept");
    let (code, text, _) = piped(&folder, &["tictactoe", "--first", "me"], "");
    assert_eq!(code, Some(0), "the end of the input is as good as quit: {text}");
}

/// "A person can play only at a terminal" was the answer to lines from a pipe.
#[test]
fn lines_from_a_pipe_are_played_and_the_game_is_kept() {
    let folder = Folder::new("pipe");
    let (code, text, _) = piped(&folder, &["tictactoe", "--agent", "oracle"], "b2\nresign\n");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("X to move > b2\n") && text.contains("oracle plays "), "{text}");
    assert!(text.contains("O has won by resignation.") && text.contains("The game is kept in "), "{text}");
    let people = ["tictactoe", "--first", "me", "--second", "me"];
    let (code, text, _) = piped(&folder, &people, "b2\na1\na3\nc1\nb1\nz9\nc3\nb3\nnew\nb2\n");
    assert_eq!(code, Some(0), "{text}");
    let kept = folder.kept();
    let day = kept[0].split("DT[").nth(1).and_then(|rest| rest.split(']').next()).expect("a date");
    assert!(day.len() == 10 && day.split('-').count() == 3 && day.starts_with("20"), "{day}");
    let flat = |record: &String| record.split_whitespace().collect::<String>().replace(day, "#");
    let records: Vec<String> = kept.iter().map(flat).collect();
    assert_eq!(records.len(), 3, "{records:?}");
    let ending = |end: &str| records.iter().find(|record| record.ends_with(end)).expect(end);
    let (whole, other) = (ending(";B[ba])"), ending("DT[#];B[bb])"));
    let resigned = records.iter().find(|record| record.contains("oracle")).expect("the first game");
    for part in ["PB[human]", "PW[tesujioracle]", "RE[W+R]", ";B[bb];W["] {
        assert!(resigned.contains(part), "{part}: {resigned}");
    }
    assert!(whole.contains("PW[human]") && whole.contains("RE[B+]"), "{whole}");
    assert!(!other.contains("RE["), "{other}");
}

/// The default time of a move was told in the help alone.
#[test]
fn the_time_of_a_move_is_said() {
    let folder = Folder::new("time");
    let said = |arguments: &[&str]| piped(&folder, &[&["tictactoe", "--first", "me"], arguments].concat(), "quit\n").1;
    assert!(said(&[]).contains(" takes up to 1 s a move (--time S)."));
    assert!(said(&["--time", "0.5"]).contains(" takes up to 0.5 s a move"));
    assert!(said(&["--iterations", "2000"]).contains(" takes up to 2,000 iterations a move"));
}

#[test]
fn in_a_pseudo_terminal_from_the_menu_to_the_saved_record() {
    let folder = Folder::new("terminal");
    let Some(mut pty) = Pty::start(&folder, "--agent oracle") else { return };
    let file = folder.file("game.sgf");
    pty.wait_for("Which game?");
    pty.wait_for("> ");
    pty.send("nonsense\rtictactoe\ryes\rb2\rhint\rexplain\rundo\rb2\r");
    pty.send(&format!("save {file}\rresign\rquit\r"));
    let shown = pty.shown.clone();
    let (code, text) = pty.end();
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("unknown game"), "{text}");
    assert!(String::from_utf8_lossy(&shown.lock().expect("no panic")).contains("\x1b[1m"), "colours: {text}");
    assert!(text.contains('┼'), "{text}");
    assert!(text.contains("Perhaps ") && text.contains("was played because:"), "{text}");
    assert!(text.contains("O has won by resignation."), "{text}");
    let record = std::fs::read_to_string(&file).expect("the saved record");
    assert!(record.starts_with("(;FF[4]GM[4]") && record.contains(";B[bb];W["), "{record}");
    let kept = folder.kept();
    assert!(kept.len() == 1 && kept[0].contains("RE[W+R]"), "{kept:?}");
}

/// There were no history and no completion.
#[test]
fn lines_are_completed_and_remembered() {
    let folder = Folder::new("editor");
    let Some(mut pty) = Pty::start(&folder, "tictactoe --agent oracle") else { return };
    pty.wait_for("X to move > ");
    // A command, a move in the other case, the name of a file, and a mistake that is mended.
    pty.send("boa\t\r");
    pty.wait_for("X to move > ");
    pty.send("x\x08B2\t\r");
    pty.wait_for("oracle plays ");
    pty.wait_for("X to move > ");
    std::fs::write(folder.file("a-long-name.sgf"), "(;GM[4];B[bb])").expect("written");
    pty.send(&format!("load {}\t\r", folder.file("a-lo")));
    pty.wait_for("X to move > ");
    pty.send("qui\t\r");
    let (code, text) = pty.end();
    assert_eq!(code, Some(0), "{text}");
    assert!(!text.contains("cannot read") && !text.contains("Cannot load"), "{text}");
    let Some(mut pty) = Pty::start(&folder, "tictactoe --agent oracle") else { return };
    pty.wait_for("X to move > ");
    pty.send("\x1b[A\r");
    let (code, text) = pty.end();
    assert_eq!(code, Some(0), "the last line of the last run was quit: {text}");
}

/// The moves of both sides in the only game that was kept.
fn only_game(folder: &Folder) -> String {
    let kept = folder.kept();
    let [record] = &kept[..] else { panic!("{kept:?}") };
    record.split_whitespace().collect()
}

/// Ctrl-C ended the program and lost the game.
#[test]
fn ctrl_c_makes_the_agent_move_and_at_the_prompt_saves_and_leaves() {
    let folder = Folder::new("hurry");
    let Some(mut pty) = Pty::start(&folder, "'go(size=5)' --agent mcts --time 600") else { return };
    pty.wait_for("Ctrl-C makes it move.");
    pty.wait_for("Black to move > ");
    pty.send("C3\r");
    pty.wait_for("mcts is thinking");
    pty.send("\x03");
    pty.wait_for("mcts plays ");
    pty.wait_for("Black to move > ");
    pty.send("\x03");
    let (code, text) = pty.end();
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("tesuji: interrupted; the game is saved in") && text.contains(".sgf"), "{text}");
    assert!(only_game(&folder).contains(";B[cc];W["), "{:?}", folder.kept());
    assert!(text.trim_end().ends_with("\nicanon"), "the terminal is as it was: {text}");
}

/// Ctrl-C did nothing to an engine outside, though the greeting promised a move.
#[test]
fn ctrl_c_makes_an_engine_outside_move_or_says_that_it_cannot() {
    let folder = Folder::new("hurried-engines");
    let script = |name: &str, cases: &str| {
        let text = format!("while read -r word rest; do case \"$word\" in {cases} esac; done\n");
        std::fs::write(folder.file(name), text).expect("written");
        format!("cmd=\"sh {}\"", folder.file(name))
    };
    let cases = |hello: &str, mv: &str| {
        format!("{hello}) echo {hello}ok;; isready) echo readyok;; stop) echo bestmove {mv};; quit) exit;;")
    };
    for (name, command) in
        [("uci", script("uci.sh", &cases("uci", "h8e8"))), ("ucci", script("ucci.sh", &cases("ucci", "h7e7")))]
    {
        let words = format!("xiangqi --first me --second '{name}({command})' --time 600");
        let Some(mut pty) = Pty::start(&folder, &words) else { return };
        pty.wait_for("Ctrl-C makes it move.");
        pty.wait_for("Red to move > ");
        pty.send("h2e2\r");
        pty.wait_for(" is thinking");
        pty.send("\x03");
        pty.wait_for(" plays h7e7");
        pty.wait_for("Red to move > ");
        pty.send("quit\r");
        assert_eq!(pty.end().0, Some(0), "{name}");
    }
    let hangs = script("gtp.sh", "*) set -- $rest; [ \"$1\" = genmove ] || printf '=%s\\n\\n' \"$word\";;");
    let words = format!("'go(size=5)' --first me --second 'gtp({hangs})' --time 600");
    let Some(mut pty) = Pty::start(&folder, &words) else { return };
    let greeting = pty.wait_for("Black to move > ");
    assert!(greeting.contains("takes up to 600 s a move (--time S).") && !greeting.contains("Ctrl-C"), "{greeting}");
    pty.send("C3\r");
    pty.wait_for(" is thinking");
    pty.send("\x03");
    pty.wait_for(" cannot be hurried; Ctrl-C again saves and leaves.");
    pty.send("\x03");
    let (code, text) = pty.end();
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("interrupted; the game is saved in"), "{text}");
}

/// A record said `PW[tesuji gtp]`, and the screen invented a value and iterations.
#[test]
fn engines_outside_have_their_own_names() {
    let folder = Folder::new("names");
    let named = |name: &str, cases: &str| {
        let text = format!("while read -r id word rest; do case \"$word\" in {cases} esac; done\n");
        std::fs::write(folder.file(name), text).expect("written");
        format!("gtp(cmd=\"sh {}\")", folder.file(name))
    };
    let plays = "genmove) printf '=%s A1\\n\\n' \"$id\";; *) printf '=%s\\n\\n' \"$id\";;";
    let says = named("says.sh", &format!("name) printf '=%s Sente\\n\\n' \"$id\";; {plays}"));
    let (silent, refuses) =
        (named("silent.sh", plays), named("refuses.sh", &format!("name) printf '?%s no\\n\\n' \"$id\";; {plays}")));
    for (engine, name) in [(says, "Sente"), (silent, "sh"), (refuses, "sh")] {
        let arguments = ["go(size=5)", "--first", "me", "--second", &engine, "--time", "5"];
        let (code, text, errors) = piped(&folder, &arguments, "C3\nquit\n");
        assert_eq!(code, Some(0), "{text}{errors}");
        assert!(text.contains(&format!("{name} plays A1\n")), "{text}");
        let kept = folder.kept();
        let white = format!("PW[{name}]");
        assert!(kept.iter().any(|record| record.contains("PB[human]") && record.contains(&white)), "{kept:?}");
        assert!(!kept.iter().any(|record| record.contains("PW[tesuji")), "{kept:?}");
    }
}

/// The program ended with an engine that failed at a terminal.
#[test]
fn at_a_terminal_a_failed_engine_can_be_mended() {
    let folder = Folder::new("mended");
    let mended = folder.file("mended");
    let text = format!(
        "while read -r id word rest; do case \"$word\" in genmove) [ -e {mended} ] || exit; move=A1;; *) move=;; esac\n\
         printf '=%s %s\\n\\n' \"$id\" \"$move\"; done\n"
    );
    std::fs::write(folder.file("dies.sh"), text).expect("written");
    let words = format!("'go(size=5)' --first me --second 'gtp(cmd=\"sh {}\")'", folder.file("dies.sh"));
    let Some(mut pty) = Pty::start(&folder, &words) else { return };
    pty.wait_for("Black to move > ");
    pty.send("C3\r");
    pty.wait_for("the engine ended while it was asked");
    pty.wait_for("The agent failed; undo, a move for it, save FILE, new or quit > ");
    std::fs::write(&mended, "").expect("written");
    pty.send("undo\r");
    pty.wait_for("Black to move > ");
    pty.send("C3\r");
    pty.wait_for("sh plays A1");
    pty.wait_for("Black to move > ");
    pty.send("quit\r");
    assert_eq!(pty.end().0, Some(0));
}

/// The files of the user were looked for below a home that is no folder, and the program gave up.
#[cfg(unix)]
#[test]
fn a_home_that_is_no_folder_is_none() {
    let mut command = Command::new(PROGRAM);
    without_user(&mut command).env("HOME", "/dev/null").env_remove("XDG_CONFIG_HOME");
    let output = command.args(["show", "tictactoe"]).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_second_ctrl_c_leaves_a_game_of_agents() {
    let folder = Folder::new("agents");
    let words = "'go(size=5)' --first mcts --second mcts --time 600";
    let Some(mut pty) = Pty::start(&folder, words) else { return };
    pty.wait_for("mcts is thinking");
    pty.send("\x03");
    pty.wait_for("mcts plays ");
    pty.wait_for("mcts is thinking");
    pty.send("\x03");
    let (code, text) = pty.end();
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("interrupted; the game is saved in"), "{text}");
    assert_eq!(only_game(&folder).matches(";B[").count(), 1);
}

/// An agent that failed took the game with it, and the exit code was 0.
#[test]
fn an_agent_that_fails_leaves_the_game_behind() {
    let folder = Folder::new("failing");
    let arguments = ["go(size=5)", "--second", "gtp(cmd=\"false\")", "--first", "me"];
    let (code, text, error) = piped(&folder, &arguments, "C3\n");
    assert_eq!(code, Some(1), "{text}{error}");
    assert!(error.contains("failed: ") && error.contains("; the game is saved in "), "{error}");
    assert!(only_game(&folder).contains(";B[cc]"));
}

/// SIGTERM lost the game, and the exit code was not 3.
#[test]
fn sigterm_saves_and_leaves_whatever_happens() {
    for (name, thinks) in [("term-prompt", false), ("term-thinking", true)] {
        let folder = Folder::new(name);
        let Some(mut pty) = Pty::start(&folder, "'go(size=5)' --agent mcts --time 600") else { return };
        pty.wait_for("Black to move > ");
        pty.send("C3\r");
        pty.wait_for("mcts is thinking");
        if !thinks {
            pty.send("\x03");
            pty.wait_for("Black to move > ");
            // The editor has the terminal now.
            pty.send("B");
            pty.wait_for("B");
        }
        pty.signal("TERM");
        let (code, text) = pty.end();
        assert_eq!(code, Some(3), "{name}: {text}");
        assert!(text.contains("interrupted; the game is saved in"), "{name}: {text}");
        assert!(only_game(&folder).contains(";B[cc]"), "{name}");
        assert!(text.trim_end().ends_with("\nicanon"), "{name}: the terminal is as it was: {text}");
    }
    // Without a terminal, and before a move: nothing is saved, and that is said.
    let folder = Folder::new("term-pipe");
    let mut command = folder.command(PROGRAM);
    command.args(["play", "tictactoe", "--first", "me"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().expect("it runs");
    let mut output = child.stdout.take().expect("piped");
    let (mut text, mut bytes) = (String::new(), [0; 4096]);
    while !text.contains("X to move > ") {
        let read = output.read(&mut bytes).expect("output");
        text += &String::from_utf8_lossy(&bytes[..read]);
        assert!(read > 0, "{text}");
    }
    let id = child.id().to_string();
    let input = child.stdin.take();
    assert!(Command::new("kill").args(["-s", "TERM", &id]).status().expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    drop(input);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "tesuji: interrupted; there is no game to save\n");
}
