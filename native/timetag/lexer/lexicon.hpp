// Lexicon of the grammar's words, by class, with exact look-up of short ASCII words of any case;
// everything else is "unknown".
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace asof::timetag {

enum class Class : std::uint8_t {
  unknown,
  month,       // value 1..12
  weekday,     // value 0..6, Monday first
  season,      // value 0 spring, 1 summer, 2 autumn, 3 winter
  unit,        // value: a Unit
  ordinal,     // value 1..31 in words
  cardinal,    // value 1..20 in words
  tens,        // "twenties" to "nineties", value 2..9
  era,         // value: an Era
  part,        // value: a Part
  deictic,     // value: a Deictic
  shift,       // value -1 last, 0 this, +1 next
  function,    // value: a Function
  suffix,      // value: a Suffix, glued to digits
  thing,       // counted or measured: "passengers", "km"; a number before it is no year
  label,       // numbered: "room", "flight"; a number after it is no year
  street,      // "Avenue"; a number before a capitalised name that ends in it is an address
  change,      // "rose"; a number after "rose to" is no year
  measure,     // "population"; a number after "population of" is no year
  quantifier,  // "nearly", "least"; a number after it is no year
  vague,       // "few", "several": a count that names none
  daypart,     // value: a Daypart
  meridiem,    // value 0 am, 1 pm
  zone,  // value: half hours east of Greenwich, plus 24; plus `daylight` where summer time may add
         // one hour
  recurring,  // value: a Recurring
  periodic,   // "daily"; value: a Unit
  weekdays,   // "Mondays"; value 0..6
  edge,       // value 0 the first part of something, 2 the last: "opening", "final"
  holiday,    // a name that begins with it is a holiday's
  tense,      // "formerly", "recent"; value: a Tense
};

enum class Unit : std::uint8_t {
  second,
  minute,
  hour,
  day,
  weekend,
  week,
  month,
  quarter,
  half,
  season,
  year,
  decade,
  century,
  millennium
};
enum class Era : std::uint8_t { before_common, common };
enum class Part : std::uint8_t { early, middle, late, beginning, end, turn };
enum class Deictic : std::uint8_t { today, yesterday, tomorrow, tonight, now };
inline constexpr int daylight = 64;

enum class Daypart : std::uint8_t {
  morning,
  midday,
  afternoon,
  evening,
  night,
  daytime,
  noon,
  midnight
};
enum class Recurring : std::uint8_t { every, per, once, twice };
enum class Tense : std::uint8_t {
  formerly,
  former,
  recent,
  soon,
  future,
  modern,
  presently,
  to_date,
  moment
};
enum class Scale : std::uint8_t {
  none,
  dozen,
  hundred,
  thousand,
  million,
  billion
};  // values of the things that count others
enum class Suffix : std::uint8_t { ordinal, plural };

enum class Function : std::uint8_t {
  the,
  a,
  in,
  on,
  at,
  during,
  throughout,
  within,
  over,
  since,
  until,
  by,
  as,
  of,
  before,
  prior,
  to,
  after,
  following,
  from,
  between,
  and_,
  through,
  up,
  around,
  circa_letter,
  no,
  not_,
  later,
  earlier,
  than,
  or_,
  period,
  onwards,
  starting,
  effective,
  present,
  sometime,
  for_,
  pre,
  post,
  dated,
  ago,
  eve,
  ahead,
  least,
  quarter_letter,
  half_letter,
  fiscal,
  born,
  some,
  time,
  more,
  preceding,
  that,
  share,
  into,
  dates,
  back,
  run,
  including,
};

// Which way in time a verb or its helper points. A promise points ahead only with what is promised:
// "agreed to meet".
enum class Verb : std::uint8_t { none, past, future, promise };

struct Lexeme {
  Class cls = Class::unknown;
  std::uint8_t value = 0;
  bool trigger = false;  // may begin a time expression without any digit
  Verb verb = Verb::none;
};

/// The lexeme of an ASCII word given in lower case.
Lexeme look_up(std::string_view lower);

/// Every word of the lexicon, in no particular order: what tests make text of.
std::vector<std::string_view> lexicon_words();

inline constexpr std::size_t max_word_length = 13;

// For each pair of first letters, the lengths that words beginning with it have, as bits: most
// words of a text need no look-up.
struct WordLengthFilter {
  std::array<std::uint16_t, 1024> lengths{};

  static constexpr std::size_t key(unsigned first, unsigned second) {
    return (first & 31) << 5 | (second & 31);
  }
  /// Letters of any case and alphabet: words with other than ASCII letters are not found.
  template <typename Character>
  bool may_contain(std::basic_string_view<Character> word) const {
    const unsigned second = word.size() > 1 ? static_cast<unsigned>(word[1]) : 0;
    return word.size() <= max_word_length &&
           (lengths[key(static_cast<unsigned>(word[0]), second)] >> word.size() & 1) != 0;
  }
  void add(std::string_view word) {
    const unsigned second = word.size() > 1 ? static_cast<unsigned>(word[1]) : 0;
    lengths[key(static_cast<unsigned>(word[0]), second)] |=
        static_cast<std::uint16_t>(1u << word.size());
  }
};

extern const WordLengthFilter word_filter;
extern const WordLengthFilter trigger_filter;

}  // namespace asof::timetag
