// Years and eras, ranges of years, and evidence against a number as a year: units, labels,
// addresses, grouping.
#include "timetag/grammar/rules.hpp"
#include "timetag/mentions/mentions.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

bool before_street(const Document& doc, std::size_t i) {
  for (std::size_t j = i + 1; j < i + 5; ++j) {
    // "2013 UCI Road World Championships" goes on as a name, "1785 Massachusetts Avenue Northwest"
    // ends.
    if (doc.is(j, Class::street) && doc.at(j).capital) {
      const Token& next = doc.at(j + 1);
      return j > i + 1 && !has_determiner(doc, i) &&
             !(doc.is(j + 1, Class::unknown) && next.capital && next.end - next.begin > 2 &&
               !doc.word(j + 1).starts_with(u"North") && !doc.word(j + 1).starts_with(u"South"));
    }
    const bool name = doc.is(j, Kind::word) && doc.at(j).capital;
    if (!name && !(doc.is(j, Kind::dot) && j > i + 1) && !(doc.is(j, Kind::number) && j > i + 1))
      return false;
  }
  return false;
}

}  // namespace

bool compares_times(const Document& doc, std::size_t i) {
  return word_is(doc, i, {u"sooner", u"older", u"newer", u"back", u"further", u"latter"});
}

bool is_plain_before(const Document& doc, std::size_t i) {
  const Token& previous = doc.at(i - 1);
  if (doc.glued(i)) {
    // "c.1290", "b.1950"
    if (doc.question && (doc.is(i - 1, Function::of) ||  // "of1997", "1996..2000"
                         (previous.kind == Kind::dot && doc.is(i - 2, Kind::dot))))
      return true;
    if (previous.kind == Kind::dot)
      return doc.glued(i - 1) &&
             doc.is_any(i - 2, {Function::circa_letter, Function::around, Function::born});
    if (previous.kind == Kind::currency || previous.kind == Kind::colon ||
        previous.kind == Kind::percent)
      return false;
    if (previous.kind == Kind::comma) return !(doc.is(i - 2, Kind::number) && doc.glued(i - 1));
    if (previous.kind == Kind::word)
      return doc.is_any(
          i - 1, {Function::to, Function::and_, Function::in, Function::circa_letter,
                  Function::around, Function::by, Function::fiscal, Function::from, Function::since,
                  Function::until, Function::between, Function::before, Function::after});
    if (previous.kind == Kind::symbol) return false;
    if (previous.kind == Kind::slash)
      return doc.is(i - 2, Kind::number) && doc.at(i - 2).digits == 4;
    if (doc.dash(i - 1) && doc.glued(i - 1)) {
      if (doc.is(i - 2, Class::suffix)) return doc.is(i - 3, Kind::number);  // "1990s-2000s"
      const bool signal = doc.is(i - 2, Class::part) ||
                          doc.is_any(i - 2, {Function::pre, Function::post}) ||
                          doc.is(i - 2, Class::month);
      if (doc.is(i - 2, Kind::number) &&
          (doc.glued(i - 2) || doc.is(i - 3, Class::label) ||
           (doc.is(i - 3, Kind::dot) &&
            (doc.is(i - 4, Class::label) || doc.is(i - 4, Function::no)))))
        return false;  // "0-1999-2001-4", "ref. 1999-2001"
      const bool range = doc.is(i - 2, Kind::number)
                             ? is_year_number(doc, i - 2)
                             : signal || previous.kind == Kind::dash || !doc.is(i - 2, Kind::word);
      return signal || range;
    }
    return true;
  }
  if (previous.kind == Kind::currency) return false;
  if (doc.is(i - 1, Class::label) || doc.is(i - 1, Class::quantifier)) return false;
  if (doc.is(i - 1, Class::thing) && doc.word(i - 1) == u"pages") return false;
  if (previous.kind == Kind::dot && (doc.is(i - 2, Class::label) || doc.is(i - 2, Function::no)) &&
      doc.glued(i - 1))
    return false;
  if (doc.is(i - 1, Function::no) && doc.at(i - 1).capital) return false;
  if (doc.is(i - 1, Function::least))
    return doc.is_any(i - 3, {Function::since, Function::until, Function::by, Function::from,
                              Function::to});  // "since at least 1850"
  if (doc.is(i - 1, Function::than) && !doc.is_any(i - 2, {Function::later, Function::earlier}) &&
      !(doc.question && compares_times(doc, i - 2)))
    return false;
  return !(doc.is(i - 1, Function::of) && doc.is(i - 2, Class::measure));
}

namespace {

// A further number on a chain of hyphens: codes have three and more, ranges two.
bool chained(const Document& doc, std::size_t i) {
  return doc.is(i, Kind::hyphen) && doc.glued(i) && doc.is(i + 1, Kind::number) && doc.glued(i + 1);
}

// "CVE-2015-3900", "2024-002": a number behind a hyphen that ends no stretch of years.
bool numbers_item(const Document& doc, std::size_t year, std::size_t i) {
  const Token& other = doc.at(i);
  const std::uint32_t from = doc.at(year).number;
  const bool rises = other.digits == 4 && other.number > from && other.number <= 2200;
  return from >= 1500 && other.digits > 2 && !rises;
}

}  // namespace

bool is_plain_after(const Document& doc, std::size_t i) {
  const std::size_t j = i + 1;
  const Token& next = doc.at(j);
  if (next.kind == Kind::percent) return false;
  if (doc.glued(j)) {
    const bool digit_follows = doc.is(j + 1, Kind::number) && doc.glued(j + 1);
    if ((next.kind == Kind::comma || next.kind == Kind::dot || next.kind == Kind::colon) &&
        digit_follows)
      return false;
    if (next.kind == Kind::currency ||
        (next.kind == Kind::colon && doc.is(j + 1, Kind::word) && doc.glued(j + 1)))
      return false;
    if (next.kind == Kind::word)
      return doc.is(j, Class::suffix) || doc.is(j, Class::era) ||
             doc.is_any(j, {Function::to, Function::and_});
    if (next.kind == Kind::slash) {  // "2012/13", but not "1999/44/EC" or "2016/679"
      const std::uint16_t digits = doc.at(j + 1).digits;
      return digit_follows && (digits == 2 || digits == 4) &&
             (is_year_number(doc, j + 1) || !(doc.is(j + 2, Kind::slash) && doc.glued(j + 2)));
    }
    if (next.kind == Kind::hyphen && digit_follows &&
        (chained(doc, j + 2) || numbers_item(doc, i, j + 1)))
      return false;  // "1987-2004-19"
    // "1500-meter", "2000-seat"
    if (next.kind == Kind::hyphen && doc.is(j + 1, Kind::word) && doc.glued(j + 1)) {
      if (doc.is_any(j + 1, {Function::the, Function::a}) && is_year_number(doc, i))
        return true;  // "in 1950-the day after"
      // "the 1898-era league", "the 1949-founded works"
      const bool describes = doc.is(j + 1, Function::period) ||
                             (doc.is(j + 1, Class::unknown) &&
                              (doc.word(j + 1).ends_with(u"ed") || doc.word(j + 1) == u"built" ||
                               doc.word(j + 1) == u"ongoing"));
      return describes || doc.is(j + 1, Class::month) || doc.is(j + 1, Function::present) ||
             doc.is(j + 1, Class::deictic);
    }
    return true;
  }
  // "the 2012 Games" are no count of games, nor is what follows "May 1871" or "the first weeks of
  // 1945"
  if (doc.is(i - 1, Class::month) ||
      (doc.is(i - 1, Kind::comma) && doc.at(i - 2).digits <= 2 && doc.is(i - 3, Class::month)) ||
      (doc.is(i - 1, Function::of) && doc.is(i - 2, Class::unit)))
    return true;
  // "In 1959 Miles Davis": units are written small, but for symbols ("MW") and where all is written
  // large.
  const bool name = next.capital && ((next.end - next.begin > 3 && doc.word(j)[1] >= u'a') ||
                                     has_determiner(doc, i));
  return !(doc.is(j, Class::thing) && !name) && !before_street(doc, i);
}

namespace {

// "season", "school year", "Premier League campaign": what runs over the turn of a year, named
// within a few words.
bool names_season(const Document& doc, std::size_t i) {
  for (std::size_t j = i; j < i + 4 && doc.is(j, Kind::word) && !doc.is(j, Class::function); ++j) {
    if (doc.is(j, Unit::season) || (doc.is(j, Unit::year) && j > i) ||
        (doc.is(j, Class::unknown) && doc.word(j) == u"campaign"))
      return true;
  }
  return false;
}

std::int64_t astronomical(std::uint32_t number, bool before_common) {
  return before_common ? 1 - static_cast<std::int64_t>(number) : static_cast<std::int64_t>(number);
}

}  // namespace

bool era_at(const Document& doc, std::size_t i, bool& before_common, std::size_t& next) {
  // Digits go on in hashes: "3150bc08", "c100ad3".
  const bool goes_on = doc.is(i + 1, Kind::number) && doc.glued(i + 1);
  if (doc.is(i, Class::era) && !goes_on && (doc.at(i).capital || doc.is(i - 1, Kind::number))) {
    before_common = doc.value(i) == static_cast<int>(Era::before_common);
    next = i + 1;
    return true;
  }
  // "B.C.", "A.D.", "C.E.", "B.C.E."
  const auto letter = [&](std::size_t j, char16_t expected) {
    return doc.is(j, Kind::word) && doc.at(j).end - doc.at(j).begin == 1 &&
           (doc.word(j)[0] & ~32) == expected;
  };
  const auto dotted = [&](std::size_t j) { return doc.is(j, Kind::dot) && doc.glued(j); };
  if (!dotted(i + 1) || !doc.glued(i + 2)) return false;
  before_common = letter(i, u'B') && letter(i + 2, u'C');
  if (!before_common && !(letter(i, u'A') && letter(i + 2, u'D')) &&
      !(letter(i, u'C') && letter(i + 2, u'E')))
    return false;
  next = i + 3;
  if (before_common && dotted(next) && letter(next + 1, u'E')) next += 2;
  if (dotted(next)) ++next;  // the abbreviation's last dot, even where it ends the sentence
  return true;
}

// Whether a number of three digits before `i` may be a year: no counted noun follows.
bool ends_phrase_after(const Document& doc, std::size_t i) {
  const Token& next = doc.at(i);
  // "In 890 Arnulf", "In 793 he": at the start of a sentence the number is a year.
  if (doc.is(i - 2, Function::in) && doc.at(i - 2).capital && next.kind == Kind::word &&
      !next.glued) {
    const std::u16string_view word = doc.word(i);
    if (next.capital || word == u"he" || word == u"she" || word == u"they" || word == u"it" ||
        word == u"his" || word == u"her")
      return true;
  }
  return next.kind == Kind::end || next.kind == Kind::comma || next.kind == Kind::dot ||
         next.kind == Kind::close || next.kind == Kind::symbol || doc.dash(i) ||
         (next.kind == Kind::word && next.lexeme.cls == Class::function);
}

bool has_determiner(const Document& doc, std::size_t i) {
  if (doc.is(i - 1, Function::the) || doc.is(i - 1, Function::a)) return true;
  const std::u16string_view word =
      doc.is(i - 1, Kind::word) ? doc.word(i - 1) : std::u16string_view();
  return word == u"his" || word == u"her" || word == u"its" || word == u"their" ||
         word == u"this" || word == u"that" || word == u"our";
}

bool is_plain_number(const Document& doc, std::size_t i) {
  return is_plain_before(doc, i) && is_plain_after(doc, i);
}

bool is_year_number(const Document& doc, std::size_t i) {
  const Token& token = doc.at(i);
  return token.kind == Kind::number && token.digits == 4 && token.number >= min_bare_year &&
         token.number <= max_bare_year;
}

bool read_year_value(const Document& doc, std::size_t i, std::int64_t& year, std::size_t& next) {
  bool before_common = false;
  std::size_t number = i;
  const bool era_first = era_at(doc, i, before_common, number);
  const Token& token = doc.at(number);
  if (token.kind != Kind::number || token.digits > 4 || token.number == 0) return false;
  if (doc.glued(number) && doc.is(number - 1, Kind::word) && !is_plain_before(doc, number))
    return false;
  std::size_t after_era = 0;
  if (!era_first && era_at(doc, number + 1, before_common, after_era)) {
    next = after_era;
    year = astronomical(token.number, before_common);
    return true;
  }
  if (!is_plain_after(doc, number)) return false;
  if (!era_first && !(token.digits == 4 && is_year_number(doc, number)) &&
      !(token.digits == 3 && ends_phrase_after(doc, number + 1)))
    return false;
  next = number + 1;
  year = astronomical(token.number, before_common);
  return true;
}

namespace {

// "1914-18", "1998–2002", "2012/13": the year after the dash, or no_year.
std::int64_t second_year(const Document& doc, std::size_t i, std::int64_t year, std::size_t& next) {
  const bool slash = doc.is(i, Kind::slash);
  if (!slash && !doc.dash(i)) return no_year;
  const Token& token = doc.at(i + 1);
  if (token.kind != Kind::number || !is_plain_after(doc, i + 1)) return no_year;
  std::int64_t second = no_year;
  if (token.digits == 4 && is_year_number(doc, i + 1)) second = token.number;
  if (token.digits == 3 && year < 1000 && year >= 100) second = token.number;
  if (token.digits == 2 && year >= 1000 && doc.glued(i) && token.glued) {
    second = year - year % 100 + token.number;
    if (second < year) second += 100;  // "1999-00", "1998–02"
    if (second - year > 60) return no_year;
  }
  if (second == no_year || second < year || (slash && second != year + 1)) return no_year;
  next = i + 2;
  return second;
}

// In a narrative of years BC bare numbers are years BC: "in 492 a fleet was sent".
bool counts_down(const Document& doc, std::size_t i) {
  return doc.narrative() && doc.anchor.known() &&
         doc.anchor.start_ms < days_from_civil(1, 1, 1) * day_ms && doc.is(i, Kind::number) &&
         doc.at(i).digits <= 3;
}

// "264–146 BC", "60 to 44 BC": the era stands after the second number only.
bool read_before_common_range(const Document& doc, std::size_t i, Expression& expression) {
  if (!doc.is(i, Kind::number) || doc.at(i).digits > 4 ||
      !(doc.dash(i + 1) || doc.is_any(i + 1, {Function::to, Function::and_, Function::until})))
    return false;
  bool before_common = false;
  std::size_t next = 0;
  if (!doc.is(i + 2, Kind::number) || doc.at(i + 2).digits > 4 || doc.at(i + 2).number == 0 ||
      doc.at(i).number == 0)
    return false;
  if (!era_at(doc, i + 3, before_common, next)) {
    if (!counts_down(doc, i) || !counts_down(doc, i + 2) ||
        doc.at(i).number <= doc.at(i + 2).number || !ends_phrase_after(doc, i + 3) ||
        !is_plain_number(doc, i))
      return false;
    before_common = true;
    expression.bare_year = true;
    next = i + 3;
  }
  if (doc.is(i + 1, Function::and_) && !doc.is(i - 1, Function::between)) return false;
  Expression second;
  fill_year(expression, astronomical(doc.at(i).number, before_common));
  fill_year(second, astronomical(doc.at(i + 2).number, before_common));
  if (second.start_ms < expression.start_ms) return false;
  expression.last = i + 1;
  second.first = i + 2;
  second.last = next;
  join(expression, second);
  return true;
}

}  // namespace

bool read_years(const Document& doc, std::size_t i, Expression& expression) {
  expression.first = i;
  if (read_before_common_range(doc, i, expression)) return true;
  std::int64_t year = 0;
  std::size_t next = 0;
  if (!read_year_value(doc, i, year, next)) return false;
  if (doc.is(i, Kind::number) && !is_plain_before(doc, i)) return false;
  if (next == i + 1 && counts_down(doc, i)) year = 1 - year;
  fill_year(expression, year);
  expression.last = next;
  const bool digits_alone = next == i + 1;
  if (!digits_alone && year > 0 && !doc.is(i, Kind::number)) {  // "AD 224–271"
    const std::int64_t end_year = second_year(doc, next, year, next);
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
  const std::int64_t second = second_year(doc, next, year, next);
  if (second != no_year && second > year) {
    Expression end;
    fill_year(end, second);
    end.first = next - 1;
    end.last = next;
    end.bare_year = true;
    join(expression, end);
    expression.bare_year = doc.at(i).digits < 4;
    const bool fiscal = doc.is(i - 1, Function::fiscal) ||
                        (doc.is(i - 1, Unit::year) && doc.is(i - 2, Class::unknown)) ||
                        (doc.is(i - 1, Unit::year) && doc.is(i - 2, Function::fiscal)) ||
                        doc.is(i - 1, Unit::season);
    expression.single_interval = second == year + 1 && (fiscal || names_season(doc, next));
    if (expression.single_interval && doc.is(next, Unit::season))
      expression.last = next + 1;
    else if (expression.single_interval && doc.is(next, Class::unknown) &&
             doc.is(next + 1, Unit::year))
      expression.last = next + 2;  // "school year"
    return true;
  }
  if (doc.is(next, Unit::season) && doc.is(i - 1, Function::the) && doc.word(next) == u"season") {
    expression.last = next + 1;  // "the 1998 season"
    return true;
  }
  if (quantifies_next_word(doc, i) && !has_determiner(doc, i)) expression.confidence = 0.3f;
  return true;
}

}  // namespace asof::timetag
