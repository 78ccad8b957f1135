#!/bin/sh
# A code host's events as CSV, with Miller: with_miller.sh INPUT OUTPUT
set -e
mlr --ijsonl --ocsv put -q '
  func joined(list, str key, str separator): str {
    str made = "";
    if (is_array(list)) {
      for (element in list) {
        made .= (made == "" ? "" : separator) . element[key];
      }
    }
    return made;
  }
  map p = $payload;
  map row = {
    "id": $id, "type": $type, "at": $created_at, "actor": $actor["login"],
    "repo": $repo["name"], "org": $org["login"] ?? "", "action": p["action"] ?? "",
    "ref": is_null(p["ref"]) ? "" : p["ref"], "size": p["size"] ?? "",
    "commits": joined(p["commits"], "sha", " "),
    "issue": p["issue"]["number"] ?? "",
    "labels": joined(p["issue"]["labels"], "name", "; "),
    "pull": p["pull_request"]["number"] ?? "",
    "base": p["pull_request"]["base"]["repo"]["full_name"] ?? "",
    "title": p["pull_request"]["title"] ?? p["issue"]["title"] ?? p["release"]["name"] ?? "",
    "comment": p["comment"]["body"] ?? ""
  };
  emit row;' "$1" >"$2"
