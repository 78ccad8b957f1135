// A code host's events as CSV, with simdjson: with_simdjson INPUT OUTPUT
//
// Payloads are unlike each other: their keys are taken as they come, each in one pass.
#include "../with_simdjson.hpp"

#include <string>

static const char header[] =
    "id,type,at,actor,repo,org,action,ref,size,commits,issue,labels,pull,base,title,comment";

struct Event {
  string_view id, type, at, actor, repo, org, action, ref, size, issue, pull, base, comment;
  string_view pull_title, issue_title, release_name;
  std::string commits, labels;

  string_view title() const {
    return !pull_title.empty() ? pull_title : !issue_title.empty() ? issue_title : release_name;
  }
};

/// The texts of a key of all objects in a list, joined.
static void join(std::string &joined, ondemand::array list, string_view key,
                 string_view separator) {
  for (ondemand::object element : list) {
    if (!joined.empty()) joined.append(separator);
    joined.append(text(element[key]));
  }
}

static void read_issue(Event &event, ondemand::object issue) {
  for (auto field : issue) {
    string_view key = field.unescaped_key();
    if (key == "number") event.issue = digits(field.value());
    else if (key == "title") event.issue_title = text(field.value());
    else if (key == "labels") join(event.labels, field.value(), "name", "; ");
  }
}

static void read_pull(Event &event, ondemand::object pull) {
  for (auto field : pull) {
    string_view key = field.unescaped_key();
    if (key == "number") event.pull = digits(field.value());
    else if (key == "title") event.pull_title = text(field.value());
    else if (key == "base") event.base = text(field.value()["repo"]["full_name"]);
  }
}

static void read_payload(Event &event, ondemand::object payload) {
  for (auto field : payload) {
    string_view key = field.unescaped_key();
    if (key == "action") event.action = text(field.value());
    else if (key == "ref") event.ref = text(field.value());
    else if (key == "size") event.size = digits(field.value());
    else if (key == "commits") join(event.commits, field.value(), "sha", " ");
    else if (key == "issue") read_issue(event, field.value());
    else if (key == "pull_request") read_pull(event, field.value());
    else if (key == "release") event.release_name = text(field.value()["name"]);
    else if (key == "comment") event.comment = text(field.value()["body"]);
  }
}

static void read_event(Event &event, ondemand::object object) {
  for (auto field : object) {
    string_view key = field.unescaped_key();
    if (key == "id") event.id = text(field.value());
    else if (key == "type") event.type = text(field.value());
    else if (key == "actor") event.actor = text(field.value()["login"]);
    else if (key == "repo") event.repo = text(field.value()["name"]);
    else if (key == "payload") read_payload(event, field.value());
    else if (key == "created_at") event.at = text(field.value());
    else if (key == "org") event.org = text(field.value()["login"]);
  }
}

static void convert(ondemand::parser &parser, simdjson::padded_string &json, const char *output) {
  CsvTable table(output, header);
  Event event;
  ondemand::document_stream documents = parser.iterate_many(json);
  for (auto document : documents) {
    // The strings keep their memory from one event to the next.
    std::string commits = std::move(event.commits), labels = std::move(event.labels);
    commits.clear(), labels.clear();
    event = Event{};
    event.commits = std::move(commits), event.labels = std::move(labels);
    read_event(event, document.get_object());

    for (string_view value : {event.id, event.type}) table.cell(value);
    // Written as the CSV wants it.
    table.plain(event.at);
    for (string_view value : {event.actor, event.repo, event.org, event.action, event.ref})
      table.cell(value);
    table.plain(event.size);
    table.cell(event.commits);
    table.plain(event.issue);
    table.cell(event.labels);
    table.plain(event.pull);
    for (string_view value : {event.base, event.title(), event.comment}) table.cell(value);
    table.end_row();
  }
  table.close();
}

int main(int count, char **arguments) { return run(count, arguments, convert); }
