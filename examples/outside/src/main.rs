//! tesuji with one more game, [`nim`], and one more agent, [`greedy`].

mod greedy;
mod nim;

use tesuji_agents::Registry;

fn main() -> std::process::ExitCode {
    tesuji::run(Registry::ours().with_game::<nim::Nim>().with_agent::<greedy::Greedy>())
}
