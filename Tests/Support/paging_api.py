"""Lists that come in pages in other ways than json-server's, good and bad: a module of api_server.py.

    /v2/shipments?from=0&count=4   rows by offset, with lists of lines inside; no totals, no links
    /parents?page=1, ?from=0&count=5, ?after=0
                                   rows in lists, none in those of the second page of five; by offset, five at the most
    /hole?page=1                   rows in pages of five, with links; the second is empty
    /cursor?limit=10               rows by link, the next page known by a cursor only
    /linked/elsewhere, /linked/loop, /linked/itself, /linked/ftp, /linked/nonsense
    /same                          takes no notice of the page
    /endless                       links on and on
    /capped?from=0&count=20        rows by offset, ten at the most; with &total=1, X-Total-Count
    /said?rows=30&page=1&size=10   rows by page, with X-Total-Count as it is said
    /unlinked                      tells more rows than it gives, and has no link
    /unreadable                    links that are none
    /long                          three pages, with links of 40,000 bytes
    /told/…                        repeats the header X-Key, or else the parameter token: in a link, a redirect, a status …
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
PARENTS = [
    {"number": index, "lines": None if 5 <= index < 10 else [{"id": index, "name": f"row {index}"}]}
    for index in range(30)
]
ROWS = [{"id": index, "name": f"row {index}"} for index in range(25)]


def routes(server):
    def shipments(request):
        start, count = request.number("from", 0), request.number("count", 100)
        return Answer({"shipments": SHIPMENTS[start : start + count]})

    def parents(request):
        start = request.number("from", request.number("after", request.number("page", 1) * 5 - 5))
        link = [("Link", f"</parents?after={start + 5}>; rel=next")]
        has_link = "after" in request.parameters and start + 5 < len(PARENTS)
        return Answer({"parents": PARENTS[start : start + 5]}, headers=link if has_link else [])

    def hole(request):
        page = request.number("page", 1)
        rows = ROWS[page * 5 - 5 : page * 5] if page != 2 else []
        return Answer(rows, headers=[("Link", f"</hole?page={page + 1}>; rel=next")] if page < 5 else [])

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

    def capped(request):
        start, count = request.number("from", 0), request.number("count", 10)
        total = [("X-Total-Count", str(len(ROWS)))] if "total" in request.parameters else []
        return Answer(ROWS[start : start + min(count, 10)], headers=total)

    def said(request):
        page, size = request.number("page", 1), request.number("size", 10)
        total = [("X-Total-Count", request.parameters["rows"])]
        return Answer(ROWS[(page - 1) * size : page * size], headers=total)

    def long(request):
        page = request.number("page", 1)
        link = f"</long?page={page + 1}&pad={'x' * 40000}>; rel=next"
        return Answer(ROWS[page * 5 - 5 : page * 5], headers=[("Link", link)] if page < 3 else [])

    def told(kind):
        def answer(request):
            key = request.headers.get("X-Key") or request.parameters.get("token", "nobody")
            pad = "k" * request.number("pad", 0)
            if kind == "link":
                return Answer(ROWS[:5], headers=[("Link", f"</told/two?other={key}>; rel=next")])
            if kind == "path":
                return Answer(ROWS[:5], headers=[("Link", f"</told/two/{key}>; rel=next")])
            if kind == "redirect":
                return Answer({}, 302, [("Location", f"/gone/{key}?token={key}")])
            if kind == "text":
                return Answer(f"{pad}{key} is not known here".encode())
            if kind == "status":
                return Answer({"code": f"{pad}{key} is not known here"})
            return Answer([{f"{pad}{key} is not known here": 1}])

        return answer

    return {
        "/capped": capped,
        "/parents": parents,
        "/hole": hole,
        "/said": said,
        "/unlinked": lambda request: Answer(ROWS[:10], headers=[("X-Total-Count", "25")]),
        "/unreadable": lambda request: Answer(
            ROWS[:10], headers=[("Link", "/unreadable?page=2; rel=next")]
        ),
        "/long": long,
        **{f"/told/{kind}": told(kind) for kind in ["link", "path", "redirect", "text", "status", "keys"]},
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
