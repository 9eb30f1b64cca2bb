//! What self-play delivers: positions with their targets, and counts.

/// Positions of ended games with their targets, in flat arrays.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Samples {
    /// The number of positions.
    pub count: usize,
    /// Planes, as [`tesuji_core::Encoding::write`] orders them.
    pub planes: Vec<u8>,
    /// Globals.
    pub globals: Vec<f32>,
    /// Policy targets, by move index.
    pub policies: Vec<f32>,
    /// Results for the side to move, in [−1, 1].
    pub outcomes: Vec<f32>,
    /// Searched values for the side to move, in [−1, 1].
    pub searched: Vec<f32>,
    /// Owners of the cells, +1 for the side to move.
    pub owners: Vec<i8>,
}

impl Samples {
    pub(super) fn append(&mut self, other: &mut Samples) {
        self.count += other.count;
        self.planes.append(&mut other.planes);
        self.globals.append(&mut other.globals);
        self.policies.append(&mut other.policies);
        self.outcomes.append(&mut other.outcomes);
        self.searched.append(&mut other.searched);
        self.owners.append(&mut other.owners);
        other.count = 0;
    }
}

/// Counts of games, moves and evaluations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameCounts {
    /// Games that ended.
    pub games: u64,
    /// Of these, truncated.
    pub cut: u64,
    /// Of these, won by the first player.
    pub first_wins: u64,
    /// Of these, drawn.
    pub draws: u64,
    /// Moves of the games that ended.
    pub moves: u64,
    /// Evaluations requested.
    pub evaluations: u64,
    /// Simulations that reached an ended game.
    pub ended: u64,
}

impl GameCounts {
    pub(super) fn add(&mut self, other: &GameCounts) {
        self.games += other.games;
        self.cut += other.cut;
        self.first_wins += other.first_wins;
        self.draws += other.draws;
        self.moves += other.moves;
        self.evaluations += other.evaluations;
        self.ended += other.ended;
    }
}
