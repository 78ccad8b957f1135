#!/bin/sh
# A code host's events as CSV, with jq: with_jq.sh INPUT OUTPUT
#
# jq quotes every text.
set -e
jq -nr '
  ["id", "type", "at", "actor", "repo", "org", "action", "ref", "size", "commits", "issue",
   "labels", "pull", "base", "title", "comment"],
  (inputs | .payload as $p | [
    .id, .type, .created_at, .actor.login, .repo.name, .org.login, $p.action, $p.ref, $p.size,
    ([$p.commits[]?.sha] | join(" ")),
    $p.issue.number,
    ([$p.issue.labels[]?.name] | join("; ")),
    $p.pull_request.number, $p.pull_request.base.repo.full_name,
    $p.pull_request.title // $p.issue.title // $p.release.name,
    $p.comment.body
  ]) | @csv' "$1" >"$2"
