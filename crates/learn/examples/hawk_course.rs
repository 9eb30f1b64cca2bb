//! What `tesuji learn train` does, without the rest of the program: labels are kept in a folder,
//! weights are written to a file.
//!
//! `cargo run --release -p tesuji-learn --example hawk_course -- FOLDER SEED BOARDS ITERATIONS AGENT… `

#![allow(clippy::print_stdout)]

use std::fs;
use std::io::Write;
use tesuji_core::Seed;
use tesuji_games::go::{Go, GoRules};
use tesuji_games::hex::{Hex, SwapRule};
use tesuji_learn::hawk::labels::{Labels, label};
use tesuji_learn::hawk::{StoneTable, course, table_of};

fn table((game, lines): course::Board) -> Box<dyn StoneTable> {
    if game == "go" {
        let rules = GoRules {
            komi: tesuji_games::go::Komi(0),
            ko: "none".parse().expect("a rule"),
            suicide: "strict".parse().expect("a rule"),
            scoring: "hawk".parse().expect("a rule"),
            passes: "continue".parse().expect("a rule"),
            playouts: "uniform".parse().expect("a rule"),
            ..GoRules::on(lines)
        };
        table_of(&Go::new(rules).expect("a board")).expect("stones")
    } else {
        table_of(&Hex::new(lines as u32, SwapRule::Off).expect("a board")).expect("stones")
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (folder, seed) = (&arguments[0], Seed(arguments[1].parse()?));
    let (boards, iterations): (u64, u64) = (arguments[2].parse()?, arguments[3].parse()?);
    for agent in &arguments[4..] {
        let mut all = Vec::new();
        for board in course::boards_of(if agent == "labels" { "neat" } else { agent }) {
            let mut table = table(board);
            let mut labels = Labels::new(table.as_ref(), iterations, seed);
            let path = format!("{folder}/{}-{}.labels", board.0, board.1);
            labels.read_lines(&fs::read_to_string(&path).unwrap_or_default())?;
            let mut text: String = labels.head() + "\n";
            labels.boards.iter().for_each(|board| text += &(board.line() + "\n"));
            fs::write(&path, &text)?;
            let mut file = fs::OpenOptions::new().append(true).open(&path)?;
            let started = std::time::Instant::now();
            let known = labels.boards.len() as u64;
            for number in known..boards {
                labels.boards.push(label(table.as_mut(), iterations, seed, number));
                writeln!(file, "{}", labels.boards[number as usize].line())?;
            }
            labels.boards.truncate(boards as usize);
            println!(
                "{board:?}: {} labels, {known} known, {:.0} s",
                labels.boards.len(),
                started.elapsed().as_secs_f64()
            );
            all.push(labels);
        }
        if agent == "labels" {
            continue;
        }
        let mut bundle = Vec::new();
        let started = std::time::Instant::now();
        course::teach(agent, &all, course::usual_effort(), seed, &mut |lesson| {
            let seconds = started.elapsed().as_secs_f64();
            println!("{agent} {} {} {} {seconds:.0} s", lesson.game, lesson.lines, lesson.style);
            lesson.taught.figures.iter().for_each(|(name, figure)| println!("    {name}: {figure:.4}"));
            bundle.extend(lesson.taught.file);
        });
        fs::write(format!("{folder}/{agent}.tsw"), bundle)?;
    }
    Ok(())
}
