// Years, eras, decades, centuries and millennia, and what makes a number no year: units, labels,
// addresses, grouping.
#include "timetag/mentions/mentions.hpp"
#include "timetag/readers/readers.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

constexpr std::uint32_t first_year = 1000, last_year = 2199;

bool before_street(const Scene& scene, std::size_t i) {
  for (std::size_t j = i + 1; j < i + 5; ++j) {
    // "2013 UCI Road World Championships" goes on as a name, "1785 Massachusetts Avenue Northwest"
    // ends.
    if (scene.is(j, Class::street) && scene.at(j).capital) {
      const Token& next = scene.at(j + 1);
      return j > i + 1 && !determined(scene, i) &&
             !(scene.is(j + 1, Class::unknown) && next.capital && next.end - next.begin > 2 &&
               !scene.word(j + 1).starts_with(u"North") &&
               !scene.word(j + 1).starts_with(u"South"));
    }
    const bool name = scene.is(j, Kind::word) && scene.at(j).capital;
    if (!name && !(scene.is(j, Kind::dot) && j > i + 1) &&
        !(scene.is(j, Kind::number) && j > i + 1))
      return false;
  }
  return false;
}

bool clean_before(const Scene& scene, std::size_t i) {
  const Token& previous = scene.at(i - 1);
  if (scene.glued(i)) {
    // "c.1290", "b.1950"
    if (previous.kind == Kind::dot)
      return scene.glued(i - 1) &&
             scene.is_any(i - 2, {Function::circa_letter, Function::around, Function::born});
    if (previous.kind == Kind::currency || previous.kind == Kind::colon ||
        previous.kind == Kind::percent)
      return false;
    if (previous.kind == Kind::comma) return !(scene.is(i - 2, Kind::number) && scene.glued(i - 1));
    if (previous.kind == Kind::word)
      return scene.is_any(
          i - 1, {Function::to, Function::and_, Function::in, Function::circa_letter,
                  Function::around, Function::by, Function::fiscal, Function::from, Function::since,
                  Function::until, Function::between, Function::before, Function::after});
    if (previous.kind == Kind::symbol) return false;
    if (previous.kind == Kind::slash)
      return scene.is(i - 2, Kind::number) && scene.at(i - 2).digits == 4;
    if (scene.dash(i - 1) && scene.glued(i - 1)) {
      if (scene.is(i - 2, Class::suffix)) return scene.is(i - 3, Kind::number);  // "1990s-2000s"
      const bool prefix = scene.is(i - 2, Class::part) ||
                          scene.is_any(i - 2, {Function::pre, Function::post}) ||
                          scene.is(i - 2, Class::month);
      if (scene.is(i - 2, Kind::number) &&
          (scene.glued(i - 2) || scene.is(i - 3, Class::label) ||
           (scene.is(i - 3, Kind::dot) &&
            (scene.is(i - 4, Class::label) || scene.is(i - 4, Function::no)))))
        return false;  // "0-1999-2001-4", "ref. 1999-2001"
      const bool range = scene.is(i - 2, Kind::number) ? year_number(scene, i - 2)
                                                       : prefix || previous.kind == Kind::dash ||
                                                             !scene.is(i - 2, Kind::word);
      return prefix || range;
    }
    return true;
  }
  if (previous.kind == Kind::currency) return false;
  if (scene.is(i - 1, Class::label) || scene.is(i - 1, Class::quantifier)) return false;
  if (scene.is(i - 1, Class::thing) && scene.word(i - 1) == u"pages") return false;
  if (previous.kind == Kind::dot &&
      (scene.is(i - 2, Class::label) || scene.is(i - 2, Function::no)) && scene.glued(i - 1))
    return false;
  if (scene.is(i - 1, Function::no) && scene.at(i - 1).capital) return false;
  if (scene.is(i - 1, Function::least))
    return scene.is_any(i - 3, {Function::since, Function::until, Function::by, Function::from,
                                Function::to});  // "since at least 1850"
  if (scene.is(i - 1, Function::than) && !scene.is_any(i - 2, {Function::later, Function::earlier}))
    return false;
  return !(scene.is(i - 1, Function::of) && scene.is(i - 2, Class::measure));
}

// A further number on a chain of hyphens: codes have three and more, ranges two.
bool chained(const Scene& scene, std::size_t i) {
  return scene.is(i, Kind::hyphen) && scene.glued(i) && scene.is(i + 1, Kind::number) &&
         scene.glued(i + 1);
}

bool clean_after(const Scene& scene, std::size_t i) {
  const std::size_t j = i + 1;
  const Token& next = scene.at(j);
  if (next.kind == Kind::percent) return false;
  if (scene.glued(j)) {
    const bool digit_follows = scene.is(j + 1, Kind::number) && scene.glued(j + 1);
    if ((next.kind == Kind::comma || next.kind == Kind::dot || next.kind == Kind::colon) &&
        digit_follows)
      return false;
    if (next.kind == Kind::currency ||
        (next.kind == Kind::colon && scene.is(j + 1, Kind::word) && scene.glued(j + 1)))
      return false;
    if (next.kind == Kind::word)
      return scene.is(j, Class::suffix) || scene.is(j, Class::era) ||
             scene.is_any(j, {Function::to, Function::and_});
    if (next.kind == Kind::slash) {  // "2012/13", but not "1999/44/EC" or "2016/679"
      const std::uint16_t digits = scene.at(j + 1).digits;
      return digit_follows && (digits == 2 || digits == 4) &&
             (year_number(scene, j + 1) || !(scene.is(j + 2, Kind::slash) && scene.glued(j + 2)));
    }
    if (next.kind == Kind::hyphen && digit_follows && chained(scene, j + 2))
      return false;  // "1987-2004-19"
    // "1500-meter", "2000-seat"
    if (next.kind == Kind::hyphen && scene.is(j + 1, Kind::word) && scene.glued(j + 1)) {
      if (scene.is_any(j + 1, {Function::the, Function::a}) && year_number(scene, i))
        return true;  // "in 1950-the day after"
      // "the 1898-era league", "the 1949-founded works"
      const bool describes = scene.is(j + 1, Function::period) ||
                             (scene.is(j + 1, Class::unknown) &&
                              (scene.word(j + 1).ends_with(u"ed") ||
                               scene.word(j + 1) == u"built" || scene.word(j + 1) == u"ongoing"));
      return describes || scene.is(j + 1, Class::month) || scene.is(j + 1, Function::present) ||
             scene.is(j + 1, Class::deictic);
    }
    return true;
  }
  // "the 2012 Games" are no count of games, nor is what follows "May 1871" or "the first weeks of
  // 1945"
  if (scene.is(i - 1, Class::month) ||
      (scene.is(i - 1, Kind::comma) && scene.at(i - 2).digits <= 2 &&
       scene.is(i - 3, Class::month)) ||
      (scene.is(i - 1, Function::of) && scene.is(i - 2, Class::unit)))
    return true;
  // "In 1959 Miles Davis": units are written small, but for symbols ("MW") and where all is written
  // large.
  const bool name = next.capital && ((next.end - next.begin > 3 && scene.word(j)[1] >= u'a') ||
                                     determined(scene, i));
  return !(scene.is(j, Class::thing) && !name) && !before_street(scene, i);
}

// An era at `i`; in lower case only after a number, where "ad" can hardly be an advertisement.
bool era_at(const Scene& scene, std::size_t i, bool& before_common, std::size_t& next) {
  if (scene.is(i, Class::era) && (scene.at(i).capital || scene.is(i - 1, Kind::number))) {
    before_common = scene.value(i) == static_cast<int>(Era::before_common);
    next = i + 1;
    return true;
  }
  // "B.C.", "A.D.", "C.E.", "B.C.E."
  const auto letter = [&](std::size_t j, char16_t wanted) {
    return scene.is(j, Kind::word) && scene.at(j).end - scene.at(j).begin == 1 &&
           (scene.word(j)[0] & ~32) == wanted;
  };
  const auto dotted = [&](std::size_t j) { return scene.is(j, Kind::dot) && scene.glued(j); };
  if (!dotted(i + 1) || !scene.glued(i + 2)) return false;
  before_common = letter(i, u'B') && letter(i + 2, u'C');
  if (!before_common && !(letter(i, u'A') && letter(i + 2, u'D')) &&
      !(letter(i, u'C') && letter(i + 2, u'E')))
    return false;
  next = i + 3;
  if (before_common && dotted(next) && letter(next + 1, u'E')) next += 2;
  if (dotted(next)) ++next;  // the abbreviation's last dot, even where it ends the sentence
  return true;
}

std::int64_t astronomical(std::uint32_t number, bool before_common) {
  return before_common ? 1 - static_cast<std::int64_t>(number) : static_cast<std::int64_t>(number);
}

// "season", "school year", "Premier League campaign": what runs over the turn of a year, named
// within a few words.
bool names_season(const Scene& scene, std::size_t i) {
  for (std::size_t j = i; j < i + 4 && scene.is(j, Kind::word) && !scene.is(j, Class::function);
       ++j) {
    if (scene.is(j, Unit::season) || (scene.is(j, Unit::year) && j > i) ||
        (scene.is(j, Class::unknown) && scene.word(j) == u"campaign"))
      return true;
  }
  return false;
}

}  // namespace

// What may follow a year of three digits for it to be one: not the thing that it counts.
bool closed_after(const Scene& scene, std::size_t i) {
  const Token& next = scene.at(i);
  // "In 890 Arnulf", "In 793 he": a sentence that begins so tells of a year.
  if (scene.is(i - 2, Function::in) && scene.at(i - 2).capital && next.kind == Kind::word &&
      !next.glued) {
    const std::u16string_view word = scene.word(i);
    if (next.capital || word == u"he" || word == u"she" || word == u"they" || word == u"it" ||
        word == u"his" || word == u"her")
      return true;
  }
  return next.kind == Kind::end || next.kind == Kind::comma || next.kind == Kind::dot ||
         next.kind == Kind::close || next.kind == Kind::symbol || scene.dash(i) ||
         (next.kind == Kind::word && next.lexeme.cls == Class::function);
}

bool determined(const Scene& scene, std::size_t i) {
  if (scene.is(i - 1, Function::the) || scene.is(i - 1, Function::a)) return true;
  const std::u16string_view word =
      scene.is(i - 1, Kind::word) ? scene.word(i - 1) : std::u16string_view();
  return word == u"his" || word == u"her" || word == u"its" || word == u"their" ||
         word == u"this" || word == u"that" || word == u"our";
}

bool clean_number(const Scene& scene, std::size_t i) {
  return clean_before(scene, i) && clean_after(scene, i);
}

bool year_number(const Scene& scene, std::size_t i) {
  const Token& token = scene.at(i);
  return token.kind == Kind::number && token.digits == 4 && token.number >= first_year &&
         token.number <= last_year;
}

bool read_year_value(const Scene& scene, std::size_t i, std::int64_t& year, std::size_t& next) {
  bool before_common = false;
  std::size_t number = i;
  const bool era_first = era_at(scene, i, before_common, number);
  const Token& token = scene.at(number);
  if (token.kind != Kind::number || token.digits > 4 || token.number == 0) return false;
  std::size_t after_era = 0;
  if (!era_first && era_at(scene, number + 1, before_common, after_era)) {
    next = after_era;
    year = astronomical(token.number, before_common);
    return true;
  }
  if (!clean_after(scene, number) ||
      (scene.glued(number) && scene.is(number - 1, Kind::word) && !clean_before(scene, number)))
    return false;
  if (!era_first && !(token.digits == 4 && year_number(scene, number)) &&
      !(token.digits == 3 && closed_after(scene, number + 1)))
    return false;
  next = number + 1;
  year = astronomical(token.number, before_common);
  return true;
}

namespace {

// "1914-18", "1998–2002", "2012/13": the year after the dash, or no_year.
std::int64_t second_year(const Scene& scene, std::size_t i, std::int64_t year, std::size_t& next) {
  const bool slash = scene.is(i, Kind::slash);
  if (!slash && !scene.dash(i)) return no_year;
  const Token& token = scene.at(i + 1);
  if (token.kind != Kind::number || !clean_after(scene, i + 1)) return no_year;
  std::int64_t second = no_year;
  if (token.digits == 4 && year_number(scene, i + 1)) second = token.number;
  if (token.digits == 3 && year < 1000 && year >= 100) second = token.number;
  if (token.digits == 2 && year >= 1000 && scene.glued(i) && token.glued) {
    second = year - year % 100 + token.number;
    if (second < year) second += 100;  // "1999-00", "1998–02"
    if (second - year > 60) return no_year;
  }
  if (second == no_year || second < year || (slash && second != year + 1)) return no_year;
  next = i + 2;
  return second;
}

// A story that has come to years before our era counts down in bare numbers: "in 492 a fleet was
// sent".
bool counts_down(const Scene& scene, std::size_t i) {
  return scene.story() && scene.told.known() &&
         scene.told.start_ms < days_from_civil(1, 1, 1) * day_ms && scene.is(i, Kind::number) &&
         scene.at(i).digits <= 3;
}

// "264–146 BC", "60 to 44 BC": the era stands after the second number only.
bool read_before_common_range(const Scene& scene, std::size_t i, Expression& expression) {
  if (!scene.is(i, Kind::number) || scene.at(i).digits > 4 ||
      !(scene.dash(i + 1) || scene.is_any(i + 1, {Function::to, Function::and_, Function::until})))
    return false;
  bool before_common = false;
  std::size_t next = 0;
  if (!scene.is(i + 2, Kind::number) || scene.at(i + 2).digits > 4 || scene.at(i + 2).number == 0 ||
      scene.at(i).number == 0)
    return false;
  if (!era_at(scene, i + 3, before_common, next)) {
    if (!counts_down(scene, i) || !counts_down(scene, i + 2) ||
        scene.at(i).number <= scene.at(i + 2).number || !closed_after(scene, i + 3) ||
        !clean_number(scene, i))
      return false;
    before_common = true;
    expression.bare_year = true;
    next = i + 3;
  }
  if (scene.is(i + 1, Function::and_) && !scene.is(i - 1, Function::between)) return false;
  Expression second;
  fill_year(expression, astronomical(scene.at(i).number, before_common));
  fill_year(second, astronomical(scene.at(i + 2).number, before_common));
  if (second.start_ms < expression.start_ms) return false;
  expression.last = i + 1;
  second.first = i + 2;
  second.last = next;
  join(expression, second);
  return true;
}

}  // namespace

bool read_years(const Scene& scene, std::size_t i, Expression& expression) {
  expression.first = i;
  if (read_before_common_range(scene, i, expression)) return true;
  std::int64_t year = 0;
  std::size_t next = 0;
  if (!read_year_value(scene, i, year, next)) return false;
  if (scene.is(i, Kind::number) && !clean_before(scene, i)) return false;
  if (next == i + 1 && counts_down(scene, i)) year = 1 - year;
  fill_year(expression, year);
  expression.last = next;
  const bool digits_alone = next == i + 1;
  if (!digits_alone && year > 0 && !scene.is(i, Kind::number)) {  // "AD 224–271"
    const std::int64_t end_year = second_year(scene, next, year, next);
    if (end_year != no_year && end_year > year) {
      Expression end;
      fill_year(end, end_year);
      end.first = next - 1;
      end.last = next;
      join(expression, end);
      return true;
    }
  }
  expression.bare_year = digits_alone;
  if (!digits_alone) return true;
  const std::int64_t second = second_year(scene, next, year, next);
  if (second != no_year && second > year) {
    Expression end;
    fill_year(end, second);
    end.first = next - 1;
    end.last = next;
    end.bare_year = true;
    join(expression, end);
    expression.bare_year = scene.at(i).digits < 4;
    const bool fiscal = scene.is(i - 1, Function::fiscal) ||
                        (scene.is(i - 1, Unit::year) && scene.is(i - 2, Class::unknown)) ||
                        (scene.is(i - 1, Unit::year) && scene.is(i - 2, Function::fiscal)) ||
                        scene.is(i - 1, Unit::season);
    expression.one_stretch = second == year + 1 && (fiscal || names_season(scene, next));
    if (expression.one_stretch && scene.is(next, Unit::season))
      expression.last = next + 1;
    else if (expression.one_stretch && scene.is(next, Class::unknown) &&
             scene.is(next + 1, Unit::year))
      expression.last = next + 2;  // "school year"
    return true;
  }
  if (scene.is(next, Unit::season) && scene.is(i - 1, Function::the) &&
      scene.word(next) == u"season") {
    expression.last = next + 1;  // "the 1998 season"
    return true;
  }
  if (counts_what_follows(scene, i) && !determined(scene, i)) expression.confidence = 0.3f;
  return true;
}

namespace {

// "highs in the 80s", "in his early 60s", "the upper 50s": degrees, speeds and ages, not decades.
bool counts_degrees(const Scene& scene, std::size_t i) {
  std::size_t before = i - 1;
  if (scene.dash(before)) --before;
  if (scene.is(before, Class::part)) --before;
  if (scene.is(before, Kind::word) && !scene.is(before, Function::the) &&
      determined(scene, before + 1))
    return true;
  for (std::size_t j = before; j + 9 > i && scene.is(j, Kind::word); --j) {
    const std::u16string_view word = scene.word(j);
    for (std::u16string_view each :
         {u"high",        u"highs",        u"High",        u"Highs",        u"low",
          u"lows",        u"Low",          u"Lows",        u"upper",        u"lower",
          u"temperature", u"temperatures", u"Temperature", u"Temperatures", u"temps",
          u"degrees",     u"speeds",       u"gusts",       u"aged",         u"scores"}) {
      if (word == each) return true;
    }
  }
  return false;
}

}  // namespace

bool read_decade(const Scene& scene, std::size_t i, Expression& expression) {
  if (scene.is(i, Class::tens)) {  // "the nineties", but "in his late thirties" is an age
    std::size_t before = scene.is(i - 1, Kind::hyphen) ? i - 2 : i - 1;
    // "nineteen-sixties"
    const bool century =
        scene.is(before, Class::cardinal) && scene.value(before) >= 15 && scene.value(before) <= 19;
    const std::size_t first = century ? before : i;
    if (century) --before;
    if (scene.is(before, Class::part)) --before;
    if (!scene.is(before, Function::the)) return false;
    fill_decade(expression, (century ? 100 * scene.value(first) : 1900) + 10 * scene.value(i));
    expression.first = first;
    expression.last = i + 1;
    expression.confidence = 0.8f;
    return true;
  }
  std::size_t number = i;
  const bool short_form =
      scene.is(i, Kind::apostrophe) && scene.is(i + 1, Kind::number) && scene.glued(i + 1);
  if (short_form) ++number;
  const Token& token = scene.at(number);
  if (token.kind != Kind::number || token.number % 10 != 0) return false;
  std::size_t suffix = number + 1;
  if (scene.is(suffix, Kind::apostrophe) && scene.glued(suffix)) ++suffix;
  if (!scene.glued(suffix) || !scene.is(suffix, Class::suffix) ||
      scene.value(suffix) != static_cast<int>(Suffix::plural))
    return false;
  std::int64_t year = token.number;
  if (token.digits == 2) {
    const bool context = short_form || scene.is(i - 1, Function::the) ||
                         scene.is(i - 1, Class::part) ||
                         (scene.dash(i - 1) && scene.is(i - 2, Class::part));
    if (!context || token.number < 20 || (!short_form && counts_degrees(scene, i))) return false;
    year += 1900;
  } else if (token.digits != 4 || short_form || year < first_year || year > last_year ||
             !clean_before(scene, i)) {
    return false;
  }
  fill_decade(expression, year);
  expression.first = i;
  expression.last = suffix + 1;
  return true;
}

// "in '99", after a preposition only: 1930 to 2029.
bool read_short_year(const Scene& scene, std::size_t i, Expression& expression) {
  const bool apostrophe = scene.is(i, Kind::apostrophe) && !scene.glued(i) &&
                          scene.is(i + 1, Kind::number) && scene.glued(i + 1) &&
                          scene.at(i + 1).digits == 2;
  if (!apostrophe || !clean_after(scene, i + 1)) return false;
  if (!scene.is_any(i - 1,
                    {Function::in, Function::since, Function::until, Function::of, Function::by,
                     Function::from, Function::before, Function::after, Function::to}))
    return false;
  std::int64_t year = scene.at(i + 1).number;
  year += year < 30 ? 2000 : 1900;
  // A story's '89 is the last one that it can have come to.
  if (scene.story() && scene.told.known())
    year = scene.carried_year - ((scene.carried_year - year) % 100 + 100) % 100;
  fill_year(expression, year);
  expression.first = i;
  expression.last = i + 2;
  expression.confidence = 0.8f;
  return true;
}

bool read_ordinal(const Scene& scene, std::size_t i, int& ordinal, std::size_t& next) {
  if (scene.is(i, Kind::number) && scene.at(i).digits <= 2 && scene.glued(i + 1) &&
      scene.is(i + 1, Class::suffix) && scene.value(i + 1) == 0) {
    ordinal = static_cast<int>(scene.at(i).number);
    next = i + 2;
    return ordinal > 0;
  }
  if (scene.is(i, Class::ordinal)) {
    ordinal = scene.value(i);
    next = i + 1;
    return true;
  }
  const std::size_t units = scene.is(i + 1, Kind::hyphen) ? i + 2 : i + 1;  // "twenty-first"
  if (scene.is(i, Class::cardinal) && scene.value(i) == 20 && scene.is(units, Class::ordinal) &&
      scene.value(units) < 10) {
    ordinal = 20 + scene.value(units);
    next = units + 1;
    return true;
  }
  return false;
}

bool read_century(const Scene& scene, std::size_t i, Expression& expression) {
  int ordinal = 0, second = 0;
  std::size_t next = 0, after = 0;
  if (!read_ordinal(scene, i, ordinal, next)) return false;
  if (scene.is(next, Kind::hyphen) && scene.glued(next) &&
      scene.is_any(next + 1, {Function::and_, Function::or_, Function::to}))
    ++next;  // "17th- and 18th-century"
  // "19th and 20th centuries", "13th to the 16th century"
  const std::size_t connector = next;
  const bool connected = scene.dash(next) || scene.is_any(next, {Function::and_, Function::to,
                                                                 Function::or_, Function::until});
  const std::size_t other = scene.is(next + 1, Function::the) ? next + 2 : next + 1;
  if (connected && read_ordinal(scene, other, second, after) && second != ordinal)
    next = after;
  else
    second = 0;
  if (scene.is(next, Kind::hyphen) && scene.glued(next)) ++next;
  const bool century = scene.is(next, Unit::century), millennium = scene.is(next, Unit::millennium);
  if (!century && !millennium) return false;
  ++next;
  bool before_common = false;
  era_at(scene, next, before_common, next);
  const auto fill = century ? fill_century : fill_millennium;
  fill(expression, ordinal, before_common);
  expression.first = i;
  expression.last = next;
  if (second == 0) return true;
  const bool listed =
      !scene.dash(connector) && scene.is_any(connector, {Function::and_, Function::or_});
  if ((second < ordinal) != before_common) return false;
  expression.last = connector;
  if (listed && second != ordinal + (before_common ? -1 : 1) &&
      !scene.is_any(scene.is(i - 1, Function::the) ? i - 2 : i - 1, {Function::between}))
    return true;  // "the 12th and 18th centuries" are two
  Expression end;
  fill(end, second, before_common);
  end.first = other;
  end.last = next;
  join(expression, end);
  expression.one_stretch = listed;
  return true;
}

}  // namespace asof::timetag
