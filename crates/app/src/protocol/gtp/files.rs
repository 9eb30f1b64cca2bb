//! Records in files: `loadsgf`, `printsgf`, `gomill-savesgf`.
//!
//! Gomill gives properties of the root after the file name, `PB=name RE=W+3.5`, with `\_` for a
//! blank and `\\` for a backslash.
//!
//! Reference: M. Woodcraft, *Gomill 0.8.3*, "GTP extensions".

use super::{Answer, Gtp, NOTHING, number, text};
use crate::date;
use crate::protocol::engine::{load_record, save_record};
use tesuji_agents::records::{self, Details};
use tesuji_sgf::Collection;

/// Larger files are not read.
const MOST_BYTES: u64 = 16 << 20;
/// Properties that describe the board and the moves: those are the game's.
const OWN: [&str; 10] = ["AB", "AE", "AW", "B", "CA", "FF", "GM", "PL", "SZ", "W"];

impl Gtp {
    pub(super) fn load(&mut self, words: &[&str]) -> Answer {
        let path = words.first().ok_or("expected a file name")?;
        // GTP names the first move that is not played.
        let most: Option<usize> = match words.get(1) {
            None => None,
            some => Some(number::<usize>(some, "a move number")?.saturating_sub(1)),
        };
        let cannot = |error: &dyn std::fmt::Display| format!("cannot load file: {error}");
        let bytes = self.engine.session.access().read(path, MOST_BYTES).map_err(|error| cannot(&error))?;
        // The reason may quote the file, which a client must not see.
        let loaded = load_record(&mut self.engine.session, &bytes, most);
        let marks = loaded.map_err(|_| cannot(&"no SGF record of this game"))?;
        self.engine.setup.game = self.engine.session.game().clone();
        self.engine.clock.restart();
        self.forget();
        // Each move can be taken back; what was set up before it, only with a move before that.
        self.marks = marks;
        NOTHING
    }

    /// What a record of this game states: our name for the sides that were generated, and the
    /// result.
    fn details(&self) -> Details {
        let steps = self.engine.session.steps();
        let resigned = self.resigned.filter(|(_, then)| *then == steps);
        let name = || format!("tesuji {}", self.engine.session.agent().name);
        Details {
            players: self.generated.map(|ours| ours.then(name)),
            result: resigned.map(|(player, _)| records::resigned(player)).or_else(|| records::result(self.position())),
            date: Some(date::today()),
        }
    }

    pub(super) fn save(&self, words: &[&str]) -> Answer {
        let record = save_record(&self.engine.session, &self.details())?;
        match words.first() {
            None | Some(&"-") => text(record),
            Some(path) => self.write(path, &record),
        }
    }

    /// Saves the game with properties that the client gives.
    pub(super) fn save_with_properties(&self, words: &[&str]) -> Answer {
        let (path, given) = words.split_first().ok_or("expected a file name")?;
        let record = save_record(&self.engine.session, &self.details())?;
        let mut record = Collection::parse(record.as_bytes()).map_err(|error| error.to_string())?;
        let root = record.roots()[0];
        for word in given {
            let (name, value) = property(word)?;
            record.set_text(root, &name, &value).map_err(|error| error.to_string())?;
        }
        self.write(path, &record.to_string())
    }

    fn write(&self, path: &str, record: &str) -> Answer {
        let written = self.engine.session.access().write(path, record.as_bytes());
        written.map_err(|error| format!("cannot write {path}: {error}"))?;
        NOTHING
    }
}

/// A property of the root: `PB=name`.
fn property(word: &str) -> Result<(String, String), String> {
    let shown: String = word.chars().take(40).collect();
    let named =
        word.split_once('=').filter(|(name, _)| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphabetic()));
    let (name, value) = named.ok_or_else(|| format!("expected a property such as PB=name, not {shown}"))?;
    let name = name.to_ascii_uppercase();
    if OWN.contains(&name.as_str()) {
        return Err(format!("the property {name} is the game's own; expected one such as PB, PW or RE"));
    }
    let mut text = String::with_capacity(value.len());
    let mut letters = value.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some('_')) => {
                letters.next();
                text.push(' ');
            }
            ('\\', Some('\\')) => {
                letters.next();
                text.push('\\');
            }
            (other, _) => text.push(other),
        }
    }
    Ok((name, text))
}

#[cfg(test)]
mod tests {
    use super::property;

    /// The example of Gomill's manual, and what is refused.
    #[test]
    fn properties_as_gomill_writes_them() {
        assert_eq!(property(r"PW=GNU\_Go:3.8"), Ok(("PW".into(), "GNU Go:3.8".into())));
        assert_eq!(property("re=W+3.5"), Ok(("RE".into(), "W+3.5".into())));
        assert_eq!(property(r"C=a\\_b=c\"), Ok(("C".into(), r"a\_b=c\".into())));
        for wrong in ["PB", "=x", "P1=x", "", "SZ=9", "b=dd"] {
            assert!(property(wrong).is_err(), "{wrong}");
        }
    }
}
