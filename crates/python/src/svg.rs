//! A position as an SVG picture, for notebooks: the geometry that the game states, in plain colours
//! that stand on light and dark pages alike.

use std::fmt::Write;
use tesuji_agents::AnyPosition;
use tesuji_core::{BoardShape, BoardView, Geometry, LabelKind, Men, Paint, Player, Spot, Surface};

/// Pixels between two points on small boards; large boards shrink to [`WIDEST`].
const UNIT: f64 = 32.0;
/// The widest picture, in pixels.
const WIDEST: f64 = 560.0;

struct Picture {
    text: String,
    unit: f64,
    origin: Spot,
}

impl Picture {
    fn at(&self, [x, y]: Spot) -> Spot {
        [(x - self.origin[0]) * self.unit, (y - self.origin[1]) * self.unit]
    }

    fn add(&mut self, arguments: std::fmt::Arguments<'_>) {
        self.text.write_fmt(arguments).expect("text can be written to");
    }

    fn polygon(&mut self, corners: &[Spot], attributes: &str) {
        let points: Vec<String> =
            corners.iter().map(|spot| self.at(*spot)).map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        self.add(format_args!("<polygon points=\"{}\" {attributes}/>", points.join(" ")));
    }

    fn line(&mut self, from: Spot, to: Spot, attributes: &str) {
        let ([x1, y1], [x2, y2]) = (self.at(from), self.at(to));
        self.add(format_args!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {attributes}/>"));
    }

    fn circle(&mut self, middle: Spot, radius: f64, attributes: &str) {
        let ([x, y], radius) = (self.at(middle), radius * self.unit);
        self.add(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" {attributes}/>"));
    }

    fn words(&mut self, middle: Spot, size: f64, fill: &str, text: &str) {
        let ([x, y], size) = (self.at(middle), size * self.unit);
        let text = escaped(text);
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" dy=\"0.35em\" text-anchor=\"middle\" font-family=\"sans-serif\" \
             font-size=\"{size:.1}\" fill=\"{fill}\">{text}</text>"
        ));
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn colour(paint: Paint) -> &'static str {
    match paint {
        Paint::Black => "#1c1c1c",
        Paint::White => "#fafafa",
        Paint::Red => "#c0392b",
        Paint::Blue => "#2563a8",
    }
}

fn board_colour(surface: Surface) -> &'static str {
    match surface {
        Surface::Wood => "#e3c18a",
        Surface::Felt => "#3f8f5f",
        Surface::Slate | Surface::Plain => "#f4f1ea",
        Surface::River => "#efd9a7",
    }
}

/// The picture of a position.
pub fn of(position: &dyn AnyPosition) -> String {
    let (view, geometry) = (position.view(), position.geometry());
    if geometry.shape == BoardShape::Text || geometry.points.is_empty() {
        return of_text(&view);
    }
    let [left, top, right, bottom] = geometry.frame;
    let unit = UNIT.min(WIDEST / (right - left).max(bottom - top));
    let captions = view.captions.len() as f64 * 16.0;
    let (width, height) = ((right - left) * unit, (bottom - top) * unit + captions + 4.0);
    let mut picture = Picture { text: String::new(), unit, origin: [left, top] };
    picture.add(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\"><title>{}</title>",
        escaped(&view.captions.join("; "))
    ));
    draw_ground(&mut picture, &geometry, &view);
    draw_men(&mut picture, &geometry, &view);
    for (line, caption) in view.captions.iter().enumerate() {
        let y = height - captions + 12.0 + 16.0 * line as f64 - 4.0;
        picture.add(format_args!(
            "<text x=\"4\" y=\"{y:.1}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#808080\">{}</text>",
            escaped(caption)
        ));
    }
    picture.text + "</svg>"
}

fn draw_ground(picture: &mut Picture, geometry: &Geometry, view: &BoardView) {
    let [left, top, right, bottom] = geometry.field;
    let ground = board_colour(geometry.surface);
    for band in &geometry.bands {
        let owner = colour(view.sides.0[band.owner.index()].paint);
        picture.polygon(&band.polygon, &format!("fill=\"{owner}\" stroke=\"#808080\" stroke-width=\"0.5\""));
    }
    if geometry.shape == BoardShape::Hexagons {
        for point in &geometry.points {
            let around = |[x, y]: &Spot| [point.at[0] + x, point.at[1] + y];
            let corners: Vec<Spot> = geometry.outline.iter().map(around).collect();
            picture.polygon(&corners, &format!("fill=\"{ground}\" stroke=\"#8a8578\""));
        }
    } else {
        let corners = [[left, top], [right, top], [right, bottom], [left, bottom]];
        picture.polygon(&corners, &format!("fill=\"{ground}\""));
    }
    for [from, to] in &geometry.lines {
        picture.line(*from, *to, "stroke=\"#5b4a2b\" stroke-width=\"1\"");
    }
    for star in &geometry.stars {
        picture.circle(*star, 0.09, "fill=\"#5b4a2b\"");
    }
    for label in &geometry.labels {
        let (size, fill) = if label.kind == LabelKind::River { (0.5, "#8a6d3b") } else { (0.38, "#808080") };
        picture.words(label.at, size, fill, &label.text);
    }
}

fn draw_men(picture: &mut Picture, geometry: &Geometry, view: &BoardView) {
    for point in &geometry.points {
        let Some(Some(piece)) = view.points.get(point.row * view.columns.len() + point.column) else { continue };
        let ink = colour(view.sides.0[piece.owner.index()].paint);
        let [x, y] = point.at;
        match geometry.men {
            Men::Stones => {
                picture.circle(point.at, 0.43, &format!("fill=\"{ink}\" stroke=\"#1c1c1c\" stroke-width=\"0.8\""));
            }
            Men::Strokes => {
                let pen = format!("fill=\"none\" stroke=\"{ink}\" stroke-width=\"4\" stroke-linecap=\"round\"");
                if piece.owner == Player::First {
                    picture.line([x - 0.28, y - 0.28], [x + 0.28, y + 0.28], &pen);
                    picture.line([x - 0.28, y + 0.28], [x + 0.28, y - 0.28], &pen);
                } else {
                    picture.circle(point.at, 0.3, &pen);
                }
            }
            Men::Letters => {
                picture.circle(point.at, 0.43, &format!("fill=\"#fbf3df\" stroke=\"{ink}\" stroke-width=\"1.5\""));
                picture.words(point.at, 0.52, ink, &piece.symbol.to_string());
            }
        }
    }
}

/// A game without a board: its lines.
fn of_text(view: &BoardView) -> String {
    let lines: Vec<&str> = view.captions.iter().flat_map(|caption| caption.lines()).collect();
    let widest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let (width, height) = (widest as f64 * 8.0 + 16.0, lines.len() as f64 * 17.0 + 10.0);
    let mut text =
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\">");
    for (number, line) in lines.iter().enumerate() {
        let y = 17 * (number + 1);
        text += &format!(
            "<text x=\"8\" y=\"{y}\" font-family=\"monospace\" font-size=\"13\" fill=\"#808080\" xml:space=\"preserve\">{}</text>",
            escaped(line)
        );
    }
    text + "</svg>"
}
