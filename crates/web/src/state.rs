//! A game under way as the interface tells it.

use crate::api::{self, Abilities, Legal, Ply, Reason, State};
use crate::document;
use crate::refusal::Refusal;
use tesuji_agents::records::{self, Step};
use tesuji_agents::{AnyPosition, Session, games, short_game};
use tesuji_core::{BoardShape, Geometry, LabelKind, Men, Outcome, Paint, Piece, Player, Sides, Surface};

/// The most legal moves that are listed.
const MOST_LEGAL: usize = 1_000;

/// How a game ended that its rules have not ended, or not alone.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Settled {
    /// This player gave up.
    Resigned(Player),
    /// This player ran out of time.
    OutOfTime(Player),
    /// Counted with dead stones taken off: the outcome, and the points the winner is ahead.
    Counted(Outcome, f64),
}

pub(crate) fn side(player: Player) -> api::Player {
    match player {
        Player::First => api::Player::First,
        Player::Second => api::Player::Second,
    }
}

pub(crate) fn player(side: api::Player) -> Player {
    match side {
        api::Player::First => Player::First,
        api::Player::Second => Player::Second,
    }
}

pub(crate) fn sides(sides: Sides) -> [api::Side; 2] {
    sides.0.map(|side| api::Side {
        name: side.name.into(),
        letter: side.letter.into(),
        symbol: side.symbol.into(),
        paint: match side.paint {
            Paint::Black => api::Paint::Black,
            Paint::White => api::Paint::White,
            Paint::Red => api::Paint::Red,
            Paint::Blue => api::Paint::Blue,
        },
    })
}

/// The points of a legal move, as indices: where it is played or arrives, and where it comes from.
pub(crate) fn points_of(position: &dyn AnyPosition, columns: usize, mv: &str) -> (Option<usize>, Option<usize>) {
    let index = |(column, row): (usize, usize)| row * columns + column;
    if let Some(place) = position.place_of(mv) {
        return (Some(index(place)), None);
    }
    match position.way_of(mv) {
        Some([from, to]) => (Some(index(to)), Some(index(from))),
        None => (None, None),
    }
}

/// What stands on each point.
pub(crate) fn pieces(position: &dyn AnyPosition) -> Vec<Option<api::Piece>> {
    let told = |piece: Piece| api::Piece {
        owner: side(piece.owner),
        letter: piece.letter.into(),
        symbol: piece.symbol.into(),
    };
    position.view().points.into_iter().map(|piece| piece.map(told)).collect()
}

/// A line of moves from a position, as far as it is legal.
pub(crate) fn plies(position: &dyn AnyPosition, columns: usize, line: &[String]) -> Vec<Ply> {
    let mut at = position.boxed_clone();
    let mut plies = Vec::with_capacity(line.len());
    for mv in line {
        let ((to, from), turn) = (points_of(at.as_ref(), columns, mv), at.turn());
        if at.play(mv).is_err() {
            break;
        }
        plies.push(Ply { r#move: mv.clone(), player: side(turn), to, from });
    }
    plies
}

/// A result in a sentence and for programs.
pub(crate) fn ended(sides: Sides, outcome: Outcome, points: Option<f64>, reason: Reason) -> api::Outcome {
    let winner = outcome.winner();
    let text = match (winner, points, reason) {
        (Some(winner), _, Reason::Resignation) => {
            format!("{} wins: {} resigned", sides.name(winner), sides.name(winner.other()))
        }
        (Some(winner), _, Reason::Time) => format!("{} wins on time", sides.name(winner)),
        (Some(winner), Some(points), _) => format!("{} wins by {points}", sides.name(winner)),
        (Some(winner), None, _) => format!("{} wins", sides.name(winner)),
        (None, ..) => "A draw".into(),
    };
    api::Outcome { winner: winner.map(side), score: outcome.score.to_f64(), points, reason, text }
}

/// How the game ended here, if it has.
pub(crate) fn outcome(position: &dyn AnyPosition, settled: Option<Settled>) -> Option<api::Outcome> {
    let sides = position.sides();
    match settled {
        Some(Settled::OutOfTime(player)) => Some(ended(sides, Outcome::won_by(player.other()), None, Reason::Time)),
        Some(Settled::Resigned(player)) => {
            Some(ended(sides, Outcome::won_by(player.other()), None, Reason::Resignation))
        }
        Some(Settled::Counted(outcome, points)) => Some(ended(sides, outcome, Some(points), Reason::Score)),
        None => {
            let outcome = position.outcome()?;
            // Margins of Go count half points, and stones can be dead: its score is told when it is
            // settled.
            let counts = position.conventions().result_has_margin && position.komi().is_none();
            let points = counts.then(|| f64::from(outcome.margin.abs()));
            Some(ended(sides, outcome, points, Reason::Rules))
        }
    }
}

/// A game and its board for people: `Go 9×9`.
fn title(name: &str, columns: usize, rows: usize) -> String {
    let title = games().iter().find(|game| game.description.name == name).map_or("", |game| game.title);
    let title = if title.is_empty() { capitalised(name) } else { title.into() };
    if columns * rows == 0 { title } else { format!("{title} {columns}×{rows}") }
}

/// With a capital at the beginning.
pub(crate) fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The position after a number of steps, the steps, and the points of the last of them.
pub(crate) struct Replayed {
    /// The position.
    pub position: Box<dyn AnyPosition>,
    steps: Vec<api::Step>,
    last: Vec<usize>,
    at: usize,
}

/// Plays the steps of a session again, up to a number of them, and lists all.
pub(crate) fn replayed(first: &dyn AnyPosition, steps: &[Step], most: Option<usize>) -> Result<Replayed, Refusal> {
    let wanted = most.unwrap_or(steps.len());
    if wanted > steps.len() {
        return Err(Refusal::not_found(format!("the game has {} steps", steps.len())));
    }
    let columns = first.view().columns.len();
    let mut at = first.boxed_clone();
    let mut reached = (wanted == 0).then(|| at.boxed_clone());
    let (mut taken, mut last) = (Vec::with_capacity(steps.len()), Vec::new());
    for (number, step) in steps.iter().enumerate() {
        match step {
            Step::Move(mover, mv) => {
                if let Ok(Some(turned)) = records::turned(at.as_ref(), *mover) {
                    at = turned;
                }
                let (to, from) = points_of(at.as_ref(), columns, mv);
                at.play(mv)?;
                taken.push(api::Step { player: side(*mover), r#move: Some(mv.clone()), to, from });
            }
            Step::Set(set) => {
                at = set.boxed_clone();
                taken.push(api::Step { player: side(at.turn()), r#move: None, to: None, from: None });
            }
        }
        if number + 1 == wanted {
            reached = Some(at.boxed_clone());
            last = taken.last().map(|step| [step.from, step.to].into_iter().flatten().collect()).unwrap_or_default();
        }
    }
    let position = reached.expect("the number of steps was checked");
    Ok(Replayed { position, steps: taken, last, at: wanted })
}

/// What is asked of a session.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wanted {
    /// After this number of steps; all if nothing.
    pub at: Option<usize>,
    /// With the geometry.
    pub geometry: bool,
}

/// The state of a session's game.
pub(crate) fn of(session: &Session, settled: Option<Settled>, wanted: Wanted) -> Result<State, Refusal> {
    let (first, steps) = (session.first_position(), session.history());
    let Replayed { position, steps: taken, last, at } = replayed(first, &steps, wanted.at)?;
    let position = position.as_ref();
    let settled = settled.filter(|_| at == steps.len());
    let view = position.view();
    let (columns, rows) = (view.columns.len(), view.rows.len());
    let outcome = outcome(position, settled);
    let moves = if outcome.is_some() { Vec::new() } else { position.moves() };
    let has = |name: &str| moves.iter().any(|mv| mv == name);
    let legal = moves.iter().take(MOST_LEGAL).map(|mv| {
        let (to, from) = points_of(position, columns, mv);
        Legal { r#move: mv.clone(), to, from }
    });
    let game = session.game();
    Ok(State {
        id: None,
        version: 0,
        game: game.to_string(),
        short: short_game(game).to_string(),
        name: game.name.clone(),
        title: title(&game.name, columns, rows),
        sides: sides(view.sides),
        at,
        turn: side(position.turn()),
        pieces: pieces(position),
        legal: legal.collect(),
        legal_count: moves.len(),
        last,
        captions: view.captions,
        komi: position.komi(),
        captures: match Player::BOTH.map(|player| position.captured_by(player)) {
            [Some(first), Some(second)] => Some([first, second]),
            _ => None,
        },
        setup: position.setup_text(),
        document: document::write(game, first, &steps[..at]),
        abilities: Abilities {
            pass: has("pass"),
            swap: has("swap"),
            dead_stones: position.settle(&[]).is_some(),
            set_up: position.stones().is_some(),
            komi: position.komi().is_some(),
        },
        geometry: wanted.geometry.then(|| geometry(&position.geometry())),
        steps: taken,
        outcome,
    })
}

/// A geometry, to the third decimal: a thousandth of a cell cannot be seen.
pub(crate) fn geometry(geometry: &Geometry) -> api::Geometry {
    let near = |number: f64| (number * 1000.0).round() / 1000.0;
    let spot = |[x, y]: [f64; 2]| [near(x), near(y)];
    api::Geometry {
        shape: match geometry.shape {
            BoardShape::Cells => api::Shape::Cells,
            BoardShape::Crossings | BoardShape::River => api::Shape::Crossings,
            BoardShape::Hexagons => api::Shape::Hexagons,
            BoardShape::Text => api::Shape::Text,
        },
        surface: match geometry.surface {
            Surface::Wood => api::Surface::Wood,
            Surface::Felt => api::Surface::Felt,
            Surface::Slate => api::Surface::Slate,
            Surface::River => api::Surface::River,
            Surface::Plain => api::Surface::Plain,
        },
        men: match geometry.men {
            Men::Stones => api::Men::Stones,
            Men::Strokes => api::Men::Strokes,
            Men::Letters => api::Men::Letters,
        },
        frame: geometry.frame.map(near),
        field: geometry.field.map(near),
        points: geometry
            .points
            .iter()
            .map(|point| api::Point {
                name: point.name.clone(),
                x: near(point.at[0]),
                y: near(point.at[1]),
                column: point.column,
                row: point.row,
            })
            .collect(),
        outline: geometry.outline.iter().copied().map(spot).collect(),
        lines: geometry.lines.iter().map(|[[a, b], [c, d]]| [*a, *b, *c, *d].map(near)).collect(),
        stars: geometry.stars.iter().copied().map(spot).collect(),
        bands: geometry
            .bands
            .iter()
            .map(|band| api::Band {
                player: side(band.owner),
                polygon: band.polygon.iter().copied().map(spot).collect(),
            })
            .collect(),
        labels: geometry
            .labels
            .iter()
            .map(|label| api::Label {
                text: label.text.clone(),
                x: near(label.at[0]),
                y: near(label.at[1]),
                kind: match label.kind {
                    LabelKind::Column => api::LabelKind::Column,
                    LabelKind::Row => api::LabelKind::Row,
                    LabelKind::River => api::LabelKind::River,
                },
            })
            .collect(),
    }
}
