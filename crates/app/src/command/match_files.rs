//! What `tesuji match` writes beside its result: a record of every game, and a table of every move.
//!
//! The table has the columns of Hawk's files (2017, ch. 4), the score after every move and the
//! iterations of every move, and more: the agent's own value of its game, the time, and the stones on
//! the board where the game has stones.

use super::PlayedGame;
use crate::failure::Failure;
use tesuji_agents::records::{self, Details, Step};
use tesuji_agents::{Access, PendingFile};
use tesuji_core::{Outcome, Player};
use tesuji_lab::tasks::game::{End, GameResult};
use tesuji_lab::tasks::position::Begun;

/// The head of the table of moves.
const HEAD: &str = "game,ply,player,agent,move,value,iterations,seconds,first_stones,second_stones\r\n";

/// Where games and moves go.
pub struct Files {
    folder: Option<String>,
    csv: Option<(PendingFile, String, String)>,
    games: u64,
}

impl Files {
    /// Finds out before the first game whether they can be written.
    pub fn new(folder: Option<&str>, csv: Option<&str>) -> Result<Files, Failure> {
        let access = Access::unrestricted();
        if let Some(folder) = folder {
            access.make_folder(folder).map_err(|error| Failure::file(folder, &error))?;
        }
        let create = |path: &str| {
            let pending = access.create(path).map_err(|error| Failure::file(path, &error))?;
            Ok::<_, Failure>((pending, path.to_string(), HEAD.to_string()))
        };
        Ok(Files { folder: folder.map(String::from), csv: csv.map(create).transpose()?, games: 0 })
    }

    /// Whether single moves are written.
    pub fn wants_moves(&self) -> bool {
        self.csv.is_some()
    }

    /// Adds a game that ended; `sides` are the agents, the one that moved first after the opening
    /// first.
    pub fn add(
        &mut self,
        played: &PlayedGame,
        opened: &Begun,
        ended: &GameResult,
        sides: [&String; 2],
    ) -> Result<(), Failure> {
        self.games += 1;
        if let Some(folder) = &self.folder {
            let path = format!("{folder}/game-{:05}.sgf", self.games);
            let text = record(played, opened, ended, sides);
            let text = text.map_err(|error| Failure::input(format!("--save: {error}")))?;
            let written = Access::unrestricted().write(&path, text.as_bytes());
            written.map_err(|error| Failure::file(&path, &error))?;
        }
        let game = self.games;
        if let Some((_, _, text)) = &mut self.csv {
            for (ply, (mv, traced)) in ended.moves.split_whitespace().zip(&ended.trace).enumerate() {
                let (player, agent) = if traced.by_first { ("first", sides[0]) } else { ("second", sides[1]) };
                let agent = agent.replace('"', "\"\"");
                let stones =
                    traced.stones.map_or([String::new(), String::new()], |stones| stones.map(|n| n.to_string()));
                *text += &format!(
                    "{game},{},{player},\"{agent}\",{mv},{},{},{},{}\r\n",
                    ply + 1,
                    traced.value,
                    traced.iterations,
                    traced.seconds,
                    stones.join(","),
                );
            }
        }
        Ok(())
    }

    /// Puts the table in its place.
    pub fn finish(self) -> Result<(), Failure> {
        match self.csv {
            None => Ok(()),
            Some((pending, path, text)) => {
                pending.finish(text.as_bytes()).map_err(|error| Failure::file(&path, &error))
            }
        }
    }
}

/// The SGF record of a game.
fn record(played: &PlayedGame, opened: &Begun, ended: &GameResult, sides: [&String; 2]) -> Result<String, String> {
    let mut position = played.position.boxed_clone();
    let mut steps = played.steps.clone();
    let opening = opened.moves.iter().skip(played.moves.len()).map(String::as_str);
    for mv in opening.chain(ended.moves.split_whitespace()) {
        let player = position.turn();
        let shown = position.play(mv).map_err(|error| error.to_string())?;
        steps.push(Step::Move(player, shown));
    }
    let opener = opened.position.turn();
    let mut players: [Option<String>; 2] = [None, None];
    players[opener.index()] = Some(sides[0].clone());
    players[opener.other().index()] = Some(sides[1].clone());
    let loser: Option<Player> = match ended.score {
        score if score < 0.5 => Some(opener),
        score if score > 0.5 => Some(opener.other()),
        _ => None,
    };
    let result = match (ended.end, loser) {
        (End::Rules, _) => records::result(position.as_ref()),
        (End::Resigned, Some(loser)) => Some(records::resigned(loser)),
        (_, Some(loser)) => Some(records::result_by(Outcome::won_by(loser.other()), None)),
        (_, None) => Some(records::GameResult::Draw),
    };
    records::write_with(&played.game, played.first.as_ref(), &steps, &Details { players, result, date: None })
}
