"""The curve of the best so far, as CSV and as a drawing (SVG).

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 300, 56, 40, 28, 16

STYLE = """
svg { font: 13px sans-serif; background: #fff; }
text { fill: #333; } .axis { stroke: #888; fill: none; }
.grid { stroke: #ddd; } .best { stroke: #06c; fill: none; stroke-width: 2; }
@media (prefers-color-scheme: dark) {
  svg { background: #16191d; } text { fill: #ddd; } .grid { stroke: #333; }
  .best { stroke: #6bf; } }
"""


def csv_of(points):
    return "seconds,part\n" + "".join(f"{seconds:.3f},{part:.6f}\n"
                                      for seconds, part in points)


def svg_of(points, title, end):
    """points: (seconds, part of the time that there was before)."""
    end = max(end, points[-1][0], 1e-3)
    low = min(part for _, part in points)
    low = max(0.0, (int(low * 10) - 1) / 10)

    def x(seconds):
        return LEFT + (WIDTH - LEFT - RIGHT) * seconds / end

    def y(part):
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - part) / (1 - low)

    lines = []
    for tenth in range(int(round(low * 10)), 11):
        lines.append(f'<path class="grid" d="M{LEFT} {y(tenth / 10):.1f}'
                     f'H{WIDTH - RIGHT}"/><text x="{LEFT - 8}" '
                     f'y="{y(tenth / 10) + 4:.1f}" text-anchor="end">'
                     f'{10 * tenth}%</text>')
    for fifth in range(6):
        lines.append(f'<text x="{x(end * fifth / 5):.1f}" y="{HEIGHT - 20}" '
                     f'text-anchor="middle">{end * fifth / 5:.0f} s</text>')
    steps = f"M{x(points[0][0]):.1f} {y(points[0][1]):.1f}"
    for seconds, part in points[1:]:
        steps += f"H{x(seconds):.1f}V{y(part):.1f}"
    steps += f"H{x(end):.1f}"
    escaped = title.replace("&", "&amp;").replace("<", "&lt;")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" '
            f'height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">'
            f'<style>{STYLE}</style><text x="{LEFT}" y="18">{escaped}</text>\n'
            + "\n".join(lines) +
            f'\n<path class="axis" d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}'
            f'H{WIDTH - RIGHT}"/>\n<path class="best" d="{steps}"/>\n</svg>\n')
