//! From labels to weights.
//!
//! | agent | taught by |
//! |---|---|
//! | `ann(as=text)` | stones → mean reward, RPROP+ to an error of 0.0001 or a stand-still |
//! | `ann(as=code)` | the same with the targets (mean + 20)/40 |
//! | `ann(as=improved)` | each tried move: the board with its stone, seen by the mover → its mean; weighted by visits, a random symmetry at each use, Adam |
//! | `ga(as=tuned)` | CMA-ES on the correlation of Σ wᵢ·propertyᵢ with the means of the moves of one position; scaled so that the bias is the regression of the mean |
//! | `neat(as=text)` | NEAT with Encog's constants on the squared error to the means of moves, 0 for illegal points |
//! | `neat(as=code)` | the same to shares of visits in the order in which the search tried the moves, as the program assigns them: a random order |
//! | `neat(as=sane)` | NEAT with constants for boards, on the correlation with the means of moves |
//! | `neat(as=hyper)` | HyperNEAT on the same, over several sizes |
//!
//! One board of five is held out. Figures tell how well the weights do on it.

use super::ann::seen_by;
use super::cma_es::CmaEs;
use super::labels::{Label, Labels};
use super::playouts::CYCLES;
use crate::neat::hyper::{INPUTS, OUTPUTS, Stencil};
use crate::neat::{Config, Genome, Network, Population};
use crate::small::rules::{Adam, Descent, Rprop, Rule};
use crate::small::{Activation, Gradient, Head, Inside, Layer, Mlp, Sample, Training, Writer, correlation, train};
use tesuji_core::{Player, Rng, Seed};

/// Weights, and how well they do.
pub struct Taught {
    /// The file.
    pub file: Vec<u8>,
    /// Figures by name.
    pub figures: Vec<(&'static str, f64)>,
}

/// How much is done.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effort {
    /// Epochs of gradient training, at most.
    pub epochs: usize,
    /// Generations of evolution.
    pub generations: u32,
    /// Genomes of NEAT with Encog's constants.
    pub population: usize,
    /// Boards on which a genome is tried.
    pub boards: usize,
}

impl Labels {
    fn stamp(&self, inside: Inside, style: &str, how: &str) -> Head {
        let note =
            format!("{} boards, {} iterations each, seed {}; {how}", self.boards.len(), self.iterations, self.seed.0);
        Head { inside, game: self.game.clone(), lines: self.lines, style: style.into(), note }
    }
}

fn numbers(stones: &[i8]) -> Vec<f64> {
    stones.iter().map(|stone| f64::from(*stone)).collect()
}

fn value_samples(boards: &[&Label], target: impl Fn(f64) -> f64) -> Vec<Sample> {
    let sample = |board: &&Label| Sample {
        input: numbers(&board.stones),
        target: vec![target(f64::from(board.value))],
        weight: 1.0,
    };
    boards.iter().map(sample).collect()
}

fn fit(network: &Mlp, samples: &[Sample]) -> f64 {
    let pair = |sample: &Sample| (network.evaluate(&sample.input)[0], sample.target[0]);
    correlation(&samples.iter().map(pair).collect::<Vec<_>>())
}

/// `ann(as=text)` and `ann(as=code)`.
#[must_use]
pub fn value_network(labels: &Labels, as_code: bool, effort: Effort, seed: Seed) -> Taught {
    let target = |value: f64| if as_code { (value + 20.0) / 40.0 } else { value };
    let (training, validation) = labels.split();
    let (training, validation) = (value_samples(&training, target), value_samples(&validation, target));
    let points = labels.lines * labels.lines;
    let mut network = Mlp::hawk(points, &mut Rng::new(seed));
    let errors = train(&mut network, &training, &mut Rprop::plus(), Training::hawk(effort.epochs));
    let how = format!("RPROP+, {} epochs", errors.len());
    let head = Labels::stamp(labels, Inside::Layers, if as_code { "code" } else { "text" }, &how);
    Taught {
        file: network.to_file(&head),
        figures: vec![
            ("epochs", errors.len() as f64),
            ("training error", errors.last().copied().unwrap_or(0.0)),
            ("training r", fit(&network, &training)),
            ("held-out r", fit(&network, &validation)),
        ],
    }
}

/// The training error after some epochs from the same start: RPROP+, iRPROP−, Adam, plain descent
/// with the best of four rates.
#[must_use]
pub fn compare_rules(labels: &Labels, epochs: usize, seed: Seed) -> Vec<(&'static str, f64)> {
    let training = value_samples(&labels.split().0, |value| value);
    let points = labels.lines * labels.lines;
    let after = |rule: &mut dyn Rule| {
        let mut network = Mlp::hawk(points, &mut Rng::new(seed));
        let how = Training { enough: 0.0, epochs, patience: epochs, decay: 0.0 };
        train(&mut network, &training, rule, how).last().copied().unwrap_or(0.0)
    };
    let descents = [0.03, 0.1, 0.3, 1.0].map(|rate| after(&mut Descent(rate)));
    vec![
        ("RPROP+", after(&mut Rprop::plus())),
        ("iRPROP−", after(&mut Rprop::minus())),
        ("Adam", after(&mut Adam::new(0.01))),
        ("plain descent", descents.into_iter().fold(f64::MAX, f64::min)),
    ]
}

/// A symmetry of the board: where a point goes.
fn image(point: usize, lines: usize, symmetry: u32, mirrors: bool) -> usize {
    let (mut x, mut y) = (point % lines, point / lines);
    let last = lines - 1;
    // Hex has one: half a turn. Other boards have eight.
    let symmetry = if mirrors { 3 * (symmetry % 2) } else { symmetry };
    if symmetry & 1 != 0 {
        x = last - x;
    }
    if symmetry & 2 != 0 {
        y = last - y;
    }
    if symmetry & 4 != 0 {
        (x, y) = (y, x);
    }
    y * lines + x
}

/// The boards after moves, seen by their movers, with the moves' means.
fn move_samples(labels: &Labels, boards: &[&Label], least: u32) -> Vec<Sample> {
    let mut seen = Vec::new();
    let mut samples = Vec::new();
    for board in boards {
        for mv in board.moves.iter().filter(|mv| mv.visits >= least) {
            let mut stones = board.stones.clone();
            stones[usize::from(mv.point)] = if board.turn == Player::First { 1 } else { -1 };
            seen_by(&stones, board.turn, labels.mirrors, labels.lines, &mut seen);
            let weight = f64::from(mv.visits.min(200)) / 200.0;
            samples.push(Sample { input: numbers(&seen), target: vec![f64::from(mv.mean)], weight });
        }
    }
    samples
}

/// The mean over positions of the correlation of some judgement with the means of moves.
fn agreement(boards: &[&Label], least: u32, judge: &mut dyn FnMut(&Label, usize) -> f64) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    let mut pairs = Vec::new();
    for board in boards {
        pairs.clear();
        for (index, mv) in board.moves.iter().enumerate().filter(|(_, mv)| mv.visits >= least) {
            pairs.push((judge(board, index), f64::from(mv.mean)));
        }
        if pairs.len() >= 5 {
            sum += correlation(&pairs);
            count += 1.0;
        }
    }
    if count == 0.0 { 0.0 } else { sum / count }
}

/// Visits from which the mean of a move is taken seriously.
const LEAST: u32 = 20;

/// `ann(as=improved)`.
#[must_use]
pub fn improved_network(labels: &Labels, effort: Effort, seed: Seed) -> Taught {
    let (training, validation) = labels.split();
    let samples = move_samples(labels, &training, LEAST);
    let (lines, points) = (labels.lines, labels.lines * labels.lines);
    let mut rng = Rng::new(seed);
    let layers = vec![
        Layer { inputs: points, outputs: 32, activation: Activation::Relu, bias: true },
        Layer { inputs: 32, outputs: 1, activation: Activation::Sigmoid, bias: true },
    ];
    let mut network = Mlp::random(layers, 0.15, &mut rng).expect("the layers fit");
    let (mut rule, mut gradients, mut gradient) = (Adam::new(0.002), Gradient::default(), Vec::new());
    let passes = (effort.epochs / 50).max(1);
    let mut batch: Vec<Sample> = Vec::new();
    for step in 0..passes * samples.len() / 64 {
        batch.clear();
        for _ in 0..64 {
            let sample = &samples[rng.below(samples.len() as u32) as usize];
            let symmetry = rng.below(8);
            let mut input = vec![0.0; points];
            for (point, stone) in sample.input.iter().enumerate() {
                input[image(point, lines, symmetry, labels.mirrors)] = *stone;
            }
            batch.push(Sample { input, ..sample.clone() });
        }
        gradients.of(&network, &batch, &mut gradient);
        gradient.iter_mut().zip(&network.parameters).for_each(|(slope, weight)| *slope += 1e-5 * weight);
        if step == passes * samples.len() / 64 * 3 / 4 {
            rule = Adam::new(0.0005);
        }
        rule.step(&mut network.parameters, &gradient);
    }
    let judged = |boards: &[&Label]| {
        agreement(boards, LEAST, &mut |board, index| {
            let sample = move_samples_of(labels, board, index);
            network.evaluate(&sample)[0]
        })
    };
    let how = format!("boards after moves, symmetries, Adam, {passes} passes");
    let head = Labels::stamp(labels, Inside::Layers, "improved", &how);
    Taught {
        file: network.to_file(&head),
        figures: vec![
            ("samples", samples.len() as f64),
            ("held-out r of boards", fit(&network, &move_samples(labels, &validation, LEAST))),
            ("held-out r within a position", judged(&validation)),
        ],
    }
}

fn move_samples_of(labels: &Labels, board: &Label, index: usize) -> Vec<f64> {
    let mut stones = board.stones.clone();
    stones[usize::from(board.moves[index].point)] = if board.turn == Player::First { 1 } else { -1 };
    let mut seen = Vec::new();
    seen_by(&stones, board.turn, labels.mirrors, labels.lines, &mut seen);
    numbers(&seen)
}

/// `ga(as=tuned)`.
#[must_use]
pub fn tuned_weights(labels: &Labels, effort: Effort, seed: Seed) -> Taught {
    let (training, validation) = labels.split();
    let sum = |weights: &[f64], board: &Label, index: usize| -> f64 {
        let properties = board.moves[index].properties;
        weights.iter().zip(properties).map(|(weight, property)| weight * f64::from(property)).sum()
    };
    let agree =
        |weights: &[f64], boards: &[&Label]| agreement(boards, LEAST, &mut |board, index| sum(weights, board, index));
    let mut run = CmaEs::new(vec![0.0; 5], 0.5, seed);
    for _ in 0..effort.generations {
        run.generation(&mut |weights| -agree(weights, &training));
    }
    let found = run.best().1.to_vec();
    // The regression of a move's mean, within its position, on the sum.
    let (mut both, mut squares) = (0.0, 0.0);
    for board in &training {
        let kept: Vec<usize> = (0..board.moves.len()).filter(|index| board.moves[*index].visits >= LEAST).collect();
        let count = kept.len().max(1) as f64;
        let mean_sum = kept.iter().map(|index| sum(&found, board, *index)).sum::<f64>() / count;
        let mean_value = kept.iter().map(|index| f64::from(board.moves[*index].mean)).sum::<f64>() / count;
        for index in kept {
            let offset = sum(&found, board, index) - mean_sum;
            both += offset * (f64::from(board.moves[index].mean) - mean_value);
            squares += offset * offset;
        }
    }
    let points = (labels.lines * labels.lines) as f64;
    let scale = if squares > 0.0 { both / squares * 2.0 * points / 0.33 } else { 1.0 };
    let how = format!("CMA-ES, {} generations", effort.generations);
    let mut writer = Writer::new(&Labels::stamp(labels, Inside::Properties, "tuned", &how));
    writer.numbers(found.iter().map(|weight| (weight * scale) as f32));
    let mut figures = vec![
        ("training r", agree(&found, &training)),
        ("held-out r", agree(&found, &validation)),
        ("held-out r of equal weights", agree(&[1.0; 5], &validation)),
    ];
    let names = ["weight 1", "weight 2", "weight 3", "weight 4", "weight 5"];
    figures.extend(names.into_iter().zip(found.iter().map(|weight| weight * scale)));
    Taught { file: writer.finish(), figures }
}

/// The board as its mover sees it, and where the mover sees each move.
fn movers_view(labels: &Labels, board: &Label) -> (Vec<f32>, Vec<usize>) {
    let mut seen = Vec::new();
    seen_by(&board.stones, board.turn, labels.mirrors, labels.lines, &mut seen);
    let lines = labels.lines;
    let turned = |point: usize| {
        if board.turn == Player::Second && labels.mirrors { point % lines * lines + point / lines } else { point }
    };
    let places = board.moves.iter().map(|mv| turned(usize::from(mv.point))).collect();
    (seen.iter().map(|stone| f32::from(*stone)).collect(), places)
}

/// The correlation of a network's answers with the means of moves.
fn network_agreement(network: &mut Network, boards: &[(Vec<f32>, Vec<usize>, &Label)]) -> f64 {
    let (mut sum, mut pairs) = (0.0, Vec::new());
    for (input, places, board) in boards {
        let values = network.settle(input, Some(CYCLES));
        pairs.clear();
        pairs
            .extend(places.iter().zip(&board.moves).map(|(place, mv)| (f64::from(values[*place]), f64::from(mv.mean))));
        sum += correlation(&pairs);
    }
    sum / boards.len().max(1) as f64
}

/// Which NEAT.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evolution {
    /// Encog's constants, the text's targets.
    Text,
    /// Encog's constants, the program's targets.
    Code,
    /// Constants for boards.
    Sane,
}

/// `neat(as=text)`, `neat(as=code)`, `neat(as=sane)`.
#[must_use]
pub fn evolved_network(labels: &Labels, which: Evolution, effort: Effort, seed: Seed) -> Taught {
    let (training, validation) = labels.split();
    let points = labels.lines * labels.lines;
    let mut rng = Rng::new(seed.derive(1));
    let view = |board: &&'_ Label| movers_view(labels, board);
    let views: Vec<_> = training
        .iter()
        .take(effort.boards)
        .map(|board| {
            let (one, two) = view(board);
            (one, two, *board)
        })
        .collect();
    let held: Vec<_> = validation
        .iter()
        .map(|board| {
            let (one, two) = view(board);
            (one, two, *board)
        })
        .collect();
    // What Encog's networks should answer, and to which input.
    let targets: Vec<(Vec<f32>, Vec<f32>)> = views
        .iter()
        .map(|(input, places, board)| {
            let mut target = vec![0.0; points];
            let total: u32 = board.moves.iter().map(|mv| mv.visits).sum();
            let mut shares: Vec<f32> = board.moves.iter().map(|mv| mv.visits as f32 / total.max(1) as f32).collect();
            for last in (1..shares.len()).rev() {
                shares.swap(last, rng.below(last as u32 + 1) as usize);
            }
            for (index, mv) in board.moves.iter().enumerate() {
                match which {
                    Evolution::Code => target[usize::from(mv.point)] = shares[index],
                    _ => target[places[index]] = mv.mean,
                }
            }
            let absolute = || board.stones.iter().map(|stone| f32::from(*stone)).collect();
            (if which == Evolution::Code { absolute() } else { input.clone() }, target)
        })
        .collect();
    let config = match which {
        Evolution::Sane => Config { density: 0.05, recurrent: true, ..Config::boards() },
        _ => Config { population: effort.population, ..Config::encog() },
    };
    let error = |network: &mut Network| {
        let mut sum = 0.0;
        for (input, target) in &targets {
            let values = network.settle(input, Some(CYCLES));
            sum +=
                values.iter().zip(target).map(|(value, goal)| f64::from((value - goal) * (value - goal))).sum::<f64>();
        }
        sum / (targets.len().max(1) * points) as f64
    };
    let mut population = Population::new(config, points as u32, points as u32, seed);
    let mut fitness = |genome: &Genome| {
        let mut network = Network::of(genome);
        match which {
            Evolution::Sane => 1.0 + network_agreement(&mut network, &views),
            _ => 1.0 - error(&mut network),
        }
    };
    loop {
        population.evaluate(&mut fitness);
        // Hawk's error of 0.1 ends nothing here; half of the generations are bred, for networks of
        // this size are slow.
        if population.generation() >= effort.generations / 2 {
            break;
        }
        population.breed();
    }
    let champion = population.champion().expect("evaluated").clone();
    let mut network = Network::of(&champion);
    let (style, constants) = match which {
        Evolution::Text => ("text", "Encog's constants"),
        Evolution::Code => ("code", "Encog's constants, targets as programmed"),
        Evolution::Sane => ("sane", "constants for boards"),
    };
    let how = format!("NEAT, {constants}, {} networks, {} boards tried", population.evaluations(), views.len());
    let head = Labels::stamp(labels, Inside::Evolved, style, &how);
    Taught {
        file: network.to_file(&head),
        figures: vec![
            ("networks", population.evaluations() as f64),
            ("hidden nodes", champion.hidden.len() as f64),
            ("links", champion.links() as f64),
            ("squared error", error(&mut network)),
            ("held-out r within a position", network_agreement(&mut network, &held)),
        ],
    }
}

/// `neat(as=hyper)`: one stencil for a game, from labels of several sizes.
#[must_use]
pub fn stencil(all: &[&Labels], effort: Effort, seed: Seed) -> Taught {
    let views = |validation: bool| {
        let mut views = Vec::new();
        for labels in all {
            let (training, held) = labels.split();
            let boards = if validation { held } else { training };
            for board in boards.into_iter().take(effort.boards) {
                let mut seen = Vec::new();
                seen_by(&board.stones, board.turn, labels.mirrors, labels.lines, &mut seen);
                views.push((seen, movers_view(labels, board).1, labels.lines, board));
            }
        }
        views
    };
    let (training, held) = (views(false), views(true));
    let agree = |stencil: &Stencil, boards: &[(Vec<i8>, Vec<usize>, usize, &Label)]| {
        let (mut sum, mut pairs) = (0.0, Vec::new());
        for (seen, places, lines, board) in boards {
            pairs.clear();
            pairs.extend(
                places
                    .iter()
                    .zip(&board.moves)
                    .map(|(place, mv)| (f64::from(stencil.score(seen, *lines, *place)), f64::from(mv.mean))),
            );
            sum += correlation(&pairs);
        }
        sum / boards.len().max(1) as f64
    };
    let mut population = Population::new(Config::boards(), INPUTS, OUTPUTS, seed);
    loop {
        population.evaluate(&mut |genome| 1.0 + agree(&Stencil::of(genome), &training));
        if population.generation() >= effort.generations {
            break;
        }
        population.breed();
    }
    let champion = population.champion().expect("evaluated");
    let stencil = Stencil::of(champion);
    let sizes: Vec<String> = all.iter().map(|labels| labels.lines.to_string()).collect();
    let how = format!("HyperNEAT on sizes {}, {} networks", sizes.join(" and "), population.evaluations());
    let head = Head { lines: 0, ..Labels::stamp(all[0], Inside::Stencil, "hyper", &how) };
    Taught {
        file: stencil.to_file(&head),
        figures: vec![
            ("networks", population.evaluations() as f64),
            ("hidden nodes", champion.hidden.len() as f64),
            ("links", champion.links() as f64),
            ("training r within a position", agree(&stencil, &training)),
            ("held-out r within a position", agree(&stencil, &held)),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::image;

    /// Symmetries are permutations; the eight of a square keep distances, half a turn is its own
    /// inverse.
    #[test]
    fn symmetries_permute() {
        for mirrors in [false, true] {
            for symmetry in 0..8 {
                let mut images: Vec<usize> = (0..25).map(|point| image(point, 5, symmetry, mirrors)).collect();
                let steps = |a: usize, b: usize| (a % 5).abs_diff(b % 5) + (a / 5).abs_diff(b / 5);
                assert!((0..24).all(|point| steps(images[point], images[point + 1]) == steps(point, point + 1)));
                images.sort_unstable();
                assert_eq!(images, (0..25).collect::<Vec<_>>());
            }
        }
        assert!((0..25).all(|point| image(image(point, 5, 1, true), 5, 1, true) == point));
        let distinct: std::collections::BTreeSet<usize> = (0..8).map(|symmetry| image(1, 5, symmetry, false)).collect();
        assert_eq!(distinct.len(), 8);
    }
}
