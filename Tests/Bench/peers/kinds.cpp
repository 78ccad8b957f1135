// Inputs of other kinds as CSV, with simdjson: kinds KIND INPUT OUTPUT
//
// Members that are always there are asked for in the order in which they stand, so that none is
// passed twice. Where they come and go, each key is compared, which is quicker than asking.
#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "with_simdjson.hpp"

using Json = simdjson::padded_string;

static string_view flag(ondemand::value value) { return bool(value) ? "true" : "false"; }

static void join(std::string &joined, ondemand::array list, string_view separator) {
  joined.clear();
  for (ondemand::value value : list) {
    if (!joined.empty()) joined.append(separator);
    joined.append(text(value));
  }
}

/// A local time, 2026-11-25T10:00 with or without seconds, as an instant in UTC.
static void instant(CsvTable &table, string_view local) {
  char made[] = "0000-00-00T00:00:00Z";
  memcpy(made, local.data(), local.size());
  made[10] = 'T';
  table.plain(made);
}

static void weather(ondemand::parser &parser, Json &json, const char *output) {
  CsvTable table(output, "latitude,longitude,time,temperature,humidity,rain,code");
  ondemand::document document = parser.iterate(json);
  std::vector<string_view> times, columns[4];
  for (ondemand::object place : document.get_array()) {
    string_view latitude = digits(place["latitude"]), longitude = digits(place["longitude"]);
    ondemand::object hourly = place["hourly"];
    times.clear();
    for (ondemand::value time : hourly["time"].get_array()) times.push_back(text(time));
    int column = 0;
    for (const char *name : {"temperature_2m", "relative_humidity_2m", "rain", "weather_code"}) {
      columns[column].clear();
      for (ondemand::value value : hourly[name].get_array())
        columns[column].push_back(digits(value));
      column += 1;
    }
    for (size_t hour = 0; hour < times.size(); hour += 1) {
      table.plain(latitude);
      table.plain(longitude);
      instant(table, times[hour]);
      for (const auto &values : columns) table.plain(values[hour]);
      table.end_row();
    }
  }
  table.close();
}

static void bonds(ondemand::parser &parser, Json &json, const char *output) {
  CsvTable table(output, "day,name,bond,trades,value,open,close,volume");
  ondemand::document document = parser.iterate(json);
  for (ondemand::array row : document["history"]["data"].get_array()) {
    int place = 0;
    for (ondemand::value value : row) {
      switch (place++) {
        case 1: table.plain(text(value)); break;
        case 2: case 3: table.cell(text(value)); break;
        case 4: case 5: case 6: case 9: case 10: table.plain(digits(value)); break;
      }
    }
    table.end_row();
  }
  table.close();
}

static void vectors(ondemand::parser &parser, Json &json, const char *output) {
  CsvTable table(output, "id,title,url,tokens");
  ondemand::document_stream lines = parser.iterate_many(json, 1 << 20);
  for (auto line : lines) {
    ondemand::object record = line.get_object();
    table.cell(text(record["id"]));
    table.cell(text(record["title"]));
    table.cell(text(record["url"]));
    table.plain(digits(record["tokens"]));
    table.end_row();
  }
  table.close();
}

static void works(ondemand::parser &parser, Json &json, const char *output) {
  CsvTable table(output, "key,title,author,subjects,description,revision,created");
  std::string subjects;
  ondemand::document_stream lines = parser.iterate_many(json, 1 << 20);
  for (auto line : lines) {
    string_view id, title, author, description, revision, created;
    subjects.clear();
    for (auto field : line.get_object()) {
      // As it is written: no key has escapes.
      ondemand::raw_json_string key = field.key();
      ondemand::value value = field.value();
      if (key == "title") title = text(value);
      else if (key == "key") id = text(value);
      else if (key == "subjects") join(subjects, value.get_array(), "; ");
      else if (key == "description") description = text(value["value"]);
      else if (key == "revision") revision = digits(value);
      else if (key == "created") created = text(value["value"]);
      else if (key == "authors") {
        bool isFirst = true;
        for (ondemand::value element : value.get_array()) {
          if (isFirst) author = text(element["author"]["key"]);
          isFirst = false;
        }
      }
    }
    for (string_view value : {id, title, author, string_view(subjects), description})
      table.cell(value);
    table.plain(revision);
    table.plain(created);
    table.end_row();
  }
  table.close();
}

static void prices(ondemand::parser &parser, Json &json, const char *output) {
  CsvTable table(output, "day,open,high,low,close,volume");
  ondemand::document document = parser.iterate(json);
  for (auto field : document["Time Series (Daily)"].get_object()) {
    table.plain(field.unescaped_key().value());
    ondemand::object record = field.value();
    for (const char *name : {"1. open", "2. high", "3. low", "4. close", "5. volume"})
      table.plain(text(record[name]));
    table.end_row();
  }
  table.close();
}

static void sensors(ondemand::parser &parser, Json &json, const char *output) {
  CsvTable table(output, "id,latitude,longitude,time,sensor,dust,temperature");
  ondemand::document document = parser.iterate(json);
  for (ondemand::object record : document.get_array()) {
    ondemand::object location = record["location"];
    string_view latitude = text(location["latitude"]), longitude = text(location["longitude"]);
    string_view time = text(record["timestamp"]);
    string_view sensor = text(record["sensor"]["sensor_type"]["name"]);
    string_view dust, temperature;
    for (ondemand::object measured : record["sensordatavalues"].get_array()) {
      string_view type = text(measured["value_type"]);
      if (type == "P1" && dust.empty()) dust = text(measured["value"]);
      if (type == "temperature" && temperature.empty()) temperature = text(measured["value"]);
    }
    table.plain(digits(record["id"]));
    table.plain(latitude);
    table.plain(longitude);
    instant(table, time);
    table.cell(sensor);
    table.plain(dust);
    table.plain(temperature);
    table.end_row();
  }
  table.close();
}

static void people(ondemand::parser &parser, Json &json, const char *output) {
  CsvTable table(output, "id,name,email,city,zip,latitude,phone,company");
  ondemand::document document = parser.iterate(json);
  for (ondemand::object person : document.get_array()) {
    table.plain(digits(person["id"]));
    table.cell(text(person["name"]));
    table.cell(text(person["email"]));
    ondemand::object address = person["address"];
    table.cell(text(address["city"]));
    table.cell(text(address["zipcode"]));
    table.plain(text(address["geo"]["lat"]));
    table.cell(text(person["phone"]));
    table.cell(text(person["company"]["name"]));
    table.end_row();
  }
  table.close();
}

static void questions(ondemand::parser &parser, Json &json, const char *output) {
  CsvTable table(output, "id,title,tags,owner,reputation,score,answered,created,edited");
  std::string tags;
  ondemand::document document = parser.iterate(json);
  for (ondemand::object question : document["items"].get_array()) {
    string_view id, title, owner, reputation, score, answered;
    int64_t created = 0, edited = -1;
    for (auto field : question) {
      // As it is written: no key has escapes.
      ondemand::raw_json_string key = field.key();
      ondemand::value value = field.value();
      if (key == "tags") join(tags, value.get_array(), ", ");
      else if (key == "owner") {
        ondemand::object person = value;
        reputation = digits(person["reputation"]);
        owner = text(person["display_name"]);
      }
      else if (key == "is_answered") answered = flag(value);
      else if (key == "score") score = digits(value);
      else if (key == "creation_date") created = value;
      else if (key == "question_id") id = digits(value);
      else if (key == "title") title = text(value);
      else if (key == "last_edit_date") edited = value;
    }
    table.plain(id);
    for (string_view value : {title, string_view(tags), owner}) table.cell(value);
    for (string_view value : {reputation, score, answered}) table.plain(value);
    table.instant(created);
    if (edited < 0) table.plain("");
    else table.instant(edited);
    table.end_row();
  }
  table.close();
}

static void changes(ondemand::parser &parser, Json &json, const char *output) {
  CsvTable table(output, "id,type,title,user,bot,comment,time,old,new");
  ondemand::document_stream lines = parser.iterate_many(json, 1 << 20);
  for (auto line : lines) {
    string_view id, type, title, user, bot, comment, time, before, after;
    for (auto field : line.get_object()) {
      // As it is written: no key has escapes.
      ondemand::raw_json_string key = field.key();
      ondemand::value value = field.value();
      if (key == "meta") time = text(value["dt"]);
      else if (key == "id") id = digits(value);
      else if (key == "type") type = text(value);
      else if (key == "title") title = text(value);
      else if (key == "comment") comment = text(value);
      else if (key == "user") user = text(value);
      else if (key == "bot") bot = flag(value);
      else if (key == "length") {
        ondemand::object length = value;
        before = digits(length["old"]);
        after = digits(length["new"]);
      }
    }
    table.plain(id);
    for (string_view value : {type, title, user}) table.cell(value);
    table.plain(bot);
    table.cell(comment);
    for (string_view value : {time, before, after}) table.plain(value);
    table.end_row();
  }
  table.close();
}

static void houses(ondemand::parser &parser, Json &json, const char *output) {
  CsvTable table(output, "id,district,street,house,corp,built,area,phone,updated");
  ondemand::document document = parser.iterate(json);
  for (ondemand::object house : document["result"]["records"].get_array()) {
    table.plain(digits(house["_id"]));
    for (const char *name : {"district", "street", "house", "corp"}) table.cell(text(house[name]));
    table.plain(text(house["built"]));
    table.cell(text(house["area"]));
    table.cell(text(house["phone"]));
    table.plain(text(house["updated"]).substr(0, 10));
    table.end_row();
  }
  table.close();
}

static void grid(ondemand::parser &parser, Json &json, const char *output) {
  CsvTable table(output, "value");
  ondemand::document document = parser.iterate(json);
  for (ondemand::array row : document["grid"].get_array())
    for (ondemand::value value : row) {
      table.plain(digits(value));
      table.end_row();
    }
  table.close();
}

static void goods(ondemand::parser &parser, Json &json, const char *output) {
  static const char *firsts[] = {"the",   "quick", "city", "river", "line", "station",
                                 "old",   "new",   "north", "park", "house", "green"};
  static const char *seconds[] = {"market", "central", "road", "bridge", "school",
                                  "east",   "west",    "hill", "water",  "tower"};
  std::string header = "sku,title";
  std::vector<std::string> names;
  for (const char *first : firsts)
    for (const char *second : seconds) names.push_back(std::string(first) + "_" + second);
  std::unordered_map<string_view, size_t> places;
  for (const std::string &name : names) {
    places.emplace(name, places.size());
    header += "," + name;
  }
  CsvTable table(output, header);
  // What a record has, and the places of that.
  std::vector<string_view> values(names.size());
  std::vector<size_t> set;
  ondemand::document_stream lines = parser.iterate_many(json, 1 << 20);
  for (auto line : lines) {
    ondemand::object record = line.get_object();
    table.plain(digits(record["sku"]));
    table.cell(text(record["title"]));
    for (auto field : record["attributes"].get_object()) {
      auto place = places.find(field.unescaped_key());
      if (place == places.end()) continue;
      ondemand::value value = field.value();
      switch (place->second % 4) {
        case 0: values[place->second] = text(value); break;
        case 3: values[place->second] = flag(value); break;
        default: values[place->second] = digits(value);
      }
      set.push_back(place->second);
    }
    // In the order of the columns, with the blanks before each.
    std::sort(set.begin(), set.end());
    size_t next = 0;
    for (size_t place : set) {
      table.blanks(place - next);
      table.cell(values[place]);
      next = place + 1;
    }
    table.blanks(values.size() - next);
    set.clear();
    table.end_row();
  }
  table.close();
}

static void log(ondemand::parser &parser, Json &json, const char *output) {
  CsvTable table(output, "ts,level,svc,ms,ok");
  ondemand::document_stream lines = parser.iterate_many(json, 1 << 20);
  for (auto line : lines) {
    ondemand::object record = line.get_object();
    table.plain(text(record["ts"]));
    table.cell(text(record["level"]));
    table.cell(text(record["svc"]));
    table.plain(digits(record["ms"]));
    table.plain(flag(record["ok"]));
    table.end_row();
  }
  table.close();
}

static void stops(ondemand::parser &parser, Json &json, const char *output) {
  CsvTable table(output, "stop,name,latitude,longitude,zone,accessible,line,to,time,delay,platform");
  ondemand::document document = parser.iterate(json);
  for (auto field : document["stops"].get_object()) {
    string_view key = field.unescaped_key();
    ondemand::object stop = field.value();
    string_view name = text(stop["name"]);
    string_view latitude = digits(stop["lat"]), longitude = digits(stop["lon"]);
    string_view zone = text(stop["zone"]), accessible = flag(stop["accessible"]);
    for (ondemand::object departure : stop["departures"].get_array()) {
      table.cell(key);
      table.cell(name);
      table.plain(latitude);
      table.plain(longitude);
      table.cell(zone);
      table.plain(accessible);
      table.cell(text(departure["line"]));
      table.cell(text(departure["to"]));
      table.plain(text(departure["time"]));
      table.plain(digits(departure["delay"]));
      table.cell(text(departure["platform"]));
      table.end_row();
    }
  }
  table.close();
}

int main(int count, char **arguments) {
  static const std::map<string_view, void (*)(ondemand::parser &, Json &, const char *)> kinds = {
      {"weather", weather}, {"bonds", bonds},         {"vectors", vectors}, {"works", works},
      {"prices", prices},   {"sensors", sensors},     {"people", people},   {"questions", questions},
      {"changes", changes}, {"houses", houses},       {"grid", grid},       {"goods", goods},
      {"log", log},         {"stops", stops},
  };
  auto kind = count > 1 ? kinds.find(arguments[1]) : kinds.end();
  if (kind == kinds.end()) return fprintf(stderr, "kinds KIND INPUT OUTPUT\n"), 64;
  return run(count - 1, arguments + 1, kind->second);
}
