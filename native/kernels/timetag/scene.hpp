// What the readers of the grammar share: the tokens of one text with safe access beyond both ends, and an expression, the
// result of reading one. A reader is a function (scene, index of a token, expression to fill) -> whether it read one.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/timetag/civil.hpp"
#include "kernels/timetag/contract.hpp"
#include "kernels/timetag/tokens.hpp"

namespace asof::timetag {

inline constexpr double unknown_ms = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::int64_t no_year = std::numeric_limits<std::int64_t>::min();

struct Span {
  std::size_t first = 0;  // tokens, half-open
  std::size_t last = 0;
};

/// A time of day: an hour and minute, or a part of the day.
struct Clock {
  std::string value;            // TIMEX3 from the T on: "T15:00", "TMO"; empty for none
  double start_ms = unknown_ms;  // from midnight; unknown for a part of the day
  double length_ms = 0;
  Granularity granularity = Granularity::minute;
  int zone = -1;  // value of a Class::zone, or -1
  Span span;      // where it is written, if apart from its date ("5 am on 3 October"); else empty
  Span date;      // and where that is
};

struct Expression {
  std::size_t first = 0;  // tokens, half-open
  std::size_t last = 0;
  double start_ms = unknown_ms;
  double end_ms = unknown_ms;
  Granularity granularity = Granularity::day;
  TimexType type = TimexType::date;
  std::string value;            // TIMEX3; of a range "first/second"
  std::vector<Span> spans;      // of a range, where each part of `value` is written; else empty
  float confidence = 0.95f;
  // A date without its year: month is 1..12, day 0 for a month alone.
  bool lacks_year = false;
  int month = 0;
  int day = 0;
  int last_day = 0;                // "May 5-7": the second day, else 0
  int weekday = -1;                // of a date without its year, where it is said: 0 is Monday
  int part = -1;                   // of a month without its year: a Part
  int season = -1;                 // of a season without its year: 0 spring ... 3 winter
  int holiday = -1;                // of a holiday without its year: which of holidays.cpp's
  std::int64_t year = no_year;     // the calendar year it names, where it names one
  bool bare_year = false;          // digits alone: context must speak for it
  bool range = false;              // has two ends of its own: "1914-18", "5-7 May 1821"
  bool one_stretch = false;        // a range that counts as one unit: "the 2012-13 season", "winter 1939-40"
  bool relative = false;           // "last week": says its relation by itself
  bool looks_back = false;         // "the previous year": the story stays where it is
  bool ends_unit = false;          // "the end of 2016": after "by", the last day
  Clock clock;                     // a time of day that waits for its date; apply_clock adds it
};

/// Lengths, repetitions and vague references: they name no stretch of the calendar.
inline bool undated(const Expression& expression) {
  return expression.type == TimexType::duration || expression.type == TimexType::set || expression.value.ends_with("_REF");
}

// The last date that moved the story: what "the next day" counts from, and where an incomplete date is looked for.
struct Told {
  double start_ms = unknown_ms;
  double end_ms = unknown_ms;
  Granularity granularity = Granularity::day;
  std::size_t at = 0;  // the token after it
  bool known() const { return !std::isnan(start_ms); }
};

#ifdef ASOF_COUNT_LOOKS
inline std::uint64_t looks = 0;  // tokens that readers looked at: the fuzzer holds them to a multiple of the tokens there are
#endif

struct Scene {
  std::u16string_view text;
  const std::vector<Token>& tokens;
  double reference_ms = unknown_ms;
  Mode mode = Mode::automatic;
  std::int64_t carried_year = no_year;  // of the last date mentioned
  Told told;
  Told last;  // the last date mentioned, aside or not
  std::int64_t passing_year = no_year;  // of an aside, and the token after it
  std::size_t passing_end = 0;
  Told told_year = {};  // in news, the last date that names its year; `told` is the last day
  double quarter_ms = unknown_ms;  // the start of the last quarter of a year mentioned
  std::size_t quarter_token = 0;   // and where
  // Within read_mentions, `mode` is news or narrative.

  const Token& at(std::size_t i) const {
    static const Token beyond;
#ifdef ASOF_COUNT_LOOKS
    ++looks;
#endif
    return i < tokens.size() ? tokens[i] : beyond;  // an index before the text wraps to a huge one
  }
  bool is(std::size_t i, Kind kind) const { return at(i).kind == kind; }
  bool is(std::size_t i, Class cls) const { return at(i).kind == Kind::word && at(i).lexeme.cls == cls; }
  bool is(std::size_t i, Function function) const { return is(i, Class::function) && at(i).lexeme.value == static_cast<std::uint8_t>(function); }
  bool is(std::size_t i, Unit unit) const { return is(i, Class::unit) && at(i).lexeme.value == static_cast<std::uint8_t>(unit); }
  bool is_any(std::size_t i, std::initializer_list<Function> functions) const {
    for (Function each : functions) {
      if (is(i, each)) return true;
    }
    return false;
  }
  // Where stories and reports, or the two guidelines they are annotated by, differ. Every other rule is the same in both modes.
  // A story counts from the last date told and has forgotten its reader's day; a report counts from its publication.
  bool story() const { return mode == Mode::narrative; }
  // TIMEX2 (WikiWars) takes into an expression what says more of the time: "just seven hours", "ten months of bitter fighting",
  // "late in 1985", "the year 1950", "two days after the siege began". TimeML (news) stops at the time's own words.
  bool takes_whole_phrase() const { return story(); }
  // TIMEX2 nests expressions, and those inside are the ones that count here: "nearly four weeks of fighting since 8 August".
  bool innermost_only() const { return story(); }
  // TIMEX2 marks words that place a thing in time without telling one: "the former king", "night attacks", "current borders".
  bool takes_generic() const { return story(); }
  bool dash(std::size_t i) const { return is(i, Kind::hyphen) || is(i, Kind::dash); }
  bool glued(std::size_t i) const { return at(i).glued; }
  int value(std::size_t i) const { return at(i).lexeme.value; }
  std::u16string_view word(std::size_t i) const { return text.substr(at(i).begin, at(i).end - at(i).begin); }
  bool has_reference() const { return std::fabs(reference_ms) <= 8.64e15; }  // false for NaN
  std::int64_t reference_day() const { return static_cast<std::int64_t>(std::floor(reference_ms / day_ms)); }
};

// units.cpp: filling an expression with a calendar unit.
void fill_days(Expression& expression, std::int64_t from_day, std::int64_t end_day, Granularity granularity);
void fill_day(Expression& expression, std::int64_t year, int month, int day);
void fill_month(Expression& expression, std::int64_t year, int month);
void fill_year(Expression& expression, std::int64_t year);
void fill_decade(Expression& expression, std::int64_t first_year);
/// Nth century; of BC where `before_common`.
void fill_century(Expression& expression, int ordinal, bool before_common);
void fill_millennium(Expression& expression, int ordinal, bool before_common);
void fill_season(Expression& expression, std::int64_t year, int season);
/// Narrows a month, year, decade or century to its early, middle or late part (TIME_CONVENTIONS).
void narrow_to_part(Expression& expression, Part part);
/// Narrows to the index-th (from 0) of `count` equal stretches of its months, years or days.
void narrow_to_fraction(Expression& expression, int index, int count);
/// Joins two into the hull: from the start of `first` to the end of `second`, with the coarser granularity. Both need
/// their tokens: they become the spans.
void join(Expression& first, const Expression& second);
/// Gives a date without its year the year.
void resolve_year(Expression& expression, std::int64_t year);
std::string year_text(std::int64_t year);
std::string day_text(std::int64_t day);
/// The ISO week that begins on this Monday: "2013-W12".
std::string week_text(std::int64_t monday);

// years.cpp
bool clean_number(const Scene& scene, std::size_t i);
bool year_number(const Scene& scene, std::size_t i);
/// Whether an article or possessive stands before `i`: "his 1883 book".
bool determined(const Scene& scene, std::size_t i);
/// A year with an era or with the digits to be one, at `i`: sets `year` and the index after it.
bool read_year_value(const Scene& scene, std::size_t i, std::int64_t& year, std::size_t& next);
bool read_years(const Scene& scene, std::size_t i, Expression& expression);
bool read_short_year(const Scene& scene, std::size_t i, Expression& expression);
bool read_decade(const Scene& scene, std::size_t i, Expression& expression);
bool read_century(const Scene& scene, std::size_t i, Expression& expression);
bool read_ordinal(const Scene& scene, std::size_t i, int& ordinal, std::size_t& next);

/// What may follow a year of three digits for it to be one: not the thing that it counts.
bool closed_after(const Scene& scene, std::size_t i);

// dates.cpp
bool read_numeric_date(const Scene& scene, std::size_t i, Expression& expression);
bool read_day_month(const Scene& scene, std::size_t i, Expression& expression);
bool read_month_first(const Scene& scene, std::size_t i, Expression& expression);
bool read_weekday(const Scene& scene, std::size_t i, Expression& expression);

// parts.cpp
/// What a part, half or quarter may be of: a decade, century, season, month or year.
bool read_whole(const Scene& scene, std::size_t i, Expression& whole);
bool read_part(const Scene& scene, std::size_t i, Expression& expression);
bool read_later(const Scene& scene, std::size_t i, Expression& expression);
bool read_season(const Scene& scene, std::size_t i, Expression& expression);
/// "their 1982 summer offensive"
bool read_year_and_season(const Scene& scene, std::size_t i, Expression& expression);
bool read_fraction(const Scene& scene, std::size_t i, Expression& expression);

// quarters.cpp
bool read_report(const Scene& scene, std::size_t i, Expression& expression);
/// Notes the quarter that was read, for "the quarter" and "a year earlier" after it.
void remember_quarter(Scene& scene, const Expression& expression);

// modified.cpp
bool read_modified(const Scene& scene, std::size_t i, Expression& expression);
/// "January this year", "June of last year": gives a date without its year the year, and its words.
void extend_by_shifted_year(const Scene& scene, Expression& expression);

// pointed.cpp
bool read_pointed(const Scene& scene, std::size_t i, Expression& expression);

// weeks.cpp
bool read_stretch_of(const Scene& scene, std::size_t i, Expression& expression);

// relative.cpp
bool read_relative(const Scene& scene, std::size_t i, Expression& expression);
/// The unit `steps` away from the one that holds `day`. False where the calendar ends.
bool fill_shifted(std::int64_t day, Unit unit, std::int64_t steps, Expression& expression);
/// What stands for a unit of which nothing is known: "XXXX-XX-XX".
const char* unresolved_value(Unit unit);

// anaphora.cpp
bool read_anaphora(const Scene& scene, std::size_t i, Expression& expression);
/// "the year", "that same month", "the following day" from `i`: a unit counted from the last date told.
bool read_told_unit(const Scene& scene, std::size_t i, Expression& expression);
/// The unit `steps` away from the last date told; unresolved where that is unknown, with the year alone where it is coarse.
bool fill_from_told(const Scene& scene, Unit unit, std::int64_t steps, Expression& expression);
/// "days later": near the last date told, but nobody can say when.
void fill_told_vaguely(const Scene& scene, Unit unit, Expression& expression);
/// "two years later (218 BC)", "six days later, on 7 October": what is counted in a story is the date named beside it.
void take_named_date(const Scene& scene, Expression& expression);
/// "October of that year", "the spring of the following year": gives a date without its year the year, and its words.
void extend_by_told_year(const Scene& scene, Expression& expression);

// numbers.cpp: how many, in digits or words.
struct Count {
  double value = 0;
  bool vague = false;    // "a few", "many": no number at all
  bool article = false;  // "a", "an"
  std::size_t last = 0;  // the token after it
};
bool read_count(const Scene& scene, std::size_t i, Count& count);
/// A count as TIMEX3 writes it: "3", "2.5", "X" for a vague one.
std::string count_text(const Count& count);

// durations.cpp
/// A unit at `i` that may be counted ("years", "week"; "second" only where `counted_by_hyphen`); sets whether its form is plural.
bool read_unit(const Scene& scene, std::size_t i, bool counted_by_hyphen, Unit& unit, bool& plural);
/// The TIMEX3 duration of a count of a unit: "PT30M", "PXY".
std::string duration_text(const std::string& count, Unit unit);
bool read_duration(const Scene& scene, std::size_t i, Expression& expression);
/// The first token of the words before a count at `i` that belong to it: "more than", "at least", "nearly".
std::size_t with_modifiers(const Scene& scene, std::size_t i);

// holidays.cpp
bool read_holiday(const Scene& scene, std::size_t i, Expression& expression);
void fill_holiday(Expression& expression, std::int64_t year);

// sets.cpp
/// Whether something counted stands right before: "20 miles (32 km) a day", "600 acts a year", "8 percent a year".
bool counted_before(const Scene& scene, std::size_t i);
bool read_set(const Scene& scene, std::size_t i, Expression& expression);

// clock.cpp
bool read_clock(const Scene& scene, std::size_t i, Expression& expression);
/// Extends a day by the time of day that follows it: "Tuesday morning", "May 8 1:00 AM".
void extend_by_clock(const Scene& scene, Expression& expression);

// dayparts.cpp
bool read_daypart(const Scene& scene, std::size_t i, Expression& expression);
/// "morning": the part of the day at `i`.
bool read_part_of_day(const Scene& scene, std::size_t i, Clock& clock);
/// Whether it is a single day, with or without its year.
bool names_day(const Expression& expression);
/// The day that a time of day alone, at `i`, is of. False where the text gives none.
bool anchor_day(const Scene& scene, std::size_t i, std::int64_t& day);
/// Gives an expression of a day its time of day.
void apply_clock(Expression& expression);

// references.cpp
bool read_reference(const Scene& scene, std::size_t i, Expression& expression);

// events.cpp
/// Whether a date stands in the phrase that begins at `i`.
bool holds_date(const Scene& scene, std::size_t i);
/// Whether the phrase that ends before `i` goes on to a date: "of 1915", "since 8 August".
bool nests_date(const Scene& scene, std::size_t i);
/// "two days after the siege was raised", "the day before the battle"
bool read_event_shift(const Scene& scene, std::size_t i, Expression& expression);
/// "the years following the war"
bool read_event_stretch(const Scene& scene, std::size_t i, Expression& expression);
/// "the fifth day of the rebellion"
bool read_event_day(const Scene& scene, std::size_t i, Expression& expression);
/// "ten months of bitter fighting": the words after a duration that say what filled it.
void extend_by_event(const Scene& scene, std::size_t floor, Expression& expression);

// expression.cpp
bool read_expression(const Scene& scene, std::size_t i, Expression& expression);

// relations.cpp: the words before an expression that relate it.
struct Prefix {
  Relation relation = Relation::none;
  std::size_t first = 0;       // first token that belongs to the mention
  bool from = false;           // "from": the start of a range, or since
  bool approximate = false;    // "around", "about": what follows may be a quantity
  bool supports_year = false;  // a preposition or word that a year may follow, whether or not it is a relation
  bool quantity = false;       // "more than", "room": no year at all
};
Prefix read_prefix(const Scene& scene, std::size_t floor, const Expression& expression);

// mode.cpp
Mode choose_mode(const Scene& scene);

// narrative.cpp and news.cpp: a year for a date that names none.
void resolve_in_narrative(const Scene& scene, const Prefix& prefix, Expression& expression);
/// Whether a month with neither day nor year nor preposition is one in a story: "September saw", "the August decrees".
bool month_stands_alone(const Scene& scene, const Expression& expression, std::size_t floor);
/// Makes a resolved date the one that the story has come to, unless it is an aside.
void carry(Scene& scene, const Prefix& prefix, const Expression& expression);
void resolve_in_news(const Scene& scene, Expression& expression);
/// Notes a date of news. Days and years are remembered apart: "the next day" follows the last weekday, "a year later" does not.
void carry_in_news(Scene& scene, const Expression& expression);
/// What a unit is counted from: the last day or the last year told, else the reference.
Told told_in_news(const Scene& scene, Unit unit);
/// Whether a month that no preposition of time leads is a date all the same.
bool news_month(const Scene& scene, const Expression& expression, std::size_t floor);
/// The day (since 1970) of a weekday alone: the one before the reference or after it, as the sentence points.
std::int64_t news_weekday(const Scene& scene, std::size_t i, int weekday);

// direction.cpp
enum class Direction : std::uint8_t { unknown, back, ahead };
/// Which way the clause around the tokens [first, last) points, by its verbs.
Direction direction_at(const Scene& scene, std::size_t first, std::size_t last);

// timexes.cpp
/// Appends the TIMEX3 expressions that `expression` is written in, and returns how many. `floor` is the first token that
/// no mention before holds.
std::uint32_t append_timexes(const Scene& scene, const Expression& expression, std::size_t floor, std::vector<Timex>& timexes);

// backfill.cpp
// The last date that nothing before it gave a year.
struct Open {
  bool known = false;
  Expression expression;
  std::size_t mention = 0;
  std::size_t timex = 0;
};
/// Notes the mention just appended, where it lacks its year.
void leave_open(const Expression& expression, const Tags& tags, Open& open);
/// Gives the noted date the year of `dated`, if that stands in the same sentence.
void fill_open(const Scene& scene, const Expression& dated, Open& open, Tags& tags);

// mentions.cpp
void read_mentions(Scene& scene, Tags& tags);

// counts.cpp: what speaks against a number's being a year.
/// Whether the word after the number at `i` may be a plural that it counts.
bool counts_what_follows(const Scene& scene, std::size_t i);
/// `expression` is a bare year that no joint made a range of; `floor` is the first token that no mention holds.
bool is_count(const Scene& scene, const Expression& expression, const Prefix& prefix, std::size_t floor);
bool is_range_of_counts(const Scene& scene, const Expression& expression, const Prefix& prefix);

}  // namespace asof::timetag
