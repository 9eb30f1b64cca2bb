"""sgfmill reads our record, and writes one for us. Usage: python sgfmill_reads.py OURS THEIRS"""
import sys
from sgfmill import sgf

with open(sys.argv[1], "rb") as file:
    game = sgf.Sgf_game.from_bytes(file.read())
print(game.get_size(), game.get_komi())
for node in game.get_main_sequence():
    colour, move = node.get_move()
    if colour is not None:
        print(colour, "pass" if move is None else "%s%d" % ("ABCDEFGHJKLMNOPQRST"[move[1]], move[0] + 1))

theirs = sgf.Sgf_game(size=9)
theirs.root.set("KM", 6.5)
theirs.root.set("AB", [(2, 2), (6, 6)])
for colour, move in [("w", (4, 4)), ("b", (2, 4)), ("w", None)]:
    theirs.extend_main_sequence().set_move(colour, move)
with open(sys.argv[2], "wb") as file:
    file.write(theirs.serialise())
