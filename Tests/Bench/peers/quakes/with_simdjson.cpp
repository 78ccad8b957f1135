// Earthquakes in GeoJSON as CSV, with simdjson: with_simdjson INPUT OUTPUT
//
// Keys are asked for in the order in which they stand, so that none is passed twice.
#include "../with_simdjson.hpp"

static const char header[] =
    "id,time,magnitude,scale,place,kind,status,alert,felt,tsunami,stations,gap,"
    "longitude,latitude,depth,url";

static void convert(ondemand::parser &parser, simdjson::padded_string &json, const char *output) {
  ondemand::document document = parser.iterate(json);
  CsvTable table(output, header);
  for (ondemand::object feature : document["features"].get_array()) {
    ondemand::object properties = feature["properties"];
    string_view magnitude = digits(properties["mag"]);
    string_view place = text(properties["place"]);
    int64_t time = properties["time"];
    string_view url = text(properties["url"]);
    string_view felt = digits(properties["felt"]);
    string_view alert = text(properties["alert"]);
    string_view status = text(properties["status"]);
    string_view tsunami = digits(properties["tsunami"]);
    string_view stations = digits(properties["nst"]);
    string_view gap = digits(properties["gap"]);
    string_view scale = text(properties["magType"]);
    string_view kind = text(properties["type"]);

    string_view point[3];
    size_t known = 0;
    for (ondemand::value coordinate : feature["geometry"]["coordinates"].get_array())
      if (known < 3) point[known++] = digits(coordinate);
    string_view id = text(feature["id"]);

    table.cell(id);
    table.instant(time / 1000, unsigned(time % 1000));
    table.plain(magnitude);
    for (string_view value : {scale, place, kind, status, alert}) table.cell(value);
    for (string_view value : {felt, tsunami, stations, gap}) table.plain(value);
    for (string_view value : point) table.plain(value);
    table.cell(url);
    table.end_row();
  }
  table.close();
}

int main(int count, char **arguments) { return run(count, arguments, convert); }
