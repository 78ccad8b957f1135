"""Lists that come in pages in other ways than json-server's, good and bad: a module of api_server.py.

    /v2/shipments?from=0&count=4   rows by offset, with lists of lines inside; no totals, no links
    /cursor?limit=10               rows by link, the next page known by a cursor only
    /linked/elsewhere, /linked/loop, /linked/itself, /linked/ftp, /linked/nonsense
    /same                          takes no notice of the page
    /endless                       links on and on
    /echo?limit=2&key=…            repeats the key in its links, and answers 401 without the right one
"""

SHIPMENTS = [
    {
        "number": f"S-{index:03}",
        "port": ["Riga", "Gdańsk", "Turku"][index % 3],
        "lines": [
            {"what": what, "kilograms": f"{index * 10 + place}.50", "due": f"2026-12-{place + 1:02}"}
            for place, what in enumerate(["timber", "grain", "steel"][: index % 3 + 1])
        ],
    }
    for index in range(10)
]
ROWS = [{"id": index, "name": f"row {index}"} for index in range(25)]


def routes(server):
    def shipments(request):
        start, count = request.number("from", 0), request.number("count", 100)
        return Answer({"shipments": SHIPMENTS[start : start + count]})

    def cursor(request):
        start, limit = request.number("after", 0), request.number("limit", 5)
        rows = ROWS[start : start + limit]
        link = [("Link", f"</cursor?limit={limit}&after={start + limit}>; rel=next")]
        return Answer(rows, headers=link if start + limit < len(ROWS) else [])

    def linked(target):
        def answer(request):
            rows = ROWS[:5] if "page" not in request.parameters else ROWS[5:10]
            return Answer(rows, headers=[("Link", f'<{target}>; rel="next"')])

        return answer

    def endless(request):
        page = request.number("page", 0)
        rows = [{"id": page, "name": "again"}]
        return Answer(rows, headers=[("Link", f'<?page={page + 1}>; rel="next"')])

    def echo(request):
        if request.parameters.get("key") != server.key:
            return Answer({"message": "no"}, 401)
        start = request.number("after", 0)
        target = f"{request.origin}/echo?after={start + 10}&key={server.key}"
        more = start + 10 < len(ROWS)
        return Answer(
            ROWS[start : start + 10], headers=[("Link", f"<{target}>; rel=next")] if more else []
        )

    return {
        "/v2/shipments": shipments,
        "/cursor": cursor,
        "/linked/elsewhere": linked("https://example.org/list?page=2"),
        "/linked/loop": linked("/linked/loop?page=2"),
        "/linked/itself": linked("/linked/itself"),
        "/linked/ftp": linked("ftp://127.0.0.1/list"),
        "/linked/nonsense": linked("http://[::1/"),
        "/same": lambda request: Answer(ROWS[:5]),
        "/endless": endless,
        "/echo": echo,
    }
