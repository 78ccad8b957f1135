#!/usr/bin/env python3
"""Writes a code host's public events, laid out as its archive has them: make_events.py EVENTS FILE

One event on a line (NDJSON). Eleven types with payloads unlike each other: a push has a list of commits, an
issue labels and people, a pull request two repositories with their owners. An organisation is there
in one of three. Texts hold line breaks, quotes, backslashes, emoji; one event in five is ASCII with
escapes. The same count gives the same bytes.
"""
import datetime

import generating
from generating import compact, hexadecimal

API, SITE = "https://api.github.com", "https://github.com"
FIRST = datetime.datetime(2020, 11, 21)
OWNERS = ["octo", "mojombo", "torvalds-fan", "яндекс-клуб", "zürich-dev", "node", "rust-ja", "a-b-c"]
PROJECTS = ["site", "dotfiles", "api-client", "awesome-list", "homebrew-core", "notes", "engine"]
LANGUAGES = ["Swift", "C++", "Python", "TypeScript", None]
LABELS = [("bug", "d73a4a"), ("help wanted", "008672"), ("good first issue", "7057ff"),
          ("дублікат", "cfd3d7"), ("P1, urgent", "b60205")]
SENTENCES = [
    "Fix the crash when a feed is empty",
    'Rename "old" to "new" in every module',
    "Обновил зависимости и поправил тесты",
    "Use C:\\Users\\build as the root on Windows",
    "Add a test for naïve dates, see #42",
    "日本語の説明を追加する",
    "Ship it 🚀🎉",
    "Bump lodash from 4.17.19 to 4.17.20",
    "Make <b>bold</b> text bold & keep it so",
    "The build is green again; please review this before Friday",
]
ASSOCIATIONS = ["NONE", "CONTRIBUTOR", "MEMBER", "OWNER"]


def when(seconds):
    return (FIRST + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def text(dice, most):
    """Some sentences, each in a line of its own or a paragraph."""
    chosen = [dice.pick(SENTENCES) for _ in range(1 + dice.roll(most))]
    return dice.pick(["\n", "\r\n", "\n\n"]).join(chosen)


def user(dice):
    number = dice.roll(60_000_000)
    login = f"{dice.pick(OWNERS)}{number % 5000}"
    url = f"{API}/users/{login}"
    return {
        "login": login,
        "id": number,
        "node_id": hexadecimal(dice, 20),
        "avatar_url": f"https://avatars.githubusercontent.com/u/{number}?v=4",
        "gravatar_id": "",
        "url": url,
        "html_url": f"{SITE}/{login}",
        "followers_url": f"{url}/followers",
        "starred_url": url + "/starred{/owner}{/repo}",
        "events_url": url + "/events{/privacy}",
        "type": "User",
        "site_admin": False,
    }


def repository(dice, seconds):
    owner, name = user(dice), dice.pick(PROJECTS)
    url = f"{API}/repos/{owner['login']}/{name}"
    return {
        "id": dice.roll(300_000_000),
        "name": name,
        "full_name": f"{owner['login']}/{name}",
        "private": False,
        "owner": owner,
        "description": dice.pick([None, *SENTENCES]),
        "fork": dice.roll(2) == 0,
        "url": url,
        "keys_url": url + "/keys{/key_id}",
        "branches_url": url + "/branches{/branch}",
        "created_at": when(seconds - 90_000_000),
        "pushed_at": when(seconds - 60),
        "homepage": dice.pick([None, "", "https://example.org"]),
        "size": dice.roll(90_000),
        "language": dice.pick(LANGUAGES),
        "license": dice.pick([None, {"key": "mit", "name": "MIT License", "spdx_id": "MIT"}]),
        "topics": [],
        "default_branch": "master",
    }


def push(dice, _):
    commits = []
    for _ in range(1 + dice.roll(dice.pick([1, 2, 3, 20]))):
        sha, name = hexadecimal(dice, 40), dice.pick(OWNERS)
        author = {"email": f"{hexadecimal(dice, 8)}@users.example.org", "name": name}
        url = f"{API}/repos/{name}/{dice.pick(PROJECTS)}/commits/{sha}"
        commits.append({"sha": sha, "author": author, "message": text(dice, 3),
                        "distinct": dice.roll(9) != 0, "url": url})
    return {
        "push_id": 5_900_000_000 + dice.roll(90_000_000),
        "size": len(commits),
        "distinct_size": len(commits),
        "ref": f"refs/heads/{dice.pick(['master', 'main', 'dev', 'fix/даты'])}",
        "head": commits[-1]["sha"],
        "before": hexadecimal(dice, 40),
        "commits": commits,
    }


def issue(dice, seconds):
    number = 1 + dice.roll(9000)
    labels = [dice.pick(LABELS) for _ in range(dice.roll(3))]
    return {
        "url": f"{API}/repos/octo/site/issues/{number}",
        "id": 700_000_000 + dice.roll(90_000_000),
        "number": number,
        "title": dice.pick(SENTENCES),
        "user": user(dice),
        "labels": [{"id": dice.roll(9_000_000), "name": name, "color": color, "default": False}
                   for name, color in labels],
        "state": "open",
        "locked": False,
        "assignee": user(dice) if dice.roll(6) == 0 else None,
        "milestone": None,
        "comments": dice.roll(40),
        "created_at": when(seconds - 86_400),
        "author_association": dice.pick(ASSOCIATIONS),
        "body": text(dice, 8),
    }


def pull(dice, seconds):
    def side():
        sha, repo = hexadecimal(dice, 40), repository(dice, seconds)
        return {"label": f"{repo['owner']['login']}:main", "ref": "main", "sha": sha,
                "user": repo["owner"], "repo": repo}

    merged = dice.roll(3) == 0
    return issue(dice, seconds) | {
        "merged_at": when(seconds) if merged else None,
        "requested_reviewers": [user(dice) for _ in range(dice.roll(2))],
        "head": side(),
        "base": side(),
        "_links": {"self": {"href": f"{API}/self"}, "html": {"href": f"{SITE}/html"}},
        "merged": merged,
        "commits": 1 + dice.roll(9),
        "additions": dice.roll(900),
        "deletions": dice.roll(500),
    }


def comment(dice, seconds):
    return {"id": dice.roll(730_000_000), "user": user(dice), "created_at": when(seconds),
            "author_association": dice.pick(ASSOCIATIONS), "body": text(dice, 9)}


def created(dice, _):
    kind = dice.pick(["branch", "tag", "repository"])
    return {"ref": None if kind == "repository" else f"v{dice.roll(9)}", "ref_type": kind,
            "master_branch": "master", "description": dice.pick([None, *SENTENCES])}


def pages(dice, _):
    names = [f"Home-{dice.roll(90)}" for _ in range(1 + dice.roll(4))]
    return {"pages": [{"page_name": name, "title": name, "summary": None, "action": "edited",
                       "sha": hexadecimal(dice, 40), "html_url": f"{SITE}/wiki/{name}"}
                      for name in names]}


def release(dice, seconds):
    assets = [{"name": f"app-{dice.roll(9)}.zip", "uploader": user(dice),
               "size": dice.roll(90_000_000)} for _ in range(dice.roll(4))]
    body = {"id": dice.roll(34_000_000), "tag_name": f"v1.{dice.roll(40)}", "draft": False,
            "author": user(dice), "name": dice.pick(SENTENCES), "prerelease": False,
            "published_at": when(seconds), "assets": assets, "body": text(dice, 12)}
    return {"action": "published", "release": body}


# What happens, and how often.
PAYLOADS = {
    "PushEvent": (50, push),
    "CreateEvent": (14, created),
    "WatchEvent": (8, lambda dice, _: {"action": "started"}),
    "PullRequestEvent": (8, lambda dice, at: {
        "action": dice.pick(["opened", "closed"]),
        "number": 1 + dice.roll(9000),
        "pull_request": pull(dice, at),
    }),
    "IssueCommentEvent": (7, lambda dice, at: {
        "action": "created", "issue": issue(dice, at), "comment": comment(dice, at)}),
    "IssuesEvent": (4, lambda dice, at: {"action": "opened", "issue": issue(dice, at)}),
    "DeleteEvent": (4, lambda dice, _: {
        "ref": f"dependabot/{dice.roll(99)}", "ref_type": "branch", "pusher_type": "user"}),
    "ForkEvent": (2, lambda dice, at: {"forkee": repository(dice, at)}),
    "GollumEvent": (1, pages),
    "ReleaseEvent": (1, release),
    "PublicEvent": (1, lambda dice, _: {}),
}
TYPES = [name for name, (share, _) in PAYLOADS.items() for _ in range(share)]


def event(dice, number):
    seconds, kind = number // 12, dice.pick(TYPES)
    who, whose = user(dice), f"{dice.pick(OWNERS)}{dice.roll(900)}"
    repo = f"{whose}/{dice.pick(PROJECTS)}"
    made = {
        "id": str(14_200_000_000 + number * 7),
        "type": kind,
        "actor": {key: who[key] for key in ("id", "login", "gravatar_id", "url", "avatar_url")},
        "repo": {"id": dice.roll(300_000_000), "name": repo, "url": f"{API}/repos/{repo}"},
        "payload": PAYLOADS[kind][1](dice, seconds),
        "public": True,
        "created_at": when(seconds),
    }
    if dice.roll(3) == 0:
        made["org"] = {"id": dice.roll(70_000_000), "login": whose, "gravatar_id": "",
                       "url": f"{API}/orgs/{whose}"}
    return made


def pieces(count):
    dice = generating.Dice(2008)
    for number in range(count):
        yield compact(event(dice, number), ascii_only=number % 5 == 0) + "\n"


if __name__ == "__main__":
    generating.write(__doc__, pieces)
