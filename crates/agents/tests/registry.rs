//! Every registered game starts with its defaults, and every agent plays every game.

use std::time::{Duration, Instant};
use tesuji_agents::{
    AgentInfo, AnyPosition, Registry, agent_descriptions, agent_for, canonical_agent, games, short_agent, short_game,
    start_game, usual_effort,
};
use tesuji_core::spec::{Description, Spec};
use tesuji_core::{Budget, EngineProtocol, NoObserver, Seed};
use tesuji_search::SearchError;

fn spec(text: &str) -> Spec {
    text.parse().expect("a well-formed spec")
}

#[test]
fn names_are_unique_and_defaults_fit() {
    let mut names: Vec<&str> = games().iter().map(|game| game.description.name).collect();
    for name in &names {
        let canonical = start_game(&spec(name)).expect(name).spec;
        let again = start_game(&canonical).expect("the canonical text parses").spec;
        assert_eq!(canonical, again);
        assert_eq!(spec(&canonical.to_string()), canonical);
    }
    names.extend(agent_descriptions().iter().map(|agent| agent.name));
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    for agent in agent_descriptions() {
        let canonical = canonical_agent(&Spec::bare(agent.name)).expect(agent.name);
        assert_eq!(canonical_agent(&spec(&canonical.to_string())), Ok(canonical));
    }
}

/// The short text reads back as the same game or agent, and says nothing that is so by default.
#[test]
fn short_names_mean_the_same() {
    for game in games() {
        let canonical = start_game(&Spec::bare(game.description.name)).expect("starts").spec;
        let strongest = canonical_agent(&spec(game.strongest())).expect("an agent");
        assert_eq!(canonical_agent(&short_agent(&strongest)), Ok(strongest), "{}", game.description.name);
        assert_eq!(start_game(&short_game(&canonical)).expect("starts").spec, canonical);
    }
    for (text, short) in [
        ("mcts", "mcts"),
        ("mcts(leaf=guarded(playouts=1,depth=2),select=ucb1(c=1.4))", "mcts(select=ucb1(c=1.4),leaf=guarded)"),
        ("mcts(leaf=guarded(depth=4))", "mcts(leaf=guarded(depth=4))"),
        ("mcts(leaf=auto(playouts=1))", "mcts"),
        ("auto(resign=0.1,pass=0)", "auto(resign=0.1)"),
    ] {
        let canonical = canonical_agent(&spec(text)).expect(text);
        assert_eq!(short_agent(&canonical).to_string(), short, "{text}");
        assert_eq!(canonical_agent(&spec(short)), Ok(canonical), "{text}");
    }
    let go = start_game(&spec("go(size=9,komi=7.5)")).expect("starts").spec;
    assert_eq!(short_game(&go).to_string(), "go(size=9)");
}

/// Whether an agent is an engine outside, which has no default command.
fn is_program(agent: &str) -> bool {
    Registry::in_force().agent(agent).is_some_and(AgentInfo::is_program)
}

/// A small budget, so that exhaustive searches stop early on large games.
#[test]
fn every_agent_answers_on_every_game() {
    let budget = Budget { iterations: Some(200), nodes: Some(2_000), ..Budget::default() };
    for game in games() {
        let start = start_game(&Spec::bare(game.description.name)).expect("starts").position;
        for agent in agent_descriptions() {
            let label = format!("{} on {}", agent.name, game.description.name);
            let mut player = match start.agent(&Spec::bare(agent.name)) {
                Ok(player) => player,
                // An engine outside has no default; a solver of another game says so.
                Err(error) => {
                    let other = error.to_string().contains("a solver of");
                    assert!(is_program(agent.name) || other, "{error}");
                    continue;
                }
            };
            let mut position = start.boxed_clone();
            for ply in 0..4 {
                if position.outcome().is_some() {
                    assert_eq!(
                        player.think(position.as_ref(), &budget, Seed(ply), &mut NoObserver),
                        Err(SearchError::Ended)
                    );
                    break;
                }
                let think = player.think(position.as_ref(), &budget, Seed(ply), &mut NoObserver);
                let report = match think {
                    Ok(report) => report,
                    // Exhaustive searches may refuse a game, and say why.
                    Err(SearchError::Unsupported(why)) => {
                        assert!(!why.is_empty(), "{label}");
                        break;
                    }
                    Err(error) => panic!("{label}: {error}"),
                };
                let best = report.best.unwrap_or_else(|| panic!("{label} found no move"));
                assert!(position.moves().contains(&best), "{label} played {best}");
                assert_eq!(report.root.len(), position.moves().len(), "{label}");
                assert_eq!(report.line.first(), Some(&best), "{label}");
                position.play(&best).expect("legal");
            }
        }
    }
}

/// The documentation once said that every game has every agent, and 96 of 325 pairs were refused.
#[test]
fn the_guide_says_which_agents_serve_one_game() {
    let budget = Budget { iterations: Some(1), nodes: Some(1), ..Budget::default() };
    let known = games();
    let mut rows = String::new();
    let mut of_one_game = Vec::new();
    // Those who learned serve boards, not games; see below.
    let learned = |name: &str| Registry::in_force().agent(name).is_some_and(AgentInfo::is_learned);
    for game in known {
        let start = start_game(&Spec::bare(game.description.name)).expect("starts").position;
        let serves = |agent: &str, position: &dyn AnyPosition| match position.agent(&Spec::bare(agent)) {
            Ok(mut player) => player.think(position, &budget, Seed(1), &mut NoObserver).is_ok(),
            // An engine outside is in a table of its own.
            Err(_) => false,
        };
        let mut own = Vec::new();
        for agent in agent_descriptions().iter().filter(|agent| !learned(agent.name)) {
            let others = known.iter().filter(|other| other.description.name != game.description.name).any(|other| {
                let start = start_game(&Spec::bare(other.description.name)).expect("starts").position;
                serves(agent.name, start.as_ref())
            });
            if serves(agent.name, start.as_ref()) && !others {
                own.push(format!("`{}`", agent.name));
                of_one_game.push(agent.name);
            }
        }
        if !own.is_empty() {
            rows += &format!("| `{}` | {} |\n", game.description.name, own.join(", "));
        }
    }
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide.md");
    let guide = std::fs::read_to_string(guide).expect("the user guide");
    let table = guide.split_once("| game | agents of its own |\n|---|---|\n").expect("the table").1;
    assert_eq!(table.split("\n\n").next().map(|table| format!("{table}\n")), Some(rows));
    // Those who learned serve the games that have weights or stones.
    let serves = |agent: &str, name: &str| {
        let start = start_game(&Spec::bare(name)).expect("starts").position;
        let mut player = start.agent(&Spec::bare(agent)).expect("an agent");
        player.think(start.as_ref(), &budget, Seed(1), &mut NoObserver).is_ok()
    };
    for (agent, games) in
        [("zero", &["go", "hex", "othello", "gomoku"][..]), ("uct", &["go", "hex"]), ("ga", &["go", "hex"])]
    {
        let served: Vec<&str> =
            known.iter().map(|game| game.description.name).filter(|name| serves(agent, name)).collect();
        assert_eq!(served, games, "{agent}");
    }
    // Without weights for a board they name those that there are.
    let go = start_game(&Spec::bare("go")).expect("starts").position;
    for agent in ["ann", "neat"] {
        let mut player = go.agent(&Spec::bare(agent)).expect("an agent");
        let refused = player.think(go.as_ref(), &budget, Seed(1), &mut NoObserver).expect_err("19 lines").to_string();
        assert!(refused.contains("for go on 19 lines; there are weights for: go 5, 7, 9"), "{refused}");
    }
    // And the others serve every game.
    let others =
        |agent: &&Description| !of_one_game.contains(&agent.name) && !is_program(agent.name) && !learned(agent.name);
    for game in known {
        let start = start_game(&Spec::bare(game.description.name)).expect("starts").position;
        for agent in agent_descriptions().iter().filter(others) {
            let mut player = start.agent(&Spec::bare(agent.name)).expect("an agent");
            let answer = player.think(start.as_ref(), &budget, Seed(1), &mut NoObserver);
            assert!(answer.is_ok(), "{} on {}: {answer:?}", agent.name, game.description.name);
        }
    }
}

/// Each game states the protocols of its engines; the guide has the table.
#[test]
fn the_guide_says_which_engines_play_which_game() {
    let mut rows = String::new();
    for protocol in EngineProtocol::ALL {
        let played = games().iter().filter(|game| game.conventions.engines.contains(&protocol));
        let names: Vec<String> = played.map(|game| format!("`{}`", game.description.name)).collect();
        rows += &format!("| {} | {} |\n", protocol.name(), names.join(", "));
    }
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide.md");
    let guide = std::fs::read_to_string(guide).expect("the user guide");
    let table = guide.split_once("| protocol | games |\n|---|---|\n").expect("the table").1;
    assert_eq!(table.split("\n\n").next().map(|table| format!("{table}\n")), Some(rows));
}

#[test]
fn a_solver_of_another_game_says_whose_it_is() {
    let hex = start_game(&spec("hex")).expect("starts").position;
    let error = hex.agent(&spec("vcf")).err().expect("not a solver of Hex").to_string();
    assert!(error.contains("vcf: a solver of gomoku; for this game use"), "{error}");
    let known = Registry::in_force().agent("vcst").expect("a solver");
    assert_eq!((known.games.as_slice(), known.parallel), (&["connect6"][..], true));
    // What `solve` uses is an agent that serves the game.
    for game in games() {
        let start = start_game(&Spec::bare(game.description.name)).expect("starts").position;
        assert!(start.agent(&Spec::bare(start.solver())).is_ok(), "{}", game.description.name);
    }
}

/// Parts that another part leaves without effect once were taken without a word.
#[test]
fn parts_without_effect_are_refused() {
    let start = |text: &str| {
        let game = if text.starts_with("vc") { "connect6" } else { "tictactoe" };
        start_game(&spec(game)).expect("starts").position
    };
    for (text, part) in [
        ("mcts(fpu=1.0)", "fpu"),
        ("mcts(expand=each,select=ucb1,fpu=1.0)", "fpu"),
        ("mcts(parallel=root,virtual-loss=3)", "virtual-loss"),
        ("mcts(parallel=leaf,virtual-loss=3)", "virtual-loss"),
        ("mcts(leaf=cut(playouts=4))", "playouts"),
        ("vote(search=mcts(reuse=false))", "reuse"),
        ("alpha-beta(tt=off,bytes=65536)", "bytes"),
        ("deep-df-pn(e=1,d=3)", "no effect"),
        ("deep-df-pn(e=0,d=3)", "no effect"),
        ("deep-df-pn(e=2,d=0)", "no effect"),
        ("vcdt(d=3)", "no effect"),
        ("vcst(e=2)", "no effect"),
    ] {
        let error = start(text).agent(&spec(text)).err().unwrap_or_else(|| panic!("{text} was taken")).to_string();
        assert!(
            error.contains(part) && error.contains("no effect") || error.contains("say the same"),
            "{text}: {error}"
        );
        assert!(!error.contains('\n'), "{text}: {error}");
    }
    // What has an effect is taken, and so is every canonical text, which spells all parts out.
    for text in [
        "mcts",
        "mcts(expand=all,fpu=1.0)",
        "mcts(expand=each,select=ucb1)",
        "mcts(parallel=tree,virtual-loss=3)",
        "mcts(parallel=root)",
        "vote",
        "alpha-beta(tt=off)",
        "deep-df-pn(e=1)",
        "deep-df-pn(d=0)",
        "deep-df-pn(e=2,d=3)",
        "vcdt(e=2,d=3)",
        "vcst",
    ] {
        let canonical = canonical_agent(&spec(text)).expect(text);
        for agent in [&spec(text), &canonical, &spec(&canonical.to_string())] {
            assert!(start(text).agent(agent).is_ok(), "{agent}");
        }
    }
}

/// Where an agent knows nothing it does not play the first move of the list.
#[test]
fn agents_that_know_nothing_play_what_the_game_prefers() {
    let budget = Budget { iterations: Some(0), nodes: Some(0), ..Budget::default() };
    let mut gomoku = start_game(&spec("gomoku")).expect("starts").position;
    ["h8", "i9", "h9", "i8"].iter().for_each(|mv| assert!(gomoku.play(mv).is_ok()));
    let near = ["h7", "h10", "g7", "j10", "i7", "i10", "g8", "g9", "j8", "j9", "h6", "h11", "i6", "i11"];
    let by_chance = ["random", "rps", "vote"];
    for agent in agent_descriptions() {
        let Ok(mut player) = gomoku.agent(&Spec::bare(agent.name)) else { continue };
        let Ok(report) = player.think(gomoku.as_ref(), &budget, Seed(1), &mut NoObserver) else { continue };
        let best = report.best.expect("a move");
        assert!(by_chance.contains(&agent.name) || near.contains(&best.as_str()), "{} plays {best}", agent.name);
    }
}

#[test]
fn an_agent_refuses_a_position_of_another_game() {
    let tictactoe = start_game(&spec("tictactoe")).expect("starts").position;
    let trap = start_game(&spec("trap")).expect("starts").position;
    let mut agent = tictactoe.agent(&spec("random")).expect("an agent");
    assert!(matches!(
        agent.think(trap.as_ref(), &Budget::unlimited(), Seed(1), &mut NoObserver),
        Err(SearchError::Unsupported(_))
    ));
}

#[test]
fn wrong_specs_say_what_would_be_right() {
    for (text, part) in [
        ("tictactoo", "did you mean \"tictactoe\"?"),
        ("mnk(m=3,q=1)", "has no parameter \"q\""),
        ("mnk(m=3,n=3,k=9)", "between 1 and the longer side"),
        ("mnk(m=26,n=64)", "at most 128"),
        ("pgame(branching=10,depth=100)", "2^63"),
        ("tictactoe(position=\"XX\")", "9 characters"),
        ("tictactoe(position=\"XXXOOO...\")", "did not move last"),
        ("tictactoe(position=\"XXXX.....\")", "as many X as O"),
        ("tree(text=\"F(1\")", "open '('"),
        ("tree(file=\"/nonexistent\")", "/nonexistent"),
        ("tree(text=\"1\",file=\"x\")", "exclude each other"),
    ] {
        let error = start_game(&spec(text)).err().unwrap_or_else(|| panic!("{text} started")).to_string();
        assert!(error.contains(part) && !error.contains('\n'), "{text}: {error}");
    }
    let error = canonical_agent(&spec("minmax(depth=3)")).expect_err("unknown").to_string();
    assert!(error.contains("did you mean \"minimax\"?"), "{error}");
}

/// The default player of every game exists, and answers within a short time limit on boards and
/// trees of any size.
#[test]
fn the_strongest_agent_answers_in_time() {
    let mut texts: Vec<String> = games().iter().map(|game| game.description.name.to_string()).collect();
    texts.extend(
        [
            "go(size=19)",
            "go(size=25)",
            "hex(size=19)",
            "othello(size=4)",
            "gomoku(size=20,rule=renju)",
            "mnk(m=11,n=10,k=5)",
            "mnk(m=4,n=4,k=4)",
            "pgame(branching=3,depth=30)",
            "randomtree(depth=12,branching=6)",
            "tree(text=\"F(1)\")",
        ]
        .map(String::from),
    );
    for text in texts {
        let position = start_game(&spec(&text)).expect(&text).position;
        let agent = agent_for(&spec("auto"), position.as_ref()).expect(&text);
        canonical_agent(&agent).unwrap_or_else(|error| panic!("{text}: {error}"));
        let time = Some(Duration::from_millis(20));
        let budget = Budget { soft_time: time, hard_time: time, ..Budget::default() };
        let mut player = position.agent(&spec("auto")).expect(&text);
        let began = Instant::now();
        let report = player.think(position.as_ref(), &budget, Seed(1), &mut NoObserver);
        let report = report.unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(report.best.is_some(), "{text}");
        assert!(began.elapsed() < Duration::from_secs(5), "{text}: {:?}", began.elapsed());
    }
}

/// `auto` hands its thresholds to agents that have them, and is refused anything else.
#[test]
fn auto_is_the_strongest_with_thresholds() {
    let polite = spec("auto(resign=0.03,pass=0.02)");
    let chosen = |game: &str, asked: &Spec| {
        let position = start_game(&spec(game)).expect(game).position;
        agent_for(asked, position.as_ref()).map(|agent| agent.to_string())
    };
    assert_eq!(chosen("go(size=9)", &polite), Ok("zero(resign=0.03,pass=0.02)".into()));
    for other in ["go(size=19)", "go(size=5)", "go(size=9,komi=0)", "go(size=9,scoring=territory)"] {
        assert_eq!(chosen(other, &polite), Ok("mcts(resign=0.03,pass=0.02)".into()), "{other}");
    }
    assert_eq!(chosen("hex", &polite), Ok("zero(resign=0.03,pass=0.02)".into()));
    assert_eq!(chosen("hex(size=5)", &polite), Ok("alpha-beta".into()));
    assert_eq!(chosen("othello", &polite), Ok("alpha-beta".into()));
    assert_eq!(chosen("othello", &spec("rps(depth=2)")), Ok("rps(depth=2)".into()), "others are themselves");
    assert_eq!(chosen("mnk(m=3,n=3,k=3)", &spec("auto")), Ok("oracle".into()));
    assert_eq!(chosen("mnk(m=8,n=8,k=5)", &spec("auto")), Ok("mcts(select=rave)".into()), "it depends on the size");
    let error = chosen("go", &spec("auto(depth=3)")).expect_err("no such parameter");
    assert!(error.to_string().contains("depth"), "{error}");
    // What nothing limits has an end all the same.
    let effort = |asked: &str, agent: &str, game: &str| {
        let position = start_game(&spec(game)).expect(game).position;
        usual_effort(&spec(asked), &spec(agent), position.as_ref())
    };
    assert_eq!(effort("auto", "alpha-beta", "othello"), (None, Some(1_000_000)));
    assert_eq!(effort("alpha-beta", "alpha-beta", "othello"), (None, None));
    assert_eq!(effort("mcts", "mcts", "hex(size=26)"), (Some(10_000), None));
    assert_eq!(effort("auto", "zero", "hex"), (Some(1_000), None));
    // A million positions took 18 seconds on the largest board of Hex.
    assert_eq!(effort("auto", "alpha-beta", "hex(size=16)"), (None, Some(1_000_000)));
    assert_eq!(effort("auto", "alpha-beta", "hex(size=26)"), (None, Some(143_412)));
}
