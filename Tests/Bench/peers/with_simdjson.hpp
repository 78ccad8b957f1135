// What the C++ peers on simdjson share: values of simdjson's on-demand API, and the program around.
#pragma once

#include <simdjson.h>

#include "csv_table.hpp"

using std::string_view;
namespace ondemand = simdjson::ondemand;

/// A number's digits as they were written; nothing for null.
static inline string_view digits(ondemand::value value) {
  if (value.is_null()) return {};
  string_view token = value.raw_json_token();
  while (!token.empty() && token.back() <= ' ') token.remove_suffix(1);
  return token;
}

/// Null is the same as no text.
static inline string_view text(ondemand::value value) {
  if (value.is_null()) return {};
  return value.get_string();
}

/// Reads all of INPUT and has `convert(parser, json, output)` write it.
template <typename Convert>
static int run(int count, char **arguments, const Convert &convert) {
  if (count != 3) return fprintf(stderr, "%s INPUT OUTPUT\n", arguments[0]), 64;
  try {
    simdjson::padded_string json = simdjson::padded_string::load(arguments[1]);
    ondemand::parser parser;
    convert(parser, json, arguments[2]);
  } catch (const std::exception &error) {
    return fprintf(stderr, "%s: %s\n", arguments[0], error.what()), 1;
  }
  return 0;
}
