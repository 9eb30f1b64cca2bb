//! The laws themselves.

use super::{Kit, Law, PlayoutLaw, Summary, Violation, statistics};
use crate::{Notation, Outcome, Player, Position, PositionHash, RecordMoves, Rng, Studied, Trace};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

/// Texts that are no move of any game; reading one may fail or not, but never panic or invent an
/// illegal move.
const NONSENSE: [&str; 16] = [
    "",
    " ",
    "\0",
    "\n",
    "zz99",
    "-1",
    "99999999999999999999",
    "a0",
    "é",
    "💥💥",
    "(((",
    "pass pass",
    "A-1",
    "a1a1a1a1a1",
    "i",
    "swap-nothing",
];

/// All indices up to this many are tried in [`Law::LegalMeansListed`].
const MOST_INDICES: usize = 20_000;

/// Walks random games and checks every position.
pub(super) struct Inspector<'a, P: Position> {
    pub(super) kit: &'a Kit,
    start: &'a P,
    pub(super) rng: Rng,
    summary: Summary,
    pub(super) by_hash: HashMap<PositionHash, P>,
    moves: Vec<String>,
}

impl<'a, P: Notation + Studied> Inspector<'a, P> {
    pub(super) fn new(kit: &'a Kit, start: &'a P) -> Self {
        let rng = Rng::new(kit.seed);
        Inspector { kit, start, rng, summary: Summary::default(), by_hash: HashMap::new(), moves: Vec::new() }
    }

    pub(super) fn inspect(mut self) -> Result<Summary, Violation> {
        let mut sampled = vec![self.start.clone()];
        for _ in 0..self.kit.games {
            self.moves.clear();
            let mut position = self.start.clone();
            let mut plies = 0;
            let mut visited = Vec::new();
            loop {
                self.position(&position)?;
                visited.push(position.clone());
                let listed = position.moves();
                if listed.is_empty() {
                    break;
                }
                self.demand(plies < self.kit.longest, Law::GamesEnd, || format!("{plies} plies and no end"))?;
                let mv = listed[self.rng.below(listed.len() as u32) as usize];
                let mover = position.turn();
                self.moves.push(position.show_move(mv));
                position.play(mv);
                plies += 1;
                self.summary.turns_kept += u64::from(position.turn() == mover && position.outcome().is_none());
                if sampled.len() < self.kit.sampled_positions as usize && self.rng.below(8) == 0 {
                    sampled.push(position.clone());
                }
            }
            for position in &visited {
                self.draws(position)?;
            }
            for position in &visited {
                self.knowledge(position)?;
            }
            self.summary.games += 1;
            self.summary.longest = self.summary.longest.max(plies);
        }
        self.moves = vec!["(sampled positions)".into()];
        for position in &sampled {
            self.random_moves(position)?;
            self.playouts(position)?;
        }
        for position in &sampled {
            self.decisive_playouts(position)?;
        }
        Ok(self.summary)
    }

    pub(super) fn demand(&self, holds: bool, law: Law, detail: impl FnOnce() -> String) -> Result<(), Violation> {
        if holds {
            return Ok(());
        }
        Err(Violation { law, detail: detail(), moves: self.moves.clone() })
    }

    fn position(&mut self, position: &P) -> Result<(), Violation> {
        self.summary.positions += 1;
        let listed = position.moves();
        self.listing(position, &listed)?;
        self.indices(position, &listed)?;
        self.hashes(position, &listed)?;
        self.notation(position, &listed)?;
        self.copies(position, &listed)
    }

    /// A few draws at every position: statistics are taken only at some, but nothing illegal may
    /// come anywhere.
    fn draws(&mut self, position: &P) -> Result<(), Violation> {
        let listed = position.moves();
        for _ in 0..4 {
            let drawn = position.random_move(&mut self.rng);
            let fits = drawn.map_or(listed.is_empty(), |mv| listed.contains(&mv));
            self.demand(fits, Law::RandomMoveIsUniform, || format!("drew {drawn:?} from {listed:?}"))?;
        }
        let mut record = RecordMoves::default();
        let told = position.clone().playout(&mut self.rng, &mut record);
        if self.kit.playouts == PlayoutLaw::Mean {
            Ok(())
        } else {
            self.replay(position, &record.0, told, Law::PlayoutIsHonest)
        }
    }

    fn listing(&self, position: &P, listed: &[P::Move]) -> Result<(), Violation> {
        let distinct: HashSet<P::Move> = listed.iter().copied().collect();
        self.demand(distinct.len() == listed.len(), Law::MovesAreDistinct, || format!("{listed:?}"))?;
        let again = position.moves();
        self.demand(again == listed && position.move_count() == listed.len(), Law::ListingsAgree, || {
            format!("first {listed:?}, then {again:?}, counted {}", position.move_count())
        })?;
        let mut shown = 0;
        let _ = position.visit_moves(|_| {
            shown += 1;
            ControlFlow::Break(())
        });
        self.demand(shown == listed.len().min(1), Law::ListingsAgree, || {
            format!("a visit that breaks at once saw {shown} moves")
        })?;
        for &mv in listed {
            self.demand(position.is_legal(mv), Law::LegalMeansListed, || format!("{mv:?} is listed, not legal"))?;
        }
        for index in 0..position.move_space().min(MOST_INDICES) {
            let Some(mv) = position.move_at(index) else { continue };
            self.demand(position.is_legal(mv) == distinct.contains(&mv), Law::LegalMeansListed, || {
                format!("{mv:?}: is_legal says {}, the list says {}", position.is_legal(mv), distinct.contains(&mv))
            })?;
        }
        let outcome = position.outcome();
        self.demand(outcome.is_some() == listed.is_empty(), Law::EndedOrMoves, || {
            format!("outcome {outcome:?} with {} moves", listed.len())
        })?;
        if let Some(Outcome { score, margin }) = outcome {
            let ahead = match margin.signum() {
                1 => Some(Player::First),
                -1 => Some(Player::Second),
                _ => None,
            };
            self.demand(score.winner() == ahead, Law::OutcomeIsCoherent, || format!("score {score}, margin {margin}"))?;
        }
        Ok(())
    }

    fn indices(&self, position: &P, listed: &[P::Move]) -> Result<(), Violation> {
        let space = position.move_space();
        self.demand(space == self.start.move_space(), Law::IndicesFit, || {
            format!("the move space was {} and is now {space}", self.start.move_space())
        })?;
        let mut seen = HashSet::new();
        for &mv in listed {
            let index = position.move_index(mv);
            self.demand(index < space, Law::IndicesFit, || format!("{mv:?} has index {index} of {space}"))?;
            self.demand(seen.insert(index), Law::IndicesFit, || format!("{mv:?} shares index {index}"))?;
            let back = position.move_at(index);
            self.demand(back == Some(mv), Law::IndicesFit, || format!("{mv:?} → {index} → {back:?}"))?;
        }
        if space <= MOST_INDICES {
            let (mut told, mut marks) = (vec![0_u64; space.div_ceil(64)], vec![0_u64; space.div_ceil(64)]);
            seen.iter().for_each(|index| marks[index / 64] |= 1 << (index % 64));
            position.mark_moves(&mut told);
            self.demand(told == marks, Law::IndicesFit, || format!("marks {told:x?} where {marks:x?} are legal"))?;
        }
        Ok(())
    }

    fn hashes(&mut self, position: &P, listed: &[P::Move]) -> Result<(), Violation> {
        let (kept, recomputed) = (position.hash(), position.recomputed_hash());
        self.demand(kept == recomputed, Law::HashIsRecomputed, || format!("kept {kept:?}, recomputed {recomputed:?}"))?;
        if let Some(other) = self.by_hash.get(&kept) {
            self.demand(other == position, Law::HashMeansEqual, || {
                format!("{position:?} and {other:?} share a hash and are not equal")
            })?;
            if !position.history_matters() {
                let same = other.turn() == position.turn()
                    && other.outcome() == position.outcome()
                    && other.moves().iter().collect::<HashSet<_>>() == listed.iter().collect();
                self.demand(same, Law::EqualMeansSame, || format!("{position:?} and {other:?} are equal and differ"))?;
            }
        }
        // Equal positions with different hashes: compare against a bounded sample.
        if let Some((hash, _)) =
            self.by_hash.iter().take(256).find(|(hash, other)| **hash != kept && *other == position)
        {
            let hash = *hash;
            self.demand(false, Law::HashMeansEqual, || format!("{position:?} has hashes {hash:?} and {kept:?}"))?;
        }
        if self.by_hash.len() < 100_000 {
            // The first of equal positions stays, so that later ones are compared with another way
            // of getting there.
            self.by_hash.entry(kept).or_insert_with(|| position.clone());
        }
        Ok(())
    }

    fn notation(&self, position: &P, listed: &[P::Move]) -> Result<(), Violation> {
        for &mv in listed {
            let text = position.show_move(mv);
            let back = position.read_move(&text);
            self.demand(back.as_ref() == Ok(&mv), Law::NotationRoundTrips, || format!("{mv:?} → {text} → {back:?}"))?;
            self.demand(!text.contains(char::is_whitespace), Law::NotationRoundTrips, || {
                format!("{text:?} contains white space, so it cannot stand in a list of moves")
            })?;
        }
        for &mv in listed {
            if let Some((column, row)) = position.place_of(mv) {
                let back = position.move_on(column, row);
                self.demand(back == Some(mv), Law::NotationRoundTrips, || {
                    format!("{mv:?} → {column}, {row} → {back:?}")
                })?;
            }
        }
        for text in NONSENSE {
            if let Ok(mv) = position.read_move(text) {
                self.demand(listed.contains(&mv), Law::NotationRoundTrips, || {
                    format!("{text:?} was read as {mv:?}, which is not legal")
                })?;
            }
        }
        let view = position.view();
        let outside = listed.iter().filter_map(|mv| position.place_of(*mv));
        let outside = outside.filter(|(column, row)| *column >= view.columns.len() || *row >= view.rows.len()).count();
        self.demand(outside == 0, Law::ViewFits, || format!("{outside} moves are played beside the board"))?;
        let (points, fitting) = (view.points.len(), view.rows.len() * view.columns.len());
        self.demand(points == fitting, Law::ViewFits, || format!("{points} points on {fitting} places"))?;
        let ways = listed.iter().filter_map(|mv| position.way_of(*mv)).flatten();
        let astray = ways.filter(|(column, row)| *column >= view.columns.len() || *row >= view.rows.len()).count();
        self.demand(astray == 0, Law::ViewFits, || format!("{astray} ways begin or end beside the board"))?;
        let drawn = position.geometry().points.len();
        self.demand(drawn == points, Law::ViewFits, || format!("the geometry has {drawn} points, the view {points}"))
    }

    fn copies(&mut self, position: &P, listed: &[P::Move]) -> Result<(), Violation> {
        let Some(&probe) = listed.get(self.rng.below(listed.len().max(1) as u32) as usize) else { return Ok(()) };
        let (before, before_hash) = (position.clone(), position.hash());
        let mut played = position.clone();
        played.play(probe);
        self.demand(
            *position == before && position.hash() == before_hash && position.moves() == listed,
            Law::ClonesAreIndependent,
            || format!("playing {probe:?} on a copy changed the original"),
        )?;
        let mut copied = self.start.clone();
        copied.clone_from(&played);
        self.demand(
            copied == played && copied.hash() == played.hash() && copied.moves() == played.moves(),
            Law::ClonesAreIndependent,
            || "clone_from made something else than clone".into(),
        )?;
        let mut walked = position.clone();
        for &mv in listed {
            let undo = walked.make(mv);
            let mut played = position.clone();
            played.play(mv);
            self.demand(
                walked == played && walked.hash() == played.hash() && walked.moves() == played.moves(),
                Law::UndoRestores,
                || format!("make({mv:?}) gives {walked:?}, play gives {played:?}"),
            )?;
            walked.unmake(mv, undo);
            let restored = walked == before
                && walked.hash() == before_hash
                && walked.turn() == before.turn()
                && walked.outcome() == before.outcome()
                && walked.moves() == listed
                && (!position.history_matters() || self.goes_on_alike(&walked, &before));
            self.demand(restored, Law::UndoRestores, || {
                format!("{mv:?} made and unmade: {before:?} became {walked:?}")
            })?;
        }
        Ok(())
    }

    /// Whether two positions agree along a random continuation: past boards, which `Eq` does not
    /// see, show only later.
    fn goes_on_alike(&mut self, one: &P, other: &P) -> bool {
        let (mut one, mut other) = (one.clone(), other.clone());
        for _ in 0..8 {
            let listed = one.moves();
            if listed != other.moves() || one.outcome() != other.outcome() {
                return false;
            }
            let Some(&mv) = listed.get(self.rng.below(listed.len().max(1) as u32) as usize) else { return true };
            one.play(mv);
            other.play(mv);
        }
        true
    }

    fn random_moves(&mut self, position: &P) -> Result<(), Violation> {
        let listed = position.moves();
        let mut counts = vec![0_u64; listed.len()];
        // At least a handful of draws for every move, or the test has no force.
        let draws = self.kit.samples.max(20 * listed.len() as u32);
        for _ in 0..if listed.is_empty() { 1 } else { draws } {
            match position.random_move(&mut self.rng) {
                None => {
                    return self
                        .demand(listed.is_empty(), Law::RandomMoveIsUniform, || "no move in a live game".into());
                }
                Some(mv) => {
                    let found = listed.iter().position(|other| *other == mv);
                    self.demand(found.is_some(), Law::RandomMoveIsUniform, || format!("{mv:?} is not legal"))?;
                    counts[found.expect("just seen")] += 1;
                }
            }
        }
        if let Err(why) = statistics::uniform(&counts) {
            self.demand(false, Law::RandomMoveIsUniform, || format!("{counts:?}: {why}"))?;
        }
        Ok(())
    }

    fn playouts(&mut self, position: &P) -> Result<(), Violation> {
        let samples = self.kit.samples as usize;
        let listed = position.moves();
        let mut first_moves = vec![0_u64; listed.len()];
        let (mut traced, mut silent, mut slow) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..samples {
            let mut record = RecordMoves::default();
            let told = position.clone().playout(&mut self.rng, &mut record);
            if self.kit.playouts != PlayoutLaw::Mean {
                self.replay(position, &record.0, told, Law::PlayoutIsHonest)?;
            }
            let first = record.0.first().and_then(|(_, mv)| listed.iter().position(|other| other == mv));
            if let Some(first) = first {
                first_moves[first] += 1;
            }
            traced.push(told);
            silent.push(position.clone().playout(&mut self.rng, &mut ()));
            slow.push(slow_playout(&mut position.clone(), &mut self.rng));
        }
        let fair = match self.kit.playouts {
            PlayoutLaw::Own => same_distribution(&traced, &silent),
            PlayoutLaw::Uniform => same_distribution(&traced, &slow)
                .and_then(|()| same_distribution(&silent, &slow))
                .and_then(|()| if listed.is_empty() { Ok(()) } else { statistics::uniform(&first_moves) }),
            PlayoutLaw::Mean => same_mean(&silent, &slow),
        };
        if let Err(why) = fair {
            self.demand(false, Law::PlayoutIsFair, || format!("from {position:?}: {why}"))?;
        }
        Ok(())
    }

    /// Plays the moves of a playout again: legal, by whose turn it is, and leading where it says.
    pub(super) fn replay(
        &self,
        position: &P,
        moves: &[(Player, P::Move)],
        told: Outcome,
        law: Law,
    ) -> Result<(), Violation> {
        let mut replayed = position.clone();
        // A policy of the game's own may overlook past boards (playouts of Go know only simple ko).
        let loose = self.kit.playouts == PlayoutLaw::Own && position.history_matters();
        for (player, mv) in moves {
            let legal = loose || replayed.is_legal(*mv);
            let honest = legal && replayed.turn() == *player && replayed.outcome().is_none();
            self.demand(honest, law, || format!("{player} {mv:?} was not to be played at {replayed:?}"))?;
            replayed.play(*mv);
        }
        let reached = replayed.outcome();
        // A game with a playout policy of its own may stop early and count the board as it stands.
        self.demand(reached == Some(told) || (reached.is_none() && self.kit.playouts == PlayoutLaw::Own), law, || {
            format!("told {told:?}, its moves lead to {reached:?}")
        })
    }
}

/// Uniform random moves, from the listing alone: the judge of every fast playout.
fn slow_playout<P: Position>(position: &mut P, rng: &mut Rng) -> Outcome {
    loop {
        if let Some(outcome) = position.outcome() {
            return outcome;
        }
        let moves = position.moves();
        let mv = moves[rng.below(moves.len() as u32) as usize];
        Trace::<P>::played(&mut (), position.turn(), mv);
        position.play(mv);
    }
}

fn same_distribution(one: &[Outcome], two: &[Outcome]) -> Result<(), String> {
    let order = |outcomes: &[Outcome]| -> Vec<i64> {
        outcomes.iter().map(|o| (i64::from(o.margin) << 20) + i64::from(o.score.units())).collect()
    };
    statistics::same(&order(one), &order(two))
}

/// Six standard errors apart is not chance.
fn same_mean(one: &[Outcome], two: &[Outcome]) -> Result<(), String> {
    let moments = |outcomes: &[Outcome]| {
        let count = outcomes.len() as f64;
        let mean = outcomes.iter().map(|o| o.score.to_f64()).sum::<f64>() / count;
        let variance = outcomes.iter().map(|o| (o.score.to_f64() - mean).powi(2)).sum::<f64>() / count;
        (mean, variance / count)
    };
    let ((mean_one, error_one), (mean_two, error_two)) = (moments(one), moments(two));
    let apart = (mean_one - mean_two).abs();
    if apart > 6.0 * (error_one + error_two).sqrt() + 1e-12 {
        return Err(format!("mean scores {mean_one:.4} and {mean_two:.4}"));
    }
    Ok(())
}
