// Forecasts of many cities as CSV, with simdjson: with_simdjson INPUT OUTPUT
//
// The city stands after its list: it is read first, and the answer is gone through again.
#include "../with_simdjson.hpp"

static const char header[] =
    "city,country,instant,temperature,feels_like,pressure,humidity,wind,gust,clouds,rain,snow,"
    "description";

/// A number in an object that may be missing, and so may the object.
static string_view optional(ondemand::object &object, string_view outer, string_view inner) {
  ondemand::value value;
  if (object[outer][inner].get(value)) return {};
  return digits(value);
}

static void add_row(CsvTable &table, string_view name, string_view country,
                    ondemand::object element) {
  int64_t instant = element["dt"];
  ondemand::object main = element["main"];
  string_view temperature = digits(main["temp"]);
  string_view feels_like = digits(main["feels_like"]);
  string_view pressure = digits(main["pressure"]);
  string_view humidity = digits(main["humidity"]);
  string_view description;
  for (ondemand::object one : element["weather"].get_array()) {
    description = text(one["description"]);
    break;
  }
  string_view clouds = digits(element["clouds"]["all"]);
  ondemand::object wind = element["wind"];
  string_view speed = digits(wind["speed"]);
  ondemand::value value;
  string_view gust = wind["gust"].get(value) ? string_view() : digits(value);
  string_view rain = optional(element, "rain", "3h");
  string_view snow = optional(element, "snow", "3h");

  table.cell(name);
  table.cell(country);
  table.instant(instant);
  for (string_view number :
       {temperature, feels_like, pressure, humidity, speed, gust, clouds, rain, snow})
    table.plain(number);
  table.cell(description);
  table.end_row();
}

static void convert(ondemand::parser &parser, simdjson::padded_string &json, const char *output) {
  ondemand::document document = parser.iterate(json);
  CsvTable table(output, header);
  for (ondemand::object answer : document.get_array()) {
    ondemand::object city = answer["city"];
    string_view name = text(city["name"]);
    string_view country = text(city["country"]);
    answer.reset();
    for (ondemand::object element : answer["list"].get_array())
      add_row(table, name, country, element);
  }
  table.close();
}

int main(int count, char **arguments) { return run(count, arguments, convert); }
