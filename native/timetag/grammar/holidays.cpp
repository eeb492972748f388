// Named days: "Christmas 1914", "Easter Monday, 1916", "Thanksgiving", "the Fourth of July". Each
// has a rule: a fixed date, the nth weekday of a month, or a distance from Easter (by computus;
// Julian before 1583, and not converted). Feasts of lunar calendars are read without an interval.
// Names that contain a feast's ("Easter Island", "Christmas carols") are none.
#include <algorithm>

#include "timetag/grammar/rules.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

enum class Rule : std::uint8_t { fixed, nth_weekday, from_easter, lunar };

struct Holiday {
  std::string_view
      name;  // lower-case words with single blanks, without apostrophes and the s after them
  Rule rule = Rule::fixed;
  int month = 0;
  int day = 0;      // of nth_weekday: which one, -1 the last; of from_easter: days after it
  int weekday = 0;  // of nth_weekday, 0 Monday
  int shift = 0;    // of nth_weekday: days after that weekday
};

using enum Rule;

// In an order in which nothing depends; the longest name that fits is taken.
constexpr Holiday holidays[] = {
    {"christmas", fixed, 12, 25},
    {"christmas day", fixed, 12, 25},
    {"christmas eve", fixed, 12, 24},
    {"xmas", fixed, 12, 25},
    {"xmas day", fixed, 12, 25},
    {"xmas eve", fixed, 12, 24},
    {"new year day", fixed, 1, 1},
    {"new year eve", fixed, 12, 31},
    {"new year", fixed, 1, 1},
    {"boxing day", fixed, 12, 26},
    {"halloween", fixed, 10, 31},
    {"juneteenth", fixed, 6, 19},
    {"independence day", fixed, 7, 4},
    {"bastille day", fixed, 7, 14},
    {"may day", fixed, 5, 1},
    {"valentine day", fixed, 2, 14},
    {"valentines day", fixed, 2, 14},
    {"patrick day", fixed, 3, 17},
    {"patricks day", fixed, 3, 17},
    {"stephen day", fixed, 12, 26},
    {"andrew day", fixed, 11, 30},
    {"veterans day", fixed, 11, 11},
    {"veteran day", fixed, 11, 11},
    {"armistice day", fixed, 11, 11},
    {"remembrance day", fixed, 11, 11},
    {"groundhog day", fixed, 2, 2},
    {"earth day", fixed, 4, 22},
    {"inauguration day", fixed, 1, 20},
    {"canada day", fixed, 7, 1},
    {"australia day", fixed, 1, 26},
    {"anzac day", fixed, 4, 25},
    {"saints day", fixed, 11, 1},
    {"souls day", fixed, 11, 2},
    {"epiphany", fixed, 1, 6},
    {"fools day", fixed, 4, 1},
    {"thanksgiving", nth_weekday, 11, 4, 3, 0},
    {"thanksgiving day", nth_weekday, 11, 4, 3, 0},
    {"thanksgiving eve", nth_weekday, 11, 4, 3, -1},
    {"black friday", nth_weekday, 11, 4, 3, 1},
    {"labor day", nth_weekday, 9, 1, 0, 0},
    {"labour day", nth_weekday, 9, 1, 0, 0},
    {"memorial day", nth_weekday, 5, -1, 0, 0},
    {"columbus day", nth_weekday, 10, 2, 0, 0},
    {"luther king day", nth_weekday, 1, 3, 0, 0},
    {"king jr day", nth_weekday, 1, 3, 0, 0},
    {"mlk day", nth_weekday, 1, 3, 0, 0},
    {"presidents day", nth_weekday, 2, 3, 0, 0},
    {"president day", nth_weekday, 2, 3, 0, 0},
    {"mother day", nth_weekday, 5, 2, 6, 0},
    {"mothers day", nth_weekday, 5, 2, 6, 0},
    {"father day", nth_weekday, 6, 3, 6, 0},
    {"fathers day", nth_weekday, 6, 3, 6, 0},
    {"election day", nth_weekday, 11, 1, 0, 1},
    {"easter", from_easter, 0, 0},
    {"easter day", from_easter, 0, 0},
    {"easter sunday", from_easter, 0, 0},
    {"easter monday", from_easter, 0, 1},
    {"easter saturday", from_easter, 0, -1},
    {"easter eve", from_easter, 0, -1},
    {"good friday", from_easter, 0, -2},
    {"holy saturday", from_easter, 0, -1},
    {"maundy thursday", from_easter, 0, -3},
    {"holy thursday", from_easter, 0, -3},
    {"palm sunday", from_easter, 0, -7},
    {"ash wednesday", from_easter, 0, -46},
    {"shrove tuesday", from_easter, 0, -47},
    {"ascension day", from_easter, 0, 39},
    {"pentecost", from_easter, 0, 49},
    {"pentecost sunday", from_easter, 0, 49},
    {"whit sunday", from_easter, 0, 49},
    {"whitsun", from_easter, 0, 49},
    {"whit monday", from_easter, 0, 50},
    {"ramadan", lunar},
    {"hanukkah", lunar},
    {"chanukah", lunar},
    {"diwali", lunar},
    {"passover", lunar},
    {"eid al fitr", lunar},
    {"eid al adha", lunar},
    // in questions only
    {"candlemas", fixed, 2, 2},
    {"lady day", fixed, 3, 25},
    {"midsummer day", fixed, 6, 24},
    {"lammas", fixed, 8, 1},
    {"lammas day", fixed, 8, 1},
    {"michaelmas", fixed, 9, 29},
    {"bonfire night", fixed, 11, 5},
    {"martinmas", fixed, 11, 11},
    {"nicholas day", fixed, 12, 6},
    {"corpus christi", from_easter, 0, 60},
};
constexpr int holidays_of_questions = 10;

constexpr std::size_t longest_name = 20;

// Easter Sunday, by Gauss's steps as Meeus gives them; before 1583 in the Julian calendar, its date
// kept as written.
std::int64_t easter(std::int64_t year) {
  const auto floor_mod = [](std::int64_t value, std::int64_t by) { return (value % by + by) % by; };
  const std::int64_t a = floor_mod(year, 19);
  if (year < 1583) {
    const std::int64_t moon = (19 * a + 15) % 30;
    const std::int64_t week = (2 * floor_mod(year, 4) + 4 * floor_mod(year, 7) - moon + 34) % 7;
    const std::int64_t month = (moon + week + 114) / 31, day = (moon + week + 114) % 31 + 1;
    return days_from_civil(year, static_cast<int>(month), static_cast<int>(day));
  }
  const std::int64_t century = year / 100, rest = year % 100;
  const std::int64_t moon =
      (19 * a + century - century / 4 - (century - (century + 8) / 25 + 1) / 3 + 15) % 30;
  const std::int64_t week = (32 + 2 * (century % 4) + 2 * (rest / 4) - moon - rest % 4) % 7;
  const std::int64_t late = (a + 11 * moon + 22 * week) / 451;
  const std::int64_t march_based = moon + week - 7 * late + 114;
  return days_from_civil(year, static_cast<int>(march_based / 31),
                         static_cast<int>(march_based % 31 + 1));
}

std::int64_t day_of_holiday(const Holiday& holiday, std::int64_t year) {
  if (holiday.rule == from_easter) return easter(year) + holiday.day;
  if (holiday.rule == fixed) return days_from_civil(year, holiday.month, holiday.day);
  const int length = days_in_month(year, holiday.month);
  const std::int64_t first = days_from_civil(year, holiday.month, holiday.day < 0 ? length - 6 : 1);
  const std::int64_t weekday = first + (holiday.weekday - weekday_from_days(first) + 7) % 7;
  return weekday + (holiday.day < 0 ? 0 : 7 * (holiday.day - 1)) + holiday.shift;
}

// The words of a name, in small letters with single blanks.
struct Name {
  char letters[longest_name + 1] = {};
  std::size_t length = 0;
  std::string_view view() const { return {letters, length}; }
  bool add(std::u16string_view word) {
    if (length + 1 + word.size() > longest_name) return false;
    if (length > 0) letters[length++] = ' ';
    for (char16_t letter : word)
      letters[length++] = letter < 128 ? static_cast<char>(letter | 32) : '?';
    return true;
  }
};

// "'s", "'", "’s" after a word
std::size_t skip_possessive(const Document& doc, std::size_t i) {
  if (!doc.is(i, Kind::apostrophe) || !doc.glued(i)) return i;
  return doc.is(i + 1, Class::suffix) && doc.glued(i + 1) && doc.word(i + 1).size() == 1 ? i + 2
                                                                                         : i + 1;
}

int find(std::string_view name, bool question) {
  const auto* end = std::end(holidays) - (question ? 0 : holidays_of_questions);
  const auto* holiday = std::find_if(std::begin(holidays), end,
                                     [&](const Holiday& each) { return each.name == name; });
  return holiday == end ? -1 : static_cast<int>(holiday - std::begin(holidays));
}

// The longest name that begins at `i`, of at most four words.
int read_name(const Document& doc, std::size_t i, std::size_t& next) {
  Name name;
  int holiday = -1;
  std::size_t j = i;
  for (int words = 0; words < 4 && doc.is(j, Kind::word) && name.add(doc.word(j)); ++words) {
    const int match = find(name.view(), doc.question);
    if (match >= 0) {
      holiday = match;
      next = j + 1;
    }
    const bool abbreviated = doc.word(j).size() == 2;
    j = skip_possessive(doc, j + 1);
    if (abbreviated && doc.is(j, Kind::dot) && doc.glued(j)) ++j;  // "Jr. Day"
    if (doc.is(j, Kind::hyphen) && doc.glued(j)) ++j;              // "Eid al-Fitr"
  }
  return holiday;
}

// A name that ends at `i`, in "Day" or a weekday: sets where it begins.
int read_name_back(const Document& doc, std::size_t i, std::size_t& first) {
  std::size_t start = i;
  for (int words = 1; words < 4; ++words) {
    std::size_t j = start - 1;
    if (doc.is(j, Class::suffix) && doc.glued(j)) --j;
    if (doc.is(j, Kind::apostrophe) || doc.is(j, Kind::dot)) --j;
    if (!doc.is(j, Kind::word) || !(doc.at(j).capital || doc.question)) return -1;
    start = j;
    std::size_t next = 0;
    const int holiday = read_name(doc, start, next);
    if (holiday >= 0 && next == i + 1) {
      first = start;
      return holiday;
    }
  }
  return -1;
}

// "St. Patrick's", "Martin Luther King", "All Saints'", "April Fools'": words before that belong to
// the name.
std::size_t with_first_words(const Document& doc, std::size_t first) {
  const auto word = [&](std::size_t i, std::u16string_view expected) {
    return doc.is(i, Kind::word) && doc.word(i) == expected;
  };
  if (word(first, u"Luther") || word(first, u"King")) {
    if (word(first - 1, u"Luther")) --first;
    return word(first - 1, u"Martin") ? first - 1 : first;
  }
  const std::size_t saint = doc.is(first - 1, Kind::dot) ? first - 2 : first - 1;
  if (word(saint, u"St") || word(saint, u"Saint")) return saint;
  if (word(first - 1, u"All") || (doc.is(first - 1, Class::month) && word(first, u"Fools")) ||
      (word(first - 1, u"National") && word(first, u"Independence")))
    return first - 1;
  return first;
}

// Whether what follows makes the name another thing's: "Easter Island", "Christmas carols",
// "Thanksgiving dinner".
bool describes(const Document& doc, std::size_t next) {
  if (doc.is(next, Kind::hyphen) && doc.glued(next)) return true;
  if (!doc.is(next, Kind::word) || doc.is(next, Class::function) || doc.is(next, Class::daypart) ||
      doc.is(next, Class::deictic))
    return false;
  if (doc.at(next).capital) return true;
  if (!doc.is(next, Class::unknown))
    return doc.is(next, Unit::week) || doc.is(next, Unit::season) || doc.is(next, Class::thing) ||
           doc.is(next, Unit::weekend);
  const std::u16string_view word = doc.word(next);
  if (word.ends_with(u"ed") || word.ends_with(u"ing")) return false;
  for (std::u16string_view each :
       {u"is",    u"was", u"it",   u"he",    u"she",  u"they", u"we",    u"when",    u"with",
        u"has",   u"had", u"will", u"would", u"came", u"fell", u"falls", u"because", u"where",
        u"which", u"i",   u"you",  u"this",  u"that", u"did",  u"does",  u"who",     u"there"}) {
    if (word == each) return false;
  }
  return true;
}

const Holiday& holiday_of(const Expression& expression) {
  return holidays[static_cast<std::size_t>(expression.holiday)];
}

// "Christmas 1914", "Easter Monday, 1916", "Thanksgiving of 2010", "Christmas Day in 1914"
bool read_year_of(const Document& doc, std::size_t i, std::int64_t& year, std::size_t& next) {
  if (doc.is(i, Kind::comma) || doc.is_any(i, {Function::of, Function::in})) ++i;
  return doc.is(i, Kind::number) && doc.at(i).digits == 4 && read_year_value(doc, i, year, next);
}

// "last Christmas": the latest before the reference, "next" the first after, "this" the nearest.
bool fill_by_shift(const Document& doc, int direction, Expression& expression) {
  expression.relative = true;
  expression.anaphoric_shift = direction < 0;
  if (!doc.has_reference()) return true;
  const std::int64_t today = doc.reference_day();
  const std::int64_t year = civil_from_days(today).year;
  std::int64_t best = year;
  for (std::int64_t candidate : {year - 1, year, year + 1}) {
    const std::int64_t day = day_of_holiday(holiday_of(expression), candidate),
                       chosen = day_of_holiday(holiday_of(expression), best);
    const std::int64_t distance = day < today ? today - day : day - today,
                       shortest = chosen < today ? today - chosen : chosen - today;
    if (direction == 0  ? distance < shortest
        : direction < 0 ? day < today && (chosen >= today || day > chosen)
                        : day > today && (chosen <= today || day < chosen))
      best = candidate;
  }
  resolve_year(expression, best);
  return true;
}

}  // namespace

void fill_holiday(Expression& expression, std::int64_t year) {
  const std::int64_t day = day_of_holiday(holiday_of(expression), year);
  fill_days(expression, day, day + 1, Granularity::day);
  expression.year = year;
  expression.value = day_text(day);
}

bool read_holiday(const Document& doc, std::size_t i, Expression& expression) {
  const bool shifted = doc.is(i, Class::shift);
  std::size_t first = shifted ? i + 1 : i, next = 0;
  const bool ends_name = doc.is(first, Unit::day) || doc.is(first, Class::weekday);
  if (!doc.is(first, Class::holiday) && !doc.question && (shifted || !doc.at(first).capital))
    return false;
  int number = -1;
  if (ends_name && !shifted) {
    number = read_name_back(doc, first, first);
    next = i + 1;
  } else {
    number = read_name(doc, first, next);
  }
  if (number < 0) return false;
  expression.holiday = number;
  const Holiday& holiday = holiday_of(expression);
  const bool titled = doc.is(first - 1, Class::unknown) && doc.at(first - 1).capital &&
                      doc.at(first).capital && first > 1 && !doc.is(first - 2, Kind::dot);
  if (titled && next == first + 1) return false;  // "Operation Ramadan"
  // "India's Independence Day", "Orthodox Easter": of another place or church.
  const bool foreign = (holiday.name == "independence day" || holiday.rule == from_easter) &&
                       doc.is(first - 1, Class::unknown) && doc.at(first - 1).capital &&
                       first != 1 && !doc.is(first - 2, Kind::dot);
  expression.first = shifted ? i : with_first_words(doc, first);
  expression.granularity = Granularity::day;
  expression.confidence = 0.85f;
  std::int64_t year = 0;
  std::size_t after = 0;
  const bool has_year = read_year_of(doc, next, year, after);
  expression.last = has_year ? after : next;
  // "new year's eve say", not "Good Friday Agreement" or "Easter carols"
  const bool whole = doc.question && next > first + 1 && !doc.at(next).capital;
  if (!has_year && !whole && describes(doc, next)) return false;
  if (holiday.rule == lunar || foreign || (holiday.rule == from_easter && has_year && year < 326)) {
    expression.value = has_year ? year_text(year) + "-XX-XX" : "XXXX-XX-XX";
    return true;
  }
  if (holiday.rule == fixed) {
    expression.month = holiday.month;
    expression.day = holiday.day;
    const auto two = [](int value) {
      return std::string{static_cast<char>('0' + value / 10), static_cast<char>('0' + value % 10)};
    };
    expression.value = "XXXX-" + two(holiday.month) + '-' + two(holiday.day);
  } else {
    expression.day = 1;  // a day, whichever
    expression.value = "XXXX-XX-XX";
  }
  if (shifted) return fill_by_shift(doc, doc.value(i) - 1, expression);
  if (has_year) {
    fill_holiday(expression, year);
    return true;
  }
  expression.underspecified = true;
  return true;
}

}  // namespace asof::timetag
