//! The types of proofs that are browsed, and of the trees of proof-number searches.

use super::describe::{Definition, Described, Field, Form, api, reference, sentence};
use super::types::{Budget, Player, Ply, ProofStatus, Report, State};
use serde_json::Value;

api! {
    /// Asks for the proof of what a position is worth.
    request NewProof {
        /// The position, as a game in text.
        document: String,
        /// The agent that solves; the game's solver if left out.
        agent: Option<String>,
        /// What the search may take; at most 30 seconds if left out.
        budget: Option<Budget>,
    }

    /// A saved proof, as tesuji solve --proof writes it.
    request ProofFile {
        /// The bytes of the file, in base64.
        base64: String,
    }

    /// A proof that was checked and is kept, or the answer of a search that proved nothing.
    answer ProofBook {
        /// Its id; nothing if nothing was proved.
        id: Option<String>,
        /// The position that it is about.
        document: String,
        /// The agent that solved it; nothing for a file.
        agent: Option<String>,
        /// What the search said; nothing for a file.
        report: Option<Report>,
        /// What is proved.
        claims: Vec<ProofClaim>,
        /// Whether it can be saved as a file.
        has_file: bool,
    }

    /// One claim of a proof that holds.
    answer ProofClaim {
        /// The claimant.
        player: Player,
        /// What is claimed, in a sentence.
        text: String,
        /// Whether the claimant wins.
        wins: bool,
        /// Positions that it lists.
        positions: u64,
        /// Ends of games among them.
        ends: u64,
        /// References to equal positions.
        references: u64,
        /// Certificates.
        certificates: u64,
        /// The longest line of play.
        depth: u32,
        /// Its size.
        bytes: usize,
    }

    /// What a proof says of a position.
    words ProofKind {
        /// The game has ended.
        End = "end",
        /// The claimant plays a move.
        Plays = "plays",
        /// Every reply of the opponent is answered by a move.
        Replies = "replies",
        /// A certificate shows the win, or answers all replies but those that are listed.
        Certificate = "certificate",
        /// A reply that a certificate answers was played: the proof lists no more.
        Beyond = "beyond",
    }

    /// A position of a proof.
    answer ProofView {
        /// Which claim.
        claim: usize,
        /// The claimant.
        claimant: Player,
        /// The moves from the position that the proof is about.
        path: Vec<Ply>,
        /// The position.
        state: State,
        /// What the proof says of it.
        kind: ProofKind,
        /// The claimant's move, where it is to move and the proof or its certificate names one.
        answer: Option<Ply>,
        /// The opponent's replies, those that lose by moves first, the hardest of them first.
        replies: Vec<ProofReply>,
        /// How many positions the proof lists from here on.
        size: u32,
        /// Whether an equal position was listed before, where the proof goes on.
        again: bool,
        /// The certificate.
        reason: Option<ProofReason>,
    }

    /// A reply of the opponent, and its refutation.
    answer ProofReply {
        /// The reply.
        reply: Ply,
        /// The claimant's answer, if it is to move then and the proof names one.
        answer: Option<Ply>,
        /// How many positions the proof lists for it; 0 if a certificate answers it.
        size: u32,
        /// The name of the certificate that answers it, here or after it.
        reason: Option<String>,
    }

    /// A certificate as it is drawn. Points are indices.
    answer ProofReason {
        /// Its name.
        kind: String,
        /// The points that it needs.
        area: Vec<usize>,
        /// If the opponent takes one point of a pair, the claimant takes the other.
        pairs: Vec<[usize; 2]>,
        /// Regions in which the claimant has an eye each.
        eyes: Vec<Vec<usize>>,
        /// Moves of both players in order.
        line: Vec<ProofPoint>,
        /// Ways to win within a turn, each a list of points.
        threats: Vec<Vec<usize>>,
    }

    /// A move of a certificate's line.
    answer ProofPoint {
        /// The player.
        player: Player,
        /// The point.
        point: usize,
    }

    /// Asks for the tree of a proof-number search.
    request NewProofTree {
        /// The position, as a game in text.
        document: String,
        /// The agent: pn, deep-pn, mcpn or ppn with their parameters; pn if left out.
        agent: Option<String>,
        /// What the search may take; at most 30 seconds if left out.
        budget: Option<Budget>,
    }

    /// The tree of a proof-number search that has stopped.
    answer ProofTree {
        /// Its id.
        id: String,
        /// The agent, canonical.
        agent: String,
        /// The position of the root.
        document: String,
        /// The player who wants to prove.
        attacker: Player,
        /// What is to be proved, in a sentence.
        text: String,
        /// Whether it is.
        status: ProofStatus,
        /// Nodes of the tree.
        nodes: usize,
        /// Bytes of the tree.
        bytes: usize,
        /// What the search said.
        report: Report,
        /// The root's numbers over time.
        moments: Vec<ProofMoment>,
        /// Expansions between two moments.
        every: u64,
        /// How often the first move of the most-proving path changed.
        switches: u64,
    }

    /// The root's numbers after an expansion.
    answer ProofMoment {
        /// Expansions so far.
        expansions: u64,
        /// The proof number; nothing if it is infinite.
        pn: Option<f64>,
        /// The disproof number; nothing if it is infinite.
        dn: Option<f64>,
    }

    /// Nodes of a proof tree: those of a path, and their siblings, equal ones together.
    answer ProofTreeView {
        /// The moves of the path that was asked for.
        path: Vec<Ply>,
        /// The position after them.
        state: State,
        /// The most-proving path from there on.
        most_proving: Vec<Ply>,
        /// The levels: the root alone, its children, and so on along path and most-proving path.
        levels: Vec<ProofLevel>,
    }

    /// The children of a node of the path.
    answer ProofLevel {
        /// Whether the attacker moves in these nodes.
        or_nodes: bool,
        /// Who moved.
        mover: Player,
        /// The children, the one on the path first.
        groups: Vec<ProofGroup>,
    }

    /// Siblings with equal numbers.
    answer ProofGroup {
        /// Their moves, some of them; none at the root.
        moves: Vec<Ply>,
        /// How many there are.
        count: usize,
        /// What is known.
        status: ProofStatus,
        /// The proof number; nothing if it is infinite, or the node is solved.
        pn: Option<f64>,
        /// The disproof number.
        dn: Option<f64>,
        /// Whether it is on the path.
        on_path: bool,
        /// Whether one of them has children.
        expanded: bool,
    }
}
