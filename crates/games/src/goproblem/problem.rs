//! A problem as data: a board with marks, a question, and what is known of the answer.
//!
//! After Lin 2017 §3.3.1. The five kinds differ in the scenario only; the rules depend on the
//! [`Mode`], which follows from the colour of the important stones: Black saves black stones or
//! kills white ones.
//!
//! Deviation: Lin's program accepts any four matrices. Here inconsistent problems are refused:
//! chains without a liberty, important points without the stone to save or kill (they would be dead
//! before the first move), alive marks without a stone, and problems without important stones or
//! without a feasible point.

use tesuji_core::{Player, Score};

/// The smallest board.
pub const LEAST_SIZE: u8 = 2;
/// The largest board.
pub const MOST_SIZE: u8 = 25;
/// The letters of the columns: no I.
const LETTERS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// The task of Black, who moves first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// Save the important black stones (Lin's game type 1).
    Save,
    /// Kill the important white stones (Lin's game type 2).
    Kill,
}

impl Mode {
    /// The owner of the important stones.
    #[must_use]
    pub const fn defender(self) -> Player {
        match self {
            Mode::Save => Player::First,
            Mode::Kill => Player::Second,
        }
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Mode::Save => "save",
            Mode::Kill => "kill",
        }
    }
}

/// The scenario of a problem.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProblemKind {
    /// Make a group live.
    Save,
    /// Kill a group.
    Kill,
    /// Prevent stones from connecting to living ones.
    Cut,
    /// Connect stones to living ones.
    Connect,
    /// A capturing race: kill, or be killed.
    Race,
}

impl ProblemKind {
    /// All kinds.
    pub const ALL: [ProblemKind; 5] =
        [ProblemKind::Save, ProblemKind::Kill, ProblemKind::Cut, ProblemKind::Connect, ProblemKind::Race];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ProblemKind::Save => "save",
            ProblemKind::Kill => "kill",
            ProblemKind::Cut => "cut",
            ProblemKind::Connect => "connect",
            ProblemKind::Race => "race",
        }
    }

    /// The kind of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<ProblemKind> {
        ProblemKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Its mode; `None` for a race, which can be either.
    #[must_use]
    pub const fn mode(self) -> Option<Mode> {
        match self {
            ProblemKind::Save | ProblemKind::Connect => Some(Mode::Save),
            ProblemKind::Kill | ProblemKind::Cut => Some(Mode::Kill),
            ProblemKind::Race => None,
        }
    }
}

/// A point of the board, counted from 0 at the upper left, as in Lin's matrices and in SGF.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// From the top.
    pub row: u8,
    /// From the left.
    pub column: u8,
}

impl Place {
    /// As players write it on a board of this size: `D4`, columns A–Z without I, row 1 at the
    /// bottom.
    #[must_use]
    pub fn show(self, size: u8) -> String {
        let letter = LETTERS.get(usize::from(self.column)).map_or('?', |letter| char::from(*letter));
        format!("{letter}{}", i32::from(size) - i32::from(self.row))
    }

    /// The point that a text like `D4` or `d4` denotes on a board of this size.
    #[must_use]
    pub fn read(text: &str, size: u8) -> Option<Place> {
        let letter = text.bytes().next()?.to_ascii_uppercase();
        let column = LETTERS.iter().position(|known| *known == letter)? as u8;
        let digits = &text[1..];
        if digits.is_empty()
            || digits.len() > 2
            || digits.starts_with('0')
            || !digits.bytes().all(|b| b.is_ascii_digit())
        {
            return None;
        }
        let row: u8 = digits.parse().ok()?;
        (column < size && row <= size).then(|| Place { row: size - row, column })
    }
}

/// A first move as an answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Answer {
    /// A stone here.
    Play(Place),
    /// No stone.
    Pass,
}

impl Answer {
    /// As players write it.
    #[must_use]
    pub fn show(self, size: u8) -> String {
        match self {
            Answer::Play(place) => place.show(size),
            Answer::Pass => "pass".into(),
        }
    }
}

/// The data of one point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Site {
    /// The colour of the stone.
    pub stone: Option<Player>,
    /// Whether play is allowed there (under a stone: after its capture).
    pub feasible: bool,
    /// Whether the stone is one to save or to kill.
    pub important: bool,
    /// Whether the stone is alive by assumption: chains connected to it are safe.
    pub alive: bool,
}

/// A problem: the set-up, and what is known about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Number of lines of the board.
    pub size: u8,
    /// Save or kill.
    pub mode: Mode,
    /// The scenario.
    pub kind: ProblemKind,
    /// The points, row by row from the top; `size × size`.
    pub sites: Vec<Site>,
    /// Its name; one line.
    pub title: String,
    /// The best first moves, all of them where they are known.
    pub answer: Vec<Answer>,
    /// The value under best play, for Black.
    pub value: Option<Score>,
    /// Plies to the end under best play.
    pub plies: Option<u32>,
    /// Whether an exhaustive search has found answer, value and plies.
    pub proved: bool,
    /// Comments, one line each.
    pub comments: Vec<String>,
}

/// Why a problem is inconsistent.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProblemError {
    /// An unsupported board size.
    #[error("a board of {0}×{0}: the size must be from {LEAST_SIZE} to {MOST_SIZE}")]
    Size(u32),
    /// The sites do not fill the board.
    #[error("{found} points for a board of {size}×{size}")]
    Points {
        /// Number of lines of the board.
        size: u8,
        /// Points given.
        found: usize,
    },
    /// Stones without a liberty.
    #[error("the stones at {0} have no liberty")]
    NoLiberty(String),
    /// An important point without the right stone.
    #[error(
        "{place} is important, but there is no {} stone, which a problem to {} needs there",
        color(mode.defender()),
        mode.name()
    )]
    Important {
        /// The point.
        place: String,
        /// The task.
        mode: Mode,
    },
    /// An important mark on an empty point.
    #[error("{0} is important, but there is no stone")]
    ImportantEmpty(String),
    /// A value that no ending has.
    #[error("a problem is worth {GRADES}, not {0}")]
    Value(Score),
    /// An alive mark on an empty point.
    #[error("{0} is marked alive, but there is no stone")]
    Alive(String),
    /// Nothing to save or kill.
    #[error("no stone is important, so there is nothing to save or kill")]
    NothingImportant,
    /// Stones of both colours are important.
    #[error("important stones must be of one colour, but {black} is black and {white} is white")]
    BothColours {
        /// A black one.
        black: String,
        /// A white one.
        white: String,
    },
    /// Nowhere to play.
    #[error("no point is feasible, so there is nothing to play")]
    NothingFeasible,
    /// Kind and mode contradict each other.
    #[error("a problem of kind {} cannot be one to {}", kind.name(), mode.name())]
    KindAndMode {
        /// The kind.
        kind: ProblemKind,
        /// The mode.
        mode: Mode,
    },
    /// An answer off the board or where play is not allowed.
    #[error("the answer {0} is not a feasible empty point")]
    Answer(String),
    /// Too many stones and feasible points with their neighbours.
    #[error("{0} points are in play (stones, feasible points and the empty points beside them); at most 256 can be")]
    TooLarge(usize),
}

/// The possible values of a problem, for messages.
pub(super) const GRADES: &str = "1, 0.85, 0.7, 0.5, 0.3, 0.15 or 0";

/// Whether a problem can have this value: the entries of Lin's tables.
pub(super) fn is_grade(value: Score) -> bool {
    [1.0, 0.85, 0.7, 0.5, 0.3, 0.15, 0.0].iter().any(|grade| Score::from_f64(*grade) == Some(value))
}

/// "black" or "white".
#[must_use]
pub(super) const fn color(player: Player) -> &'static str {
    match player {
        Player::First => "black",
        Player::Second => "white",
    }
}

impl Problem {
    /// An empty board without marks.
    #[must_use]
    pub fn new(size: u8, mode: Mode) -> Problem {
        let kind = match mode {
            Mode::Save => ProblemKind::Save,
            Mode::Kill => ProblemKind::Kill,
        };
        Problem {
            size,
            mode,
            kind,
            sites: vec![Site::default(); usize::from(size) * usize::from(size)],
            title: String::new(),
            answer: Vec::new(),
            value: None,
            plies: None,
            proved: false,
            comments: Vec::new(),
        }
    }

    /// The data of a point.
    ///
    /// # Panics
    /// If the point is off the board.
    #[must_use]
    pub fn site(&self, place: Place) -> Site {
        self.sites[self.index(place)]
    }

    /// Mutable access to the data of a point.
    ///
    /// # Panics
    /// If the point is off the board.
    pub fn site_mut(&mut self, place: Place) -> &mut Site {
        let index = self.index(place);
        &mut self.sites[index]
    }

    fn index(&self, place: Place) -> usize {
        assert!(place.row < self.size && place.column < self.size, "a point off the board: {place:?}");
        usize::from(place.row) * usize::from(self.size) + usize::from(place.column)
    }

    /// All points, row by row from the top.
    pub fn places(&self) -> impl Iterator<Item = Place> + use<> {
        places(self.size)
    }

    /// The points whose data satisfy the predicate, row by row from the top.
    #[must_use]
    pub fn places_where(&self, which: impl Fn(Site) -> bool) -> Vec<Place> {
        self.places().zip(&self.sites).filter(|(_, site)| which(**site)).map(|(place, _)| place).collect()
    }

    /// The neighbours of a point in Lin's order: above, below, left, right.
    pub(super) fn neighbours(&self, place: Place) -> impl Iterator<Item = Place> + use<> {
        neighbours(place, self.size)
    }

    /// The diagonal neighbours of a point.
    pub(super) fn diagonals(&self, place: Place) -> impl Iterator<Item = Place> + use<> {
        let size = self.size;
        [(-1, -1), (1, -1), (-1, 1), (1, 1)].into_iter().filter_map(move |(down, right)| step(place, down, right, size))
    }

    /// The mode implied by the important stones: Black saves black ones and kills white ones.
    ///
    /// # Errors
    /// If there are none, or of both colours.
    pub fn mode_of_important(&self) -> Result<Mode, ProblemError> {
        let of = |player| self.places_where(|site| site.important && site.stone == Some(player)).first().copied();
        match (of(Player::First), of(Player::Second)) {
            (Some(_), None) => Ok(Mode::Save),
            (None, Some(_)) => Ok(Mode::Kill),
            (None, None) => Err(match self.places_where(|site| site.important).first() {
                Some(place) => ProblemError::ImportantEmpty(place.show(self.size)),
                None => ProblemError::NothingImportant,
            }),
            (Some(black), Some(white)) => {
                Err(ProblemError::BothColours { black: black.show(self.size), white: white.show(self.size) })
            }
        }
    }

    /// The kind to assume where none is stated: with living stones of the defender the problem is
    /// one of connection.
    #[must_use]
    pub fn likely_kind(&self) -> ProblemKind {
        let living = self.sites.iter().any(|site| site.alive && site.stone == Some(self.mode.defender()));
        match (self.mode, living) {
            (Mode::Save, false) => ProblemKind::Save,
            (Mode::Save, true) => ProblemKind::Connect,
            (Mode::Kill, false) => ProblemKind::Kill,
            (Mode::Kill, true) => ProblemKind::Cut,
        }
    }

    /// Checks that the problem is consistent.
    ///
    /// # Errors
    /// The first inconsistency, with its position.
    pub fn check(&self) -> Result<(), ProblemError> {
        let size = self.size;
        if !(LEAST_SIZE..=MOST_SIZE).contains(&size) {
            return Err(ProblemError::Size(u32::from(size)));
        }
        if self.sites.len() != usize::from(size) * usize::from(size) {
            return Err(ProblemError::Points { size, found: self.sites.len() });
        }
        if let Some(place) = self.without_liberty() {
            return Err(ProblemError::NoLiberty(place.show(size)));
        }
        let wrong = |site: Site| site.important && site.stone != Some(self.mode.defender());
        if let Some(place) = self.places_where(wrong).first() {
            return Err(ProblemError::Important { place: place.show(size), mode: self.mode });
        }
        if let Some(place) = self.places_where(|site| site.alive && site.stone.is_none()).first() {
            return Err(ProblemError::Alive(place.show(size)));
        }
        if !self.sites.iter().any(|site| site.important) {
            return Err(ProblemError::NothingImportant);
        }
        if !self.sites.iter().any(|site| site.feasible) {
            return Err(ProblemError::NothingFeasible);
        }
        if self.kind.mode().is_some_and(|mode| mode != self.mode) {
            return Err(ProblemError::KindAndMode { kind: self.kind, mode: self.mode });
        }
        if let Some(value) = self.value.filter(|value| !is_grade(*value)) {
            return Err(ProblemError::Value(value));
        }
        for answer in &self.answer {
            if let Answer::Play(place) = answer {
                let fits = place.row < size && place.column < size && {
                    let site = self.site(*place);
                    site.feasible && site.stone.is_none()
                };
                if !fits {
                    return Err(ProblemError::Answer(place.show(size)));
                }
            }
        }
        Ok(())
    }

    /// A stone of a chain that touches no empty point.
    fn without_liberty(&self) -> Option<Place> {
        let mut seen = vec![false; self.sites.len()];
        for start in self.places() {
            let Some(owner) = self.site(start).stone else { continue };
            if std::mem::replace(&mut seen[self.index(start)], true) {
                continue;
            }
            let (mut left, mut free) = (vec![start], false);
            while let Some(place) = left.pop() {
                for next in self.neighbours(place) {
                    match self.site(next).stone {
                        None => free = true,
                        Some(other) if other == owner && !seen[self.index(next)] => {
                            let index = self.index(next);
                            seen[index] = true;
                            left.push(next);
                        }
                        Some(_) => {}
                    }
                }
            }
            if !free {
                return Some(start);
            }
        }
        None
    }
}

/// All points of a board, row by row from the top.
pub(super) fn places(size: u8) -> impl Iterator<Item = Place> {
    (0..size).flat_map(move |row| (0..size).map(move |column| Place { row, column }))
}

/// The neighbours of a point on a board, in Lin's order: above, below, left, right.
pub(super) fn neighbours(place: Place, size: u8) -> impl Iterator<Item = Place> {
    [(-1, 0), (1, 0), (0, -1), (0, 1)].into_iter().filter_map(move |(down, right)| step(place, down, right, size))
}

fn step(place: Place, down: i8, right: i8, size: u8) -> Option<Place> {
    let row = place.row.checked_add_signed(down)?;
    let column = place.column.checked_add_signed(right)?;
    (row < size && column < size).then_some(Place { row, column })
}

/// One line: control characters and runs of white space become single spaces.
#[must_use]
pub(super) fn tidy(text: &str) -> String {
    let plain: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
