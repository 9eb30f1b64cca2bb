//! Problems are built in and named by id: everything works from an empty folder.

use crate::command::{json_of, program, refuses};
use serde_json::{Value, json};
use std::process::Stdio;

/// What a command answers in a folder where nothing is.
fn in_an_empty_folder(arguments: &[&str]) -> Value {
    let folder = std::env::temp_dir().join(format!("tesuji-empty-{}-{}", std::process::id(), arguments.join("").len()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let output = program().current_dir(&folder).args(arguments).stdin(Stdio::null()).output().expect("it runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    std::fs::remove_dir(&folder).expect("still empty");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn every_problem_is_shown_from_an_empty_folder() {
    let list = in_an_empty_folder(&["problems", "--json"]);
    let problems = list["problems"].as_array().expect("a list");
    let of = |game: &str| problems.iter().filter(|problem| problem["game"] == game).count();
    assert_eq!([of("goproblem"), of("connect6"), of("gomoku")], [82, 39, 312]);
    // All of Go and Connect6, and some of the many lines of Gomoku.
    for problem in problems.iter().enumerate().filter(|(at, it)| it["game"] != "gomoku" || at % 40 == 0).map(|it| it.1)
    {
        let spec = problem["spec"].as_str().expect("a spec");
        let shown = json_of(&["show", spec, "--json"]);
        let stones =
            shown["board"]["points"].as_array().expect("points").iter().filter(|point| !point.is_null()).count();
        assert!(stones > 3 && shown["outcome"].is_null(), "{spec}");
        let id = problem["id"].as_str().expect("an id");
        assert!(shown["game"].as_str().is_some_and(|game| game.contains(&format!("problem={id}"))), "{spec}");
        assert!(problem["about"].as_str().is_some_and(|about| !about.is_empty()), "{spec}");
    }
}

/// An id and the file it was made from are the same problem.
#[test]
fn a_problem_by_id_is_the_problem_of_its_file() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../games/problems");
    for (game, folder_of, id) in [("goproblem", "go", "lin-multi"), ("connect6", "connect6", "vcst-01")] {
        let by_id = json_of(&["show", &format!("{game}(problem={id})"), "--json"]);
        let by_file = json_of(&["show", &format!("{game}(file=\"{folder}/{folder_of}/{id}.txt\")"), "--json"]);
        assert_eq!((&by_id["board"], &by_id["hash"]), (&by_file["board"], &by_file["hash"]), "{id}");
    }
    // The size is that of the problem.
    let sudden = json_of(&["show", "gomoku(problem=sudden-001)", "--json"]);
    assert_eq!(sudden["game"], json!("gomoku(size=7,rule=freestyle,problem=sudden-001)"));
}

#[test]
fn a_problem_is_solved_and_its_proof_verified_by_id() {
    let solved = in_an_empty_folder(&["solve", "goproblem(problem=lin-example)", "--json"]);
    assert_eq!(solved["status"], json!("win"), "{solved}");
    let proof = std::env::temp_dir().join(format!("tesuji-by-id-{}.proof", std::process::id()));
    let proof = proof.to_str().expect("UTF-8");
    let game = "connect6(problem=vcdt-01)";
    let solved = in_an_empty_folder(&["solve", game, "--with", "vcdt", "--proof", proof, "--json"]);
    assert_eq!(solved["status"], json!("win"));
    assert_eq!(in_an_empty_folder(&["verify", game, proof, "--json"])["holds"], json!(true));
    refuses(&["verify", "connect6(problem=vcdt-02)", proof], "about another game");
    std::fs::remove_file(proof).expect("it was there");
}

#[test]
fn a_wrong_id_gets_the_one_that_was_meant() {
    refuses(&["show", "goproblem(problem=lin-mutli)"], "did you mean lin-multi?");
    refuses(&["show", "goproblem(problem=3)"], "problem of goproblem must be an id such as connect-01, not 3");
    refuses(&["show", "connect6(problem=vcst-01,file=\"x\")"], "problem and file exclude each other");
    refuses(&["show", "gomoku(problem=sudden-001,position=\"x\")"], "problem and position exclude each other");
    refuses(&["problems", "hex"], "hex has no problems; goproblem, gomoku, connect6 have some");
    refuses(&["problems", "chess"], "there is no game \"chess\"");
}
