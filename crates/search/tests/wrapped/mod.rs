//! Delegates the rules to a wrapped game, for tests that add an evaluation or a preference.

/// Delegates all of `Position` but the playouts to `self.0`, whose type is named.
macro_rules! rules_of {
    ($wrapped:ty) => {
        type Move = <$wrapped as Position>::Move;

        fn history_matters(&self) -> bool {
            self.0.history_matters()
        }
        fn turn(&self) -> Player {
            self.0.turn()
        }
        fn outcome(&self) -> Option<Outcome> {
            self.0.outcome()
        }
        fn visit_moves<B>(&self, f: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B> {
            self.0.visit_moves(f)
        }
        fn play(&mut self, mv: Self::Move) {
            self.0.play(mv);
        }
        fn hash(&self) -> PositionHash {
            self.0.hash()
        }
        fn recomputed_hash(&self) -> PositionHash {
            self.0.recomputed_hash()
        }
        fn move_space(&self) -> usize {
            self.0.move_space()
        }
        fn move_index(&self, mv: Self::Move) -> usize {
            self.0.move_index(mv)
        }
        fn move_at(&self, index: usize) -> Option<Self::Move> {
            self.0.move_at(index)
        }
    };
}
pub(crate) use rules_of;
