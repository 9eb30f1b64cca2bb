//! A client of a protocol is a stranger: it opens no file and starts no program that was not
//! granted.
//!
//! The findings are named tests. Behind them stands a fuzzer: specs are made from the descriptions
//! of all games and agents, so that a parameter added later is covered without being remembered,
//! with paths and commands wherever a value may stand. The engine runs under `strace`, and every
//! file it opens and program it starts is compared with the grant. `TESUJI_HOSTILE_SPECS=10000`
//! sends that many through GTP, through `analysis` and through the command line each; 4,000, 4,000
//! and 60 without it.

use crate::command::without_user;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tesuji_agents::{agent_descriptions, games};
use tesuji_core::spec::{Description, Kind};
use tesuji_core::{Rng, Seed};
use tesuji_testing::skip;

/// What must never come out of a file that was not granted.
const SECRET: &str = "hunter2";

/// A folder that is gone after the test: `granted/` holds a tree and a record, everything beside it
/// is out of bounds.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("tesuji-strangers-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("granted")).expect("a folder");
        let folder = folder.canonicalize().expect("it exists");
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
        write("secret.txt", &format!("board:\n{SECRET} X o\n{SECRET}"));
        write("secret.sgf", &format!("(;GM[1]SZ[5];B[{SECRET}])"));
        write("granted/tree.txt", "F(1 0)");
        write("granted/wrong.txt", &format!("F({SECRET}"));
        write("granted/game.sgf", "(;GM[1]SZ[5];B[cc])");
        write("granted/wrong.sgf", &format!("(;GM[1]SZ[5];B[{SECRET}])"));
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.join("secret.txt"), folder.join("granted/link.txt")).expect("a link");
        Scratch(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a plain name").to_string()
    }

    fn exists(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }

    /// Nothing outside of `granted/` was made or changed.
    fn is_untouched(&self) {
        let mut names: Vec<_> =
            std::fs::read_dir(&self.0).expect("the folder").map(|e| e.expect("e").file_name()).collect();
        names.sort();
        assert_eq!(names, ["granted", "secret.sgf", "secret.txt"]);
        for name in ["secret.txt", "secret.sgf"] {
            assert!(std::fs::read_to_string(self.0.join(name)).expect("kept").contains(SECRET));
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a program answers to some lines.
fn answers(program: &str, arguments: &[&str], lines: &str) -> String {
    let mut command = Command::new(program);
    let mut child = without_user(&mut command)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut input = child.stdin.take().expect("piped");
    let lines = lines.to_string();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    let _ = writer.join();
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn engine(arguments: &[&str], lines: &str) -> String {
    answers(env!("CARGO_BIN_EXE_tesuji"), arguments, lines)
}

/// `tesuji-param agent gtp(cmd="touch x")` ran `touch x`.
#[test]
fn a_gtp_client_starts_no_program() {
    let scratch = Scratch::new("gtp-program");
    let made = scratch.path("made");
    let lines = format!("tesuji-param agent gtp(cmd=\"touch {made}\")\nname\n");
    let said = engine(&["gtp", "go(size=5)"], &lines);
    assert!(!scratch.exists("made"), "{said}");
    assert!(said.contains("? ") && said.contains("--allow-programs") && said.contains("= tesuji"), "{said}");
    engine(&["gtp", "go(size=5)", "--allow-programs"], &lines);
    assert!(scratch.exists("made"), "it was allowed");
}

/// `{"agent":"gtp(cmd=\"touch x\")"}` ran `touch x`.
#[test]
fn an_analysis_client_starts_no_program() {
    let scratch = Scratch::new("json-program");
    let agent = format!("gtp(cmd=\"touch {}\")", scratch.path("made"));
    let said = engine(&["analysis", "go(size=5)"], &json!({"id": "1", "agent": agent, "maxVisits": 1}).to_string());
    assert!(!scratch.exists("made") && said.contains("--allow-programs"), "{said}");
    assert!(said.contains("\"field\":\"agent\""), "{said}");
}

/// `gomill-savesgf PATH` and `printsgf PATH` overwrote any file.
#[test]
fn a_gtp_client_writes_only_where_it_may() {
    let scratch = Scratch::new("save");
    let save = |arguments: &[&str], name: &str| {
        let path = scratch.path(name);
        engine(&[&["gtp", "go(size=5)"], arguments].concat(), &format!("gomill-savesgf {path}\nprintsgf {path}\n"))
    };
    let granted = scratch.path("granted");
    for (arguments, name) in [
        (&[][..], "secret.txt"),
        (&[], "new.sgf"),
        (&["--files", &granted], "secret.txt"),
        (&["--files", &granted], "granted/../new.sgf"),
        (&["--files", &granted], "granted/link.txt"),
    ] {
        let said = save(arguments, name);
        assert_eq!(said.matches("? cannot write").count(), 2, "{name}: {said}");
    }
    scratch.is_untouched();
    save(&["--files", &granted], "granted/new.sgf");
    let written = std::fs::read_to_string(scratch.path("granted/new.sgf")).expect("written");
    assert!(written.starts_with("(;") && written.contains("SZ[5]"), "{written}");
}

/// `goproblem(file=…)`, `tree(file=…)`, `loadsgf` and `set_game` opened any file, and errors quoted
/// it.
#[test]
fn a_client_reads_no_file_and_is_told_nothing_of_it() {
    let scratch = Scratch::new("read");
    let [secret, record] = ["secret.txt", "secret.sgf"].map(|name| scratch.path(name));
    let lines = format!(
        "set_game goproblem(file=\"{secret}\")\nset_game tree(file=\"{secret}\")\n\
         set_game connect6(file=\"{secret}\")\nset_game go(sgf=\"{record}\")\nloadsgf {record}\n\
         loadsgf {secret}\nset_game goproblem(file=\"/etc/passwd\")\n"
    );
    let said = engine(&["gtp", "go(size=5)"], &lines);
    assert_eq!(said.matches("? ").count(), 7, "{said}");
    assert_eq!(said.matches("--files").count(), 7, "{said}");
    assert!(!said.contains(SECRET) && !said.contains("root"), "{said}");
    let question = |game: String| json!({"id": "1", "game": game, "maxVisits": 1}).to_string();
    for name in ["goproblem", "tree", "connect6"] {
        let said = engine(&["analysis", "go(size=5)"], &question(format!("{name}(file=\"{secret}\")")));
        assert!(said.contains("--files") && !said.contains(SECRET), "{said}");
    }
}

/// Inside a granted folder files are read; what is wrong with one is not quoted.
#[test]
fn a_granted_folder_is_read_and_never_quoted() {
    let scratch = Scratch::new("granted");
    let granted = scratch.path("granted");
    let lines = "set_game tree(file=\"tree.txt\")\nset_game tree(file=\"wrong.txt\")\n\
                 set_game goproblem(file=\"wrong.txt\")\nset_game go(size=5)\n\
                 loadsgf game.sgf\nloadsgf wrong.sgf\nset_game tree(file=\"link.txt\")\n";
    let said = engine(&["gtp", "go(size=5)", "--files", &granted], lines);
    let signs: Vec<char> = said.split_terminator("\n\n").filter_map(|answer| answer.chars().next()).collect();
    assert_eq!(signs, ['=', '?', '?', '=', '=', '?', '?'], "{said}");
    assert!(!said.contains(SECRET), "{said}");
    // The command line is told what is wrong.
    let said = engine(&["show", &format!("goproblem(file=\"{}\")", scratch.path("granted/wrong.txt"))], "");
    assert!(said.contains(SECRET), "{said}");
}

/// What the command line named can be begun again: its file is read again, and no other.
#[test]
fn the_game_of_the_command_line_can_be_begun_again() {
    let scratch = Scratch::new("again");
    let tree = scratch.path("granted/tree.txt");
    let game = format!("tree(file=\"{tree}\")");
    let lines =
        format!("clear_board\nset_game {game}\nset_game tree(file=\"{}\")\n", scratch.path("granted/wrong.txt"));
    let said = engine(&["gtp", &game, "--agent", "random"], &lines);
    let signs: Vec<char> = said.split_terminator("\n\n").filter_map(|answer| answer.chars().next()).collect();
    assert_eq!(signs, ['=', '=', '?'], "{said}");
}

/// Every parameter of every game and agent, parts of recipes included.
fn all_parameters(descriptions: &[Description], found: &mut Vec<(String, Kind)>) {
    for description in descriptions {
        for parameter in description.parameters {
            found.push((format!("{}.{}", description.name, parameter.name), parameter.kind));
            if let Kind::Part(parts) = parameter.kind {
                all_parameters(parts, found);
            }
        }
    }
}

/// No code but the policy's opens files or starts programs, so that a parameter can name one only
/// by its kind.
#[test]
fn files_and_programs_are_reached_through_the_policy_alone() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(&crates)
        .expect("the crates")
        .map(|entry| entry.expect("a crate").path().join("src"))
        .collect();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("text");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let starts = |at: usize| !code[..at].ends_with(char::is_alphanumeric);
            for word in ["fs::", "File::", "OpenOptions", "Command::new", "TcpListener", "TcpStream", "UdpSocket"] {
                if code.match_indices(word).any(|(at, _)| starts(at)) {
                    found.push(path.strip_prefix(&crates).expect("below").to_string_lossy().replace('\\', "/"));
                    break;
                }
            }
        }
    }
    // Tests and what they share are no part of the program.
    found.retain(|path| !path.ends_with("/tests.rs") && !path.starts_with("testing/"));
    found.sort();
    // The policy, the outside engine behind it, the system's own word on free memory and on the
    // processor, a person's kept games and typed lines at the terminal, the lab's folders and
    // processes and the files of learning, which only the command line names, and the server: its
    // socket, the browser that its owner asks for, and runs of the embedded experiments.
    let known = [
        "agents/src/access.rs",
        "agents/src/engines/process.rs",
        "app/src/command/gallery.rs",
        "app/src/command/learn/games.rs",
        "app/src/command/learn/train.rs",
        "app/src/command/serve.rs",
        "app/src/command/serve/laboratory.rs",
        "app/src/protocol/memory.rs",
        "app/src/terminal/archive.rs",
        "app/src/terminal/editor.rs",
        "lab/src/environment.rs",
        "lab/src/runner/alone.rs",
        "lab/src/store/folder.rs",
        "lab/src/store/log.rs",
        "web/src/server.rs",
    ];
    assert_eq!(found, known);
    let mut parameters = Vec::new();
    all_parameters(&games().iter().map(|game| game.description).collect::<Vec<_>>(), &mut parameters);
    all_parameters(&agent_descriptions(), &mut parameters);
    let declared = parameters.iter().filter(|(_, kind)| matches!(kind, Kind::File(_) | Kind::Program)).count();
    assert!(declared >= 5, "{parameters:?}");
    for (name, kind) in parameters {
        let sounds =
            ["file", "sgf", "path", "cmd", "command", "weights"].iter().any(|word| name.ends_with(&format!(".{word}")));
        assert!(!sounds || matches!(kind, Kind::File(_) | Kind::Program), "{name} does not declare what it names");
    }
}

/// Makes hostile specs.
struct Hostile {
    rng: Rng,
    games: Vec<Description>,
    agents: Vec<Description>,
    texts: Vec<String>,
}

impl Hostile {
    fn new(scratch: &Scratch, seed: u64) -> Hostile {
        let mut texts: Vec<String> = ["secret.txt", "secret.sgf", "granted/../secret.txt", "granted/link.txt", "made"]
            .map(|name| scratch.path(name))
            .into();
        texts.extend(
            ["/etc/passwd", "/proc/self/environ", "../../../../etc/passwd", "/dev/zero", "x", "", "~/.bashrc"]
                .map(Into::into),
        );
        texts.push(format!("touch {}", scratch.path("made")));
        texts.push(format!("sh -c 'cat {}; touch {}'", scratch.path("secret.txt"), scratch.path("made")));
        Hostile {
            rng: Rng::new(Seed(seed)),
            games: games().iter().map(|game| game.description).collect(),
            agents: agent_descriptions(),
            texts,
        }
    }

    fn below(&mut self, most: usize) -> usize {
        self.rng.below(most as u32) as usize
    }

    fn text(&mut self) -> String {
        let number = self.below(self.texts.len());
        self.texts[number].clone()
    }

    /// A spec of one of these things: mostly well formed, with hostile text wherever text may
    /// stand, and sometimes where it may not.
    fn spec(&mut self, known: &[Description]) -> String {
        let description = known[self.below(known.len())];
        let mut arguments = Vec::new();
        for parameter in description.parameters {
            let reaches = matches!(parameter.kind, Kind::File(_) | Kind::Program | Kind::Text);
            if self.below(4) > 0 && !reaches {
                continue;
            }
            let value = match parameter.kind {
                _ if self.below(12) == 0 => format!("{:?}", self.text()),
                Kind::Integer(low, high) => {
                    (low + self.below((high.min(low + 5) - low) as usize + 1) as i64).to_string()
                }
                Kind::Number(low, _) => format!("{low:.1}"),
                Kind::Choice(words) => words[self.below(words.len())].to_string(),
                Kind::Part(parts) => self.spec(parts),
                Kind::Entry(catalogue) => {
                    let entries = catalogue.entries();
                    entries[self.below(entries.len())].id.to_string()
                }
                Kind::Text | Kind::File(_) | Kind::Program => format!("{:?}", self.text()),
            };
            arguments.push(format!("{}={value}", parameter.name));
        }
        format!("{}({})", description.name, arguments.join(","))
    }

    fn game(&mut self) -> String {
        let known = self.games.clone();
        self.spec(&known)
    }

    fn agent(&mut self) -> String {
        // The one agent that starts a program is asked for often.
        let known = self.agents.clone();
        let outside: Vec<Description> =
            known.iter().filter(|it| it.parameters.iter().any(|p| p.kind == Kind::Program)).copied().collect();
        if self.below(3) == 0 { self.spec(&outside) } else { self.spec(&known) }
    }

    /// A line of a protocol.
    fn line(&mut self, protocol: &str) -> String {
        match (protocol, self.below(6)) {
            ("analysis", kind) => {
                let mut fields = json!({"id": "x", "maxVisits": 1, "maxTime": 0.01});
                if kind > 2 || kind == 0 {
                    fields["agent"] = self.agent().into();
                }
                if kind > 0 {
                    fields["game"] = self.game().into();
                }
                fields.to_string()
            }
            ("gtp", 0) => format!("tesuji-param agent {}", self.agent()),
            ("gtp", 1 | 2) => format!("set_game {}", self.game()),
            ("gtp", 3) => format!("loadsgf {}", self.text()),
            ("gtp", 4) => format!("gomill-savesgf {}", self.text()),
            ("gtp", _) => format!("printsgf {}", self.text()),
            ("uci" | "ucci", 0 | 1) => format!("setoption name Agent value {}", self.agent()),
            ("uci" | "ucci", 2) => format!("setoption name UCI_Variant value {}", self.game()),
            ("uci" | "ucci", _) => format!("position fen {}", self.text()),
            ("gomocup", 0) => format!("INFO folder {}", self.text()),
            ("gomocup", _) => format!("INFO rule {}", self.text()),
            (_, 0) => format!("set game {}", self.text()),
            (_, 1) => format!("set contempt {}", self.agent()),
            (_, _) => format!("learn {}", self.text()),
        }
    }
}

/// How many specs go through an entry: `TESUJI_HOSTILE_SPECS`, or this number.
fn specs(usual: usize) -> usize {
    std::env::var("TESUJI_HOSTILE_SPECS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn strace_works() -> bool {
    let tried = Command::new("strace").args(["-f", "-o", "/dev/null", "true"]).stderr(Stdio::null()).status();
    let works = tried.is_ok_and(|status| status.success());
    if !works {
        skip("strace", "no system call is watched");
    }
    works
}

/// The paths that were opened, made or changed, and the programs that were started, by a trace.
fn reached(trace: &str) -> (Vec<String>, usize) {
    let mut paths = Vec::new();
    let mut programs = 0;
    for line in trace.lines() {
        if line.contains("execve(") {
            programs += 1;
        } else if line.contains("= -1 ") {
            // A look at what is not there reached nothing; the answer is the same for all, which
            // the tests above check.
        } else if let Some(path) = line.split('"').nth(1) {
            paths.push(path.to_string());
        }
    }
    (paths, programs)
}

/// Opened by every program at its start, or to learn about the machine.
fn is_the_systems(path: &str) -> bool {
    [
        "/lib",
        "/usr/lib",
        "/etc/ld.so",
        "/proc/meminfo",
        "/proc/self/maps",
        "/proc/self/cgroup",
        // The C library asks before it gives memory of a thread back.
        "/proc/sys/vm/overcommit_memory",
        "/sys/",
        "/dev/null",
        "/proc/mounts",
        "/proc/self/mountinfo",
    ]
    .iter()
    .any(|start| path.starts_with(start))
}

/// Runs a command under strace and fails on anything it opens beyond `granted` or starts.
fn watch(scratch: &Scratch, arguments: &[&str], lines: &str, granted: &[&str]) -> String {
    let trace = scratch.path("granted/trace");
    let calls = "trace=open,openat,creat,execve,execveat,rename,renameat,renameat2,\
                 unlink,unlinkat,link,symlink,mkdir,connect,socket";
    let watched = ["-f", "-s", "4096", "-o", &trace, "-e", calls, env!("CARGO_BIN_EXE_tesuji")];
    let said = answers("strace", &[&watched[..], arguments].concat(), lines);
    let (paths, programs) = reached(&std::fs::read_to_string(&trace).expect("a trace"));
    std::fs::remove_file(&trace).expect("it was there");
    assert_eq!(programs, 1, "{arguments:?} started a program");
    for path in paths {
        let fine = is_the_systems(&path) || granted.iter().any(|granted| path.starts_with(granted));
        assert!(fine, "{arguments:?} opened {path}");
    }
    said
}

/// Ten thousand hostile specs through the protocols: nothing is opened or started.
#[cfg(target_os = "linux")]
#[test]
fn ten_thousand_hostile_specs_reach_nothing() {
    if !strace_works() {
        return;
    }
    let scratch = Scratch::new("fuzz");
    for (seed, (protocol, game, lines)) in [
        ("gtp", "go(size=5)", specs(4_000)),
        ("analysis", "tictactoe", specs(4_000)),
        ("uci", "xiangqi", 1_000),
        ("ucci", "xiangqi", 400),
        ("gomocup", "gomoku", 300),
        ("nboard", "othello", 300),
    ]
    .into_iter()
    .enumerate()
    {
        let mut hostile = Hostile::new(&scratch, 100 + seed as u64);
        let text: String = (0..lines).map(|_| hostile.line(protocol) + "\n").collect();
        let common = [protocol, game, "--agent", "random", "--iterations", "1"];
        let said = watch(&scratch, &common, &text, &[]);
        assert!(!said.contains(SECRET) && !said.contains("root:"), "{protocol} told a secret");
        // With a grant, only inside it.
        let granted = scratch.path("granted");
        let text: String = (0..lines / 4).map(|_| hostile.line(protocol) + "\n").collect();
        let said = watch(&scratch, &[&common[..], &["--files", &granted]].concat(), &text, &[&granted]);
        assert!(!said.contains(SECRET), "{protocol} told a secret");
        scratch.is_untouched();
    }
}

/// On the command line a spec opens the file it names, and nothing else.
#[cfg(target_os = "linux")]
#[test]
fn the_command_line_opens_what_it_names_alone() {
    if !strace_works() {
        return;
    }
    let scratch = Scratch::new("line");
    let mut hostile = Hostile::new(&scratch, 9);
    for _ in 0..specs(60) {
        let game = hostile.game();
        // A device without an end is a matter of the next test; the rest is bounded.
        let named: Vec<String> =
            game.split('"').skip(1).step_by(2).map(str::to_string).filter(|path| !path.is_empty()).collect();
        let granted: Vec<&str> = named.iter().map(String::as_str).collect();
        watch(&scratch, &["show", &game], "", &granted);
    }
    scratch.is_untouched();
}
