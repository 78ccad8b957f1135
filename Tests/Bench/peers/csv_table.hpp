// A CSV file (RFC 4180) that the C++ peers write: cells are quoted where they have to be, and the
// text is written whenever it holds a megabyte.
#pragma once

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

class CsvTable {
 public:
  CsvTable(const char *path, std::string_view header) : file(fopen(path, "wb")) {
    if (!file) throw std::runtime_error("cannot write");
    setvbuf(file, nullptr, _IONBF, 0);
    text.reserve(size + 65536);
    text.append(header).push_back('\n');
  }

  void cell(std::string_view value) {
    if (needs_quotes(value)) {
      quoted(value);
    } else {
      text.append(value);
    }
    text.push_back(',');
  }

  /// A cell that cannot need quotes: a number, an instant.
  void plain(std::string_view value) { text.append(value).push_back(','); }

  /// So many cells without a value.
  void blanks(size_t count) { text.append(count, ','); }

  /// Seconds since 1970 as 2020-11-21T00:00:00Z, with milliseconds if there are some.
  void instant(int64_t seconds, unsigned milliseconds = 0) {
    const int64_t day = seconds / 86400 - (seconds % 86400 < 0);
    const unsigned second = unsigned(seconds - day * 86400);
    if (day != last_day) set_day(day);
    char made[] = "YYYY-MM-DDT00:00:00.000Z,";
    last_date.copy(made, 10);
    two(made + 11, second / 3600);
    two(made + 14, second / 60 % 60);
    two(made + 17, second % 60);
    if (milliseconds == 0) {
      text.append(made, 19).append("Z,");
      return;
    }
    made[20] = char('0' + milliseconds / 100);
    two(made + 21, milliseconds % 100);
    text.append(made, 25);
  }

  void end_row() {
    text.back() = '\n';
    if (text.size() >= size) flush();
  }

  void close() {
    flush();
    if (fclose(file) != 0) throw std::runtime_error("cannot write");
  }

 private:
  static bool needs_quotes(std::string_view value) {
    for (char one : value)
      if (one == ',' || one == '"' || one == '\r' || one == '\n') return true;
    return false;
  }

  void quoted(std::string_view value) {
    text.push_back('"');
    for (char one : value) {
      if (one == '"') text.push_back('"');
      text.push_back(one);
    }
    text.push_back('"');
  }

  static void two(char *to, unsigned number) {
    to[0] = char('0' + number / 10);
    to[1] = char('0' + number % 10);
  }

  /// The civil date of a day counted from 1970 (H. Hinnant's algorithm); days come again and again.
  void set_day(int64_t day) {
    const int64_t shifted = day + 719468;
    const int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    const unsigned of_era = unsigned(shifted - era * 146097);
    const unsigned year_of_era =
        (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const unsigned of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const unsigned month_from_march = (5 * of_year + 2) / 153;
    const unsigned month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
    const unsigned year = unsigned(int64_t(year_of_era) + era * 400) + (month <= 2);
    last_date = "YYYY-MM-";
    two(&last_date[0], year / 100);
    two(&last_date[2], year % 100);
    two(&last_date[5], month);
    last_date += "DD";
    two(&last_date[8], of_year - (153 * month_from_march + 2) / 5 + 1);
    last_day = day;
  }

  void flush() {
    if (fwrite(text.data(), 1, text.size(), file) != text.size())
      throw std::runtime_error("cannot write");
    text.clear();
  }

  static constexpr size_t size = 1 << 20;
  FILE *file;
  std::string text;
  int64_t last_day = INT64_MIN;
  std::string last_date;
};
