// Fiscal periods, relative to a reference: "the third quarter", "third-quarter profit",
// "the 1988 second quarter", "the quarter", "the July-September quarter", "the year-earlier
// quarter", "a year earlier", "year-end". Years are calendar years, as annotated: a
// firm's fiscal year is unknown. Without a reference, or in narrative, only unit_parts.cpp's
// quarters of a named year are read.
#include "timetag/grammar/rules.hpp"
#include "timetag/normalization/normalization.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

constexpr std::size_t memory_tokens = 150;  // how far back "the quarter" may refer
constexpr std::size_t ago_tokens = 100;     // and "a year ago", which counts from today as often

bool hyphen(const Document& doc, std::size_t i) {
  return doc.is(i, Kind::hyphen) && doc.glued(i);
}

void fill_quarter(Expression& expression, std::int64_t year, int index, int count) {
  fill_year(expression, year);
  narrow_to_fraction(expression, index, count);
  expression.relative = true;
  expression.confidence = 0.85f;
}

// "ended Sept. 30", "to September": the end date determines the period.
bool read_end(const Document& doc, std::size_t i, Expression& end) {
  if (!word_is(doc, i, {u"ended"}) && !word_is(doc, i, {u"ending"}) && !word_is(doc, i, {u"ends"}))
    return false;
  const std::size_t next = doc.is_any(i + 1, {Function::in, Function::on}) ? i + 2 : i + 1;
  if (!doc.is(next, Class::month) || !read_month_first(doc, next, end)) return false;
  if (end.underspecified) resolve_in_news(doc, end);
  return !std::isnan(end.start_ms);
}

// Of the quarters (or halves) of that number the latest that has begun, or, in a sentence that
// points ahead, the first that has not ended.
void fill_numbered(const Document& doc, Expression& expression, int index, int count) {
  const std::int64_t year = civil_from_days(doc.reference_day()).year;
  Expression end;
  if (read_end(doc, expression.last, end)) {
    fill_quarter(expression, end.year, index, count);
    return;
  }
  const bool of_the_year = doc.is(expression.last, Function::of) &&
                           doc.is(expression.last + 1, Function::the) &&
                           doc.is(expression.last + 2, Unit::year);
  if (of_the_year &&
      direction_at(doc, expression.first, expression.last + 3) ==
          Direction::ahead) {  // "in the second half of the year, growth should slow"
    fill_quarter(expression, year, index, count);
    return;
  }
  const bool ahead = direction_at(doc, expression.first, doc.tokens.size()) ==
                     Direction::ahead;  // by what stands before
  for (std::int64_t candidate : {year, ahead ? year + 1 : year - 1}) {
    fill_quarter(expression, candidate, index, count);
    if (ahead ? expression.end_ms > doc.reference_ms : expression.start_ms <= doc.reference_ms)
      return;
  }
}

// "of the game", "of the town": a part of something else.
bool of_something_else(const Document& doc, std::size_t i) {
  if (!doc.is(i, Function::of)) return false;
  const std::size_t next = doc.is(i + 1, Function::the) ? i + 2 : i + 1;
  return !doc.is(next, Unit::year) && !doc.is(next, Function::fiscal) &&
         !doc.is(next, Class::shift);
}

// "profit", "results": words of a financial half, as opposed to the half of a match.
bool reported(const Document& doc, std::size_t i) {
  for (std::u16string_view each :
       {u"profit", u"profits", u"earnings", u"results", u"net", u"loss", u"losses", u"sales",
        u"revenue", u"revenues", u"figures", u"pretax", u"operating", u"trading"}) {
    if (word_is(doc, i, {each})) return true;
  }
  return false;
}

bool read_numbered(const Document& doc, std::size_t i, Expression& expression) {
  int ordinal = 0;
  std::size_t next = 0;
  const bool dated = doc.is(i, Kind::number) && is_year_number(doc, i);
  if (!read_ordinal(doc, dated ? i + 1 : i, ordinal, next)) return false;
  if (doc.is(next, Function::fiscal)) ++next;
  const bool range_kind = hyphen(doc, next);
  if (range_kind) ++next;
  const bool half = doc.is(next, Unit::half);
  const int count = half ? 2 : 4;
  if ((!half && !doc.is(next, Unit::quarter)) || ordinal > count || doc.word(next).back() == u's')
    return false;
  expression.first = i;
  expression.last = next + 1;
  if (dated) {
    fill_quarter(expression, doc.at(i).number, ordinal - 1, count);
    return true;
  }
  if (!range_kind && hyphen(doc, next + 1)) return false;  // "the first quarter-finals"
  if (of_something_else(doc, next + 1)) return false;
  if (half && !(range_kind && reported(doc, next + 1)) && !doc.is(next + 1, Function::of))
    return false;
  const std::size_t shift = doc.is(next + 1, Function::of) ? next + 2 : next + 1;
  if (doc.is(shift, Class::shift) &&
      doc.is(shift + 1, Unit::year)) {  // "of this year", "last year"
    expression.last = shift + 2;
    fill_quarter(expression, civil_from_days(doc.reference_day()).year + doc.value(shift) - 1,
                 ordinal - 1, count);
    return true;
  }
  fill_numbered(doc, expression, ordinal - 1, count);
  if (doc.is(next + 1, Function::of) && doc.is(next + 2, Function::the) &&
      doc.is(next + 3, Unit::year))
    expression.last = next + 4;
  if (doc.is(i - 1, Function::fiscal)) expression.first = i - 1;
  if (hyphen(doc, i - 1) && doc.is(i - 2, Function::fiscal))
    expression.first = i - 2;  // "the fiscal-first quarter"
  return true;
}

// "the July-September quarter"
bool read_months_of_quarter(const Document& doc, std::size_t i, Expression& expression) {
  if (!doc.dash(i + 1) || !doc.glued(i + 1) || !doc.is(i + 2, Class::month) ||
      !doc.is(i + 3, Unit::quarter))
    return false;
  const int first = doc.value(i) - 1;
  if (first % 3 != 0 || doc.value(i + 2) != first + 3 || doc.word(i + 3).back() == u's')
    return false;
  expression.first = i;
  expression.last = i + 4;
  fill_numbered(doc, expression, first / 3, 4);
  return true;
}

bool remembers_quarter(const Document& doc, std::size_t i, std::size_t tokens = memory_tokens) {
  return !std::isnan(doc.quarter_ms) && i - doc.quarter_token < tokens;
}

// The quarter `years` after the one last mentioned.
void fill_remembered(const Document& doc, Expression& expression, int years) {
  const Civil start =
      civil_from_days(static_cast<std::int64_t>(std::floor(doc.quarter_ms / day_ms)));
  fill_quarter(expression, start.year + years, (start.month - 1) / 3, 4);
}

// "the quarter", "the latest quarter", "the quarter ended March 31"
bool read_the_quarter(const Document& doc, std::size_t i, Expression& expression) {
  if (!doc.is(i, Unit::quarter) || doc.word(i).back() == u's' || hyphen(doc, i + 1) ||
      doc.is(i + 1, Function::of))
    return false;
  const bool latest = word_is(doc, i - 1, {u"latest"});
  if (!doc.is(latest ? i - 2 : i - 1, Function::the)) return false;
  expression.first = latest ? i - 1 : i;
  expression.last = i + 1;
  Expression end;
  if (read_end(doc, i + 1, end)) {
    fill_quarter(expression, end.year, (end.month - 1) / 3, 4);
    return true;
  }
  if (!remembers_quarter(doc, i)) return false;
  fill_remembered(doc, expression, 0);
  return true;
}

// "the year-earlier quarter", "the year-ago period", "year-earlier results"
bool read_year_earlier(const Document& doc, std::size_t i, Expression& expression) {
  if (!doc.is(i, Unit::year)) return false;
  const std::size_t which = hyphen(doc, i + 1) ? i + 2 : i + 1;
  if (!doc.is_any(which, {Function::ago, Function::earlier}) ||
      (which == i + 1 && !doc.is(i - 1, Function::the)))
    return false;
  expression.first = i;
  expression.last = which + 1;
  const bool quarter = doc.is(which + 1, Unit::quarter),
             period = doc.is(which + 1, Function::period);
  if (quarter || period) ++expression.last;
  if ((quarter || period) && remembers_quarter(doc, i)) {
    fill_remembered(doc, expression, -1);
    return true;
  }
  fill_year(expression, civil_from_days(doc.reference_day()).year - 1);
  expression.relative = true;
  return true;
}

// "a year earlier", "a year ago" after a quarter: that quarter a year before.
bool read_a_year_earlier(const Document& doc, std::size_t i, Expression& expression) {
  if (!doc.is(i, Function::a) || !doc.is(i + 1, Unit::year) ||
      !doc.is_any(i + 2, {Function::ago, Function::earlier}))
    return false;
  if (!remembers_quarter(doc, i, doc.is(i + 2, Function::ago) ? ago_tokens : memory_tokens))
    return false;
  if (doc.last.granularity == Granularity::month && doc.last.at > doc.quarter_token)
    return false;  // of a month since
  expression.first = i;
  expression.last = i + 3;
  fill_remembered(doc, expression, -1);
  return true;
}

// "the March quarter": the one that ends with the month.
bool read_month_of_quarter(const Document& doc, std::size_t i, Expression& expression) {
  if (!doc.at(i).capital || doc.value(i) % 3 != 0 || !doc.is(i + 1, Unit::quarter) ||
      doc.word(i + 1).back() == u's')
    return false;
  expression.first = i;
  expression.last = i + 2;
  fill_numbered(doc, expression, doc.value(i) / 3 - 1, 4);
  return true;
}

// "Q1 guidance", "in Q3": of the year that the sentence points to. "Q1:" is a question's number.
bool read_quarter_letter(const Document& doc, std::size_t i, Expression& expression) {
  const Token& digit = doc.at(i + 1);
  if (!doc.is(i, Function::quarter_letter) || !doc.at(i).capital || digit.kind != Kind::number ||
      !digit.glued || digit.digits != 1)
    return false;
  if (digit.number < 1 || digit.number > 4 || doc.glued(i) || doc.is(i - 1, Class::label))
    return false;
  const bool led =
      doc.is_any(i - 1, {Function::in, Function::for_, Function::of, Function::during, Function::by,
                         Function::since, Function::from, Function::to, Function::through,
                         Function::than, Function::the, Function::until, Function::on});
  if (!led && !reported(doc, i + 2) && !word_is(doc, i + 2, {u"guidance"})) return false;
  expression.first = i;
  expression.last = i + 2;
  fill_numbered(doc, expression, static_cast<int>(digit.number) - 1, 4);
  return true;
}

// "down 18% year to date", "the year-to-date total"
bool read_year_to_date(const Document& doc, std::size_t i, Expression& expression) {
  if (!doc.is(i, Unit::year)) return false;
  const std::size_t to = hyphen(doc, i + 1) ? i + 2 : i + 1;
  const std::size_t date = hyphen(doc, to + 1) ? to + 2 : to + 1;
  if (!doc.is(to, Function::to) || !word_is(doc, date, {u"date"})) return false;
  fill_year(expression, civil_from_days(doc.reference_day()).year);
  expression.first = i;
  expression.last = date + 1;
  expression.relative = true;
  return true;
}

// "at year-end", "by year's end", "at year-end 2022"
bool read_year_end(const Document& doc, std::size_t i, Expression& expression) {
  if (!doc.is(i, Unit::year)) return false;
  std::size_t next = i + 1;
  if (hyphen(doc, next))
    ++next;
  else if (doc.is(next, Kind::apostrophe) && doc.is(next + 1, Class::suffix))
    next += 2;
  else
    return false;
  if (!doc.is(next, Class::part) || doc.value(next) != static_cast<int>(Part::end)) return false;
  expression.first = i;
  expression.last = next + 1;
  const bool dated = doc.is(next + 1, Kind::number) && !doc.glued(next + 1) &&
                     is_year_number(doc, next + 1) && is_plain_number(doc, next + 1);
  if (dated) ++expression.last;
  fill_year(expression,
            dated ? doc.at(next + 1).number : civil_from_days(doc.reference_day()).year);
  narrow_to_part(expression, Part::late);
  expression.relative = !dated;
  expression.at_unit_end = true;
  return true;
}

}  // namespace

void remember_quarter(Document& doc, const Expression& expression) {
  // "the first nine months": what follows is not compared with a quarter.
  const bool months = expression.type == TimexType::duration && expression.value.ends_with('M') &&
                      !expression.value.starts_with("PT");
  if (months) doc.quarter_ms = no_time;
  if (expression.granularity != Granularity::quarter || expression.range ||
      std::isnan(expression.start_ms))
    return;
  for (std::size_t i = expression.first; i < expression.last; ++i) {
    if (doc.is_any(i, {Function::ago, Function::earlier}))
      return;  // what a report is compared with is not what it is of
  }
  if (expression.end_ms > doc.reference_ms &&
      direction_at(doc, expression.first, expression.last) == Direction::ahead)
    return;  // a forecast
  doc.quarter_ms = expression.start_ms;
  doc.quarter_token = expression.first;
}

bool read_fiscal_period(const Document& doc, std::size_t i, Expression& expression) {
  if (doc.mode != Mode::news || !doc.has_reference()) return false;
  if (doc.is(i, Class::unit)) {
    return read_the_quarter(doc, i, expression) || read_year_earlier(doc, i, expression) ||
           read_year_to_date(doc, i, expression) || read_year_end(doc, i, expression);
  }
  if (doc.is(i, Class::month))
    return read_months_of_quarter(doc, i, expression) || read_month_of_quarter(doc, i, expression);
  if (doc.is(i, Function::quarter_letter)) return read_quarter_letter(doc, i, expression);
  if (word_is(doc, i, {u"latest"})) return read_the_quarter(doc, i + 1, expression);
  return read_numbered(doc, i, expression) || read_a_year_earlier(doc, i, expression);
}

}  // namespace asof::timetag
