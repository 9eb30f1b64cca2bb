//! Strengths of features, and the file they are kept in. All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `tesujibt` |
//! | u32 | version, 1 |
//! | u32 | length of the whole file |
//! | u32 | CRC-32 of everything that follows |
//! | u8 + text | the name of the set of features |
//! | u16 + text | how the strengths were made |
//! | u32 | number of features |
//! | (u32, f32) … | a feature and the natural logarithm of its strength, features ascending |
//!
//! Features that are not listed have strength 1. A damaged file is refused with an error that says
//! what is wrong.

use super::Feature;
use crate::crc32;

const MAGIC: &[u8; 8] = b"tesujibt";
const VERSION: u32 = 1;
const HEAD: usize = 20;
const MOST_BYTES: usize = 16 << 20;
/// No logarithm of a strength is beyond this, either way.
const MOST_LOGARITHM: f32 = 30.0;

/// Why a file cannot be read as strengths of features.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GammaError {
    /// Not such a file.
    #[error("this is not a file of learned patterns: it should begin with \"tesujibt\"")]
    Foreign,
    /// A version that this program does not read.
    #[error("the file of patterns has version {0}; this program reads version {VERSION}")]
    Version(u32),
    /// Truncated or extended.
    #[error("the file of patterns is damaged: it should have {expected} bytes and has {found}")]
    Length {
        /// The length that the file states or implies.
        expected: usize,
        /// The actual length.
        found: usize,
    },
    /// Altered.
    #[error("the file of patterns is damaged: its checksum does not match")]
    Checksum,
    /// Well-formed, but inconsistent.
    #[error("the file of patterns is inconsistent: {0}")]
    Inconsistent(&'static str),
    /// Made for other features.
    #[error("the patterns are for {found}; expected {expected}")]
    OtherFeatures {
        /// The set that was asked for.
        expected: String,
        /// The set of the file.
        found: String,
    },
}

/// Strengths of features.
#[derive(Clone, PartialEq, Debug)]
pub struct Gammas {
    features: String,
    note: String,
    /// Features ascending, with the logarithms of their strengths.
    logarithms: Vec<(Feature, f32)>,
    /// The strengths in an open hash table: a feature and its strength, `EMPTY` for a free place.
    places: Vec<(u32, f32)>,
}

/// No feature: group 255 does not exist.
const EMPTY: u32 = u32::MAX;

impl Gammas {
    /// Strengths for the set of features of this name; `strengths` are positive and finite.
    ///
    /// # Errors
    /// If a feature is listed twice, or a strength is beyond e^±30.
    pub fn new(features: &str, note: &str, strengths: &[(Feature, f64)]) -> Result<Gammas, GammaError> {
        let mut logarithms: Vec<(Feature, f32)> =
            strengths.iter().map(|(feature, gamma)| (*feature, libm::log(*gamma) as f32)).collect();
        logarithms.sort_by_key(|(feature, _)| *feature);
        Gammas::checked(features.into(), note.into(), logarithms)
    }

    fn checked(features: String, note: String, logarithms: Vec<(Feature, f32)>) -> Result<Gammas, GammaError> {
        if features.len() > 255 || note.len() > 65_535 {
            return Err(GammaError::Inconsistent("a name or a note is too long"));
        }
        if logarithms.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
            return Err(GammaError::Inconsistent("features do not ascend"));
        }
        if logarithms.iter().any(|(feature, log)| feature.0 == EMPTY || log.is_nan() || log.abs() > MOST_LOGARITHM) {
            return Err(GammaError::Inconsistent("a strength is beyond e^30 or no number"));
        }
        let size = (2 * logarithms.len()).next_power_of_two().max(16);
        let mut gammas = Gammas { features, note, logarithms, places: vec![(EMPTY, 1.0); size] };
        for number in 0..gammas.logarithms.len() {
            let (feature, log) = gammas.logarithms[number];
            let place = gammas.place(feature);
            gammas.places[place] = (feature.0, libm::exp(f64::from(log)) as f32);
        }
        Ok(gammas)
    }

    /// The place of a feature, or a free one.
    #[inline]
    fn place(&self, feature: Feature) -> usize {
        let mask = self.places.len() - 1;
        let mut place = (feature.0.wrapping_mul(0x9e37_79b9) >> 7) as usize & mask;
        // Half of the places are free, so this ends.
        while self.places[place].0 != feature.0 && self.places[place].0 != EMPTY {
            place = (place + 1) & mask;
        }
        place
    }

    /// The strength of a feature.
    #[inline]
    #[must_use]
    pub fn gamma(&self, feature: Feature) -> f64 {
        f64::from(self.places[self.place(feature)].1)
    }

    /// The strength of a feature at a temperature: γ^(1/temperature).
    #[must_use]
    pub fn tempered(&self, feature: Feature, temperature: f64) -> f64 {
        libm::pow(self.gamma(feature), 1.0 / temperature)
    }

    /// The strength of a team: the product, kept within e^±60.
    #[inline]
    #[must_use]
    pub fn strength(&self, team: &[Feature]) -> f64 {
        let product: f64 = team.iter().map(|feature| self.gamma(*feature)).product();
        product.clamp(1e-26, 1e26)
    }

    /// The name of the set of features.
    #[must_use]
    pub fn features(&self) -> &str {
        &self.features
    }

    /// How the strengths were made.
    #[must_use]
    pub fn note(&self) -> &str {
        &self.note
    }

    /// All features with their strengths, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (Feature, f64)> {
        self.logarithms.iter().map(|(feature, log)| (*feature, libm::exp(f64::from(*log))))
    }

    /// The number of features.
    #[must_use]
    pub fn len(&self) -> usize {
        self.logarithms.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.logarithms.is_empty()
    }

    /// The file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut rest = Vec::new();
        rest.push(self.features.len() as u8);
        rest.extend_from_slice(self.features.as_bytes());
        rest.extend_from_slice(&(self.note.len() as u16).to_le_bytes());
        rest.extend_from_slice(self.note.as_bytes());
        rest.extend_from_slice(&(self.logarithms.len() as u32).to_le_bytes());
        for (feature, log) in &self.logarithms {
            rest.extend_from_slice(&feature.0.to_le_bytes());
            rest.extend_from_slice(&log.to_le_bytes());
        }
        let mut file = MAGIC.to_vec();
        file.extend_from_slice(&VERSION.to_le_bytes());
        file.extend_from_slice(&((HEAD + rest.len()) as u32).to_le_bytes());
        file.extend_from_slice(&crc32(&rest).to_le_bytes());
        file.extend_from_slice(&rest);
        file
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is not such a file, or damaged.
    pub fn read(bytes: &[u8]) -> Result<Gammas, GammaError> {
        let word = |at: usize| -> Option<u32> {
            let four = bytes.get(at..at + 4)?;
            Some(u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
        };
        if bytes.get(..8) != Some(&MAGIC[..]) {
            return Err(GammaError::Foreign);
        }
        let short = GammaError::Length { expected: HEAD, found: bytes.len() };
        let (Some(version), Some(length), Some(checksum)) = (word(8), word(12), word(16)) else { return Err(short) };
        if version != VERSION {
            return Err(GammaError::Version(version));
        }
        if length as usize != bytes.len() || bytes.len() > MOST_BYTES {
            return Err(GammaError::Length { expected: length as usize, found: bytes.len() });
        }
        if crc32(&bytes[HEAD..]) != checksum {
            return Err(GammaError::Checksum);
        }
        let mut rest = &bytes[HEAD..];
        let mut take = |count: usize| {
            let found = rest.split_at_checked(count).ok_or(GammaError::Inconsistent("it ends too early"))?;
            rest = found.1;
            Ok(found.0)
        };
        let text = |bytes: &[u8]| {
            String::from_utf8(bytes.to_vec()).map_err(|_| GammaError::Inconsistent("a text is not UTF-8"))
        };
        let length = usize::from(take(1)?[0]);
        let features = text(take(length)?)?;
        let length = take(2)?;
        let length = usize::from(u16::from_le_bytes([length[0], length[1]]));
        let note = text(take(length)?)?;
        let count = take(4)?;
        let count = u32::from_le_bytes([count[0], count[1], count[2], count[3]]) as usize;
        if rest.len() != count.saturating_mul(8) {
            return Err(GammaError::Inconsistent("the number of features does not fit the length"));
        }
        let logarithms = rest
            .chunks_exact(8)
            .map(|it| {
                let feature = u32::from_le_bytes([it[0], it[1], it[2], it[3]]);
                (Feature(feature), f32::from_le_bytes([it[4], it[5], it[6], it[7]]))
            })
            .collect();
        Gammas::checked(features, note, logarithms)
    }

    /// Reads a file for this set of features.
    ///
    /// # Errors
    /// As [`read`](Gammas::read), and if it is for another set.
    pub fn read_for(features: &str, bytes: &[u8]) -> Result<Gammas, GammaError> {
        let gammas = Gammas::read(bytes)?;
        if gammas.features != features {
            return Err(GammaError::OtherFeatures { expected: features.into(), found: gammas.features });
        }
        Ok(gammas)
    }
}

#[cfg(test)]
mod tests {
    use super::{GammaError, Gammas};
    use crate::Feature;

    fn sample() -> Gammas {
        let strengths = [(Feature::new(1, 7), 2.0), (Feature::new(0, 3), 0.25), (Feature::new(1, 0), 1.0)];
        Gammas::new("test-1", "by hand", &strengths).expect("sound")
    }

    #[test]
    fn strengths_are_products_and_unknown_features_count_one() {
        let gammas = sample();
        let team = [Feature::new(0, 3), Feature::new(1, 7), Feature::new(2, 5)];
        assert!((gammas.strength(&team) - 0.5).abs() < 1e-6);
        assert_eq!(gammas.strength(&[]), 1.0);
        assert_eq!((Feature::new(3, 9).group(), Feature::new(3, 9).key()), (3, 9));
    }

    #[test]
    fn a_file_comes_back_and_every_damage_is_told() {
        let (gammas, bytes) = (sample(), sample().to_bytes());
        assert_eq!(Gammas::read(&bytes), Ok(gammas));
        for length in 0..bytes.len() {
            assert!(Gammas::read(&bytes[..length]).is_err(), "{length} bytes");
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(Gammas::read(&damaged).is_err(), "byte {at}");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        let expected = bytes.len();
        assert_eq!(Gammas::read(&longer), Err(GammaError::Length { expected, found: expected + 1 }));
        let other = GammaError::OtherFeatures { expected: "go-tree-1".into(), found: "test-1".into() };
        assert_eq!(Gammas::read_for("go-tree-1", &bytes), Err(other));
    }

    #[test]
    fn strengths_out_of_range_are_refused() {
        for wrong in [0.0, f64::INFINITY, f64::NAN, 1e20] {
            assert!(Gammas::new("test-1", "", &[(Feature::new(0, 0), wrong)]).is_err(), "{wrong}");
        }
        let twice = [(Feature::new(0, 0), 1.0), (Feature::new(0, 0), 2.0)];
        assert_eq!(Gammas::new("test-1", "", &twice), Err(GammaError::Inconsistent("features do not ascend")));
    }
}
