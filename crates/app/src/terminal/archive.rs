//! Games of a person are kept as they go, in the user's data folder.
//!
//! A game has a file of its own from its first move on, written again after every move, beside its
//! place and then renamed: a crash at any moment leaves the game as it was one move before. The
//! names of the files begin with the time, so the oldest come first; when a game begins, the oldest
//! ones beyond [`MOST_GAMES`] are removed.

use crate::date::stamp;
use std::path::{Path, PathBuf};
use tesuji_agents::Access;

/// Games that are kept.
const MOST_GAMES: usize = 100;

/// A folder of games.
pub struct Archive {
    folder: PathBuf,
    /// The file of the game under way, from its first move on.
    file: Option<PathBuf>,
}

impl Archive {
    /// Games are kept in this folder, which need not be there yet.
    #[must_use]
    pub fn new(folder: PathBuf) -> Archive {
        Archive { folder, file: None }
    }

    /// The next game is another one.
    pub(super) fn begin(&mut self) {
        self.file = None;
    }

    /// The file of the game under way.
    pub(super) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Writes the record of the game under way, whose name is given. Answers where.
    pub(super) fn keep(&mut self, game: &str, record: &str) -> Result<PathBuf, String> {
        let file = match self.file.take() {
            Some(file) => file,
            None => self.new_file(game)?,
        };
        let path = file.to_str().ok_or_else(|| format!("{}: the path is not UTF-8", file.display()))?;
        let written = Access::unrestricted().write(path, record.as_bytes());
        written.map_err(|error| format!("{path}: {error}"))?;
        Ok(self.file.insert(file).clone())
    }

    fn new_file(&self, game: &str) -> Result<PathBuf, String> {
        std::fs::create_dir_all(&self.folder).map_err(|error| format!("{}: {error}", self.folder.display()))?;
        remove_oldest(&self.folder, MOST_GAMES - 1);
        let name: String = game.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '-').collect();
        // Two programs may begin in the same second, and one program too.
        let files = (0..).map(|number| match number {
            0 => format!("{}-{name}-{}.sgf", stamp(), std::process::id()),
            // An underscore comes after a full stop in the alphabet.
            _ => format!("{}-{name}-{}_{number}.sgf", stamp(), std::process::id()),
        });
        Ok(files.map(|file| self.folder.join(file)).find(|file| !file.exists()).expect("names without end"))
    }
}

/// Removes the oldest games of a folder beyond this number. Other files stay.
fn remove_oldest(folder: &Path, most: usize) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let is_game = |name: &String| name.starts_with(|first: char| first.is_ascii_digit()) && name.ends_with(".sgf");
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(is_game).collect();
    names.sort_unstable();
    let too_many = names.len().saturating_sub(most);
    for name in &names[..too_many] {
        // One that cannot be removed does no harm.
        let _ = std::fs::remove_file(folder.join(name));
    }
}

#[cfg(test)]
mod tests {
    use super::{Archive, MOST_GAMES};

    #[test]
    fn a_game_has_one_file_and_the_oldest_games_go() {
        let folder = std::env::temp_dir().join(format!("tesuji-archive-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        for number in 0..MOST_GAMES + 5 {
            std::fs::write(folder.join(format!("2000-01-01-{number:06}-go-1.sgf")), "").expect("written");
        }
        std::fs::write(folder.join("mine.sgf"), "").expect("written");
        let count = || std::fs::read_dir(&folder).expect("the folder").count();
        let mut archive = Archive::new(folder.clone());
        let first = archive.keep("go", "(;)").expect("kept");
        assert_eq!(archive.keep("go", "(;GM[1])"), Ok(first.clone()));
        assert_eq!(std::fs::read_to_string(&first).expect("a game"), "(;GM[1])");
        assert_eq!(count(), MOST_GAMES + 1, "and the file that is no game of the archive");
        assert!(folder.join("mine.sgf").exists() && !folder.join("2000-01-01-000005-go-1.sgf").exists());
        assert!(folder.join("2000-01-01-000006-go-1.sgf").exists());
        archive.begin();
        let second = archive.keep("go", "(;)").expect("kept");
        assert_ne!(second, first);
        assert_eq!(count(), MOST_GAMES + 1);
        std::fs::remove_dir_all(&folder).expect("removed");
        std::fs::write(&folder, "a file where the folder should be").expect("written");
        assert!(Archive::new(folder.clone()).keep("go", "(;)").is_err());
        std::fs::remove_file(&folder).expect("removed");
    }
}
