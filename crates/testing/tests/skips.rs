//! What a skipped test leaves behind.

use std::process::Command;

/// Calls `skip` when it is run by the test below, in a process of its own with the variable set.
#[test]
fn a_test_that_skips() {
    if std::env::var_os("TESUJI_TESTING_SKIPS").is_some() {
        tesuji_testing::skip("no-such-tool", "nothing is tried");
    }
}

#[test]
fn a_skipped_test_is_recorded_and_seen_although_it_passes() {
    let file = std::env::temp_dir().join(format!("tesuji-skipped-{}.txt", std::process::id()));
    let run = |record: bool| {
        let mut command = Command::new(std::env::current_exe().expect("this binary"));
        command.args(["--exact", "a_test_that_skips"]).env("TESUJI_TESTING_SKIPS", "1").env_remove("TESUJI_SKIPPED");
        if record {
            command.env("TESUJI_SKIPPED", &file);
        }
        let output = command.output().expect("it runs");
        assert!(output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let line = "SKIPPED a_test_that_skips: no no-such-tool: nothing is tried";
    assert!(run(true).contains(line));
    let hint = run(false);
    assert!(hint.contains(line) && hint.contains("TESUJI_SKIPPED=FILE"), "{hint}");
    let recorded = std::fs::read_to_string(&file).expect("the record");
    assert_eq!(recorded, "a_test_that_skips\tno-such-tool\tnothing is tried\n");
    std::fs::remove_file(&file).expect("it was there");
}
