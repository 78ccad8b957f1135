"""A code host's events as CSV, with Python's standard library: with_python.py INPUT OUTPUT"""
import csv
import json
import sys

HEADER = (
    "id,type,at,actor,repo,org,action,ref,size,commits,issue,labels,pull,base,title,comment"
).split(",")
NOTHING = {}


def rows(lines):
    for line in lines:
        event = json.loads(line)
        payload = event["payload"]
        issue = payload.get("issue", NOTHING)
        pull = payload.get("pull_request", NOTHING)
        yield (
            event["id"],
            event["type"],
            event["created_at"],
            event["actor"]["login"],
            event["repo"]["name"],
            event.get("org", NOTHING).get("login"),
            payload.get("action"),
            payload.get("ref"),
            payload.get("size"),
            " ".join(commit["sha"] for commit in payload.get("commits", ())),
            issue.get("number"),
            "; ".join(label["name"] for label in issue.get("labels", ())),
            pull.get("number"),
            pull["base"]["repo"]["full_name"] if pull else None,
            pull.get("title") or issue.get("title") or payload.get("release", NOTHING).get("name"),
            payload.get("comment", NOTHING).get("body"),
        )


def main():
    source, output = sys.argv[1:]
    with open(source, "rb") as lines:
        with open(output, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(HEADER)
            writer.writerows(rows(lines))


main()
