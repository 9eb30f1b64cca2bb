"""Random games by our rules and by OpenSpiel's, move by move: turns, legal actions, ends, returns.

`TESUJI_GAMES` is the number of games of each kind (200; large boards play a tenth of it, at least 200 where it is more).
`python python/tests/test_against_openspiel.py 100000 [KIND …]` plays that many, a tenth of Go and Chinese chess, and prints what was
compared. There the texts of actions, by which the two are matched, are asked for once for each action and player; the tests ask for them
at every move of twenty games.

Known differences, each recognised here and counted:

* Go: OpenSpiel ends a game whose position repeats, and calls it a draw; ours forbids the move (positional superko).
  OpenSpiel also cuts games off at 162 plies on 9x9 and counts the board as it stands; ours goes on.
* Chinese chess: the two judge repeated positions and perpetual attacks differently; ends may differ once a position has come
  again. OpenSpiel cuts games off at 500 plies; ours draws after 1,000 plies without a capture here (120 by default).
"""

import os
import random
import re
import sys

import pytest

pyspiel = pytest.importorskip("pyspiel")

import tesuji  # noqa: E402


def by_text(theirs, player, action):
    """What both write; the last word, in lower case."""
    return theirs.action_to_string(player, action).split()[-1].lower()


def of_tictactoe(theirs, player, action):
    return "abc"[action % 3] + "321"[action // 3]


def of_gomoku(size):
    return lambda theirs, player, action: f"{'abcdefghijklmnopqrs'[action % size]}{action // size + 1}"


MOVE = re.compile(r"\((\d),(\d)\)-\((\d),(\d)\)")


def of_xiangqi(theirs, player, action):
    row, column, to_row, to_column = map(int, MOVE.search(theirs.action_to_string(action)).groups())
    return f"{'abcdefghi'[column]}{9 - row}{'abcdefghi'[to_column]}{9 - to_row}"


def own_text(ours, player, action):
    return ours.action_to_string(action).lower()


def remembering(text_of):
    """The text of an action, asked for once for each action and player."""
    known = {}

    def text(state, player, action):
        key = player, action
        if key not in known:
            known[key] = text_of(state, player, action)
        return known[key]

    return text


# Name: our game, theirs, our text of an action of theirs, whether repetitions are judged differently.
KINDS = {
    "tictactoe": ("tictactoe", "tic_tac_toe", of_tictactoe, False),
    "hex 5": ("hex(size=5,swap=false)", "hex(board_size=5)", by_text, False),
    "hex 11": ("hex(size=11,swap=false)", "hex(board_size=11)", by_text, False),
    "othello": ("othello", "othello", by_text, False),
    "gomoku 9": ("gomoku(size=9)", "gomoku(size=9,connect=5)", of_gomoku(9), False),
    "gomoku 15": ("gomoku(size=15)", "gomoku(size=15,connect=5)", of_gomoku(15), False),
    "go 9": ("go(size=9,komi=7.5)", "go(board_size=9,komi=7.5)", by_text, True),
    "xiangqi": ("xiangqi(natural_limit=1000)", "xiangqi", of_xiangqi, True),
}


def compare(name, games, seed=1, remember=False):
    """Plays random games by both rules. Answers counts; a difference that is not known raises."""
    ours_spec, theirs_spec, their_text, repeats = KINDS[name]
    our_text = own_text
    if remember:
        our_text, their_text = remembering(our_text), remembering(their_text)
    ours_game, theirs_game = tesuji.load_game(ours_spec), pyspiel.load_game(theirs_spec)
    generator = random.Random(f"{name} {seed}")
    counts = {"games": 0, "plies": 0, "compared to the end": 0, "until a repetition": 0, "cut off by OpenSpiel": 0}
    for number in range(games):
        ours, theirs, seen = ours_game.new_initial_state(), theirs_game.new_initial_state(), set()
        place = f"{name}, game {number}"
        counts["games"] += 1
        repeated = False
        while True:
            if repeats:
                repeated |= str(theirs) in seen
                seen.add(str(theirs))
            if ours.is_terminal() or theirs.is_terminal():
                if ours.is_terminal() == theirs.is_terminal() and ours.returns() == theirs.returns():
                    counts["compared to the end"] += 1
                elif repeats and theirs.is_terminal() and ours.move_number() >= theirs_game.max_game_length():
                    counts["cut off by OpenSpiel"] += 1
                else:
                    assert repeats and repeated, f"{place}: ends differ: {ours.returns()}, {theirs.returns()}: {ours.serialize()}"
                    counts["until a repetition"] += 1
                break
            player = ours.current_player()
            assert player == theirs.current_player(), place
            moves = {their_text(theirs, player, action): action for action in theirs.legal_actions()}
            own = {our_text(ours, player, action): action for action in ours.legal_actions()}
            if own.keys() != moves.keys():
                # What only OpenSpiel allows repeats a position: it ends the game there.
                extra = moves.keys() - own.keys()
                assert repeats and not own.keys() - moves.keys(), f"{place}: {sorted(own.keys() ^ moves.keys())}"
                for text in extra:
                    after = theirs.child(moves[text])
                    again = after.is_terminal() or str(after) in seen
                    assert again, f"{place}: only OpenSpiel allows {text} after {ours.serialize()}"
            text = generator.choice(sorted(own))
            ours.apply_action(own[text])
            theirs.apply_action(moves[text])
            counts["plies"] += 1
    return counts


@pytest.mark.parametrize("name", KINDS)
def test_random_games(name):
    games = int(os.environ.get("TESUJI_GAMES", "200"))
    if name in ("go 9", "xiangqi", "hex 11", "gomoku 15"):
        games = max(min(games, 200), games // 10)
    # Texts are asked for at every move of the first games, then once for each action.
    counts = compare(name, min(games, 20))
    rest = compare(name, games - counts["games"], seed=2, remember=True)
    counts = {what: count + rest[what] for what, count in counts.items()}
    assert counts["games"] == games and counts["compared to the end"] >= games * (0.2 if KINDS[name][3] else 1), counts


if __name__ == "__main__":
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    chosen = sys.argv[2:] or KINDS
    for kind in chosen:
        few = kind in ("go 9", "xiangqi")
        print(kind, compare(kind, max(1, many // 10) if few else many, seed=2, remember=True), flush=True)
