//! GTP engines that misbehave: late, dead, babbling, refusing, resigning. Small shell scripts play
//! them. `crates/app/tests/engines.rs` has the other protocols.
#![cfg(unix)]

use std::time::{Duration, Instant};
use tesuji_agents::{Access, AnyAgent, AnyPosition, EngineError, GtpClient, start_game};
use tesuji_core::spec::Spec;
use tesuji_core::{Budget, NoObserver, Player, Seed, StopFlag};
use tesuji_search::SearchError;

/// An engine whose answer to each line is given by the body of a shell loop; `$id` and `$rest` are
/// the parts of a line.
fn engine(body: &str) -> String {
    format!("sh -c 'while read id rest; do {body}; done'")
}

/// Answers everything, and `genmove` with this text.
fn answering(genmove: &str) -> String {
    engine(&format!(
        "case \"$rest\" in genmove*) printf \"%s\\n\\n\" \"=$id {genmove}\";; *) printf \"=%s\\n\\n\" $id;; esac"
    ))
}

fn within(seconds: u64, work: impl FnOnce()) {
    let started = Instant::now();
    work();
    assert!(started.elapsed() < Duration::from_secs(seconds), "took {:?}", started.elapsed());
}

fn agent(command: &str) -> (Box<dyn AnyPosition>, Box<dyn AnyAgent>) {
    let position = start_game(&"go(size=5)".parse().expect("a spec")).expect("starts").position;
    let mut spec: Spec = "gtp(cmd=\"x\")".parse().expect("a spec");
    spec.arguments[0].value = tesuji_core::spec::SpecValue::Text(command.into());
    let mut agent = position.agent_with(&spec, &Access::unrestricted()).expect("the engine starts");
    agent.begin(position.as_ref(), &[]).expect("it takes the set-up");
    (position, agent)
}

#[test]
fn answers_are_matched_by_number_and_noise_is_skipped() {
    let mut client =
        GtpClient::start(&engine("printf \"hello\\n= stale\\n\\n=%s one\\ntwo\\n\\n=%s again\\n\\n\" $id $id"))
            .expect("starts");
    assert_eq!(client.send("a"), Ok("one\ntwo".into()));
    assert_eq!(client.send("b"), Ok("one\ntwo".into()), "the second answer to the first question is not this one");
}

#[test]
fn refusals_are_one_line_and_the_engine_lives_on() {
    let mut client = GtpClient::start(&engine("printf \"?%s no\\nnever\\n\\n\" $id")).expect("starts");
    assert_eq!(client.send("x"), Err(EngineError::Refused { asked: "x".into(), answer: "no never".into() }));
    assert!(client.is_running());
}

#[test]
fn silence_death_and_floods_end_the_engine_in_time() {
    within(5, || {
        let mut client = GtpClient::start("sleep 60").expect("starts");
        let silent = client.send_within("x", Duration::from_millis(200), &StopFlag::new());
        assert!(matches!(silent, Err(EngineError::Slow { .. })), "{silent:?}");
        assert!(!client.is_running());
        assert!(matches!(client.send("y"), Err(EngineError::Gone { .. })));
    });
    within(5, || {
        let mut client = GtpClient::start("true").expect("starts");
        assert!(matches!(client.send("x"), Err(EngineError::Gone { .. })));
    });
    within(20, || {
        let mut client = GtpClient::start("yes babble").expect("starts");
        let flooded = client.send("x");
        assert!(matches!(flooded, Err(EngineError::Flood { .. })), "{flooded:?}");
    });
    within(20, || {
        let mut client = GtpClient::start(&engine("printf \"=%s\\n\" $id; yes endless")).expect("starts");
        assert!(matches!(client.send("x"), Err(EngineError::Flood { .. })));
    });
}

#[test]
fn the_stop_flag_is_seen_while_waiting() {
    within(5, || {
        let mut client = GtpClient::start("sleep 60").expect("starts");
        let stop = StopFlag::new();
        let thrown = stop.clone();
        let thrower = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            thrown.stop();
        });
        let stopped = client.send_within("x", Duration::from_secs(60), &stop);
        assert!(matches!(stopped, Err(EngineError::Stopped { .. })), "{stopped:?}");
        thrower.join().expect("it only sleeps");
    });
}

#[test]
fn moves_resignations_and_nonsense() {
    let think = |command: &str| {
        let (position, mut agent) = agent(command);
        agent.think(position.as_ref(), &Budget::unlimited(), Seed(1), &mut NoObserver)
    };
    assert_eq!(think(&answering("c3")).expect("a move").best.as_deref(), Some("C3"), "spelt our way");
    assert_eq!(think(&answering("PASS")).expect("a move").best.as_deref(), Some("pass"));
    let resigned = think(&answering("resign")).expect("an answer");
    assert!(resigned.resigns && resigned.best.is_none());
    for nonsense in ["Z99", "I5", "", "A1 A2"] {
        let refused = think(&answering(nonsense));
        assert!(
            matches!(&refused, Err(SearchError::Failed(why)) if why.contains("no legal move")),
            "{nonsense}: {refused:?}"
        );
    }
}

/// A dead engine is restarted for the next game; a generated move that was not played is taken
/// back, or the board is set up again where the engine has no `undo`.
#[test]
fn engines_are_restarted_and_corrected() {
    let log = std::env::temp_dir().join(format!("tesuji-gtp-{}.log", std::process::id()));
    let shown = log.display();
    let body = format!(
        "echo \"$rest\" >> {shown}; case \"$rest\" in genmove\\ black) printf \"%s\\n\\n\" \"=$id C3\";; \
         genmove*) printf \"%s\\n\\n\" \"=$id B1\";; *A1) exit;; *) printf \"=%s\\n\\n\" $id;; esac"
    );
    let (start, mut agent) = agent(&engine(&body));
    let mut position = start.boxed_clone();
    let think = |agent: &mut Box<dyn AnyAgent>, position: &dyn AnyPosition| {
        agent.think(position, &Budget::unlimited(), Seed(1), &mut NoObserver)
    };
    let play = |agent: &mut Box<dyn AnyAgent>, position: &mut Box<dyn AnyPosition>, mv: &str| {
        agent.follow(position.turn(), mv).expect("a legal move");
        position.play(mv).expect("a legal move");
    };
    assert_eq!(think(&mut agent, position.as_ref()).expect("a move").best.as_deref(), Some("C3"));
    play(&mut agent, &mut position, "B2");
    assert_eq!(think(&mut agent, position.as_ref()).expect("a move").best.as_deref(), Some("B1"));
    play(&mut agent, &mut position, "B1");
    play(&mut agent, &mut position, "A1");
    assert!(think(&mut agent, position.as_ref()).is_err(), "it is gone");
    assert!(agent.transcript().iter().any(|line| line.ends_with("play black A1")), "{:?}", agent.transcript());
    agent.begin(start.as_ref(), &[]).expect("a new game, a new engine");
    think(&mut agent, start.as_ref()).expect("a move");
    let told = std::fs::read_to_string(&log).expect("the engine wrote a log");
    let _ = std::fs::remove_file(&log);
    let told: Vec<&str> = told.lines().filter(|line| !line.is_empty()).collect();
    let opening = ["name", "boardsize 5", "komi 7.5", "clear_board", "genmove black"];
    assert_eq!(told[..5], opening);
    assert_eq!(told[5..9], ["undo", "play black B2", "genmove white", "play black A1"]);
    assert_eq!(told[9..], opening);
}

/// What an engine takes for a search with this much time, with nothing but silence.
fn silent(command: &str, budget: &Budget, moves: &[&str]) -> Result<(), SearchError> {
    let (mut position, mut agent) = agent(command);
    for mv in moves {
        agent.follow(position.turn(), mv).expect("noted");
        position.play(mv).expect("legal");
    }
    agent.think(position.as_ref(), budget, Seed(1), &mut NoObserver).map(drop)
}

/// Whatever an engine is asked, it has the time of the budget and the grace, all together.
#[test]
fn an_engine_that_hangs_anywhere_is_ended_within_the_budget() {
    let budget = Budget { hard_time: Some(Duration::from_millis(200)), ..Budget::default() };
    let hangs_at = |command: &str| {
        engine(&format!("case \"$rest\" in {command}*) sleep 60;; *) printf \"=%s C3\\n\\n\" $id;; esac"))
    };
    // Before the mend, a minute or ten: the bound is only there to tell these apart.
    for command in ["name", "boardsize", "clear_board", "play", "time_settings", "genmove"] {
        within(15, || {
            let answer = silent(&hangs_at(command), &budget, &["B2"]);
            assert!(matches!(&answer, Err(SearchError::Failed(why)) if why.contains(command)), "{answer:?}");
        });
    }
    within(15, || {
        let answer = silent("sleep 1000", &budget, &[]);
        assert!(matches!(&answer, Err(SearchError::Failed(why)) if why.contains("\"name\"")), "{answer:?}");
    });
    // A move that is not the one played is taken back.
    within(15, || {
        let (mut position, mut agent) = agent(&hangs_at("undo"));
        agent.think(position.as_ref(), &budget, Seed(1), &mut NoObserver).expect("a move");
        agent.follow(Player::First, "B2").expect("noted");
        position.play("B2").expect("legal");
        let answer = agent.think(position.as_ref(), &budget, Seed(1), &mut NoObserver);
        assert!(matches!(&answer, Err(SearchError::Failed(why)) if why.contains("undo")), "{answer:?}");
        let again = agent.think(position.as_ref(), &budget, Seed(1), &mut NoObserver);
        assert!(again.is_err(), "its board is not ours: it does not go on with this game");
    });
}

/// The flag ends an engine that says nothing while it is told the game.
#[test]
fn the_stop_flag_ends_an_engine_that_does_not_start() {
    within(15, || {
        let budget = Budget::unlimited();
        let stop = budget.stop.clone();
        let thrower = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            stop.stop();
        });
        let answer = silent("sleep 1000", &budget, &[]);
        assert!(matches!(&answer, Err(SearchError::Failed(why)) if why.contains("stopped")), "{answer:?}");
        thrower.join().expect("it only sleeps");
    });
}

/// An engine that the stop flag ended has done nothing wrong: it goes on with the game.
#[test]
fn a_stopped_engine_plays_on() {
    let marker = std::env::temp_dir().join(format!("tesuji-gtp-{}.stopped", std::process::id()));
    let shown = marker.display();
    // Silent in its first life, and never again.
    let slow_once = engine(&format!(
        "case \"$rest\" in genmove*) if test ! -e {shown}; then touch {shown}; sleep 60; fi; \
         printf \"%s\\n\\n\" \"=$id C3\";; *) printf \"=%s\\n\\n\" $id;; esac"
    ));
    within(20, || {
        let (mut position, mut agent) = agent(&slow_once);
        for mv in ["B2", "D2"] {
            agent.follow(position.turn(), mv).expect("noted");
            position.play(mv).expect("legal");
        }
        let budget = Budget::unlimited();
        let stop = budget.stop.clone();
        let seen = marker.clone();
        let thrower = std::thread::spawn(move || {
            while !seen.exists() {
                std::thread::sleep(Duration::from_millis(5));
            }
            stop.stop();
        });
        let stopped = agent.think(position.as_ref(), &budget, Seed(1), &mut NoObserver);
        assert!(matches!(&stopped, Err(SearchError::Failed(why)) if why.contains("stopped")), "{stopped:?}");
        thrower.join().expect("it only waits");
        let again = agent.think(position.as_ref(), &Budget::unlimited(), Seed(1), &mut NoObserver);
        assert_eq!(again.expect("a move").best.as_deref(), Some("C3"));
        let told = agent.transcript();
        assert!(told.iter().any(|line| line.ends_with("play white D2")), "told the game again: {told:?}");
    });
    let _ = std::fs::remove_file(&marker);
}

/// An engine that needs a second before its first answer plays even with a tenth of that for a
/// move.
#[test]
fn an_engine_may_take_a_second_to_start() {
    let slow = format!("sh -c 'sleep 1; exec {}'", answering("C3").replace('\'', "'\\''"));
    let budget = Budget { hard_time: Some(Duration::from_millis(100)), ..Budget::default() };
    let (position, mut agent) = agent(&slow);
    let report = agent.think(position.as_ref(), &budget, Seed(1), &mut NoObserver).expect("a move");
    assert_eq!(report.best.as_deref(), Some("C3"));
}

/// An engine that goes on talking, a little at a time, is neither silent nor a flood; it is late
/// all the same.
#[test]
fn slow_babble_is_no_answer() {
    let babbles = "sh -c 'while :; do echo hello; sleep 0.01; done'";
    within(15, || {
        let mut client = GtpClient::start(babbles).expect("starts");
        let late = client.send_within("x", Duration::from_millis(300), &StopFlag::new());
        assert!(matches!(late, Err(EngineError::Slow { .. })), "{late:?}");
    });
    within(15, || {
        let mut client = GtpClient::start(babbles).expect("starts");
        let stop = StopFlag::new();
        stop.stop();
        let stopped = client.send_within("x", Duration::from_secs(60), &stop);
        assert!(matches!(stopped, Err(EngineError::Stopped { .. })), "{stopped:?}");
    });
}

/// An engine behind a shell script is the child of our child; it was left running.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_behind_a_script_is_ended_too() {
    // A time of sleep that no other process has.
    let seconds = format!("10{}", std::process::id());
    let mut client = GtpClient::start(&format!("sh -c 'sleep {seconds}; true'")).expect("it starts");
    let sleeping = || {
        let processes = std::fs::read_dir("/proc").expect("processes").filter_map(|entry| Some(entry.ok()?.path()));
        let lines = processes.filter_map(|process| std::fs::read(process.join("cmdline")).ok());
        lines.filter(|line| *line == format!("sleep\0{seconds}\0").into_bytes()).count()
    };
    while sleeping() == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(client.send_within("name", Duration::from_millis(50), &StopFlag::new()).is_err());
    drop(client);
    let deadline = Instant::now() + Duration::from_secs(20);
    while sleeping() > 0 {
        assert!(Instant::now() < deadline, "the engine is still running");
        std::thread::sleep(Duration::from_millis(5));
    }
}
