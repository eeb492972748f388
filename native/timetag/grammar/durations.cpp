// Lengths of time: "three days", "a few months", "two and a half years", "half an hour",
// "18-year-old", "the past three months", "months of fighting". They have no interval. Counts from
// a date ("three days ago", "two weeks later") are dates, which other rules read, except those
// without a number ("many years later").
#include "timetag/grammar/durations.hpp"
#include "timetag/grammar/rules.hpp"

namespace asof::timetag {
namespace {

// "old", "-old", "-olds", "of age", "-long", "long", " time" of "a year's time".
std::size_t read_tail(const Document& doc, std::size_t i) {
  const std::size_t j = joined_hyphen(doc, i) ? i + 1 : i;
  if (word_is(doc, j, {u"old", u"olds"})) return j + 1;
  if (word_is(doc, j, {u"long"}) &&
      (j > i || !doc.is(j + 1, Kind::word) || doc.is(j + 1, Class::function)))
    return j + 1;
  if (doc.is(i, Function::of) && word_is(doc, i + 1, {u"age"})) return i + 2;
  if (doc.is(i, Kind::apostrophe) && doc.glued(i)) {
    const std::size_t after = doc.is(i + 1, Class::suffix) && doc.glued(i + 1) ? i + 2 : i + 1;
    if (doc.is(after, Function::time)) return after + 1;
  }
  return i;
}

// "several years ago", "Years later": before or after, at an unknown distance.
bool read_vague_shift(const Document& doc, std::size_t first, std::size_t next,
                      Expression& expression) {
  const bool before = doc.is(next, Function::before) &&
                      !doc.is(next + 1, Kind::word);  // "a few months before; ..."
  const bool back =
      before || doc.is_any(next, {Function::ago, Function::earlier}) || ago_by_back(doc, next);
  if (!back && !doc.is(next, Function::later)) return false;
  fill_duration(expression, first, next + 1, back ? "PAST_REF" : "FUTURE_REF");
  expression.type = TimexType::date;
  expression.confidence = 0.5f;
  return true;
}

// "half an hour", "half-hour", "half a century", "a quarter of a century", "quarter-century"
bool read_fraction_of_unit(const Document& doc, std::size_t i, Expression& expression) {
  const bool half = doc.is(i, Unit::half);
  if (!half && !doc.is(i, Unit::quarter)) return false;
  std::size_t j = i + 1;
  if (joined_hyphen(doc, j))
    ++j;
  else if (half && (doc.is(j, Function::a) || doc.is(j + 1, Function::a)))
    j += doc.is(j, Function::of) ? 2 : 1;
  else if (!half && doc.is(j, Function::of) && doc.is(j + 1, Function::a))
    j += 2;
  else if (!doc.is(j, Unit::hour) && !doc.is(j, Unit::century))
    return false;
  Unit unit{};
  bool plural = false;
  if (!read_unit(doc, j, false, unit, plural) || plural) return false;
  const char* value = nullptr;
  switch (unit) {
    case Unit::minute:
      value = half ? "PT30S" : "PT15S";
      break;
    case Unit::hour:
      value = half ? "PT30M" : "PT15M";
      break;
    case Unit::day:
      value = half ? "PT12H" : "PT6H";
      break;
    case Unit::year:
      value = half ? "P6M" : "P3M";
      break;
    case Unit::decade:
      value = half ? "P5Y" : nullptr;
      break;
    case Unit::century:
      value = half ? "P50Y" : "P25Y";
      break;
    case Unit::millennium:
      value = half ? "P500Y" : "P250Y";
      break;
    default:
      break;
  }
  if (value == nullptr || is_shift(doc, j + 1)) return false;
  std::size_t first = i;
  if (doc.is(i - 1, Function::a))
    --first;
  else if (doc.is(i - 1, Class::shift) &&
           (doc.is(i - 2, Function::the) || has_determiner(doc, i - 1)))
    first -= 2;  // "the past half-century"
  fill_duration(expression, first + 2 == i ? first : with_modifiers(doc, first),
                read_tail(doc, j + 1), value);
  return true;
}

// Whether a number that looks like a year is one: "in 1945 weeks of talks".
bool year_like(const Document& doc, std::size_t i) {
  return is_year_number(doc, i) && doc.at(i).number >= 1500 &&
         doc.is_any(i - 1, {Function::in, Function::since, Function::until, Function::by,
                            Function::of, Function::during});
}

bool plausible_singular(const Document& doc, std::size_t i, const Count& count, std::size_t unit) {
  const std::size_t next = unit + 1;
  if (count.article) {
    if (doc.is(unit, Unit::second) || doc.is(unit, Unit::weekend) || doc.is(i - 1, Function::on))
      return false;
    if (word_is(doc, i - 1, {u"such", u"what", u"What", u"quite", u"many"})) return false;
    return !joined_hyphen(doc, next) ||
           word_is(doc, next + 1, {u"long", u"old"});  // "a day-to-day matter"
  }
  if (count.value == 1) {
    const bool vague_day =
        doc.is(unit, Unit::day) && doc.is(i, Class::cardinal);  // "one day he left"
    return !vague_day ||
           doc.is_any(i - 1, {Function::in, Function::for_, Function::within, Function::after,
                              Function::over, Function::by}) ||
           doc.is_any(i - 1, {Function::than, Function::least, Function::around}) ||
           doc.is(i - 1, Class::quantifier) || word_is(doc, i - 1, {u"just", u"took", u"lasted"}) ||
           doc.at(next).kind == Kind::hyphen;
  }
  if (count.vague || doc.is(unit, Unit::minute))
    return doc.is(i, Kind::number) && doc.is(next, Class::unknown);
  if (doc.is(i, Kind::number) && is_year_number(doc, i)) return false;
  return doc.is(next, Class::unknown) && !doc.at(next).capital;  // "a three hour speech"
}

// "one hour and 48 minutes", "two years, three months and five days": each part of a smaller unit.
// Adds to `value`.
std::size_t read_smaller_parts(const Document& doc, std::size_t i, Unit unit, std::string& value) {
  std::size_t end = i;
  for (int parts = 0; parts < 4; ++parts) {
    std::size_t j = doc.is(end, Kind::comma) ? end + 1 : end;
    if (doc.is(j, Function::and_)) ++j;
    Count count;
    Unit smaller{};
    bool plural = false;
    if (!(doc.is(j, Kind::number) || doc.is(j, Class::cardinal)) || !read_count(doc, j, count) ||
        !read_unit(doc, count.last, false, smaller, plural))
      break;
    if (smaller >= unit || smaller == Unit::weekend || smaller == Unit::quarter ||
        (!plural && count.value != 1) || is_shift(doc, count.last + 1))
      break;
    const std::string part = duration_text(count_text(count), smaller);
    const bool timed = value.find('T') != std::string::npos;
    value += part.substr(
        smaller < Unit::day && timed ? 2 : 1);  // "PT48M" after "PT1H": without its "PT"
    unit = smaller;
    end = count.last + 1;
  }
  return end;
}

// "200 meteors an hour": a speed; longer rates are sets, read before.
bool rate_of_report(const Document& doc, std::size_t i, const Count& count) {
  return doc.mode == Mode::news && count.article && has_quantity_before(doc, i);
}

// "the three months ended Dec. 31": an exact count takes its article.
std::size_t with_article(const Document& doc, std::size_t i, std::size_t first,
                         const Count& count) {
  return first == i && !count.article && !count.vague && doc.is(i - 1, Function::the) &&
                 !doc.is_any(i - 2, {Function::of})
             ? i - 1
             : first;
}

// "30-year bonds", "the ten-year yield": in reports the name of a security.
bool names_debt(const Document& doc, std::size_t i) {
  return doc.mode == Mode::news &&
         word_is(doc, i,
                 {u"bond", u"bonds", u"note", u"notes", u"yield", u"yields", u"gilt", u"gilts",
                  u"mortgage", u"mortgages", u"Treasury", u"Treasurys", u"Treasuries"});
}

bool read_counted(const Document& doc, std::size_t i, Expression& expression) {
  Count count, second;
  if (!read_count(doc, i, count)) return false;
  if (fortnight(doc, count.last) && !count.vague && !is_shift(doc, count.last + 1) &&
      !doc.is(i - 1, Function::on)) {
    count.value *= 2;
    fill_duration(expression, with_modifiers(doc, i), read_tail(doc, count.last + 1),
                  duration_text(count_text(count), Unit::week));
    return true;
  }
  if (count.vague && doc.is(i - 1, Function::as)) return false;  // "the third in as many weeks"
  std::size_t j = count.last;
  // "two to three weeks", "10-15 years", "three- to five-year"
  const std::size_t to =
      joined_hyphen(doc, j) || (doc.is(j, Kind::hyphen) && doc.is(j + 1, Function::to)) ? j + 1 : j;
  const bool linked =
      doc.is_any(to, {Function::to, Function::or_}) || (doc.dash(j) && doc.is(j + 1, Kind::number));
  const std::size_t other = doc.dash(j) && to == j ? j + 1 : doc.is(to, Kind::number) ? to : to + 1;
  const bool range = linked && !count.article && !count.vague && read_count(doc, other, second) &&
                     !second.vague && !second.article;
  if (range) j = second.last;
  const Count& last = range ? second : count;
  const bool hyphen = joined_hyphen(doc, j);
  if (hyphen) ++j;
  Unit unit{};
  bool plural = false;
  if (!read_unit(doc, j, hyphen || plural, unit, plural)) {
    if (hyphen || !is_unit_adjective(doc, j) || !read_unit(doc, j + 1, false, unit, plural))
      return false;
    if (!plural && !word_is(doc, j, {u"single", u"full", u"whole", u"mere", u"further", u"entire"}))
      return false;
    ++j;
  }
  if (unit == Unit::half || unit == Unit::season || doc.is(j, Unit::quarter)) return false;
  if (is_name(doc, j, i) || year_like(doc, i) || (hyphen && names_debt(doc, j + 1))) return false;
  if (plural ? count.article : !hyphen && !plausible_singular(doc, i, last, j)) return false;
  const std::size_t after = j + 1;
  if (last.vague && read_vague_shift(doc, i, after, expression)) return true;
  if (is_shift(doc, after) || rate_of_report(doc, i, count)) return false;
  Count whole = last;
  std::size_t end = after;
  const std::size_t half =
      joined_hyphen(doc, after) ? after + 1 : after;  // "a year and a half", "a month-and-a-half"
  if (doc.is(half, Function::and_)) {
    std::size_t k = joined_hyphen(doc, half + 1) ? half + 2 : half + 1;
    if (doc.is(k, Function::a)) k = joined_hyphen(doc, k + 1) ? k + 2 : k + 1;
    if (k > half + 1 && doc.is(k, Unit::half)) {
      whole.value += 0.5;
      end = k + 1;
    }
  }
  std::string value = duration_text(count_text(whole), unit);
  if (!range && !hyphen && !last.vague && end == after)
    end = read_smaller_parts(doc, end, unit, value);
  if (range) value = duration_text(count_text(count), unit) + '/' + value;
  // "a week-long stay": the article is the stay's.
  const std::size_t tail = read_tail(doc, end);
  const bool adjective = count.article && joined_hyphen(doc, end) && tail > end;
  const std::size_t first = adjective ? i + 1 : with_modifiers(doc, i);
  fill_duration(expression,
                hyphen || !plural || doc.at(j).capital ? first : with_article(doc, i, first, count),
                tail, value);
  return true;
}

// "for months", "days of fighting", "months-long", "Years later"
bool read_bare(const Document& doc, std::size_t i, Expression& expression) {
  Unit unit{};
  bool plural = false;
  if (!read_unit(doc, i, false, unit, plural) || unit == Unit::half || unit == Unit::season ||
      unit == Unit::quarter || unit == Unit::weekend)
    return false;
  const bool adjective = joined_hyphen(doc, i + 1) && word_is(doc, i + 2, {u"long"});
  if (adjective) {
    fill_duration(expression, i, i + 3, duration_text(plural ? "X" : "1", unit));
    return true;
  }
  if (!plural || (doc.at(i).capital && i > 0 && !doc.is(i - 1, Kind::dot))) return false;
  if (doc.is(i - 1, Kind::number) || doc.is(i - 1, Class::cardinal) ||
      doc.is(i - 1, Class::thing) || doc.is(i - 1, Class::vague) || doc.is(i - 1, Unit::half) ||
      doc.is(i - 1, Class::part))
    return false;
  // "just months before the vote"
  const bool short_of = word_is(doc, i - 1, {u"just", u"only"}) &&
                        doc.is_any(i + 1, {Function::before, Function::after});
  if (short_of) {
    fill_duration(expression, i, i + 1, duration_text("X", unit));
    return true;
  }
  if (doc.is(i - 1, Function::the) || doc.is(i - 1, Class::unknown)) {
    if (!word_is(doc, i - 1,
                 {u"took", u"take", u"takes", u"taken", u"lasted", u"spent", u"spend", u"spending",
                  u"waited"}))
      return false;
  } else if (read_vague_shift(doc, i, i + 1, expression)) {
    return true;
  } else if (!doc.is(i + 1, Function::of) &&
             !doc.is_any(i - 1, {Function::for_, Function::in, Function::over, Function::within,
                                 Function::after})) {
    return false;
  }
  if (doc.is(i + 1, Kind::hyphen)) return false;
  fill_duration(expression, i, i + 1, duration_text("X", unit));
  expression.confidence = 0.7f;
  return true;
}

}  // namespace

bool read_duration(const Document& doc, std::size_t i, Expression& expression) {
  if (doc.is(i, Class::unit))
    return read_fraction_of_unit(doc, i, expression) || read_bare(doc, i, expression);
  if (doc.is(i, Class::shift) || doc.is(i, Class::ordinal) || doc.is(i, Class::edge) ||
      doc.is_any(i, {Function::following, Function::preceding}))
    return read_modified_duration(doc, i, expression);
  if (word_is(doc, i, {u"another", u"Another"})) {
    Unit unit{};
    bool plural = false;
    if (!read_unit(doc, i + 1, false, unit, plural) || plural || unit < Unit::minute ||
        unit == Unit::half || unit == Unit::quarter || unit == Unit::season)
      return false;
    if (!doc.is_any(i - 1, {Function::for_, Function::in, Function::within, Function::over,
                            Function::after}))
      return false;
    fill_duration(expression, i, i + 2, duration_text("1", unit));
    return true;
  }
  return read_counted(doc, i, expression);
}

}  // namespace asof::timetag
