"""Learning curves of a run, drawn from its log as one SVG file. Plain text: nothing to install."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path

WIDTH, HEIGHT, GAP, LEFT, TOP = 420, 190, 46, 70, 44
COLOURS = ("#0b63a5", "#b3401b", "#2b7a3d")

# Title, unit of the axis, and the lines with their names in the log.
PANELS = (
    ("Elo against the first network", "Elo", (("elo", "accepted averages"),)),
    ("Policy", "nats", (("policy_loss", "cross-entropy"), ("policy_entropy", "entropy of the target"))),
    ("Value", "nats", (("value_loss", "cross-entropy"),)),
    ("Owners", "squared error", (("owner_loss", "owners of the cells"),)),
    ("Games of self-play", "moves", (("length", "mean length"),)),
    ("Speed", "1/s", (("positions_per_second", "positions"),)),
)

# Zero while no game has ended, as at the beginning of a run: nothing to draw then.
NEEDS_GAMES = ("length", "positions_per_second")


def read(path: Path) -> list[dict]:
    """The lines of a log; a last line that is cut off is left out."""
    texts = Path(path).read_text().splitlines()
    lines = []
    for number, text in enumerate(texts, 1):
        try:
            lines.append(json.loads(text))
        except ValueError:
            if number < len(texts):
                raise SystemExit(f"{path}, line {number} is not JSON") from None
    return lines


def nice(low: float, high: float) -> list[float]:
    """Four to eight round numbers that span the range."""
    span = max(high - low, 1e-9 * max(1.0, abs(high)))
    step = 10.0 ** int(f"{span / 5:e}".split("e")[1])
    step *= next((factor for factor in (1, 2, 5) if span / (step * factor) <= 6), 10)
    first = int(low // step)
    ticks = [first * step]
    while ticks[-1] < high - 1e-9 * span:
        first += 1
        ticks.append(first * step)
    return ticks


def short(value: float) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:g}{letter}"
    return f"{value:.4g}"


def panel(title: str, unit: str, curves: list[tuple[str, list[tuple[float, float]]]], x: int, y: int) -> list[str]:
    """The axes and lines of one diagram, at a place of the page."""
    points = [point for _, curve in curves for point in curve]
    across, up = (nice(min(p[i] for p in points), max(p[i] for p in points)) for i in (0, 1))
    if len(across) == 1:
        across.append(across[0] + 1)
    if len(up) == 1:
        up.append(up[0] + 1)

    def place(point):
        return (x + WIDTH * (point[0] - across[0]) / (across[-1] - across[0]),
                y + HEIGHT - HEIGHT * (point[1] - up[0]) / (up[-1] - up[0]))

    parts = [f'<text x="{x}" y="{y - 10}" class="title">{escape(title)} ({escape(unit)})</text>']
    for tick in up:
        _, at = place((across[0], tick))
        parts.append(f'<path d="M{x} {at:.1f}H{x + WIDTH}" class="grid"/>'
                     f'<text x="{x - 6}" y="{at + 4:.1f}" text-anchor="end">{short(tick)}</text>')
    for tick in across:
        at, _ = place((tick, up[0]))
        parts.append(f'<text x="{at:.1f}" y="{y + HEIGHT + 15}" text-anchor="middle">{short(tick)}</text>')
    for number, (name, curve) in enumerate(curves):
        colour = COLOURS[number]
        path = " ".join(f"{px:.1f},{py:.1f}" for px, py in map(place, curve))
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        if len(curves) > 1:
            parts.append(f'<text x="{x + WIDTH}" y="{y - 10 + 13 * number}" text-anchor="end" style="fill:{colour}">{escape(name)}</text>')
    return parts


def draw(lines: list[dict], title: str) -> str:
    """The page: a diagram for every figure that the log has, against the positions played."""
    shown = []
    for name, unit, wanted in PANELS:
        curves = [(label, [(line["positions"], line[key]) for line in lines if line.get(key) is not None
                          and (key not in NEEDS_GAMES or line[key] > 0)])
                  for key, label in wanted]
        curves = [(label, curve) for label, curve in curves if curve]
        if curves and any(value != 0 for _, curve in curves for _, value in curve):
            shown.append((name, unit, curves))
    if not shown:
        raise SystemExit("the log has nothing to draw yet")
    rows = (len(shown) + 1) // 2
    width, height = 2 * (LEFT + WIDTH) + 30, TOP + rows * (HEIGHT + GAP) + 30
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
             "<style>text{font:11px sans-serif;fill:#333}.title{font-weight:bold;font-size:12px}"
             ".grid{stroke:#ddd}</style>", f'<rect width="{width}" height="{height}" fill="white"/>',
             f'<text x="{LEFT}" y="18" class="title">{escape(title)}: against positions of self-play</text>']
    for number, (name, unit, curves) in enumerate(shown):
        x, y = LEFT + number % 2 * (LEFT + WIDTH), TOP + number // 2 * (HEIGHT + GAP)
        parts += panel(name, unit, curves, x, y)
    return "\n".join(parts) + "\n</svg>\n"
