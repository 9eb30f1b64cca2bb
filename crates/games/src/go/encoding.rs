//! Go as planes, for neural networks. Encoding "go-1".
//!
//! Cells are numbered row by row from A1, as moves are; the pass is the last move index.
//!
//! | plane | one where |
//! |---|---|
//! | 0, 1 | a stone of the side to move; of the other side |
//! | 2, 3, 4 | a stone of a chain with one, two, three liberties |
//! | 5 | the side to move may play |
//! | 6 | an empty point is forbidden by ko or superko |
//! | 7 | everywhere: with zero padding around the board, convolutions see the edge |
//!
//! | global | meaning |
//! |---|---|
//! | 0 | 1 if Black is to move, else 0 |
//! | 1 | 1 if the last move was a pass, so that a pass now ends the game |
//! | 2 | komi from the point of view of the side to move, in tens of points |
//! | 3 | lead of the side to move on the board as it stands, in 20 points, clamped to ±1 |
//!
//! References: the planes are a subset of those of Wu, "Accelerating Self-Play Learning in Go"
//! (2019), Table 5, without past moves, ladders and pass-alive areas. All of them follow from the
//! rules. Deviation: the lead (global 3) is added; it gives the value of two passes, which a small
//! network cannot compute exactly.

use super::layout::{CHAIN, EMPTY, SLOTS, stone};
use super::position::{Go, GoMove, Illegal};
use tesuji_core::{Encoding, Outcome, Player, Position, Symmetry, TensorShape};

const PLANES: usize = 8;
const GLOBALS: usize = 4;

/// The encoding of Go on boards of one size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GoPlanes {
    size: usize,
}

impl GoPlanes {
    /// The encoding for games like this one.
    #[must_use]
    pub fn of(go: &Go) -> GoPlanes {
        GoPlanes { size: go.size() }
    }
}

/// The number of liberties of each chain, by chain number. O(points).
fn liberty_counts(go: &Go) -> [u16; SLOTS] {
    let board = &go.board;
    let stride = board.size() + 1;
    let stones = stone(0) | stone(1);
    let mut counts = [0; SLOTS];
    for &empty in board.empty_list() {
        let index = usize::from(empty);
        let around = [index - stride, index - 1, index + 1, index + stride].map(|n| board.slots[n].label);
        for side in 0..4 {
            let label = around[side];
            if label & stones != 0 && !around[..side].contains(&label) {
                counts[usize::from(label & CHAIN)] += 1;
            }
        }
    }
    counts
}

impl Encoding<Go> for GoPlanes {
    fn name(&self) -> &'static str {
        "go-1"
    }

    fn shape(&self) -> TensorShape {
        let area = self.size * self.size;
        TensorShape {
            planes: PLANES,
            rows: self.size,
            columns: self.size,
            globals: GLOBALS,
            moves: area + 1,
            moves_are_cells: true,
        }
    }

    fn write(&self, go: &Go, planes: &mut [u8], globals: &mut [f32]) {
        let area = self.size * self.size;
        let (planes, _) = planes.split_at_mut(PLANES * area);
        planes[..7 * area].fill(0);
        planes[7 * area..].fill(1);
        let turn = go.turn();
        let (own, enemy) = (stone(turn.index() as u16), stone(turn.other().index() as u16));
        let liberties = liberty_counts(go);
        for (cell, point) in go.board.points().enumerate() {
            let label = go.board.slots[point.index()].label;
            if label & (own | enemy) != 0 {
                planes[usize::from(label & enemy != 0) * area + cell] = 1;
                let count = usize::from(liberties[usize::from(label & CHAIN)]);
                if (1..=3).contains(&count) {
                    planes[(1 + count) * area + cell] = 1;
                }
            } else if label & EMPTY != 0 {
                match go.why_illegal(GoMove::stone(point)) {
                    None => planes[5 * area + cell] = 1,
                    Some(Illegal::Ko | Illegal::Superko) => planes[6 * area + cell] = 1,
                    Some(_) => {}
                }
            }
        }
        let sign = if turn == Player::First { 1.0 } else { -1.0 };
        globals[0] = f32::from(turn == Player::First);
        globals[1] = f32::from(go.passes() > 0);
        globals[2] = -sign * go.rules().komi.0 as f32 / 20.0;
        globals[3] = (sign * go.score_now().margin as f32 / 40.0).clamp(-1.0, 1.0);
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::of_square(&self.shape())
    }

    /// By area: stones, and empty regions that touch one colour alone.
    fn owners(&self, end: &Go, owners: &mut [i8]) -> bool {
        let board = &end.board;
        let sign = |player: Player| if player == Player::First { 1 } else { -1 };
        let points: Vec<_> = board.points().collect();
        for (cell, point) in points.iter().enumerate() {
            owners[cell] = board.stone_at(*point).map_or(0, sign);
        }
        let mut seen = vec![false; points.len()];
        let (mut stack, mut region) = (Vec::new(), Vec::new());
        for start in 0..points.len() {
            if !board.is_empty(points[start]) || std::mem::replace(&mut seen[start], true) {
                continue;
            }
            let mut touched = [false; 2];
            stack.push(start);
            region.clear();
            while let Some(cell) = stack.pop() {
                region.push(cell);
                for next in board.neighbours(points[cell]) {
                    match board.stone_at(next) {
                        Some(owner) => touched[owner.index()] = true,
                        None => {
                            let number = board.number(next);
                            if !std::mem::replace(&mut seen[number], true) {
                                stack.push(number);
                            }
                        }
                    }
                }
            }
            let owner = i8::from(touched[0]) - i8::from(touched[1]);
            for &cell in &region {
                owners[cell] = owner;
            }
        }
        true
    }

    fn count(&self, unfinished: &Go) -> Option<Outcome> {
        Some(unfinished.score_now())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Go, GoMove, GoRules};
    use super::GoPlanes;
    use tesuji_core::{Encoding, Notation, Player, Position, Rng, Seed};

    fn played(size: usize, moves: &str) -> Go {
        let mut go = Go::new(GoRules::on(size)).expect("a board");
        for mv in moves.split_whitespace() {
            go.play(go.read_move(mv).expect("a legal move"));
        }
        go
    }

    fn encode(go: &Go) -> (Vec<u8>, Vec<f32>) {
        let encoding = GoPlanes::of(go);
        let shape = encoding.shape();
        let (mut planes, mut globals) = (vec![9; shape.bytes()], vec![9.0; shape.globals]);
        encoding.write(go, &mut planes, &mut globals);
        (planes, globals)
    }

    /// One plane as rows from the top, as diagrams show it.
    fn picture(planes: &[u8], size: usize, plane: usize) -> Vec<String> {
        let rows = planes[plane * size * size..(plane + 1) * size * size].chunks(size).rev();
        rows.map(|row| row.iter().map(|cell| char::from(b'0' + cell)).collect()).collect()
    }

    /// Black B2 A1, White B3 C1 on 3×3, Black to move:
    /// ```text
    /// 3 . O .
    /// 2 . X .
    /// 1 X . O
    /// ```
    /// Four chains; B2 has the liberties A2, C2, B1, the white stones two each, A1 has A2 and B1.
    #[test]
    fn planes_by_hand() {
        let (planes, globals) = encode(&played(3, "B2 B3 A1 C1"));
        let expected = [
            ["000", "010", "100"],
            ["010", "000", "001"],
            ["000", "000", "000"],
            ["010", "000", "101"],
            ["000", "010", "000"],
            ["101", "101", "010"],
            ["000", "000", "000"],
            ["111", "111", "111"],
        ];
        for (plane, rows) in expected.iter().enumerate() {
            assert_eq!(picture(&planes, 3, plane), rows, "plane {plane}");
        }
        // Two stones each and no territory: White leads by the komi, 7.5.
        assert_eq!(globals, [1.0, 0.0, -0.75, -0.375]);
        // After a pass the colours are exchanged.
        let (planes, globals) = encode(&played(3, "B2 B3 A1 C1 pass"));
        assert_eq!(picture(&planes, 3, 0), expected[1]);
        assert_eq!(picture(&planes, 3, 1), expected[0]);
        assert_eq!(globals, [0.0, 1.0, 0.75, 0.375]);
    }

    /// A ko on 5×5: White has just captured at C3; Black may not retake at B3.
    #[test]
    fn the_ko_point_is_marked() {
        let go = played(5, "B2 C2 B4 C4 A3 D3 C3 B3");
        // Black stones B2 B4 A3 C3, White C2 C4 D3 and B3, which captures C3.
        assert_eq!(go.board().stone_at(go.board().point(2, 2).expect("a point")), None);
        let (planes, _) = encode(&go);
        assert_eq!(picture(&planes, 5, 6), ["00000", "00000", "00100", "00000", "00000"]);
        assert_eq!(picture(&planes, 5, 5)[2], "00001");
    }

    /// Playing the images of the moves of a game yields the images of its planes, owners and moves.
    #[test]
    fn encodings_follow_the_symmetries() {
        for (size, seed) in [(4, 1), (5, 2), (9, 3)] {
            let start = Go::new(GoRules::on(size)).expect("a board");
            let encoding = GoPlanes::of(&start);
            let symmetries = encoding.symmetries();
            for (number, symmetry) in symmetries.iter().enumerate() {
                let mut rng = Rng::new(Seed(seed * 100 + number as u64));
                let (mut go, mut image) = (start.clone(), start.clone());
                for _ in 0..60 {
                    let Some(mv) = go.playout_move(&mut rng) else { break };
                    let from = go.move_index(mv) as u16;
                    let to = symmetry.moves.iter().position(|&source| source == from).expect("a permutation");
                    image.play(image.move_at(to).expect("a move"));
                    go.play(mv);
                    let ((planes, globals), (image_planes, image_globals)) = (encode(&go), encode(&image));
                    let area = size * size;
                    for (plane, image_plane) in planes.chunks(area).zip(image_planes.chunks(area)) {
                        for cell in 0..area {
                            assert_eq!(image_plane[cell], plane[usize::from(symmetry.cells[cell])]);
                        }
                    }
                    assert_eq!(globals, image_globals);
                    let (mut owners, mut image_owners) = (vec![0; area], vec![0; area]);
                    assert!(encoding.owners(&go, &mut owners) && encoding.owners(&image, &mut image_owners));
                    for cell in 0..area {
                        assert_eq!(image_owners[cell], owners[usize::from(symmetry.cells[cell])]);
                    }
                }
            }
        }
    }

    /// The owners add up to the area score; the plane of legal moves agrees with the rules;
    /// liberties agree with the board's own count.
    #[test]
    fn encodings_agree_with_the_rules() {
        let mut rng = Rng::new(Seed(4));
        let encoding = GoPlanes::of(&played(7, ""));
        for _ in 0..30 {
            let mut go = played(7, "");
            for _ in 0..70 {
                let Some(mv) = go.playout_move(&mut rng) else { break };
                go.play(mv);
                if go.has_ended() {
                    break;
                }
                let mut owners = vec![0; 49];
                assert!(encoding.owners(&go, &mut owners));
                let black: i32 = owners.iter().map(|&owner| i32::from(owner)).sum();
                assert_eq!(go.score_now().margin, 2 * black - 15);
                let (planes, _) = encode(&go);
                for cell in 0..49 {
                    let mv = go.move_at(cell).expect("a point");
                    assert_eq!(planes[5 * 49 + cell] == 1, go.is_legal(mv));
                    let point = mv.point().expect("a point");
                    let count = go.board().stone_at(point).map_or(0, |_| go.board().liberties(point).len());
                    for liberties in 1..=3 {
                        assert_eq!(planes[(1 + liberties) * 49 + cell] == 1, count == liberties);
                    }
                }
            }
        }
        assert_eq!(encoding.count(&played(7, "")).and_then(|outcome| outcome.winner()), Some(Player::Second));
        assert_eq!(GoMove::PASS, played(7, "").move_at(49).expect("the pass"));
    }
}
