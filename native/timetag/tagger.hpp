// Reads the times that a text mentions: a scan that rejects text without any trigger word or digit,
// a tokeniser, a small grammar of date expressions, and the relations and ranges built of them.
// Questions, the answer's constraint and a passage's clocks belong to lib/time. It allocates, but
// holds no state between calls.
//
//   text (UTF-16) -> tokens -> expressions ("6 May 2021", "the late 1970s") -> mentions ("between
//   1903 and 1917")
//
// A mention is a phrase with its preposition and, where the text says enough, its interval; the
// TIMEX3 expressions inside it, two where a range names both of its ends, stand in a list of their
// own.
//
// Text is UTF-16, as JavaScript holds it, so that offsets need no conversion; lone surrogates are
// symbols like others. Intervals are half-open UTC milliseconds in the proleptic Gregorian
// calendar. Time and memory are linear in the text.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace asof::timetag {

// The order of `granularities` in lib/time/interval.ts; the index is what crosses the boundary.
enum class Granularity : std::uint8_t {
  millisecond,
  second,
  minute,
  hour,
  part_of_day,
  day,
  weekend,
  week,
  part_of_month,
  month,
  season,
  quarter,
  half,
  part_of_year,
  year,
  part_of_decade,
  decade,
  part_of_century,
  century,
  millennium,
};

// 0 is none, then the order of `relations` in lib/time/constraint.ts.
enum class Relation : std::uint8_t {
  none,
  as_of,
  from_to,
  until,
  before,
  after,
  around,
  between,
  by,
  in,
  on,
  since
};

// The order of `timexTypes` in lib/time/mention.ts.
enum class TimexType : std::uint8_t { date, time, duration, set };

// How a date without its year, or a relative word, finds what it refers to. `news`: the reference.
// `narrative`: the last date mentioned before it in the text, and the reference where there is
// none. `automatic`: one of the two, chosen by what the text holds.
enum class Mode : std::uint8_t { automatic, news, narrative };

struct Timex {
  std::uint32_t start = 0;  // UTF-16 units, half-open, no preposition
  std::uint32_t end = 0;
  TimexType type = TimexType::date;
  std::string value;
};

struct Mention {
  std::uint32_t start = 0;  // UTF-16 units, half-open, a preposition included
  std::uint32_t end = 0;
  double start_ms = 0;  // NaN, both, where the text does not say enough ("in May", with nothing to
                        // refer to), for durations and sets
  double end_ms = 0;
  Granularity granularity = Granularity::day;  // of a range: the coarser of its two ends
  Relation relation = Relation::none;
  float confidence = 0;
  std::uint32_t timexes = 0;  // how many of the list are this mention's; at least one
};

struct Tags {
  std::vector<Mention> mentions;  // in order, without overlap
  std::vector<Timex> timexes;     // of the first mention, then of the second, ...
};

/// Whether the text has a digit or a word that can begin a time expression. False means that `tag`
/// finds nothing.
bool may_contain_time(std::u16string_view text);

/// Appends the mentions of `text` to `tags`. `reference_ms` is what relative words refer to; NaN
/// for none. Returns the mode that it read by: `mode`, or the one chosen where that is automatic.
Mode tag(std::u16string_view text, double reference_ms, Mode mode, Tags& tags);

}  // namespace asof::timetag
