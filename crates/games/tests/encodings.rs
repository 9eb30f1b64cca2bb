//! The laws of encodings, on random games of every game that states one.

use std::collections::HashMap;
use tesuji_core::{Encoding, Notation, Player, Rng, Seed, Studied, Symmetry};
use tesuji_games::connect6::Connect6;
use tesuji_games::go::{Go, GoRules};
use tesuji_games::gomoku::{Gomoku, Rule};
use tesuji_games::hex::{Hex, SwapRule};
use tesuji_games::othello::{Empties, Othello};
use tesuji_games::xiangqi::Xiangqi;

type Tensors = (Vec<u8>, Vec<f32>);

/// The planes and globals, written over other values.
fn tensors<P: Studied>(encoding: &dyn Encoding<P>, position: &P) -> Tensors {
    let shape = encoding.shape();
    let (mut planes, mut globals) = (vec![9; shape.bytes()], vec![f32::NAN; shape.globals]);
    encoding.write(position, &mut planes, &mut globals);
    (planes, globals)
}

fn is_permutation(table: &[u16]) -> bool {
    let mut sorted = table.to_vec();
    sorted.sort_unstable();
    sorted.iter().enumerate().all(|(place, &value)| usize::from(value) == place)
}

/// The image of a move of `position` under a symmetry of the tensors, as a move index.
fn image<P: Studied>(encoding: &dyn Encoding<P>, symmetry: &Symmetry, mover: Player, index: usize) -> usize {
    let turned = |index: usize| encoding.orientation(mover).map_or(index, |o| usize::from(o.moves[index]));
    let shown = turned(index) as u16;
    turned(symmetry.moves.iter().position(|&source| source == shown).expect("a permutation"))
}

/// Plays random games and checks: every cell of every plane is written with 0 or 1, globals are
/// finite; tensors tell positions with the same mover apart, and equal positions have equal ones;
/// stones are placed where the first two planes are empty, every legal move has a logit of its own;
/// images of games under the symmetries have the images of the tensors and of the legal moves.
fn keeps_the_laws<P: Notation + Studied>(start: &P, games: u64, longest: usize) {
    let encoding = start.encoding().expect("the game states an encoding");
    let encoding = encoding.as_ref();
    let (shape, name) = (encoding.shape(), encoding.name());
    let cells = shape.cells();
    assert!(shape.moves >= start.move_space(), "{name}: every move has a logit");
    for mover in Player::BOTH {
        for table in encoding.orientation(mover).into_iter().flat_map(|turned| [&turned.cells, &turned.moves]) {
            let own_inverse = table.iter().enumerate().all(|(i, &from)| usize::from(table[usize::from(from)]) == i);
            assert!(own_inverse, "{name}: an orientation is its own inverse");
        }
    }
    let symmetries = encoding.symmetries();
    assert_eq!(symmetries[0], Symmetry::identity(&shape), "{name}");
    for (number, symmetry) in symmetries.iter().enumerate() {
        assert!(is_permutation(&symmetry.cells) && is_permutation(&symmetry.moves), "{name}: {symmetry:?}");
        assert_eq!((symmetry.cells.len(), symmetry.moves.len()), (cells, shape.moves), "{name}");
        assert!(symmetries[..number].iter().all(|earlier| earlier != symmetry), "{name}: symmetries differ");
    }
    let mut seen = HashMap::new();
    let mut positions = 0;
    for game in 0..games {
        let mut rng = Rng::new(Seed(game));
        let symmetry = &symmetries[game as usize % symmetries.len()];
        let (mut position, mut mirrored) = (start.clone(), start.clone());
        for _ in 0..longest {
            if position.outcome().is_some() {
                break;
            }
            positions += 1;
            let (planes, globals) = tensors(encoding, &position);
            assert!(planes.iter().all(|&cell| cell <= 1) && globals.iter().all(|g| g.is_finite()), "{name}");
            let bits: Vec<u32> = globals.iter().map(|global| global.to_bits()).collect();
            let text = position.view().to_string();
            let earlier = seen.entry((position.turn(), planes.clone(), bits)).or_insert_with(|| text.clone());
            assert_eq!(*earlier, text, "{name}: two positions look the same");
            assert_eq!(tensors(encoding, &position.clone()), (planes.clone(), globals.clone()), "{name}");

            let mover = position.turn();
            let mut legal: Vec<usize> = position.moves().into_iter().map(|mv| position.move_index(mv)).collect();
            for &index in &legal {
                let logit = encoding.orientation(mover).map_or(index, |turned| usize::from(turned.moves[index]));
                assert!(logit < shape.moves, "{name}");
                if shape.moves_are_cells && logit < cells {
                    assert!(planes[logit] == 0 && planes[cells + logit] == 0, "{name}: {index} is taken");
                }
            }

            let (image_planes, image_globals) = tensors(encoding, &mirrored);
            assert_eq!(globals, image_globals, "{name}");
            for (plane, image_plane) in planes.chunks(cells).zip(image_planes.chunks(cells)) {
                assert!((0..cells).all(|cell| image_plane[cell] == plane[usize::from(symmetry.cells[cell])]), "{name}");
            }
            let mut images: Vec<usize> = legal.iter().map(|&index| image(encoding, symmetry, mover, index)).collect();
            let mut mirrored_legal: Vec<usize> =
                mirrored.moves().into_iter().map(|mv| mirrored.move_index(mv)).collect();
            for list in [&mut legal, &mut images, &mut mirrored_legal] {
                list.sort_unstable();
            }
            assert!(legal.windows(2).all(|pair| pair[0] != pair[1]), "{name}: two moves share a logit");
            assert_eq!(images, mirrored_legal, "{name}");

            let mv = position.random_move(&mut rng).expect("a live game has moves");
            let index = image(encoding, symmetry, mover, position.move_index(mv));
            mirrored.play(mirrored.move_at(index).expect("a move"));
            position.play(mv);
        }
        owners_follow(encoding, symmetry, &position, &mirrored);
    }
    assert!(positions > 3 * games, "{name}: {positions} positions");
}

/// The owners at the end of a game and of its image, seen by the first player.
fn owners_follow<P: Studied>(encoding: &dyn Encoding<P>, symmetry: &Symmetry, end: &P, mirrored: &P) {
    let cells = encoding.shape().cells();
    let (mut owners, mut images) = (vec![9; cells], vec![9; cells]);
    if !encoding.owners(end, &mut owners) {
        return;
    }
    assert!(encoding.owners(mirrored, &mut images) && owners.iter().all(|owner| (-1..=1).contains(owner)));
    // The first player's board is not turned in any game that knows owners.
    assert_eq!(encoding.orientation(Player::First), None);
    assert!((0..cells).all(|cell| images[cell] == owners[usize::from(symmetry.cells[cell])]), "{}", encoding.name());
}

#[test]
fn go() {
    keeps_the_laws(&Go::new(GoRules::on(5)).expect("a board"), 16, 60);
}

#[test]
fn hex() {
    for (size, swap) in [(3, SwapRule::Pieces), (5, SwapRule::Off), (11, SwapRule::Pieces), (26, SwapRule::Off)] {
        keeps_the_laws(&Hex::new(size, swap).expect("a board"), if size < 6 { 200 } else { 10 }, 800);
    }
}

#[test]
fn othello() {
    for size in [4, 6, 8] {
        keeps_the_laws(&Othello::new(size, Empties::None).expect("a board"), 40, 130);
    }
}

#[test]
fn gomoku() {
    for rule in Rule::ALL {
        keeps_the_laws(&Gomoku::new(7, rule).expect("a board"), 24, 60);
    }
    keeps_the_laws(&Gomoku::new(15, Rule::Freestyle).expect("a board"), 8, 230);
}

#[test]
fn connect6() {
    for size in [7, 19] {
        keeps_the_laws(&Connect6::new(size).expect("a board"), 16, 400);
    }
}

#[test]
fn xiangqi() {
    keeps_the_laws(&Xiangqi::new(), 10, 300);
}
