// Automatic choice between the two modes: news is relative to its publication, narrative to the
// last date mentioned. By counts of words; no dates are read.
#include <cstdlib>

#include "timetag/grammar/rules.hpp"
#include "timetag/normalization/normalization.hpp"

namespace asof::timetag {

namespace {

constexpr std::size_t lead_tokens = 50;

// "Friday" without an adjacent date: resolvable by the publication date only.
bool weekday_alone(const Document& doc, std::size_t i) {
  if (!doc.is(i, Class::weekday) || !doc.at(i).capital || doc.at(i).end - doc.at(i).begin < 6)
    return false;
  const std::size_t next = doc.is(i + 1, Kind::comma) ? i + 2 : i + 1;
  return !doc.is(next, Kind::number) && !doc.is(next, Class::month);
}

// "yesterday", "last week", "two years ago": counted from the day of writing.
bool counted_from_today(const Document& doc, std::size_t i) {
  if (doc.is(i, Class::deictic)) return doc.value(i) != static_cast<int>(Deictic::now);
  if (doc.is(i, Function::ago)) return true;
  if (!doc.is(i, Class::shift) || doc.is_any(i - 1, {Function::the, Function::that}) ||
      doc.word(i) == u"same" || doc.word(i) == u"previous")
    return false;
  return doc.is(i + 1, Class::unit) || doc.is(i + 1, Class::month) ||
         doc.is(i + 1, Class::season) || doc.is(i + 1, Class::weekday);
}

// "in 612.", "until 641": a number of three digits that nothing counts.
bool early_year(const Document& doc, std::size_t i) {
  if (!doc.is(i, Kind::number) || doc.at(i).digits != 3 || doc.at(i).number < 100 ||
      !ends_phrase_after(doc, i + 1))
    return false;
  return is_plain_number(doc, i) &&
         doc.is_any(i - 1, {Function::in, Function::since, Function::until});
}

}  // namespace

// News is known by weekdays alone and words counted from today, a story of the past by years that
// its day of writing is far from. One weekday says more than one year, and one in the opening
// sentence more than ten: an obituary names many years and is news.
Mode choose_mode(const Document& doc) {
  if (!doc.has_reference()) return Mode::narrative;
  const std::int64_t reference_year = civil_from_days(doc.reference_day()).year;
  int news = 0, narrative = 0;
  for (std::size_t i = 0; i < doc.tokens.size(); ++i) {
    if (weekday_alone(doc, i))
      news += i < lead_tokens ? 12 : 3;
    else if (counted_from_today(doc, i))
      news += 2;
    else if (is_year_number(doc, i) && is_plain_number(doc, i) &&
             std::llabs(doc.at(i).number - reference_year) > 1)
      ++narrative;
    else if (early_year(doc, i))
      ++narrative;
    else if (doc.is(i, Class::era) && doc.is(i - 1, Kind::number))
      ++narrative;
  }
  return narrative > news ? Mode::narrative : Mode::news;
}

}  // namespace asof::timetag
