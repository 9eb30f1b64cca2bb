//! The list of commands, and those about the engine itself.

use super::{Answer, Gtp, NOTHING, Reply, number, refused, text};
use crate::protocol::Vertices;
use tesuji_core::spec::Spec;
use tesuji_core::{BoardShape, Seed};

/// In which games a command exists.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// All games.
    Every,
    /// Games with a board.
    Board,
    /// Games with komi, handicaps and territory: Go.
    Komi,
    /// The game that HexGui plays.
    HexGui,
    /// Games on a board whose rules GoGui does not know: all but Go.
    Hosted,
}

type Handler = fn(&mut Gtp, &[&str], &mut String) -> Answer;

/// **A new command is one line here.**
const COMMANDS: &[(&str, Scope, Handler)] = &[
    // GTP's core.
    ("protocol_version", Scope::Every, |_, _, _| text("2")),
    ("name", Scope::Every, |_, _, _| text("tesuji")),
    ("version", Scope::Every, |_, _, _| text(env!("CARGO_PKG_VERSION"))),
    ("known_command", Scope::Every, |gtp, words, _| {
        text(words.first().is_some_and(|name| gtp.knows(name)).to_string())
    }),
    ("list_commands", Scope::Every, |gtp, _, _| text(gtp.names().join("\n"))),
    ("quit", Scope::Every, |_, _, _| Ok(Reply::Quit)),
    ("boardsize", Scope::Every, |gtp, words, _| gtp.boardsize(words)),
    ("rectangular_boardsize", Scope::Every, |gtp, words, _| gtp.boardsize(words)),
    ("query_boardsize", Scope::Board, |gtp, _, _| gtp.query_boardsize()),
    ("clear_board", Scope::Every, |gtp, _, _| gtp.clear_board()),
    ("komi", Scope::Every, |gtp, words, _| gtp.komi(words)),
    ("play", Scope::Every, |gtp, words, _| gtp.play(words)),
    ("genmove", Scope::Every, |gtp, words, out| gtp.generate(words, "genmove", out)),
    // Commands that most engines have.
    ("reg_genmove", Scope::Every, |gtp, words, out| gtp.generate(words, "reg_genmove", out)),
    ("undo", Scope::Every, |gtp, _, _| gtp.undo(1)),
    ("gg-undo", Scope::Every, |gtp, words, _| {
        gtp.undo(if words.is_empty() { 1 } else { number(words.first(), "a number of moves")? })
    }),
    ("showboard", Scope::Every, |gtp, _, _| text(format!("\n{}", gtp.position().view()))),
    ("fixed_handicap", Scope::Komi, |gtp, words, _| gtp.fixed_handicap(words)),
    ("place_free_handicap", Scope::Komi, |gtp, words, _| gtp.chosen_handicap(words)),
    ("set_free_handicap", Scope::Komi, |gtp, words, _| gtp.free_handicap(words)),
    ("time_settings", Scope::Every, |gtp, words, _| gtp.time_settings(words)),
    ("time_left", Scope::Every, |gtp, words, _| gtp.time_left(words)),
    ("final_score", Scope::Every, |gtp, _, _| gtp.final_score()),
    ("final_status_list", Scope::Komi, |gtp, words, _| gtp.final_status_list(words)),
    ("loadsgf", Scope::Every, |gtp, words, _| gtp.load(words)),
    ("printsgf", Scope::Every, |gtp, words, _| gtp.save(words)),
    ("get_komi", Scope::Komi, |gtp, _, _| gtp.get_komi()),
    ("cputime", Scope::Every, |gtp, _, _| text(format!("{:.3}", gtp.thinking.as_secs_f64()))),
    ("clear_cache", Scope::Every, |gtp, _, _| gtp.clear_cache()),
    ("get_random_seed", Scope::Every, |gtp, _, _| text(gtp.engine.setup.seed.0.to_string())),
    ("set_random_seed", Scope::Every, |gtp, words, _| {
        gtp.engine.set_seed(Seed(number(words.first(), "a seed, a whole number")?));
        NOTHING
    }),
    ("is_legal", Scope::Every, |gtp, words, _| gtp.is_legal(words)),
    ("all_legal", Scope::Every, |gtp, words, _| gtp.all_legal(words)),
    ("all_legal_moves", Scope::Every, |gtp, _, _| text(gtp.legal_moves().join(" "))),
    ("list_stones", Scope::Komi, |gtp, words, _| gtp.list_stones(words)),
    ("captures", Scope::Komi, |gtp, words, _| gtp.captures(words)),
    ("last_move", Scope::Every, |gtp, _, _| gtp.last_move()),
    ("move_history", Scope::Every, |gtp, _, _| gtp.move_history()),
    ("set_position", Scope::Komi, |gtp, words, _| gtp.set_position(words)),
    ("list_games", Scope::Every, |_, _, _| {
        let names = tesuji_agents::games().iter().map(|game| game.description.name.to_string());
        text(names.collect::<Vec<_>>().join("\n"))
    }),
    ("set_game", Scope::Every, |gtp, words, _| gtp.set_game(words)),
    // Analysis.
    ("analyze", Scope::Every, |gtp, words, out| gtp.analyse(words, "analyze", out)),
    ("lz-analyze", Scope::Every, |gtp, words, out| gtp.analyse(words, "lz-analyze", out)),
    ("kata-analyze", Scope::Every, |gtp, words, out| gtp.analyse(words, "kata-analyze", out)),
    ("genmove_analyze", Scope::Every, |gtp, words, out| gtp.generate(words, "genmove_analyze", out)),
    ("lz-genmove_analyze", Scope::Every, |gtp, words, out| gtp.generate(words, "lz-genmove_analyze", out)),
    ("kata-genmove_analyze", Scope::Every, |gtp, words, out| gtp.generate(words, "kata-genmove_analyze", out)),
    ("cgos-genmove_analyze", Scope::Every, |gtp, words, out| gtp.generate(words, "cgos-genmove_analyze", out)),
    ("stop", Scope::Every, |_, _, _| NOTHING),
    ("kata-time_settings", Scope::Every, |gtp, words, _| gtp.named_time_settings(words)),
    ("kata-get-rules", Scope::Komi, |gtp, _, _| gtp.rules()),
    ("kata-set-rules", Scope::Komi, |gtp, words, _| gtp.set_rules(words)),
    ("kata-set-rule", Scope::Komi, |gtp, words, _| gtp.set_rule(words)),
    // KGS.
    ("kgs-genmove_cleanup", Scope::Komi, |gtp, words, out| gtp.generate(words, "kgs-genmove_cleanup", out)),
    ("kgs-time_settings", Scope::Every, |gtp, words, _| gtp.named_time_settings(words)),
    ("kgs-rules", Scope::Komi, |gtp, words, _| gtp.kgs_rules(words)),
    ("kgs-game_over", Scope::Every, |_, _, _| NOTHING),
    ("kgs-chat", Scope::Every, |_, _, _| text("I only speak in moves.")),
    // Gomill.
    ("gomill-explain_last_move", Scope::Every, |gtp, _, _| gtp.explain()),
    ("gomill-describe_engine", Scope::Every, |gtp, _, _| {
        text(format!(
            "tesuji {}\n{}\n{}",
            env!("CARGO_PKG_VERSION"),
            gtp.engine.session.agent(),
            gtp.engine.session.game()
        ))
    }),
    ("gomill-genmove_ex", Scope::Every, |gtp, words, out| gtp.generate(words, "genmove", out)),
    ("gomill-cpu_time", Scope::Every, |gtp, _, _| text(format!("{:.3}", gtp.thinking.as_secs_f64()))),
    ("gomill-savesgf", Scope::Every, |gtp, words, _| gtp.save_with_properties(words)),
    // GoGui.
    ("gogui-interrupt", Scope::Every, |_, _, _| NOTHING),
    ("gogui-title", Scope::Every, |gtp, _, _| text(format!("tesuji: {}", gtp.engine.session.agent().name))),
    ("gogui-play_sequence", Scope::Every, |gtp, words, _| gtp.play_sequence(words)),
    ("gogui-setup", Scope::Komi, |gtp, words, _| gtp.gogui_setup(words)),
    ("gogui-setup_player", Scope::Komi, |gtp, words, _| gtp.setup_player(words)),
    ("gogui-analyze_commands", Scope::Every, |gtp, _, _| text(gtp.analyze_commands())),
    ("gogui-rules_game_id", Scope::Hosted, |gtp, _, _| gtp.rules_game_id()),
    ("gogui-rules_board", Scope::Hosted, |gtp, _, _| gtp.rules_board()),
    ("gogui-rules_board_gfx", Scope::Hosted, |gtp, _, _| gtp.rules_board_graphics()),
    ("gogui-rules_board_size", Scope::Hosted, |gtp, _, _| gtp.rules_board_size()),
    ("gogui-rules_legal_moves", Scope::Hosted, |gtp, _, _| gtp.rules_legal_moves()),
    ("gogui-rules_side_to_move", Scope::Hosted, |gtp, _, _| gtp.rules_side_to_move()),
    ("gogui-rules_final_result", Scope::Hosted, |gtp, _, _| gtp.rules_final_result()),
    ("gogui-rules_captured_count", Scope::Hosted, |gtp, _, _| gtp.rules_captured_count()),
    // HexGui.
    ("hexgui-analyze_commands", Scope::HexGui, |gtp, _, _| text(gtp.analyze_commands())),
    ("param_dfpn", Scope::HexGui, |gtp, words, _| gtp.solver_parameters(words)),
    ("dfpn-solve-state", Scope::HexGui, |gtp, words, _| gtp.solve_state(words)),
    // Commands of this program.
    ("tesuji-values", Scope::Board, |gtp, _, _| gtp.board_of_values()),
    ("tesuji-visits", Scope::Board, |gtp, _, _| {
        gtp.board_of_labels(|entry| Some(entry.visits).filter(|n| *n > 0).map(|n| n.to_string()))
    }),
    ("tesuji-proved", Scope::Board, |gtp, _, _| gtp.board_of_proofs()),
    ("tesuji-notes", Scope::Board, |gtp, _, _| gtp.board_of_labels(|entry| entry.note.clone())),
    ("tesuji-priors", Scope::Board, |gtp, _, _| {
        gtp.board_of_labels(|entry| entry.prior.map(|prior| format!("{:.0}", prior * 100.0)))
    }),
    ("tesuji-ownership", Scope::Komi, |gtp, _, _| gtp.board_of_ownership()),
    ("tesuji-line", Scope::Every, |gtp, _, _| gtp.line_so_far()),
    ("tesuji-gfx", Scope::Board, |gtp, _, _| gtp.graphics()),
    ("tesuji-param", Scope::Every, |gtp, words, _| gtp.parameters(words)),
    ("tesuji-vertices", Scope::Every, |gtp, words, _| gtp.set_vertices(words)),
    // What is played and what plays, or another one.
    ("tesuji-game", Scope::Every, |gtp, words, _| {
        if words.is_empty() { text(gtp.engine.session.game().to_string()) } else { gtp.set_game(words) }
    }),
    ("tesuji-agent", Scope::Every, |gtp, words, _| {
        if words.is_empty() { text(gtp.engine.session.agent().to_string()) } else { gtp.set_agent(words) }
    }),
    // A handler that panics, for a test.
    #[cfg(test)]
    ("test-panic", Scope::Every, |_, _, _| panic!("as asked")),
];

impl Gtp {
    fn has(&self, scope: Scope) -> bool {
        match scope {
            Scope::Every => true,
            Scope::Board => self.position().view().shape != BoardShape::Text,
            Scope::Komi => self.position().komi().is_some(),
            Scope::HexGui => self.is_hex(),
            Scope::Hosted => !self.has(Scope::Komi) && self.has(Scope::Board),
        }
    }

    fn knows(&self, name: &str) -> bool {
        COMMANDS.iter().any(|(known, scope, _)| *known == name && self.has(*scope))
    }

    fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<&str> =
            COMMANDS.iter().filter(|(_, scope, _)| self.has(*scope)).map(|(name, ..)| *name).collect();
        names.sort_unstable();
        names
    }

    /// Carries a command out.
    pub(super) fn run(&mut self, name: &str, words: &[&str], out: &mut String) -> Answer {
        match COMMANDS.iter().find(|(known, ..)| *known == name) {
            Some((_, scope, handler)) if self.has(*scope) => handler(self, words, out),
            Some(_) => Err(format!("unknown command: not in {}", self.game())),
            None => Err("unknown command".into()),
        }
    }

    fn set_game(&mut self, words: &[&str]) -> Answer {
        let spec: Spec = words.join(" ").parse().map_err(|error: tesuji_core::spec::SpecError| error.to_string())?;
        // Quarry writes Go, Othello.
        let spec = Spec { name: spec.name.to_ascii_lowercase(), ..spec };
        self.engine.restart(&spec).map_err(|error| refused(&error))?;
        self.engine.next_game();
        self.forget();
        NOTHING
    }

    fn set_agent(&mut self, words: &[&str]) -> Answer {
        let spec = words.join(" ").parse().map_err(|error: tesuji_core::spec::SpecError| error.to_string())?;
        self.engine.session.change_agent(&spec).map_err(|error| refused(&error))?;
        self.engine.setup.agent = spec;
        self.last = None;
        NOTHING
    }

    fn set_vertices(&mut self, words: &[&str]) -> Answer {
        self.vertices = match words.first() {
            Some(&"native") => Vertices::Native,
            Some(&"go") => Vertices::Go,
            _ => return Err("expected native or go".into()),
        };
        self.picked = None;
        NOTHING
    }

    fn clear_cache(&mut self) -> Answer {
        let agent = self.engine.session.asked_agent().clone();
        self.engine.session.change_agent(&agent).map_err(|error| refused(&error))?;
        self.last = None;
        NOTHING
    }

    /// What belonged to another game.
    pub(super) fn forget(&mut self) {
        self.marks.clear();
        self.last = None;
        self.may_ponder = false;
        self.picked = None;
        self.generated = [false; 2];
        self.resigned = None;
    }

    /// GoGui's settings dialogue: what can be changed, or a change.
    fn parameters(&mut self, words: &[&str]) -> Answer {
        let setup = &mut self.engine.setup;
        let Some((key, rest)) = words.split_first() else {
            let count = |number: Option<u64>| number.map_or("-".to_string(), |number| number.to_string());
            let time = setup.limits.hard_time.map_or("-".to_string(), |time| format!("{}", time.as_secs_f64()));
            return text(format!(
                "[string] agent {}\n[string] iterations {}\n[string] nodes {}\n[string] time {time}\n\
                 [string] memory {}\n[string] seed {}\n[bool] ponder {}\n[bool] live_gfx {}\n\
                 [list/native/go] vertices {}",
                self.engine.session.agent(),
                count(setup.limits.iterations),
                count(setup.limits.nodes),
                count(setup.limits.memory),
                setup.seed.0,
                u8::from(setup.ponder),
                u8::from(self.live_graphics),
                if self.vertices == Vertices::Go { "go" } else { "native" },
            ));
        };
        let limit = || -> Result<Option<u64>, String> {
            match rest.first() {
                Some(&"-") => Ok(None),
                other => number(other, "a whole number, or - for no limit").map(Some),
            }
        };
        let switch = || match rest.first() {
            Some(&"0" | &"false") => Ok(false),
            Some(&"1" | &"true") => Ok(true),
            _ => Err("expected 0 or 1".to_string()),
        };
        match *key {
            "agent" => return self.set_agent(rest),
            "iterations" => (setup.limits.iterations, setup.chosen) = (limit()?, true),
            "nodes" => (setup.limits.nodes, setup.chosen) = (limit()?, true),
            "memory" => {
                let bytes = limit()?;
                self.engine.set_memory(bytes);
            }
            "time" => {
                let time = match rest.first() {
                    Some(&"-") => None,
                    other => {
                        let seconds: f64 = number(other, "seconds, or - for no limit")?;
                        Some(super::search::seconds(seconds)?)
                    }
                };
                (setup.limits.soft_time, setup.limits.hard_time, setup.chosen) = (time, time, true);
            }
            "seed" => self.engine.set_seed(Seed(number(rest.first(), "a whole number")?)),
            "ponder" => setup.ponder = switch()?,
            "live_gfx" => self.live_graphics = switch()?,
            "vertices" => return self.set_vertices(rest),
            other => return Err(format!("there is no parameter {other}")),
        }
        let limits = &self.engine.setup.limits;
        if limits.iterations.is_none() && limits.nodes.is_none() && limits.hard_time.is_none() {
            // A sampling agent would never answer.
            self.engine.setup.limits.iterations = Some(super::search::DEFAULT_ITERATIONS);
        }
        NOTHING
    }
}

#[cfg(test)]
mod tests {
    use super::COMMANDS;
    use crate::protocol::{Engine, GRACE, Gtp, Setup, Vertices, serve, talk};
    use tesuji_core::{Budget, Seed};

    fn gtp(game: &str) -> Gtp {
        let setup = Setup {
            game: game.parse().expect("a spec"),
            agent: "random".parse().expect("a spec"),
            limits: Budget::iterations(10),
            chosen: true,
            seed: Seed(1),
            ponder: false,
            grace: GRACE,
            access: tesuji_agents::Access::restricted(),
        };
        Gtp::new(Engine::new(setup).expect("an engine"), Vertices::Native)
    }

    #[test]
    fn names_are_distinct_and_known_commands_are_those_listed() {
        for game in ["go(size=9)", "hex", "xiangqi", "othello", "pgame"] {
            let mut gtp = gtp(game);
            let listed = talk(&mut gtp, "list_commands").0;
            let listed: Vec<&str> = listed.trim_start_matches("= ").split_whitespace().collect();
            for (name, ..) in COMMANDS {
                let answer = talk(&mut gtp, &format!("known_command {name}")).0;
                assert_eq!(answer, format!("= {}\n\n", listed.contains(name)), "{game} {name}");
                assert_eq!(COMMANDS.iter().filter(|(other, ..)| other == name).count(), 1, "{name}");
            }
            for unknown in ["", "Genmove", "genmov", "quit2", "test"] {
                assert_eq!(talk(&mut gtp, &format!("known_command {unknown}")).0, "= false\n\n", "{unknown}");
            }
        }
    }

    #[test]
    fn a_panic_answers_and_the_game_survives() {
        let mut gtp = gtp("go(size=5)");
        let mut output = Vec::new();
        let input = "1 play b C3\n2 test-panic\n3 list_stones b\n4 quit\n";
        serve(&mut gtp, std::io::Cursor::new(input), &mut output).expect("a vector takes everything");
        assert_eq!(String::from_utf8_lossy(&output), "=1\n\n?2 internal error\n\n=3 C3\n\n=4\n\n");
    }
}
