// Lengths of time: "three days", "a few months", "two and a half years", "half an hour",
// "18-year-old", "the past three months", "months of fighting". They have no place on the calendar,
// so no interval. What counts from a date ("three days ago", "two weeks later") is a date and read
// elsewhere; of that kind only the uncounted is read here ("many years later").
#include "timetag/readers/readers.hpp"

namespace asof::timetag {
namespace {

bool joined_hyphen(const Scene& scene, std::size_t i) {
  return scene.is(i, Kind::hyphen) && scene.glued(i) && scene.glued(i + 1);
}

bool word_is(const Scene& scene, std::size_t i, std::initializer_list<std::u16string_view> words) {
  if (!scene.is(i, Kind::word)) return false;
  const std::u16string_view word = scene.word(i);
  for (std::u16string_view each : words) {
    if (word == each) return true;
  }
  return false;
}

bool capital_name(const Scene& scene, std::size_t i) {
  return scene.is(i, Class::unknown) && scene.at(i).capital;
}

// "Rush Hours", "Hundred Years' War", "24 Hours of Le Mans": a unit in capitals beside other
// capitals is a name.
bool named(const Scene& scene, std::size_t unit, std::size_t first) {
  if (!scene.at(unit).capital) return false;
  if (scene.takes_whole_phrase() && !scene.is(unit, Unit::hour))
    return false;  // stories' annotators mark "the Seven Years War"
  std::size_t next = unit + 1;
  if (scene.is(next, Kind::apostrophe)) ++next;
  if (scene.is(next, Class::suffix)) ++next;
  if (capital_name(scene, next) || capital_name(scene, first - 1)) return true;
  if (scene.is(first, Kind::number) && scene.is(first - 1, Kind::symbol) &&
      scene.word(first - 1)[0] != u'$')
    return true;  // on "60 Minutes"
  return scene.is(first - 1, Function::the) || scene.is(unit + 1, Function::of);
}

void fill(Expression& expression, std::size_t first, std::size_t last, std::string value) {
  expression.first = first;
  expression.last = last;
  expression.type = TimexType::duration;
  expression.value = std::move(value);
  expression.confidence = 0.9f;
}

// "old", "-old", "-olds", "of age", "-long", "long", " time" of "a year's time".
std::size_t read_tail(const Scene& scene, std::size_t i) {
  const std::size_t j = joined_hyphen(scene, i) ? i + 1 : i;
  if (word_is(scene, j, {u"old", u"olds"})) return j + 1;
  if (word_is(scene, j, {u"long"}) &&
      (j > i || !scene.is(j + 1, Kind::word) || scene.is(j + 1, Class::function)))
    return j + 1;
  if (scene.is(i, Function::of) && word_is(scene, i + 1, {u"age"})) return i + 2;
  if (scene.is(i, Kind::apostrophe) && scene.glued(i)) {
    const std::size_t after = scene.is(i + 1, Class::suffix) && scene.glued(i + 1) ? i + 2 : i + 1;
    if (scene.is(after, Function::time)) return after + 1;
  }
  return i;
}

// "several years ago", "Years later": before or after, but nobody can say when.
bool read_vague_shift(const Scene& scene, std::size_t first, std::size_t next,
                      Expression& expression) {
  const bool before = scene.is(next, Function::before) &&
                      !scene.is(next + 1, Kind::word);  // "a few months before; ..."
  const bool back =
      before || scene.is_any(next, {Function::ago, Function::earlier}) || ago_by_back(scene, next);
  if (!back && !scene.is(next, Function::later)) return false;
  fill(expression, first, next + 1, back ? "PAST_REF" : "FUTURE_REF");
  expression.type = TimexType::date;
  expression.confidence = 0.5f;
  return true;
}

bool counts_from(const Scene& scene, std::size_t i) {
  return scene.is_any(i, {Function::ago, Function::earlier, Function::later}) ||
         ago_by_back(scene, i);
}

// One word between count and unit: "ten brutal months", "three more days", "five straight years".
bool describes_unit(const Scene& scene, std::size_t i) {
  if (scene.is(i, Function::more)) return true;
  return scene.is(i, Class::unknown) && !scene.at(i).capital &&
         (scene.word(i).back() != u's' || scene.word(i).ends_with(u"ss") ||
          scene.word(i).ends_with(u"us"));
}

// "half an hour", "half-hour", "half a century", "a quarter of a century", "quarter-century"
bool read_fraction_of_unit(const Scene& scene, std::size_t i, Expression& expression) {
  const bool half = scene.is(i, Unit::half);
  if (!half && !scene.is(i, Unit::quarter)) return false;
  std::size_t j = i + 1;
  if (joined_hyphen(scene, j))
    ++j;
  else if (half && (scene.is(j, Function::a) || scene.is(j + 1, Function::a)))
    j += scene.is(j, Function::of) ? 2 : 1;
  else if (!half && scene.is(j, Function::of) && scene.is(j + 1, Function::a))
    j += 2;
  else if (!scene.is(j, Unit::hour) && !scene.is(j, Unit::century))
    return false;
  Unit unit{};
  bool plural = false;
  if (!read_unit(scene, j, false, unit, plural) || plural) return false;
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
  if (value == nullptr || counts_from(scene, j + 1)) return false;
  std::size_t first = i;
  if (scene.is(i - 1, Function::a))
    --first;
  else if (scene.is(i - 1, Class::shift) &&
           (scene.is(i - 2, Function::the) || determined(scene, i - 1)))
    first -= 2;  // "the past half-century"
  fill(expression, first + 2 == i ? first : with_modifiers(scene, first), read_tail(scene, j + 1),
       value);
  return true;
}

// Whether a number that looks like a year is one: "in 1945 weeks of talks".
bool year_like(const Scene& scene, std::size_t i) {
  return year_number(scene, i) && scene.at(i).number >= 1500 &&
         scene.is_any(i - 1, {Function::in, Function::since, Function::until, Function::by,
                              Function::of, Function::during});
}

bool plausible_singular(const Scene& scene, std::size_t i, const Count& count, std::size_t unit) {
  const std::size_t next = unit + 1;
  if (count.article) {
    if (scene.is(unit, Unit::second) || scene.is(unit, Unit::weekend) ||
        scene.is(i - 1, Function::on))
      return false;
    if (word_is(scene, i - 1, {u"such", u"what", u"What", u"quite", u"many"})) return false;
    return !joined_hyphen(scene, next) ||
           word_is(scene, next + 1, {u"long", u"old"});  // "a day-to-day matter"
  }
  if (count.value == 1) {
    const bool vague_day =
        scene.is(unit, Unit::day) && scene.is(i, Class::cardinal);  // "one day he left"
    return !vague_day ||
           scene.is_any(i - 1, {Function::in, Function::for_, Function::within, Function::after,
                                Function::over, Function::by}) ||
           scene.is_any(i - 1, {Function::than, Function::least, Function::around}) ||
           scene.is(i - 1, Class::quantifier) ||
           word_is(scene, i - 1, {u"just", u"took", u"lasted"}) ||
           scene.at(next).kind == Kind::hyphen;
  }
  if (count.vague || scene.is(unit, Unit::minute))
    return scene.is(i, Kind::number) && scene.is(next, Class::unknown);
  if (scene.is(i, Kind::number) && year_number(scene, i)) return false;
  return scene.is(next, Class::unknown) && !scene.at(next).capital;  // "a three hour speech"
}

// "one hour and 48 minutes", "two years, three months and five days": each part of a smaller unit.
// Adds to `value`.
std::size_t read_smaller_parts(const Scene& scene, std::size_t i, Unit unit, std::string& value) {
  std::size_t end = i;
  for (int parts = 0; parts < 4; ++parts) {
    std::size_t j = scene.is(end, Kind::comma) ? end + 1 : end;
    if (scene.is(j, Function::and_)) ++j;
    Count count;
    Unit smaller{};
    bool plural = false;
    if (!(scene.is(j, Kind::number) || scene.is(j, Class::cardinal)) ||
        !read_count(scene, j, count) || !read_unit(scene, count.last, false, smaller, plural))
      break;
    if (smaller >= unit || smaller == Unit::weekend || smaller == Unit::quarter ||
        (!plural && count.value != 1) || counts_from(scene, count.last + 1))
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
bool rate_of_report(const Scene& scene, std::size_t i, const Count& count) {
  return scene.mode == Mode::news && count.article && counted_before(scene, i);
}

// "the three months ended Dec. 31": an exact count takes its article.
std::size_t with_article(const Scene& scene, std::size_t i, std::size_t first, const Count& count) {
  return first == i && !count.article && !count.vague && scene.is(i - 1, Function::the) &&
                 !scene.is_any(i - 2, {Function::of})
             ? i - 1
             : first;
}

// "30-year bonds", "the ten-year yield": in reports a name of what is traded.
bool names_debt(const Scene& scene, std::size_t i) {
  return scene.mode == Mode::news &&
         word_is(scene, i,
                 {u"bond", u"bonds", u"note", u"notes", u"yield", u"yields", u"gilt", u"gilts",
                  u"mortgage", u"mortgages", u"Treasury", u"Treasurys", u"Treasuries"});
}

bool read_counted(const Scene& scene, std::size_t i, Expression& expression) {
  Count count, second;
  if (!read_count(scene, i, count)) return false;
  if (fortnight(scene, count.last) && !count.vague && !counts_from(scene, count.last + 1) &&
      !scene.is(i - 1, Function::on)) {
    count.value *= 2;
    fill(expression, with_modifiers(scene, i), read_tail(scene, count.last + 1),
         duration_text(count_text(count), Unit::week));
    return true;
  }
  if (count.vague && scene.is(i - 1, Function::as)) return false;  // "the third in as many weeks"
  std::size_t j = count.last;
  // "two to three weeks", "10-15 years", "three- to five-year"
  const std::size_t to =
      joined_hyphen(scene, j) || (scene.is(j, Kind::hyphen) && scene.is(j + 1, Function::to))
          ? j + 1
          : j;
  const bool linked = scene.is_any(to, {Function::to, Function::or_}) ||
                      (scene.dash(j) && scene.is(j + 1, Kind::number));
  const std::size_t other = scene.dash(j) && to == j     ? j + 1
                            : scene.is(to, Kind::number) ? to
                                                         : to + 1;
  const bool range = linked && !count.article && !count.vague && read_count(scene, other, second) &&
                     !second.vague && !second.article;
  if (range) j = second.last;
  const Count& last = range ? second : count;
  const bool hyphen = joined_hyphen(scene, j);
  if (hyphen) ++j;
  Unit unit{};
  bool plural = false;
  if (!read_unit(scene, j, hyphen || plural, unit, plural)) {
    if (hyphen || !describes_unit(scene, j) || !read_unit(scene, j + 1, false, unit, plural))
      return false;
    if (!plural &&
        !word_is(scene, j, {u"single", u"full", u"whole", u"mere", u"further", u"entire"}))
      return false;
    ++j;
  }
  if (unit == Unit::half || unit == Unit::season || scene.is(j, Unit::quarter)) return false;
  if (named(scene, j, i) || year_like(scene, i) || (hyphen && names_debt(scene, j + 1)))
    return false;
  if (plural ? count.article : !hyphen && !plausible_singular(scene, i, last, j)) return false;
  const std::size_t after = j + 1;
  if (last.vague && read_vague_shift(scene, i, after, expression)) return true;
  if (counts_from(scene, after) || rate_of_report(scene, i, count)) return false;
  Count whole = last;
  std::size_t end = after;
  const std::size_t half =
      joined_hyphen(scene, after) ? after + 1 : after;  // "a year and a half", "a month-and-a-half"
  if (scene.is(half, Function::and_)) {
    std::size_t k = joined_hyphen(scene, half + 1) ? half + 2 : half + 1;
    if (scene.is(k, Function::a)) k = joined_hyphen(scene, k + 1) ? k + 2 : k + 1;
    if (k > half + 1 && scene.is(k, Unit::half)) {
      whole.value += 0.5;
      end = k + 1;
    }
  }
  std::string value = duration_text(count_text(whole), unit);
  if (!range && !hyphen && !last.vague && end == after)
    end = read_smaller_parts(scene, end, unit, value);
  if (range) value = duration_text(count_text(count), unit) + '/' + value;
  // "a week-long stay": the article is the stay's.
  const std::size_t tail = read_tail(scene, end);
  const bool adjective = count.article && joined_hyphen(scene, end) && tail > end;
  const std::size_t first = adjective ? i + 1 : with_modifiers(scene, i);
  fill(expression,
       hyphen || !plural || scene.at(j).capital ? first : with_article(scene, i, first, count),
       tail, value);
  return true;
}

// "the past three months", "the first two years", "the final five minutes", "the coming weeks",
// "the past century"
bool read_stretch(const Scene& scene, std::size_t i, Expression& expression) {
  const bool ordinal = scene.is(i, Class::ordinal) || scene.is(i, Class::edge);
  if (scene.is(i, Class::ordinal) && scene.value(i) != 1) return false;
  const bool determined_by_the =
      scene.is(i - 1, Function::the) || determined(scene, i) ||
      word_is(scene, i - 1, {u"these", u"those", u"These", u"my", u"your"});
  const bool led = scene.is_any(i - 1, {Function::in, Function::over, Function::during,
                                        Function::for_, Function::within, Function::throughout});
  const std::size_t first = determined_by_the ? i - 1 : i;
  Count count;
  Unit unit{};
  bool plural = false;
  if (fortnight(scene, i + 1) && determined_by_the &&
      scene.is(i, Class::shift)) {  // "the past fortnight"
    fill(expression, first, i + 2, "P2W");
    return true;
  }
  if (read_count(scene, i + 1, count) && !count.article) {
    std::size_t j = count.last;
    Count second;  // "the last 2–3 centuries", "the next two or three years"
    const bool linked = scene.dash(j) || scene.is_any(j, {Function::to, Function::or_});
    const bool range = linked && !count.vague && read_count(scene, j + 1, second) &&
                       !second.article && !second.vague;
    if (range) j = second.last;
    if (joined_hyphen(scene, j) || j >= scene.tokens.size()) return false;
    if (!read_unit(scene, j, false, unit, plural)) {
      if (!describes_unit(scene, j) || !read_unit(scene, j + 1, false, unit, plural)) return false;
      ++j;
    }
    if ((!plural && (count.vague || count.value != 1)) || unit == Unit::season ||
        unit == Unit::half || (scene.is(j, Unit::quarter) && scene.is(j + 1, Function::of)))
      return false;
    if ((scene.at(j).capital && named(scene, j, first)) || counts_from(scene, j + 1)) return false;
    const bool verb = !ordinal && !determined_by_the && !led &&
                      !scene.at(i).capital;  // "made to last five years"
    if (verb) return false;
    fill(expression, first, j + 1, duration_text(count_text(count), unit));
    return true;
  }
  if (!read_unit(scene, i + 1, false, unit, plural) ||
      (ordinal && !(plural && scene.takes_whole_phrase())) || unit == Unit::half ||
      unit == Unit::quarter || unit == Unit::season || scene.at(i + 1).capital)
    return false;
  const bool past = word_is(scene, i, {u"past"});
  if (plural) {
    if (!determined_by_the) return false;
    fill(expression, first, i + 2, duration_text("X", unit));
    if (scene.mode == Mode::news && word_is(scene, i, {u"coming"})) {
      expression.type = TimexType::date;
      expression.value = "FUTURE_REF";
    }
    return true;
  }
  if (over_stretch(scene, i)) {
    fill(expression, first, i + 2, duration_text("1", unit));
    return true;
  }
  if (scene.is(i + 2, Function::of) || scene.is_any(i, {Function::following, Function::preceding}))
    return false;
  const bool last = word_is(scene, i, {u"last"});
  const bool before = scene.is(i - 1, Function::the) &&
                      scene.is_any(i - 2, {Function::in, Function::over, Function::during,
                                           Function::for_, Function::within, Function::throughout});
  const bool long_or_short =
      unit == Unit::decade || unit == Unit::century || unit == Unit::hour || unit == Unit::minute;
  if (!(past && (determined_by_the || led)) &&
      !(last && determined_by_the && (before || long_or_short)))
    return false;
  fill(expression, first, i + 2, duration_text("1", unit));
  return true;
}

// "for months", "days of fighting", "months-long", "Years later"
bool read_bare(const Scene& scene, std::size_t i, Expression& expression) {
  Unit unit{};
  bool plural = false;
  if (!read_unit(scene, i, false, unit, plural) || unit == Unit::half || unit == Unit::season ||
      unit == Unit::quarter || unit == Unit::weekend)
    return false;
  const bool adjective = joined_hyphen(scene, i + 1) && word_is(scene, i + 2, {u"long"});
  if (adjective) {
    fill(expression, i, i + 3, duration_text(plural ? "X" : "1", unit));
    return true;
  }
  if (!plural || (scene.at(i).capital && i > 0 && !scene.is(i - 1, Kind::dot))) return false;
  if (scene.is(i - 1, Kind::number) || scene.is(i - 1, Class::cardinal) ||
      scene.is(i - 1, Class::thing) || scene.is(i - 1, Class::vague) ||
      scene.is(i - 1, Unit::half) || scene.is(i - 1, Class::part))
    return false;
  // "just months before the vote"
  const bool short_of = word_is(scene, i - 1, {u"just", u"only"}) &&
                        scene.is_any(i + 1, {Function::before, Function::after});
  if (short_of) {
    fill(expression, i, i + 1, duration_text("X", unit));
    return true;
  }
  if (scene.is(i - 1, Function::the) || scene.is(i - 1, Class::unknown)) {
    if (!word_is(scene, i - 1,
                 {u"took", u"take", u"takes", u"taken", u"lasted", u"spent", u"spend", u"spending",
                  u"waited"}))
      return false;
  } else if (read_vague_shift(scene, i, i + 1, expression)) {
    return true;
  } else if (!scene.is(i + 1, Function::of) &&
             !scene.is_any(i - 1, {Function::for_, Function::in, Function::over, Function::within,
                                   Function::after})) {
    return false;
  }
  if (scene.is(i + 1, Kind::hyphen)) return false;
  fill(expression, i, i + 1, duration_text("X", unit));
  expression.confidence = 0.7f;
  return true;
}

}  // namespace

bool read_duration(const Scene& scene, std::size_t i, Expression& expression) {
  if (scene.is(i, Class::unit))
    return read_fraction_of_unit(scene, i, expression) || read_bare(scene, i, expression);
  if (scene.is(i, Class::shift) || scene.is(i, Class::ordinal) || scene.is(i, Class::edge) ||
      scene.is_any(i, {Function::following, Function::preceding}))
    return read_stretch(scene, i, expression);
  if (word_is(scene, i, {u"another", u"Another"})) {
    Unit unit{};
    bool plural = false;
    if (!read_unit(scene, i + 1, false, unit, plural) || plural || unit < Unit::minute ||
        unit == Unit::half || unit == Unit::quarter || unit == Unit::season)
      return false;
    if (!scene.is_any(i - 1, {Function::for_, Function::in, Function::within, Function::over,
                              Function::after}))
      return false;
    fill(expression, i, i + 2, duration_text("1", unit));
    return true;
  }
  return read_counted(scene, i, expression);
}

}  // namespace asof::timetag
