//! The `tesuji` command, with the games and agents of this repository.

fn main() -> std::process::ExitCode {
    tesuji::run(tesuji_agents::Registry::ours())
}
