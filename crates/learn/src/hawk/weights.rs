//! The weights that are built in, and those of files.
//!
//! A bundle is files of small weights ([`crate::small`]) one after the other, each with its length.

use crate::neat::Network;
use crate::neat::hyper::Stencil;
use crate::shipped::Shipped;
use crate::small::{FastNetwork, Head, Inside, Mlp, SmallFileError, unpack, unpack_as};
use std::sync::{Arc, OnceLock};

/// What a bundle has of one game, size and style.
#[derive(Clone)]
pub enum Weights {
    /// A value network.
    Value(Arc<FastNetwork>),
    /// An evolved network.
    Evolved(Arc<Network>),
    /// A stencil.
    Stencil(Arc<Stencil>),
    /// Weights of the five properties.
    Properties([f64; 5]),
}

/// Weights of several games, sizes and styles.
#[derive(Clone, Default)]
pub struct Bundle {
    entries: Vec<(Head, usize, Weights)>,
}

fn read_one(bytes: &[u8]) -> Result<(Head, Weights), SmallFileError> {
    let (head, _) = unpack(bytes)?;
    let wrong = SmallFileError::Inconsistent("the network does not fit its board");
    let points = head.lines * head.lines;
    match head.inside {
        Inside::Layers => {
            let (head, network) = Mlp::from_file(bytes)?;
            let network = FastNetwork::of(&network).filter(|network| network.inputs() == points).ok_or(wrong)?;
            Ok((head, Weights::Value(Arc::new(network))))
        }
        Inside::Evolved => {
            let (head, network) = Network::from_file(bytes)?;
            if network.inputs() != points || network.outputs() != points {
                return Err(wrong);
            }
            Ok((head, Weights::Evolved(Arc::new(network))))
        }
        Inside::Stencil => Stencil::from_file(bytes).map(|(head, stencil)| (head, Weights::Stencil(Arc::new(stencil)))),
        Inside::Properties => {
            let (head, mut reader) = unpack_as(bytes, Inside::Properties)?;
            let numbers = reader.numbers(5)?;
            reader.end()?;
            Ok((head, Weights::Properties(std::array::from_fn(|index| f64::from(numbers[index])))))
        }
    }
}

impl Bundle {
    /// Reads files one after the other.
    ///
    /// # Errors
    /// If one is damaged.
    pub fn read(mut bytes: &[u8]) -> Result<Bundle, SmallFileError> {
        let mut entries = Vec::new();
        while !bytes.is_empty() {
            let told = bytes.get(12..16).and_then(|four| four.try_into().ok()).map(u32::from_le_bytes);
            let length = told.map_or(bytes.len(), |length| (length as usize).max(1));
            let one = bytes.get(..length).unwrap_or(bytes);
            let (head, weights) = read_one(one)?;
            entries.push((head, one.len(), weights));
            bytes = &bytes[one.len()..];
        }
        Ok(Bundle { entries })
    }

    /// The weights of a game, a size and a style.
    #[must_use]
    pub fn find(&self, game: &str, lines: usize, style: &str) -> Option<&Weights> {
        let fits = |head: &Head| head.game == game && (head.lines == lines || head.lines == 0) && head.style == style;
        self.entries.iter().find(|(head, _, _)| fits(head)).map(|(_, _, weights)| weights)
    }

    /// What stands before each of them.
    pub fn heads(&self) -> impl Iterator<Item = &Head> {
        self.entries.iter().map(|(head, _, _)| head)
    }

    /// The boards that have weights of a style, in words: `go 5, 7, 9; hex 9`.
    #[must_use]
    pub fn boards(&self, style: &str) -> String {
        let mut games: Vec<(&str, Vec<String>)> = Vec::new();
        for head in self.heads().filter(|head| head.style == style) {
            let size = if head.lines == 0 { "every size".to_string() } else { head.lines.to_string() };
            match games.iter_mut().find(|(game, _)| *game == head.game) {
                Some((_, sizes)) => sizes.push(size),
                None => games.push((&head.game, vec![size])),
            }
        }
        let words: Vec<String> = games.iter().map(|(game, sizes)| format!("{game} {}", sizes.join(", "))).collect();
        if words.is_empty() { "none".into() } else { words.join("; ") }
    }
}

/// The embedded bundle of an agent.
pub(super) fn embedded(agent: &str) -> &'static Bundle {
    static BUNDLES: OnceLock<[Bundle; 3]> = OnceLock::new();
    let files: [&[u8]; 3] = [
        include_bytes!("../../weights/ann.tsw"),
        include_bytes!("../../weights/ga.tsw"),
        include_bytes!("../../weights/neat.tsw"),
    ];
    let bundles =
        BUNDLES.get_or_init(|| files.map(|bytes| Bundle::read(bytes).expect("the embedded weights are whole")));
    &bundles[AGENTS.iter().position(|known| *known == agent).expect("an agent with weights")]
}

const AGENTS: [&str; 3] = ["ann", "ga", "neat"];

/// All that is embedded.
#[must_use]
pub fn shipped() -> Vec<Shipped> {
    let of = |agent: &'static str| {
        embedded(agent).entries.iter().map(move |(head, bytes, _)| Shipped {
            agent,
            game: format!(
                "{} {}, as={}",
                head.game,
                if head.lines == 0 { "(every size)".into() } else { head.lines.to_string() },
                head.style
            ),
            bytes: *bytes,
            note: head.note.clone(),
        })
    };
    AGENTS.into_iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::{AGENTS, Bundle, embedded};
    use crate::small::{Head, Inside, Mlp, Writer};
    use tesuji_core::{Rng, Seed};

    fn head(inside: Inside, lines: usize, style: &str) -> Head {
        Head { inside, game: "go".into(), lines, style: style.into(), note: String::new() }
    }

    #[test]
    fn bundles_are_files_in_a_row() {
        let network = Mlp::hawk(25, &mut Rng::new(Seed(1)));
        let mut bytes = network.to_file(&head(Inside::Layers, 5, "text"));
        let mut writer = Writer::new(&head(Inside::Properties, 5, "tuned"));
        writer.numbers([1.0; 5]);
        bytes.extend(writer.finish());
        let bundle = Bundle::read(&bytes).expect("two files");
        assert!(bundle.find("go", 5, "text").is_some() && bundle.find("go", 5, "tuned").is_some());
        assert!(bundle.find("go", 6, "text").is_none() && bundle.find("hex", 5, "text").is_none());
        assert_eq!((bundle.boards("text").as_str(), bundle.boards("code").as_str()), ("go 5", "none"));
        bytes.pop();
        assert!(Bundle::read(&bytes).is_err());
        // A network for another board.
        let wrong = network.to_file(&head(Inside::Layers, 6, "text"));
        assert!(Bundle::read(&wrong).err().expect("refused").to_string().contains("does not fit its board"));
        assert!(Bundle::read(b"x").is_err());
    }

    #[test]
    fn what_is_embedded_is_whole() {
        AGENTS.iter().for_each(|agent| assert!(embedded(agent).heads().all(|head| !head.note.is_empty())));
    }
}
