//! Where the parts of a board lie in the plane: what a drawing program needs and no game's name.
//!
//! The unit is the distance of two neighbouring points; x grows to the right, y downwards, and the
//! first point of a [`BoardView`] lies at the origin. [`Geometry::of`] is the geometry that follows
//! from the shape of a view; a game whose board is none of those shapes states its own
//! ([`Notation::geometry`](crate::Notation::geometry)).
//!
//! Hexagons stand on a corner: a row is shifted by half a cell against the one above it, so centres
//! lie at (column + row/2, row·√3/2), and a corner is 1/√3 from its centre. The bands of the two
//! players follow the outer edges of the cells. At the obtuse corners an edge belongs to both
//! players, and the bands meet in its middle.

use crate::{BoardShape, BoardView, Paint, Player};

/// A place in the plane.
pub type Spot = [f64; 2];

/// What the board is made of; a drawing program has a colour for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Surface {
    /// The wood under crossing lines: Go, Gomoku.
    Wood,
    /// The felt under discs: Othello.
    Felt,
    /// Hexagons.
    Slate,
    /// The board of Chinese chess.
    River,
    /// Nothing: lines on the page.
    Plain,
}

/// How pieces are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Men {
    /// Discs in the colour of their side.
    Stones,
    /// The letters of the sides as strokes: X and O.
    Strokes,
    /// Discs that show their [symbol](crate::Piece::symbol).
    Letters,
}

/// A point on which something can stand.
#[derive(Clone, PartialEq, Debug)]
pub struct BoardPoint {
    /// As the game writes it.
    pub name: String,
    /// Its middle.
    pub at: Spot,
    /// Its column in the view.
    pub column: usize,
    /// Its row in the view.
    pub row: usize,
}

/// What a text at the board names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LabelKind {
    /// A column.
    Column,
    /// A row.
    Row,
    /// The river of Chinese chess.
    River,
}

/// A text at the board, by its middle.
#[derive(Clone, PartialEq, Debug)]
pub struct Label {
    /// What it says.
    pub text: String,
    /// Its middle.
    pub at: Spot,
    /// What it names.
    pub kind: LabelKind,
}

/// An edge of the board that belongs to a player.
#[derive(Clone, PartialEq, Debug)]
pub struct Band {
    /// Whose it is.
    pub owner: Player,
    /// Its corners.
    pub polygon: Vec<Spot>,
}

/// Where everything lies.
#[derive(Clone, PartialEq, Debug)]
pub struct Geometry {
    /// How the points lie.
    pub shape: BoardShape,
    /// What the board is made of.
    pub surface: Surface,
    /// How pieces are drawn.
    pub men: Men,
    /// Left, top, right and bottom of all that is drawn, labels included.
    pub frame: [f64; 4],
    /// Left, top, right and bottom of the board without labels.
    pub field: [f64; 4],
    /// The points, in the order of the view.
    pub points: Vec<BoardPoint>,
    /// The corners of one cell, from its middle; for crossings, of the square that belongs to one.
    pub outline: Vec<Spot>,
    /// Lines from one place to another.
    pub lines: Vec<[Spot; 2]>,
    /// Dots that help the eye.
    pub stars: Vec<Spot>,
    /// Edges that belong to players.
    pub bands: Vec<Band>,
    /// Names of columns and rows.
    pub labels: Vec<Label>,
}

/// From the last point to the edge of the board, and from there to the end of the labels.
const BORDER: f64 = 0.75;
const LABELS: f64 = 0.75;
/// The width of a player's edge.
const BAND: f64 = 0.22;
/// The corner of a hexagon from its middle, and the distance of two rows of hexagons.
const CORNER: f64 = 0.577_350_269_189_625_8;
const HEX_ROW: f64 = 0.866_025_403_784_438_6;

impl Geometry {
    /// The geometry of a view's shape.
    #[must_use]
    pub fn of(view: &BoardView) -> Geometry {
        let (columns, rows) = (view.columns.len(), view.rows.len());
        if view.shape == BoardShape::Text || columns * rows == 0 {
            return Geometry::none();
        }
        match view.shape {
            BoardShape::Hexagons => hexagons(view),
            BoardShape::Cells => cells(view),
            BoardShape::Crossings | BoardShape::River | BoardShape::Text => crossings(view),
        }
    }

    /// No board: a game of numbered moves.
    #[must_use]
    pub fn none() -> Geometry {
        Geometry {
            shape: BoardShape::Text,
            surface: Surface::Plain,
            men: Men::Letters,
            frame: [0.0; 4],
            field: [0.0; 4],
            points: Vec::new(),
            outline: Vec::new(),
            lines: Vec::new(),
            stars: Vec::new(),
            bands: Vec::new(),
            labels: Vec::new(),
        }
    }
}

/// The points of a view, laid out by `at(column, row)`.
fn points(view: &BoardView, at: impl Fn(f64, f64) -> Spot) -> Vec<BoardPoint> {
    let rows = view.rows.iter().enumerate();
    let place = |(row, row_name): (usize, &String)| {
        let point = |(column, name): (usize, &String)| BoardPoint {
            name: format!("{name}{row_name}"),
            at: at(column as f64, row as f64),
            column,
            row,
        };
        view.columns.iter().enumerate().map(point).collect::<Vec<_>>()
    };
    rows.flat_map(place).collect()
}

/// A square around a point.
fn square() -> Vec<Spot> {
    vec![[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]
}

/// Whether the names of the columns stand above the board: where the first row is at the top.
fn names_above(view: &BoardView) -> bool {
    view.rows.first().is_some_and(|name| name == "1" || name == "a")
}

/// The names of columns and rows of a rectangular board whose edges are this far from its points.
fn labels(view: &BoardView, edge: f64) -> Vec<Label> {
    let away = edge + LABELS / 2.0;
    let y = if names_above(view) { -away } else { view.rows.len() as f64 - 1.0 + away };
    let column = |(number, text): (usize, &String)| Label {
        text: text.clone(),
        at: [number as f64, y],
        kind: LabelKind::Column,
    };
    let row = |(number, text): (usize, &String)| Label {
        text: text.clone(),
        at: [-away, number as f64],
        kind: LabelKind::Row,
    };
    let columns = view.columns.iter().enumerate().map(column);
    columns.chain(view.rows.iter().enumerate().map(row)).collect()
}

/// The board of a rectangle of points with this edge, and the frame that holds its labels too.
fn extent(view: &BoardView, edge: f64) -> ([f64; 4], [f64; 4]) {
    let (right, bottom) = (view.columns.len() as f64 - 1.0 + edge, view.rows.len() as f64 - 1.0 + edge);
    let field = [-edge, -edge, right, bottom];
    let (above, below) = if names_above(view) { (LABELS, 0.1) } else { (0.1, LABELS) };
    (field, [-edge - LABELS, -edge - above, right + 0.1, bottom + below])
}

fn has_stones(view: &BoardView) -> bool {
    view.sides.0.iter().all(|side| matches!(side.paint, Paint::Black | Paint::White))
}

fn crossings(view: &BoardView) -> Geometry {
    let (last_column, last_row) = (view.columns.len() as f64 - 1.0, view.rows.len() as f64 - 1.0);
    let is_river = view.shape == BoardShape::River;
    let (field, frame) = extent(view, BORDER);
    let mut lines: Vec<[Spot; 2]> = Vec::new();
    for row in 0..view.rows.len() {
        lines.push([[0.0, row as f64], [last_column, row as f64]]);
    }
    let mut labels = labels(view, BORDER);
    if is_river {
        lines.extend(river_lines(last_column, last_row));
        for (text, share) in [("楚河", 0.25), ("漢界", 0.75)] {
            let at = [last_column * share, last_row / 2.0];
            labels.push(Label { text: text.into(), at, kind: LabelKind::River });
        }
    } else {
        lines.extend((0..view.columns.len()).map(|column| [[column as f64, 0.0], [column as f64, last_row]]));
    }
    let star = |number: &usize| [(number % view.columns.len()) as f64, (number / view.columns.len()) as f64];
    Geometry {
        shape: BoardShape::Crossings,
        surface: if is_river { Surface::River } else { Surface::Wood },
        men: if has_stones(view) && !is_river { Men::Stones } else { Men::Letters },
        frame,
        field,
        points: points(view, |column, row| [column, row]),
        outline: square(),
        lines,
        stars: view.stars.iter().map(star).collect(),
        bands: Vec::new(),
        labels,
    }
}

/// The files, which the river cuts, the diagonals of the palaces, and the marks of cannons and
/// soldiers.
fn river_lines(last_column: f64, last_row: f64) -> Vec<[Spot; 2]> {
    let mut lines = Vec::new();
    let (upper, lower) = ((last_row - 1.0) / 2.0, (last_row + 1.0) / 2.0);
    let mut column = 0.0;
    while column <= last_column {
        if column == 0.0 || column == last_column {
            lines.push([[column, 0.0], [column, last_row]]);
        } else {
            lines.extend([[[column, 0.0], [column, upper]], [[column, lower], [column, last_row]]]);
        }
        column += 1.0;
    }
    let middle = last_column / 2.0;
    for top in [0.0, last_row - 2.0] {
        lines.push([[middle - 1.0, top], [middle + 1.0, top + 2.0]]);
        lines.push([[middle + 1.0, top], [middle - 1.0, top + 2.0]]);
    }
    let cannons = [1.0, last_column - 1.0].map(|x| [[x, 2.0], [x, last_row - 2.0]]).concat();
    let soldiers = [0.0, 2.0, 4.0, 6.0, 8.0].map(|x| [[x, 3.0], [x, last_row - 3.0]]).concat();
    let is_inside = |[x, y]: &Spot| (0.0..=last_column).contains(x) && (0.0..=last_row).contains(y);
    for [x, y] in cannons.into_iter().chain(soldiers).filter(is_inside) {
        for (right, down) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
            let (near, far) = ([x + 0.09 * right, y + 0.09 * down], 0.2);
            if is_inside(&near) {
                lines.push([near, [near[0] + far * right, near[1]]]);
                lines.push([near, [near[0], near[1] + far * down]]);
            }
        }
    }
    lines
}

fn cells(view: &BoardView) -> Geometry {
    let (columns, rows) = (view.columns.len(), view.rows.len());
    let discs = has_stones(view);
    let (field, frame) = extent(view, 0.5);
    let [left, top, right, bottom] = field;
    // A board of discs has a frame; noughts and crosses are drawn between lines.
    let inner = |count: usize| if discs { 0..=count } else { 1..=count - 1 };
    let mut lines: Vec<[Spot; 2]> = Vec::new();
    lines.extend(inner(columns).map(|line| line as f64 - 0.5).map(|x| [[x, top], [x, bottom]]));
    lines.extend(inner(rows).map(|line| line as f64 - 0.5).map(|y| [[left, y], [right, y]]));
    // The dots that part the corners from the middle.
    let has_dots = discs && columns == rows && columns >= 6 && columns.is_multiple_of(2);
    let near_and_far = [1.5, columns as f64 - 2.5];
    let dots = near_and_far.iter().flat_map(|x| near_and_far.map(|y| [*x, y]));
    Geometry {
        shape: BoardShape::Cells,
        surface: if discs { Surface::Felt } else { Surface::Plain },
        men: if discs { Men::Stones } else { Men::Strokes },
        frame,
        field,
        points: points(view, |column, row| [column, row]),
        outline: square(),
        lines,
        stars: if has_dots { dots.collect() } else { Vec::new() },
        bands: Vec::new(),
        labels: labels(view, 0.5),
    }
}

/// The middle of a hexagon.
fn middle(column: f64, row: f64) -> Spot {
    [column + row / 2.0, row * HEX_ROW]
}

/// The corners of a hexagon from its middle, clockwise from the top.
const CORNERS: [Spot; 6] = [
    [0.0, -CORNER],
    [0.5, -CORNER / 2.0],
    [0.5, CORNER / 2.0],
    [0.0, CORNER],
    [-0.5, CORNER / 2.0],
    [-0.5, -CORNER / 2.0],
];

fn hexagons(view: &BoardView) -> Geometry {
    let (columns, rows) = (view.columns.len(), view.rows.len());
    let bands = bands(columns, rows);
    let spots = || bands.iter().flat_map(|band: &Band| band.polygon.iter());
    let least = |axis: usize| spots().map(|spot| spot[axis]).fold(f64::INFINITY, f64::min);
    let most = |axis: usize| spots().map(|spot| spot[axis]).fold(f64::NEG_INFINITY, f64::max);
    let field = [least(0), least(1), most(0), most(1)];
    // A name stands where its column or row would go on.
    let away = 1.25;
    let column = |(number, text): (usize, &String)| Label {
        text: text.clone(),
        at: middle(number as f64, -away),
        kind: LabelKind::Column,
    };
    let row = |(number, text): (usize, &String)| Label {
        text: text.clone(),
        at: middle(-away, number as f64),
        kind: LabelKind::Row,
    };
    let columns = view.columns.iter().enumerate().map(column);
    let labels: Vec<Label> = columns.chain(view.rows.iter().enumerate().map(row)).collect();
    let [left, top, right, bottom] = field;
    Geometry {
        shape: BoardShape::Hexagons,
        surface: Surface::Slate,
        men: if has_stones(view) { Men::Stones } else { Men::Letters },
        frame: [left.min(-away - 0.3), top.min(-away * HEX_ROW - 0.3), right + 0.1, bottom + 0.1],
        field,
        points: points(view, middle),
        outline: CORNERS.to_vec(),
        lines: Vec::new(),
        stars: Vec::new(),
        bands,
        labels,
    }
}

/// The edges of a rhombus: the first player's at the top and at the bottom.
fn bands(columns: usize, rows: usize) -> Vec<Band> {
    let (last_column, last_row) = (columns as f64 - 1.0, rows as f64 - 1.0);
    let corner = |column: f64, row: f64, number: usize| {
        let ([x, y], [right, down]) = (middle(column, row), CORNERS[number]);
        [x + right, y + down]
    };
    let half_way = |one: Spot, other: Spot| [(one[0] + other[0]) / 2.0, (one[1] + other[1]) / 2.0];
    let across = || (0..columns).map(|number| number as f64);
    let down = || (0..rows).map(|number| number as f64);

    // The way around the cells, clockwise from the top left, and where the four sides begin in it.
    let mut around: Vec<Spot> = Vec::new();
    let mut begin = [0; 4];
    across().for_each(|column| around.extend([corner(column, 0.0, 5), corner(column, 0.0, 0)]));
    begin[1] = around.len();
    around.push(half_way(corner(last_column, 0.0, 0), corner(last_column, 0.0, 1)));
    down().for_each(|row| around.extend([corner(last_column, row, 1), corner(last_column, row, 2)]));
    begin[2] = around.len() - 1;
    across().rev().for_each(|column| around.extend([corner(column, last_row, 2), corner(column, last_row, 3)]));
    around.remove(begin[2]);
    begin[3] = around.len();
    around.push(half_way(corner(0.0, last_row, 3), corner(0.0, last_row, 4)));
    down().rev().for_each(|row| around.extend([corner(0.0, row, 4), corner(0.0, row, 5)]));
    // The last corner is the first.
    around.pop();

    let count = around.len();
    let outside: Vec<Spot> = (0..count)
        .map(|number| outward(around[(number + count - 1) % count], around[number], around[(number + 1) % count]))
        .collect();
    let [first, second] = Player::BOTH;
    let side = |(number, owner): (usize, Player)| {
        let end = if number == 3 { count } else { begin[number + 1] };
        let inner = (begin[number]..=end).map(|place| around[place % count]);
        let outer = (begin[number]..=end).rev().map(|place| outside[place % count]);
        Band { owner, polygon: inner.chain(outer).collect() }
    };
    [first, second, first, second].into_iter().enumerate().map(side).collect()
}

/// A corner of a clockwise way, moved outwards by the width of a band, so that both its edges are:
/// p + w·(n + m)/(1 + n·m), where n and m are the edges' normals.
fn outward(before: Spot, corner: Spot, after: Spot) -> Spot {
    let normal = |[ax, ay]: Spot, [bx, by]: Spot| {
        let length = (bx - ax).hypot(by - ay);
        [(by - ay) / length, (ax - bx) / length]
    };
    let ([nx, ny], [mx, my]) = (normal(before, corner), normal(corner, after));
    let factor = BAND / (1.0 + nx * mx + ny * my);
    [corner[0] + factor * (nx + mx), corner[1] + factor * (ny + my)]
}

#[cfg(test)]
mod tests {
    use super::{BORDER, Geometry, Men, Surface};
    use crate::{BoardShape, BoardView, Player, Sides};

    fn view(shape: BoardShape, columns: usize, rows: usize, sides: Sides) -> BoardView {
        BoardView {
            shape,
            columns: (0..columns).map(|column| char::from(b'a' + column as u8).to_string()).collect(),
            rows: (1..=rows).map(|row| row.to_string()).collect(),
            points: vec![None; columns * rows],
            stars: vec![columns + 1],
            sides,
            captions: Vec::new(),
        }
    }

    #[test]
    fn everything_lies_inside_the_frame() {
        for shape in [BoardShape::Cells, BoardShape::Crossings, BoardShape::River, BoardShape::Hexagons] {
            for (columns, rows) in [(3, 3), (9, 10), (19, 19), (8, 8)] {
                let geometry = Geometry::of(&view(shape, columns, rows, Sides::BLACK_AND_WHITE));
                let [left, top, right, bottom] = geometry.frame;
                let inside = |[x, y]: [f64; 2]| (left..=right).contains(&x) && (top..=bottom).contains(&y);
                assert_eq!(geometry.points.len(), columns * rows);
                assert!(geometry.points.iter().all(|point| inside(point.at)), "{shape:?}");
                assert!(geometry.lines.iter().flatten().all(|end| inside(*end)), "{shape:?}");
                assert!(geometry.labels.iter().all(|label| inside(label.at)), "{shape:?}");
                assert!(geometry.bands.iter().flat_map(|band| &band.polygon).all(|spot| inside(*spot)), "{shape:?}");
            }
        }
    }

    #[test]
    fn neighbours_are_one_apart() {
        let hexagons = Geometry::of(&view(BoardShape::Hexagons, 5, 5, Sides::BLACK_AND_WHITE));
        let distance = |one: usize, other: usize| {
            let ([ax, ay], [bx, by]) = (hexagons.points[one].at, hexagons.points[other].at);
            (ax - bx).hypot(ay - by)
        };
        // b2 and its six neighbours: b1, c1, a2, c2, a3, b3.
        for neighbour in [1, 2, 5, 7, 10, 11] {
            assert!((distance(6, neighbour) - 1.0).abs() < 1e-12, "{neighbour}");
        }
        assert_eq!(hexagons.points[6].name, "b2");
    }

    /// A band follows the cells at one distance, and two bands share the line where they meet.
    #[test]
    fn bands_close_around_the_board() {
        let geometry = Geometry::of(&view(BoardShape::Hexagons, 4, 6, Sides::BLACK_AND_WHITE));
        let owners: Vec<Player> = geometry.bands.iter().map(|band| band.owner).collect();
        assert_eq!(owners, [Player::First, Player::Second, Player::First, Player::Second]);
        let ends = |number: usize| {
            let polygon = &geometry.bands[number % 4].polygon;
            let half = polygon.len() / 2;
            ([polygon[0], polygon[2 * half - 1]], [polygon[half - 1], polygon[half]])
        };
        for number in 0..4 {
            assert_eq!(ends(number).1, ends(number + 1).0, "band {number} ends where the next begins");
        }
        // The uppermost corners of the cells and of the band around them: an edge at 30° goes up.
        let top = geometry.bands[0].polygon.iter().map(|spot| spot[1]).fold(f64::INFINITY, f64::min);
        assert!((top + super::CORNER + super::BAND / 30_f64.to_radians().cos()).abs() < 1e-9, "{top}");
        // Nothing of a band lies inside the cells.
        let apart = |one: [f64; 2], other: [f64; 2]| (one[0] - other[0]).hypot(one[1] - other[1]);
        let spots = || geometry.bands.iter().flat_map(|band| &band.polygon);
        assert!(spots().all(|spot| geometry.points.iter().all(|point| apart(*spot, point.at) > 0.49)));
    }

    #[test]
    fn the_shape_says_how_it_is_drawn() {
        let of = |shape, sides| {
            let geometry = Geometry::of(&view(shape, 8, 8, sides));
            (geometry.surface, geometry.men, geometry.lines.len(), geometry.stars.len())
        };
        assert_eq!(of(BoardShape::Cells, Sides::X_AND_O), (Surface::Plain, Men::Strokes, 14, 0));
        assert_eq!(of(BoardShape::Cells, Sides::BLACK_AND_WHITE), (Surface::Felt, Men::Stones, 18, 4));
        assert_eq!(of(BoardShape::Crossings, Sides::BLACK_AND_WHITE), (Surface::Wood, Men::Stones, 16, 1));
        let none = Geometry::of(&BoardView::text(Sides::FIRST_AND_SECOND, Vec::new()));
        assert_eq!((none.shape, none.points.len()), (BoardShape::Text, 0));
        let go = Geometry::of(&view(BoardShape::Crossings, 9, 9, Sides::BLACK_AND_WHITE));
        assert_eq!(go.field, [-BORDER, -BORDER, 8.0 + BORDER, 8.0 + BORDER]);
    }
}
