// The feed as CSV, with simdjson and zlib: with_simdjson [--no-id] FEED OUTPUT
//
// All in memory, as simdjson wants it: the envelope, the inflated JSON with its padding, and one
// output buffer that is written whenever it holds a megabyte.
#include <simdjson.h>
#include <zlib.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "csv_table.hpp"

using namespace simdjson;
using std::string_view;

// ---------------------------------------------------------------------------- envelope and zip

static std::vector<uint8_t> base64_decode(string_view text) {
  static const std::array<int8_t, 256> values = [] {
    std::array<int8_t, 256> table;
    table.fill(-1);
    const char *alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int8_t value = 0; value < 64; value++) table[uint8_t(alphabet[value])] = value;
    return table;
  }();
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::vector<uint8_t> bytes(text.size() / 4 * 3 + 3);
  size_t made = 0;
  uint32_t bits = 0;
  for (size_t at = 0; at < text.size(); at++) {
    int8_t value = values[uint8_t(text[at])];
    if (value < 0) throw std::runtime_error("not base64");
    bits = bits << 6 | uint32_t(value);
    if (at % 4 == 3) {
      bytes[made++] = uint8_t(bits >> 16);
      bytes[made++] = uint8_t(bits >> 8);
      bytes[made++] = uint8_t(bits);
    }
  }
  if (text.size() % 4 == 2) bytes[made++] = uint8_t(bits >> 4);
  if (text.size() % 4 == 3) {
    bytes[made++] = uint8_t(bits >> 10);
    bytes[made++] = uint8_t(bits >> 2);
  }
  bytes.resize(made);
  return bytes;
}

static uint32_t little(const uint8_t *bytes, int count) {
  uint32_t value = 0;
  while (count--) value = value << 8 | bytes[count];
  return value;
}

/// The first entry of a zip, with its CRC checked.
static padded_string unzip(const std::vector<uint8_t> &zip) {
  if (zip.size() < 22) throw std::runtime_error("not a zip");
  size_t end = zip.size() - 22;
  while (memcmp(&zip[end], "PK\5\6", 4) != 0)
    if (end-- == 0) throw std::runtime_error("not a zip");
  const uint8_t *central = &zip[little(&zip[end + 16], 4)];
  const uint8_t *local = &zip[little(central + 42, 4)];
  padded_string json(little(central + 24, 4));

  z_stream stream{};
  const uint8_t *body = local + 30 + little(local + 26, 2) + little(local + 28, 2);
  stream.next_in = const_cast<uint8_t *>(body);
  stream.avail_in = little(central + 20, 4);
  stream.next_out = reinterpret_cast<uint8_t *>(json.data());
  stream.avail_out = uInt(json.size());
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK || inflate(&stream, Z_FINISH) != Z_STREAM_END)
    throw std::runtime_error("the zip is broken");
  inflateEnd(&stream);
  uLong crc = crc32(0, reinterpret_cast<const uint8_t *>(json.data()), uInt(json.size()));
  if (crc != little(central + 16, 4)) throw std::runtime_error("wrong CRC");
  return json;
}

static padded_string read_payload(const char *path) {
  padded_string text = padded_string::load(path);
  ondemand::parser parser;
  ondemand::document answer = parser.iterate(text);
  for (ondemand::object classifier : answer["responseData"]["classifiers"].get_array())
    if (int64_t(classifier["classifierId"]) == 4)
      return unzip(base64_decode(string_view(classifier["file"])));
  throw std::runtime_error("no classifier 4");
}

// ---------------------------------------------------------------------------- values

static bool is_space(char one) { return one == ' ' || (one >= '\t' && one <= '\r'); }

static string_view trimmed(string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// Null is the same as no text; a key may be absent.
static string_view text_of(ondemand::object &record, string_view key) {
  ondemand::value value;
  if (record[key].get(value) || value.is_null()) return {};
  return trimmed(value.get_string());
}

/// FNV-1a over lower-cased text, for Latin and Russian letters.
struct AddressNumber {
  uint64_t state = 0xCBF29CE484222325;

  void add(uint8_t byte) { state = (state ^ byte) * 0x100000001B3; }

  void add(string_view text) {
    for (size_t at = 0; at < text.size(); at++) {
      uint8_t byte = uint8_t(text[at]);
      if (byte >= 'A' && byte <= 'Z') {
        add(uint8_t(byte + 32));
      } else if ((byte == 0xD0 || byte == 0xD1) && at + 1 < text.size()) {
        uint32_t letter = uint32_t(byte & 0x1F) << 6 | (uint8_t(text[++at]) & 0x3F);
        if (letter >= 0x410 && letter < 0x430) letter += 0x20;
        if (letter >= 0x400 && letter < 0x410) letter += 0x50;
        // Two letters may be written as a letter and a mark.
        if (letter == 0x438 && text.substr(at + 1, 2) == "\u0306") letter = 0x439, at += 2;
        if (letter == 0x435 && text.substr(at + 1, 2) == "\u0308") at += 2;
        if (letter == 0x451) letter = 0x435;
        add(uint8_t(0xC0 | letter >> 6));
        add(uint8_t(0x80 | (letter & 0x3F)));
      } else {
        add(byte);
      }
    }
  }
};

/// 22.06.2020 as 2020-06-22.
static std::array<char, 10> iso(string_view day) {
  if (day.size() != 10 || day[2] != '.' || day[5] != '.') throw std::runtime_error("not a day");
  return {day[6], day[7], day[8], day[9], '-', day[3], day[4], '-', day[0], day[1]};
}

static std::array<char, 16> hexadecimal(uint64_t number) {
  std::array<char, 16> digits;
  for (int at = 15; at >= 0; at--, number >>= 4) digits[at] = "0123456789abcdef"[number & 15];
  return digits;
}

template <size_t size>
static string_view view(const std::array<char, size> &text) {
  return {text.data(), size};
}

// ---------------------------------------------------------------------------- the program

static constexpr string_view header =
    "locality,street,house,building,letter,start_date,end_date,address_id";

static void convert(const char *feed, const char *output, bool with_id) {
  padded_string json = read_payload(feed);
  ondemand::parser parser;
  ondemand::document document = parser.iterate(json);
  CsvTable table(output, with_id ? header : header.substr(0, header.rfind(',')));

  for (ondemand::object record : document.get_array()) {
    const std::array<string_view, 5> parts = {
        text_of(record, "Населенный пункт"), text_of(record, "Адрес жилого здания"),
        text_of(record, "№ дома"), text_of(record, "корпус"), text_of(record, "литер")};
    string_view period = text_of(record, "Период отключения ГВС");
    size_t dash = period.find('-');
    if (dash == string_view::npos) throw std::runtime_error("not a period");

    for (string_view part : parts) table.cell(part);
    table.plain(view(iso(period.substr(0, dash))));
    table.plain(view(iso(period.substr(dash + 1))));
    if (with_id) {
      AddressNumber number;
      for (size_t at = 0; at < parts.size(); at++) {
        if (at > 0) number.add(0x1F);
        number.add(parts[at]);
      }
      table.plain(view(hexadecimal(number.state)));
    }
    table.end_row();
  }
  table.close();
}

int main(int count, char **arguments) {
  bool with_id = !(count > 1 && strcmp(arguments[1], "--no-id") == 0);
  int first = with_id ? 1 : 2;
  if (count != first + 2) return fputs("with_simdjson [--no-id] FEED OUTPUT\n", stderr), 64;
  try {
    convert(arguments[first], arguments[first + 1], with_id);
  } catch (const std::exception &error) {
    fprintf(stderr, "with_simdjson: %s\n", error.what());
    return 1;
  }
}
