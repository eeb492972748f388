// Temporal tagger: a scan that rejects text without any trigger word or digit, a tokenizer, a small
// grammar of date expressions, and the relations and ranges built of them. Questions, constraints
// and passages' clocks are lib/time's. It allocates, but keeps no state between calls.
//
//   text (UTF-16) -> tokens -> expressions ("6 May 2021", "the late 1970s") -> mentions ("between
//   1903 and 1917")
//
// A mention is a phrase with its preposition and, if the text determines it, its interval; the
// TIMEX3 expressions inside it, two for a range that names both of its ends, are a separate list.
//
// Text is UTF-16, as in JavaScript, so that offsets need no conversion; lone surrogates are symbols
// like others. Intervals are half-open UTC milliseconds in the proleptic Gregorian
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

// Resolution of dates without a year and of relative words. `news`: by the reference. `narrative`:
// by the last date mentioned before, else the reference. `automatic`: one of the two, by the text.
// `question`: by the reference, the day of asking, in a question's ways of naming times and with
// its slips of spelling.
enum class Mode : std::uint8_t { automatic, news, narrative, question };

struct Timex {
  std::uint32_t start = 0;  // UTF-16 units, half-open, no preposition
  std::uint32_t end = 0;
  TimexType type = TimexType::date;
  std::string value;
};

struct Mention {
  std::uint32_t start = 0;  // UTF-16 units, half-open, a preposition included
  std::uint32_t end = 0;
  double start_ms = 0;  // NaN, both, for durations, sets, and dates that cannot be resolved ("in
                        // May" without a reference)
  double end_ms = 0;
  Granularity granularity = Granularity::day;  // of a range: the coarser of its two ends
  Relation relation = Relation::none;
  float confidence = 0;
  bool has_offset = false;    // it says its offset from UTC: its interval is the same in all zones
  std::uint32_t timexes = 0;  // number of its expressions in the list; at least one
};

struct Tags {
  std::vector<Mention> mentions;  // in order, without overlap
  std::vector<Timex> timexes;     // of the first mention, then of the second, ...
};

/// Whether the text has a digit or a word that can begin a time expression. If false, `tag` finds
/// nothing.
bool may_contain_time(std::u16string_view text);

/// Appends the mentions of `text` to `tags`. `reference_ms` is the reference of relative words; NaN
/// for none. Returns the mode in use: `mode`, or the one chosen if that is automatic.
Mode tag(std::u16string_view text, double reference_ms, Mode mode, Tags& tags);

}  // namespace asof::timetag
