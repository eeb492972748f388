// News resolution: an incomplete date is completed by the publication time, before or after it as
// the sentence points.
#include <utility>

#include "timetag/normalization/normalization.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

// From the reference to the stretch: 0 where it holds the reference, negative where it has ended.
double distance(const Document& doc, const Expression& expression) {
  if (doc.reference_ms < expression.start_ms) return expression.start_ms - doc.reference_ms;
  return std::min(0.0, expression.end_ms - doc.reference_ms);
}

// "he fell ill on May 2, officials said Thursday": the day of the report is none of what is
// reported.
bool dates_report(const Document& doc, const Expression& expression) {
  const std::size_t verb =
      doc.is(expression.first - 1, Function::on) ? expression.first - 2 : expression.first - 1;
  return doc.is(expression.first, Class::weekday) && doc.anchor.known() &&
         doc.is(verb, Kind::word) && doc.word(verb) == u"said";
}

// "Which night is colder, the one on May 3" ten days after it: a day just past is nearer than next
// year's, one long past is not.
constexpr double back_costs = 6;

// "in nineteen eighty-four, in August I think": tokens from the year to the date that it dates.
constexpr std::size_t year_reach = 6;

// "December delivery", "the March contract": futures are due in a month to come.
bool deliverable(const Document& doc, const Expression& expression) {
  if (expression.month == 0 || expression.day > 0 || !doc.is(expression.last, Kind::word))
    return false;
  for (std::u16string_view word : {u"delivery", u"contract", u"contracts", u"futures"}) {
    if (doc.word(expression.last) == word) return true;
  }
  return false;
}

}  // namespace

// Of the dates of three years the nearest on the side that the sentence points to, the reference's
// own day or month included; the nearest of all where it points nowhere. Without a reference, that
// of the last date mentioned.
void resolve_in_news(const Document& doc, Expression& expression) {
  if (!doc.has_reference()) {
    if (doc.last_year != no_year) resolve_year(expression, doc.last_year);
    return;
  }
  const Anchor& year_before = doc.year_anchor;
  if (doc.question && year_before.known() && year_before.granularity == Granularity::year &&
      year_before.start_ms <= doc.reference_ms && expression.first < year_before.at + year_reach) {
    resolve_year(expression, doc.last_year);
    return;
  }
  // Figures "for the month" have been counted: "when the February figures are published".
  const bool figures = expression.month > 0 && expression.day == 0 &&
                       doc.is(expression.first - 1, Function::the) &&
                       doc.is(expression.last, Kind::word);
  bool weakly = false;
  const Direction direction = doc.mode != Mode::news || (expression.holiday >= 0 && !doc.question)
                                  ? Direction::unknown
                              : figures ? Direction::back
                              : deliverable(doc, expression)
                                  ? Direction::ahead
                                  : direction_at(doc, expression.first, expression.last, &weakly);
  const std::int64_t year = civil_from_days(doc.reference_day()).year;
  Expression best = expression;
  double best_distance = std::numeric_limits<double>::infinity();
  for (std::int64_t candidate : {year, year - 1, year + 1}) {
    Expression tried = expression;
    resolve_year(tried, candidate);
    double signed_distance = distance(doc, tried);
    if (weakly && direction == Direction::ahead && signed_distance < 0)
      signed_distance *= back_costs;
    const bool fits =
        expression.weekday < 0 ||
        weekday_from_days(static_cast<std::int64_t>(std::floor(tried.start_ms / day_ms))) ==
            expression.weekday;
    if (expression.weekday >= 0) {
      if (!fits) continue;
    } else if ((direction == Direction::back && signed_distance > 0) ||
               (direction == Direction::ahead && !weakly && signed_distance < 0)) {
      continue;
    }
    if (std::fabs(signed_distance) < best_distance) {
      best = tried;
      best_distance = std::fabs(signed_distance);
    }
  }
  if (std::isinf(best_distance)) resolve_year(best, year);  // "Monday, May 6" in none of the three
  expression = std::move(best);
}

void update_news_anchor(Document& doc, const Expression& expression) {
  if (std::isnan(expression.start_ms) || expression.granularity > Granularity::year) return;
  const Anchor anchor{expression.start_ms, expression.end_ms, expression.granularity,
                      expression.last};
  if (expression.granularity <= Granularity::day && !expression.relative &&
      !dates_report(doc, expression))
    doc.anchor = anchor;
  const bool month = expression.granularity == Granularity::month &&
                     doc.is(expression.last - 1, Class::month);  // "next August"
  if ((expression.relative && !month) || expression.year == no_year) return;
  doc.year_anchor = anchor;
  doc.last_year = expression.year;
}

Anchor anchor_in_news(const Document& doc, Unit unit) {
  const Anchor& anchor = unit >= Unit::month ? doc.year_anchor : doc.anchor;
  if (anchor.known() || !doc.has_reference()) return anchor;
  const double today = static_cast<double>(doc.reference_day()) * day_ms;
  return {today, today + day_ms, Granularity::day, 0};
}

// A month without a preposition of time: "the February figures", "up from July", "much of July",
// "July and August", "December's".
bool is_bare_news_month(const Document& doc, const Expression& expression, std::size_t floor) {
  const std::size_t i = expression.first;
  if (doc.mode != Mode::news || !doc.has_reference() || !doc.at(i).capital ||
      doc.word(i).size() < 3)
    return false;
  const Token& next = doc.at(expression.last);
  const bool possessive = next.kind == Kind::apostrophe && next.glued;
  if (next.kind == Kind::word && next.capital && next.lexeme.cls == Class::unknown)
    return false;  // "May Vanden"
  // "November was the wettest": the months that are no first names, before a verb that has them as
  // its subject.
  const bool opens = i == 0 || doc.is(i - 1, Kind::dot) || doc.is(i - 1, Kind::end);
  if (opens && doc.word(i).size() > 5 && doc.value(i) != 1 && doc.value(i) != 8) {
    for (std::u16string_view verb : {u"was", u"is", u"saw", u"had", u"has", u"will", u"brought",
                                     u"marked", u"proved", u"began", u"ended"}) {
      if (next.kind == Kind::word && doc.word(expression.last) == verb) return true;
    }
  }
  if (floor > 0 && floor + 1 == i &&
      doc.is_any(i - 1, {Function::and_, Function::or_, Function::to}))
    return true;
  const bool led = doc.is_any(i - 1, {Function::of, Function::to, Function::from, Function::for_,
                                      Function::in, Function::since, Function::than, Function::by});
  const bool described =
      doc.is_any(i - 1, {Function::the, Function::a}) && next.kind == Kind::word && !next.capital;
  if (possessive)
    return led || doc.is(i - 1, Function::the) ||
           (i > 0 && doc.is(i - 1, Kind::word) && !doc.at(i - 1).capital);
  return led || described;
}

std::int64_t nearest_weekday(const Document& doc, std::size_t i, int weekday) {
  const std::int64_t today = doc.reference_day();
  const int ahead = (weekday - weekday_from_days(today) + 7) % 7;
  if (ahead == 0) return today;
  const bool next = doc.mode == Mode::news && direction_at(doc, i, i + 1) == Direction::ahead;
  return next ? today + ahead : today + ahead - 7;
}

}  // namespace asof::timetag
