// Document: the tokens of a text with safe access beyond both ends, and the state of resolution.
// Expression: the result of a rule, a function (document, token index, expression to fill) ->
// whether it matched.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "timetag/civil.hpp"
#include "timetag/lexer/tokens.hpp"
#include "timetag/tagger.hpp"

namespace asof::timetag {

inline constexpr double no_time = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::int64_t no_year = std::numeric_limits<std::int64_t>::min();

struct Span {
  std::size_t first = 0;  // tokens, half-open
  std::size_t last = 0;
};

/// A time of day: an hour and minute, or a part of the day.
struct TimeOfDay {
  std::string value;          // TIMEX3 from the T on: "T15:00", "TMO"; empty for none
  double start_ms = no_time;  // from midnight; unknown for a part of the day
  double length_ms = 0;
  Granularity granularity = Granularity::minute;
  int zone = -1;  // value of a Class::zone, or -1
  Span span;      // its tokens, if separate from its date ("5 am on 3 October"); else empty
  Span date;      // the date's tokens then
};

struct Expression {
  std::size_t first = 0;  // tokens, half-open
  std::size_t last = 0;
  double start_ms = no_time;
  double end_ms = no_time;
  Granularity granularity = Granularity::day;
  TimexType type = TimexType::date;
  std::string value;        // TIMEX3; of a range "first/second"
  std::vector<Span> spans;  // of a range, the tokens of each part of `value`; else empty
  float confidence = 0.95f;
  // A date without its year: month is 1..12, day 0 for a month alone.
  bool underspecified = false;
  int month = 0;
  int day = 0;
  int last_day = 0;             // "May 5-7": the second day, else 0
  int weekday = -1;             // of a date without its year, if present: 0 is Monday
  int part = -1;                // of a month without its year: a Part
  int season = -1;              // of a season without its year: 0 spring ... 3 winter
  int holiday = -1;             // of a holiday without its year: index in holidays.cpp
  std::int64_t year = no_year;  // the calendar year it names, if any
  bool bare_year = false;       // digits alone: only the surrounding words make it a year
  bool range = false;           // has two ends of its own: "1914-18", "5-7 May 1821"
  bool single_interval =
      false;              // a range that counts as one unit: "the 2012-13 season", "winter 1939-40"
  bool relative = false;  // "last week": its relation is implied
  bool anaphoric_shift = false;  // "the previous year": the story stays where it is
  bool at_unit_end = false;      // "the end of 2016": after "by", the last day
  TimeOfDay time_of_day;         // a time of day, added to the date by apply_time_of_day
};

/// Durations, sets and vague references: they have no interval on the calendar.
inline bool has_no_interval(const Expression& expression) {
  return expression.type == TimexType::duration || expression.type == TimexType::set ||
         expression.value.ends_with("_REF");
}

// The temporal anchor: the last date that advanced the narrative. "The next day" counts from it,
// and incomplete dates are completed by it.
struct Anchor {
  double start_ms = no_time;
  double end_ms = no_time;
  Granularity granularity = Granularity::day;
  std::size_t at = 0;  // the token after it
  bool known() const { return !std::isnan(start_ms); }
};

#ifdef ASOF_COUNT_TOKEN_READS
inline std::uint64_t token_reads = 0;  // reads of tokens, which the fuzzer limits to a multiple of
                                       // the number of tokens
#endif

struct Document {
  std::u16string_view text;
  const std::vector<Token>& tokens;
  double reference_ms = no_time;
  Mode mode = Mode::automatic;
  bool question = false;             // a question, in mode news: dates without a year have passed
  bool nested = false;               // within a rule of question/offsets.cpp, which do not nest
  std::int64_t last_year = no_year;  // of the last date mentioned
  Anchor anchor;
  Anchor last;                        // the last date mentioned, aside or not
  std::int64_t aside_year = no_year;  // of an aside, and the token after it
  std::size_t aside_end = 0;
  Anchor year_anchor = {};  // in news, the last date with its year; `anchor` is the last day
  /// The narrative anchor; before the first one, the last date named, aside or not.
  const Anchor& anchor_or_last() const { return anchor.known() ? anchor : last; }
  double quarter_ms = no_time;    // the start of the last quarter of a year mentioned
  std::size_t quarter_token = 0;  // and its token
  // Within read_mentions, `mode` is news or narrative.

  const Token& at(std::size_t i) const {
    static const Token beyond;
#ifdef ASOF_COUNT_TOKEN_READS
    ++token_reads;
#endif
    return i < tokens.size() ? tokens[i] : beyond;  // an index before the text wraps to a huge one
  }
  bool is(std::size_t i, Kind kind) const { return at(i).kind == kind; }
  bool is(std::size_t i, Class cls) const {
    return at(i).kind == Kind::word && at(i).lexeme.cls == cls;
  }
  bool is(std::size_t i, Function function) const {
    return is(i, Class::function) && at(i).lexeme.value == static_cast<std::uint8_t>(function);
  }
  bool is(std::size_t i, Unit unit) const {
    return is(i, Class::unit) && at(i).lexeme.value == static_cast<std::uint8_t>(unit);
  }
  bool is_any(std::size_t i, std::initializer_list<Function> functions) const {
    for (Function each : functions) {
      if (is(i, each)) return true;
    }
    return false;
  }
  // Where stories and reports, or the two guidelines they are annotated by, differ. Every other
  // rule is the same in both modes. A story counts from the last date mentioned and ignores its
  // reader's day; a report counts from its publication.
  bool narrative() const { return mode == Mode::narrative; }
  // TIMEX2 (WikiWars) takes into an expression what says more of the time: "just seven hours", "ten
  // months of bitter fighting", "late in 1985", "the year 1950", "two days after the siege began".
  // TimeML (news) stops at the time's own words.
  bool uses_whole_phrase() const { return narrative(); }
  // TIMEX2 nests expressions, and those inside are the ones that count here: "nearly four weeks of
  // fighting since 8 August".
  bool uses_innermost() const { return narrative(); }
  // TIMEX2 marks words that place a thing in time without telling one: "the former king", "night
  // attacks", "current borders".
  bool tags_generic() const { return narrative(); }
  bool dash(std::size_t i) const { return is(i, Kind::hyphen) || is(i, Kind::dash); }
  bool glued(std::size_t i) const { return at(i).glued; }
  int value(std::size_t i) const { return at(i).lexeme.value; }
  std::u16string_view word(std::size_t i) const {
    return text.substr(at(i).begin, at(i).end - at(i).begin);
  }
  bool has_reference() const { return std::fabs(reference_ms) <= 8.64e15; }  // false for NaN
  std::int64_t reference_day() const {
    return static_cast<std::int64_t>(std::floor(reference_ms / day_ms));
  }
};

/// Whether the word at `i` is one of `words`.
inline bool word_is(const Document& doc, std::size_t i,
                    std::initializer_list<std::u16string_view> words) {
  if (!doc.is(i, Kind::word)) return false;
  const std::u16string_view word = doc.word(i);
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// TimeML's signal: the words before an expression that relate it, "before", "as of".
struct Signal {
  Relation relation = Relation::none;
  std::size_t first = 0;     // first token that belongs to the mention
  bool from = false;         // "from": the start of a range, or since
  bool approximate = false;  // "around", "about": what follows may be a quantity
  bool supports_year =
      false;  // a preposition or word that a year may follow, whether or not it is a relation
  bool quantity = false;  // "more than", "room": no year at all
};

}  // namespace asof::timetag
