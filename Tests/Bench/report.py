"""Tables in Markdown, with columns that also line up in a terminal."""


class Table:
    def __init__(self, title, columns):
        self.title, self.rows = title, [columns]

    def add(self, *cells):
        assert len(cells) == len(self.rows[0]), cells
        self.rows.append(list(cells))

    def markdown(self):
        widths = [max(3, *map(len, column)) for column in zip(*self.rows)]
        head, *body = (" | ".join(map(str.ljust, row, widths)) for row in self.rows)
        line = " | ".join("-" * width for width in widths)
        return "\n".join([f"### {self.title}", "", *(f"| {row} |" for row in (head, line, *body))])


def milliseconds(seconds):
    return f"{seconds * 1000:,.1f} ms" if seconds < 0.1 else f"{seconds * 1000:,.0f} ms"


def met(is_met):
    return "met" if is_met else "**missed**"
