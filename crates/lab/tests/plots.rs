//! Every picture in both widths: well formed, inside of its frame, readable, the same bytes again.
//! `TESUJI_PLOTS=FOLDER` also writes them there.

use tesuji_core::{BoardShape, BoardView, Piece, Player, Rng, Seed, Sides};
use tesuji_lab::plots::{
    Axis, Bar, BarPlot, Best, BoardPlot, CactusPlot, CumulativePlot, Curve, Heat, HistogramPlot, LinePlot, PlotError,
    Point, Published, Solver, SurfacePlot, Svg, TracePlot, Width,
};
use tesuji_lab::statistics::Interval;
use tesuji_lab::statistics::censored::Time;
use tesuji_lab::statistics::histogram::Histogram;
use tesuji_lab::statistics::sample::Sample;

fn normal(rng: &mut Rng) -> f64 {
    (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0
}

fn line() -> LinePlot {
    let curve = |name: &str, bend: f64| {
        let point = |step: u32| {
            let r = f64::from(step) / 10.0;
            let middle = 0.5 + bend * (r - 0.6).powi(2);
            Point { x: r, y: Interval { estimate: middle, low: middle * 0.85, high: middle * 1.2 } }
        };
        Curve { name: name.into(), points: (1..=10).map(point).collect() }
    };
    LinePlot {
        title: "Iterations to solve, relative to proof-number search".into(),
        x: Axis::new("R", ""),
        y: Axis::new("Iterations", "times those of R = 1").logarithmic(),
        curves: vec![curve("Othello, 14 empty", 4.0), curve("Hex 4×4", 9.0), curve("Connect6 <problems>", 1.0)],
        published: Some(Published { name: "published: about ½".into(), low: 0.45, high: 0.55 }),
    }
}

fn bars() -> BarPlot {
    let bar =
        |name: &str, estimate: f64, reach: f64| Bar { name: name.into(), value: Interval::around(estimate, reach) };
    BarPlot {
        title: "Ratings of a pool".into(),
        axis: Axis::new("Rating above the mean", "Elo"),
        base: 0.0,
        bars: vec![
            bar("mcts(select=ucb1(c=1.4),leaf=minimax(depth=3),backup=mean,decide=robust)", 145.0, 38.0),
            bar("mcts(select=ucb1(c=1.4))", 20.0, 30.0),
            bar("alphabeta", -45.5, 31.0),
            bar("rps", -119.5, 41.0),
        ],
    }
}

fn histogram() -> HistogramPlot {
    let mut rng = Rng::new(Seed(1));
    let sample = Sample::new((0..2_000).map(|_| 81.0 + 12.0 * normal(&mut rng)).collect()).expect("numbers");
    HistogramPlot {
        title: "Length of random games on 9×9".into(),
        x: Axis::new("Length", "plies"),
        counted: "games".into(),
        histogram: Histogram::of(&sample),
    }
}

fn cumulative() -> CumulativePlot {
    let mut rng = Rng::new(Seed(2));
    let mut sample = |shift: f64| Sample::new((0..150).map(|_| (shift + 1.3 * normal(&mut rng)).exp()).collect());
    CumulativePlot {
        title: "Nodes until solved".into(),
        x: Axis::new("Nodes", "").logarithmic(),
        counted: "positions".into(),
        samples: vec![
            ("df-pn".into(), sample(7.0).expect("numbers")),
            ("df-pn, 1 + ε".into(), sample(6.2).expect("numbers")),
        ],
    }
}

fn cactus() -> CactusPlot {
    let mut rng = Rng::new(Seed(3));
    let mut solver = |name: &str, shift: f64| {
        let time = |effort: f64| if effort < 60.0 { Time::Solved(effort) } else { Time::Beyond(60.0) };
        let times = (0..60).map(|_| time((shift + 2.0 * normal(&mut rng)).exp())).collect();
        Solver { name: name.into(), times }
    };
    CactusPlot {
        title: "Solved within a time".into(),
        effort: Axis::new("Time allowed for each problem", "s").logarithmic(),
        limit: Some(60.0),
        solvers: vec![solver("df-pn", 1.0), solver("pn", 2.0), solver("alphabeta", 3.0)],
    }
}

fn trace() -> TracePlot {
    let mut rng = Rng::new(Seed(4));
    let mut run = || {
        let length = 30 + rng.below(40);
        let mut score = 0.5_f64;
        let step = |rng: &mut Rng, score: &mut f64| {
            *score = (*score + 0.02 * normal(rng) + 0.003).clamp(0.0, 1.0);
            *score
        };
        (0..length).map(|_| step(&mut rng, &mut score)).collect()
    };
    TracePlot {
        title: "Score of the first player after every move".into(),
        step: Axis::new("Move", "plies"),
        y: Axis::new("Score", "").between(0.0, 1.0),
        level: Some((0.5, "even".into())),
        counted: "games".into(),
        runs: (0..25).map(|_| run()).collect(),
    }
}

fn surface() -> SurfacePlot {
    let number =
        |e: u32, d: u32| 400.0 * (1.0 + (f64::from(e) - 4.0).powi(2) / 6.0) * (1.0 + (f64::from(d) - 3.0).powi(2));
    let values = (0..6).flat_map(|d| (0..8).map(move |e| (e + d < 12).then(|| number(e, d)))).collect();
    SurfacePlot {
        title: "Nodes of df-pn by E and D".into(),
        columns: ("E".into(), (0..8).map(|e| format!("{}", 5 * e)).collect()),
        rows: ("D".into(), (0..6).map(|d| format!("{d}")).collect()),
        values,
        heat: Heat::Amount(Axis::new("Nodes, geometric mean", "").logarithmic()),
        best: Best::Least,
    }
}

fn board(shape: BoardShape, size: usize, heat: Heat) -> BoardPlot {
    let letters = "ABCDEFGHJKLMNOPQRST".chars().map(String::from);
    let mut rng = Rng::new(Seed(5));
    let mut points = vec![None; size * size];
    points[size + 1] = Some(Piece { owner: Player::First, letter: 'X', symbol: '●' });
    points[size * size / 2] = Some(Piece { owner: Player::Second, letter: 'O', symbol: '○' });
    let value = |place: usize, rng: &mut Rng| {
        let (x, y) = ((place % size) as f64, (place / size) as f64);
        let middle = (size - 1) as f64 / 2.0;
        let near = (-((x - middle).powi(2) + (y - middle).powi(2)) / (size as f64 * 2.0)).exp();
        let score = (0.25 + 0.6 * near + 0.05 * normal(rng)).clamp(0.0, 1.0);
        if heat == Heat::Value { score } else { (score * 100.0).round() }
    };
    let values = (0..size * size).map(|place| points[place].is_none().then(|| value(place, &mut rng))).collect();
    BoardPlot {
        title: format!("First moves, {size}×{size}"),
        board: BoardView {
            shape,
            columns: letters.take(size).collect(),
            rows: (1..=size).rev().map(|row| row.to_string()).collect(),
            points,
            stars: if size == 9 { vec![20, 24, 40, 56, 60] } else { vec![] },
            sides: Sides::BLACK_AND_WHITE,
            captions: vec![],
        },
        values,
        heat: heat.clone(),
    }
}

fn amount() -> Heat {
    Heat::Amount(Axis::new("Share of wins", "%"))
}

type Draw = Box<dyn Fn(Width) -> Result<Svg, PlotError>>;

/// All pictures by name.
fn gallery() -> Vec<(&'static str, Draw)> {
    vec![
        ("line", Box::new(|width| line().draw(width))),
        ("bars", Box::new(|width| bars().draw(width))),
        ("histogram", Box::new(|width| histogram().draw(width))),
        ("cumulative", Box::new(|width| cumulative().draw(width))),
        ("cactus", Box::new(|width| cactus().draw(width))),
        ("trace", Box::new(|width| trace().draw(width))),
        ("surface", Box::new(|width| surface().draw(width))),
        ("board-go9", Box::new(|width| board(BoardShape::Crossings, 9, Heat::Value).draw(width))),
        ("board-go19", Box::new(|width| board(BoardShape::Crossings, 19, amount()).draw(width))),
        ("board-hex", Box::new(|width| board(BoardShape::Hexagons, 11, amount()).draw(width))),
        ("board-cells", Box::new(|width| board(BoardShape::Cells, 8, amount()).draw(width))),
    ]
}

/// The numbers of an attribute, in all elements that have it.
fn attributes(text: &str, name: &str) -> Vec<f64> {
    let begin = format!(" {name}=\"");
    text.split(&begin).skip(1).filter_map(|part| part.split('"').next()?.parse().ok()).collect()
}

/// Tags open and close in pairs, attributes are quoted, and there is no stray markup.
fn check_form(name: &str, text: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in text.split('<').skip(1) {
        let inside = tag.split('>').next().expect("a tag ends");
        assert_eq!(inside.matches('"').count() % 2, 0, "{name}: {inside}");
        match inside.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop(), Some(closed), "{name}"),
            None if inside.ends_with('/') => {}
            None => open.push(inside.split_whitespace().next().expect("a name")),
        }
    }
    assert!(open.is_empty(), "{name}: {open:?}");
}

#[test]
fn pictures_are_well_formed_and_stay_inside() {
    for (name, draw) in gallery() {
        for width in [Width::Narrow, Width::Wide] {
            let svg = draw(width).unwrap_or_else(|error| panic!("{name}: {error}"));
            let (file, element) = (svg.file(), svg.element());
            check_form(name, &file);
            check_form(name, &element);
            assert!(file.contains("prefers-color-scheme:dark") && !element.contains("<style>"), "{name}");
            assert!(!file.contains("NaN") && !file.contains("inf"), "{name}");
            assert!(!file.contains("http") || file.matches("http").count() == 1, "{name} loads nothing");
            let wide = width.pixels();
            let high = attributes(&element, "height")[0];
            for across in ["x", "x1", "x2", "cx"] {
                let places = attributes(&element, across);
                assert!(places.iter().all(|x| (0.0..=wide).contains(x)), "{name} {width:?} {across}: {places:?}");
            }
            for down in ["y", "y1", "y2", "cy"] {
                let places = attributes(&element, down);
                assert!(places.iter().all(|y| (0.0..=high).contains(y)), "{name} {width:?} {down}: {places:?}");
            }
            assert!(element.contains("role=\"img\"") && element.contains("<desc>"), "{name}");
            assert_eq!(svg, draw(width).expect("the same picture"), "{name}");
            if let Some(folder) = std::env::var_os("TESUJI_PLOTS") {
                let path = std::path::Path::new(&folder).join(format!("{name}-{wide}.svg"));
                std::fs::write(path, file).expect("TESUJI_PLOTS is a folder");
            }
        }
    }
}

/// The alternative text has the numbers that a reader would look for.
#[test]
fn descriptions_tell_what_is_seen() {
    let found = |svg: Svg, text: &str| assert!(svg.element().contains(text), "{text} in {}", svg.element());
    found(line().draw(Width::Wide).expect("drawn"), "Othello, 14 empty: from 1.5 at 0.1 to 1.14 at 1.");
    found(bars().draw(Width::Narrow).expect("drawn"), "alphabeta: −45.5 (−76.5 to −14.5).");
    found(surface().draw(Width::Narrow).expect("drawn"), "The least is 400 at D 3 and E 20.");
    found(cactus().draw(Width::Wide).expect("drawn"), "of 60 solved");
}

#[test]
fn what_cannot_be_drawn_is_refused_with_its_place() {
    let mut wrong = line();
    wrong.curves[1].points[3].y.estimate = 0.0;
    let error = wrong.draw(Width::Wide).expect_err("no logarithm").to_string();
    assert!(error.contains("Hex 4×4, number 4, is 0") && error.contains("positive"), "{error}");
    wrong.curves.clear();
    assert!(matches!(wrong.draw(Width::Wide), Err(PlotError::Empty(_))));
    let mut many = line();
    many.curves = vec![many.curves[0].clone(); 7];
    assert_eq!(many.draw(Width::Wide), Err(PlotError::TooMany { found: 7, most: 6 }));
    let mut short = surface();
    short.values.pop();
    assert!(short.draw(Width::Wide).is_err_and(|error| error.to_string().contains("47 entries: 48")));
    let mut unmeasured = board(BoardShape::Cells, 3, Heat::Value);
    unmeasured.values = vec![None; 9];
    assert!(matches!(unmeasured.draw(Width::Narrow), Err(PlotError::Empty(_))));
    let mut unsolved = cactus();
    unsolved.solvers.iter_mut().for_each(|solver| solver.times = vec![Time::Beyond(60.0)]);
    assert!(unsolved.draw(Width::Wide).is_err_and(|error| error.to_string().contains("nothing was solved")));
    let mut empty = trace();
    empty.runs = vec![vec![]];
    assert!(matches!(empty.draw(Width::Wide), Err(PlotError::Empty(_))));
}

/// Intervals without an end, single points and equal numbers have pictures too.
#[test]
fn odd_data_has_a_picture() {
    let mut odd = line();
    odd.curves.truncate(1);
    odd.published = None;
    odd.curves[0].points.truncate(1);
    odd.curves[0].points[0].y.high = f64::INFINITY;
    assert!(!odd.draw(Width::Narrow).expect("one point").file().contains("inf"));
    let mut open = bars();
    open.bars[0].value = Interval { estimate: 700.0, low: 300.0, high: f64::INFINITY };
    assert!(open.draw(Width::Narrow).expect("an open end").element().contains("700 (300 to ∞)"));
    let flat = Sample::new(vec![4.0; 5]).expect("numbers");
    let mut equal = histogram();
    equal.histogram = Histogram::of(&flat);
    assert!(equal.draw(Width::Narrow).is_ok());
    let mut same = cumulative();
    same.samples = vec![("all".into(), flat)];
    assert!(same.draw(Width::Narrow).is_ok());
}
