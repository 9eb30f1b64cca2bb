//! The vocabulary of the workspace.
//!
//! Rules of games ([`Position`]) and searches meet only through the types of
//! this crate: who is to move ([`Player`]), what an ended game is worth
//! ([`Outcome`], [`Score`]), what has been proved ([`Bounds`]), what is merely
//! estimated ([`Value`]), where randomness comes from ([`Rng`]), how much work
//! is allowed ([`Budget`]), who watches ([`Observer`]) and what comes back
//! ([`Report`]). It does no input or output and knows no game and no search.
//!
//! Every game of the workspace passes the [`conformance`] kit.

mod adviser;
mod aim;
mod bounds;
mod budget;
mod certificate;
mod checksum;
pub mod conformance;
mod encoding;
mod game;
mod geometry;
mod hash;
mod judge;
mod notation;
mod observer;
mod outcome;
mod patterns;
mod perft;
mod player;
mod position;
mod protocol;
mod random;
mod report;
mod score;
mod sides;
pub mod solver;
pub mod spec;
mod stones;
mod study;
mod table;
mod view;

pub use adviser::{Advice, Adviser};
pub use aim::{Aim, Goal, GoalError, Measure};
pub use bounds::Bounds;
pub use budget::{Budget, Deadline, Meter, Pulse, StopFlag, StopReason};
pub use certificate::{Certificate, Certifier, Drawing, ViewPoint, WINS_AT_ONCE};
pub use checksum::crc32;
pub use encoding::{Encoding, Symmetry, TensorShape};
pub use game::{Game, Playable};
pub use geometry::{Band, BoardPoint, Geometry, Label, LabelKind, Men, Spot, Surface};
pub use hash::{PositionHash, Zobrist};
pub use judge::{Judge, JudgeSource, Verdict};
pub use notation::{Conventions, MoveError, Notation, UciGame};
pub use observer::{InOrder, NoObserver, Observer, Pace, Watch};
pub use outcome::Outcome;
pub use patterns::{
    ByTemperature, Feature, FeatureSet, GammaError, Gammas, LearnedPreference, MoveFeatures, PatternPlayout, Patterns,
    Teams,
};
pub use perft::{Perft, perft};
pub use player::Player;
pub use position::{CountMoves, Position, RecordMoves, Trace};
pub use protocol::EngineProtocol;
pub use random::{Fraction, Rng, Seed, mix};
pub use report::{ProofState, ProofStatus, Report, RootMove};
pub use score::{Score, Value};
pub use sides::{Paint, Side, Sides};
pub use stones::{StoneBoard, Stones, StonesOf};
pub use study::{Character, EVALUATION_LIMIT, Endgame, Evaluation, Preference, Solved, Studied};
pub use table::{Judgement, MOST_SET_UPS, MOST_STEPS, NoTable, RecordArguments, Step, Steps, Table};
pub use view::{BoardShape, BoardView, Piece};
