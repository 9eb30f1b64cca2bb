//! Virtual connections by H-search (Anshelevich, "A hierarchical approach to computer Hex", 2002).
//!
//! *Points* are the player's two edges, the player's chains, and empty cells; a chain that touches
//! an edge is that edge. Between two points there may be
//!
//! * a **full connection** (x, y, C): the player joins x and y by answering inside the set C of
//!   empty cells, though the opponent moves first;
//! * a **half connection** (x, y, C): the same with the player moving first.
//!
//! Adjacent points have a full connection with C = ∅. Then, until no new connection is found,
//!
//! > and: (x, u, C₁) and (u, y, C₂) full, disjoint, neither holding an end of the other
//! >      ⟹ (x, y, C₁ ∪ C₂) full if u is a chain,
//! >         (x, y, C₁ ∪ C₂ ∪ {u}) half if u is an empty cell
//! > or:  (x, y, C₁) … (x, y, Cₖ) half, ∩ Cᵢ = ∅ ⟹ (x, y, ∪ Cᵢ) full
//!
//! Edge templates arise from these rules. A full connection of the edges wins with either side to
//! move, a half connection wins for the player to move. Otherwise the opponent must play in *every*
//! C of the half connections of the edges: the must-play region.
//!
//! Deviations: an edge is never the middle of *and*; carriers that contain another carrier of the
//! same pair are dropped, and each pair keeps a limited number of either kind, the smallest first;
//! *or* joins at most [`MOST_JOINED`] half connections, except between the edges, where all are
//! joined. Every connection records its derivation, for certificates.

use super::Set;
use tesuji_core::Player;

/// The most half connections joined by one use of *or*, except between the edges.
const MOST_JOINED: usize = 4;
/// The most connections kept for a pair of points.
const MOST_FULL: usize = 12;
const MOST_HALF: usize = 32;

/// No point: a cell of the opponent.
const NOWHERE: u8 = u8::MAX;

/// How a connection was derived.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin {
    /// The points are adjacent.
    Touch,
    /// Two full connections that share a point.
    And(u32, u32),
    /// Half connections, as a range of the common list.
    Or(u32, u32),
}

/// A connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Connection {
    pub(super) carrier: Set,
    pub(super) ends: [u8; 2],
    pub(super) origin: Origin,
}

#[derive(Clone, Copy)]
struct Kept {
    carrier: Set,
    id: u32,
    /// Whether it has been combined with all earlier ones.
    used: bool,
}

#[derive(Clone, Default)]
struct Pair {
    full: Vec<Kept>,
    half: Vec<Kept>,
    /// The intersection of all half connections kept so far.
    common: Set,
}

/// The relation of a player's edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EdgeConnection {
    /// Unknown.
    No,
    /// Half connections; the intersection of their carriers.
    Half(Set),
    /// A full connection.
    Full,
}

/// When to stop the derivation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StopAt {
    /// When the edges have a half connection.
    Half,
    /// When the edges have a full connection, or nothing new is found.
    Full,
}

/// The connections of one player.
pub(super) struct Connections {
    size: usize,
    player: Player,
    points: usize,
    /// The point of each cell.
    point_of: Vec<u8>,
    /// All points, and whether they are empty cells.
    active: Vec<u8>,
    bits: Vec<Set>,
    /// The points to which each point has full connections.
    reached: Vec<u128>,
    pairs: Vec<Pair>,
    all: Vec<Connection>,
    joined: Vec<u32>,
    /// Full connections not used yet, by the size of their carriers.
    waiting: Vec<Vec<u32>>,
    /// Half connections of the edges that reduced their intersection.
    narrowing: Vec<u32>,
    found: EdgeConnection,
    /// Buffer of [`join`](Connections::join).
    stack: Vec<(usize, Set, Set)>,
    taken: Vec<u32>,
    halves: Vec<Kept>,
    rest: Vec<Set>,
}

impl Connections {
    /// For boards of this size.
    pub(super) fn new(size: usize) -> Connections {
        let points = size * size + 2;
        Connections {
            size,
            player: Player::First,
            points,
            point_of: vec![NOWHERE; size * size],
            active: Vec::new(),
            bits: vec![0; points],
            reached: vec![0; points],
            pairs: vec![Pair::default(); points * points],
            all: Vec::new(),
            joined: Vec::new(),
            waiting: vec![Vec::new(); size * size + 1],
            narrowing: Vec::new(),
            found: EdgeConnection::No,
            stack: Vec::new(),
            taken: Vec::new(),
            halves: Vec::new(),
            rest: Vec::new(),
        }
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// The player.
    pub(super) fn player(&self) -> Player {
        self.player
    }

    /// All points, the edges last.
    pub(super) fn active(&self) -> &[u8] {
        &self.active
    }

    /// Whether a point is an empty cell.
    pub(super) fn is_empty_cell(&self, point: u8) -> bool {
        self.bits[usize::from(point)] != 0
    }

    /// Whether two points have a full connection.
    pub(super) fn has_full(&self, one: u8, two: u8) -> bool {
        !self.pairs[self.pair(one, two)].full.is_empty()
    }

    /// The point of the first (top, left) or second edge.
    pub(super) fn edge(size: usize, which: usize) -> u8 {
        (size * size + which) as u8
    }

    fn pair(&self, one: u8, two: u8) -> usize {
        let (low, high) = if one < two { (one, two) } else { (two, one) };
        usize::from(low) * self.points + usize::from(high)
    }

    /// The connection with this number.
    pub(super) fn get(&self, id: u32) -> Connection {
        self.all[id as usize]
    }

    /// The half connections joined by an *or*.
    pub(super) fn joined(&self, from: u32, to: u32) -> &[u32] {
        &self.joined[from as usize..to as usize]
    }

    /// Full connections of the edges, or half connections with the same intersection as all of
    /// them.
    pub(super) fn between_edges(&self) -> Vec<u32> {
        let edges = self.pair(Connections::edge(self.size, 0), Connections::edge(self.size, 1));
        match self.found {
            EdgeConnection::Full => self.pairs[edges].full.iter().map(|kept| kept.id).collect(),
            _ => self.narrowing.clone(),
        }
    }

    /// The carrier of the connections between the edges: the smallest full one, or the union of all
    /// half ones.
    pub(super) fn carrier(&self) -> Set {
        let edges = self.pair(Connections::edge(self.size, 0), Connections::edge(self.size, 1));
        match self.found {
            EdgeConnection::Full => {
                let carriers = self.pairs[edges].full.iter().map(|kept| kept.carrier);
                carriers.min_by_key(|carrier| carrier.count_ones()).unwrap_or(Set::MAX)
            }
            _ => self.narrowing.iter().fold(0, |union, id| union | self.all[*id as usize].carrier),
        }
    }

    /// Derives the connections of a player with the stones `own`, against `other`.
    pub(super) fn derive(&mut self, own: Set, other: Set, player: Player, stop: StopAt) -> EdgeConnection {
        self.player = player;
        self.begin(own, other, player == Player::First);
        let edges = [0, 1].map(|which| Connections::edge(self.size, which));
        let mut smallest = 0;
        while smallest < self.waiting.len() {
            if self.found == EdgeConnection::Full || stop == StopAt::Half && self.found != EdgeConnection::No {
                break;
            }
            let Some(id) = self.waiting[smallest].pop() else {
                smallest += 1;
                continue;
            };
            let Connection { carrier, ends, .. } = self.get(id);
            let at = self.pair(ends[0], ends[1]);
            // It may have been dropped for a smaller one.
            let Some(kept) = self.pairs[at].full.iter_mut().find(|kept| kept.id == id) else { continue };
            kept.used = true;
            for (middle, end) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                if !edges.contains(&middle) {
                    self.combine(id, carrier, middle, end);
                }
            }
            // A derived connection may be smaller than the one in use.
            smallest = self.waiting.iter().position(|waiting| !waiting.is_empty()).unwrap_or(self.waiting.len());
        }
        self.found
    }

    fn begin(&mut self, own: Set, other: Set, upright: bool) {
        self.reached.fill(0);
        let Connections { size, points, point_of, active, bits, pairs, all, joined, waiting, narrowing, found, .. } =
            self;
        let (size, points) = (*size, *points);
        for one in active.iter() {
            for two in active.iter() {
                let pair = &mut pairs[usize::from(*one) * points + usize::from(*two)];
                pair.full.clear();
                pair.half.clear();
                pair.common = Set::MAX;
            }
        }
        active.clear();
        all.clear();
        joined.clear();
        narrowing.clear();
        waiting.iter_mut().for_each(Vec::clear);
        *found = EdgeConnection::No;
        bits.fill(0);
        points_of(size, own, other, upright, point_of);
        for (cell, point) in point_of.iter().enumerate() {
            if usize::from(*point) == cell {
                active.push(*point);
                if own >> cell & 1 == 0 {
                    bits[cell] = 1 << cell;
                }
            }
        }
        active.extend([0, 1].map(|which| Connections::edge(size, which)));
        for one in self.active.iter() {
            for two in self.active.iter() {
                self.pairs[usize::from(*one) * points + usize::from(*two)].common = Set::MAX;
            }
        }
        for cell in 0..size * size {
            let here = self.point_of[cell];
            if here == NOWHERE {
                continue;
            }
            for next in super::neighbours(size, cell).filter(|next| *next > cell) {
                let there = self.point_of[next];
                if there != NOWHERE && there != here {
                    self.add_full(here, there, 0, Origin::Touch);
                }
            }
            for which in [0, 1] {
                let edge = Connections::edge(size, which);
                if super::touches_edge(size, cell, upright, which) && here != edge {
                    self.add_full(here, edge, 0, Origin::Touch);
                }
            }
        }
    }

    /// Combines a full connection from `end` to `middle` with all that start at `middle`.
    fn combine(&mut self, id: u32, carrier: Set, middle: u8, end: u8) {
        let (bit, end_bit) = (self.bits[usize::from(middle)], self.bits[usize::from(end)]);
        // Empty cells and chains have the numbers of cells, and no carrier contains a chain.
        let mut reached = self.reached[usize::from(middle)] & !u128::from(carrier) & !(1 << end);
        while reached != 0 {
            let far = reached.trailing_zeros() as u8;
            reached &= reached - 1;
            let at = self.pair(middle, far);
            let mut which = 0;
            while let Some(kept) = self.pairs[at].full.get(which).copied() {
                which += 1;
                if !kept.used || kept.carrier & (carrier | end_bit) != 0 {
                    continue;
                }
                let both = kept.carrier | carrier;
                let origin = Origin::And(id, kept.id);
                if bit == 0 {
                    self.add_full(end, far, both, origin);
                } else {
                    self.add_half(end, far, both | bit, origin);
                }
            }
        }
    }

    fn push(&mut self, ends: [u8; 2], carrier: Set, origin: Origin) -> u32 {
        self.all.push(Connection { carrier, ends, origin });
        self.all.len() as u32 - 1
    }

    fn add_full(&mut self, one: u8, two: u8, carrier: Set, origin: Origin) {
        let at = self.pair(one, two);
        let pair = &mut self.pairs[at];
        if pair.full.iter().any(|kept| kept.carrier & !carrier == 0) {
            return;
        }
        pair.full.retain(|kept| carrier & !kept.carrier != 0);
        pair.half.retain(|kept| carrier & !kept.carrier != 0);
        if pair.full.len() >= MOST_FULL && !drop_larger(&mut pair.full, carrier) {
            return;
        }
        let id = self.push([one, two], carrier, origin);
        self.reached[usize::from(one)] |= 1 << two;
        self.reached[usize::from(two)] |= 1 << one;
        self.pairs[at].full.push(Kept { carrier, id, used: false });
        self.waiting[carrier.count_ones() as usize].push(id);
        let edges = self.size * self.size;
        if usize::from(one.min(two)) == edges {
            self.found = EdgeConnection::Full;
        }
    }

    fn add_half(&mut self, one: u8, two: u8, carrier: Set, origin: Origin) {
        let at = self.pair(one, two);
        let edges = usize::from(one.min(two)) == self.size * self.size;
        let pair = &mut self.pairs[at];
        let covered = |kept: &Kept| kept.carrier & !carrier == 0;
        if pair.full.iter().any(covered) || pair.half.iter().any(covered) {
            return;
        }
        if edges {
            let common = match self.found {
                EdgeConnection::Half(common) => common,
                _ => Set::MAX,
            };
            if common & !carrier == 0 {
                return;
            }
            let id = self.push([one, two], carrier, origin);
            self.narrowing.push(id);
            self.found = EdgeConnection::Half(common & carrier);
            if common & carrier == 0 {
                let union = self.narrowing.iter().fold(0, |union, id| union | self.all[*id as usize].carrier);
                let from = self.joined.len() as u32;
                self.joined.extend_from_slice(&self.narrowing);
                self.add_full(one, two, union, Origin::Or(from, self.joined.len() as u32));
            }
            return;
        }
        pair.half.retain(|kept| carrier & !kept.carrier != 0);
        if pair.half.len() >= MOST_HALF && !drop_larger(&mut pair.half, carrier) {
            return;
        }
        pair.common &= carrier;
        let disjoint = pair.common == 0;
        let id = self.push([one, two], carrier, origin);
        if disjoint {
            self.join(one, two, at, Kept { carrier, id, used: true });
        }
        // Full connections derived just now may have made it redundant.
        if !self.pairs[at].full.iter().any(covered) {
            self.pairs[at].half.push(Kept { carrier, id, used: true });
        }
    }

    /// *Or* of a new half connection with the existing ones.
    fn join(&mut self, one: u8, two: u8, at: usize, new: Kept) {
        // (Next index, intersection, union), and the chosen ones.
        let (mut stack, mut taken) = (std::mem::take(&mut self.stack), std::mem::take(&mut self.taken));
        let (mut halves, mut rest) = (std::mem::take(&mut self.halves), std::mem::take(&mut self.rest));
        halves.clone_from(&self.pairs[at].half);
        // The intersection of all from here on: no choice among them removes what they share with
        // it.
        let mut shared = Set::MAX;
        rest.clear();
        rest.resize(halves.len() + 1, Set::MAX);
        for (rest, kept) in rest.iter_mut().zip(&halves).rev() {
            shared &= kept.carrier;
            *rest = shared;
        }
        stack.push((0, new.carrier, new.carrier));
        taken.push(new.id);
        while let Some((from, common, union)) = stack.pop() {
            if common & rest[from] != 0 {
                taken.pop();
                continue;
            }
            stack.push((from + 1, common, union));
            let next = halves[from];
            let (narrower, wider) = (common & next.carrier, union | next.carrier);
            if narrower == common {
                continue;
            }
            if narrower == 0 {
                let start = self.joined.len() as u32;
                self.joined.extend_from_slice(&taken);
                self.joined.push(next.id);
                self.add_full(one, two, wider, Origin::Or(start, self.joined.len() as u32));
            } else if taken.len() + 1 < MOST_JOINED {
                taken.push(next.id);
                stack.push((from + 1, narrower, wider));
            }
        }
        (self.stack, self.taken, self.halves, self.rest) = (stack, taken, halves, rest);
    }
}

/// Makes room by dropping the largest, if it is larger than this.
fn drop_larger(kept: &mut Vec<Kept>, carrier: Set) -> bool {
    let largest = kept.iter().enumerate().max_by_key(|(_, kept)| kept.carrier.count_ones());
    match largest {
        Some((at, largest)) if largest.carrier.count_ones() > carrier.count_ones() => {
            kept.swap_remove(at);
            true
        }
        _ => false,
    }
}

/// The point of each cell: itself if it is empty, the first cell of its chain if the player owns
/// it, the edge if the chain touches one.
pub(super) fn points_of(size: usize, own: Set, other: Set, upright: bool, point_of: &mut [u8]) {
    for (cell, point) in point_of.iter_mut().enumerate() {
        *point = if (own | other) >> cell & 1 == 0 { cell as u8 } else { NOWHERE };
    }
    let mut left = own;
    while left != 0 {
        let start = left.trailing_zeros() as usize;
        let (mut chain, mut fresh) = (0 as Set, (1 as Set) << start);
        let mut point = start as u8;
        while fresh != 0 {
            let cell = fresh.trailing_zeros() as usize;
            fresh &= fresh - 1;
            chain |= 1 << cell;
            for which in [0, 1] {
                if super::touches_edge(size, cell, upright, which) {
                    point = Connections::edge(size, which);
                }
            }
            for next in super::neighbours(size, cell) {
                fresh |= own & !chain & 1 << next;
            }
        }
        let mut cells = chain;
        while cells != 0 {
            point_of[cells.trailing_zeros() as usize] = point;
            cells &= cells - 1;
        }
        left &= !chain;
    }
}
