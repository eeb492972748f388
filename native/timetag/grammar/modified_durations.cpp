// Durations with a modifier: "the past three months", "the first two years", "the coming weeks".
#include "timetag/grammar/durations.hpp"
#include "timetag/grammar/rules.hpp"

namespace asof::timetag {
namespace {

bool capital_name(const Document& doc, std::size_t i) {
  return doc.is(i, Class::unknown) && doc.at(i).capital;
}

}  // namespace

bool joined_hyphen(const Document& doc, std::size_t i) {
  return doc.is(i, Kind::hyphen) && doc.glued(i) && doc.glued(i + 1);
}

bool is_name(const Document& doc, std::size_t unit, std::size_t first) {
  if (!doc.at(unit).capital) return false;
  if (doc.uses_whole_phrase() && !doc.is(unit, Unit::hour))
    return false;  // stories' annotators mark "the Seven Years War"
  std::size_t next = unit + 1;
  if (doc.is(next, Kind::apostrophe)) ++next;
  if (doc.is(next, Class::suffix)) ++next;
  if (capital_name(doc, next) || capital_name(doc, first - 1)) return true;
  if (doc.is(first, Kind::number) && doc.is(first - 1, Kind::symbol) &&
      doc.word(first - 1)[0] != u'$')
    return true;  // on "60 Minutes"
  return doc.is(first - 1, Function::the) || doc.is(unit + 1, Function::of);
}

void fill_duration(Expression& expression, std::size_t first, std::size_t last, std::string value) {
  expression.first = first;
  expression.last = last;
  expression.type = TimexType::duration;
  expression.value = std::move(value);
  expression.confidence = 0.9f;
}

bool is_shift(const Document& doc, std::size_t i) {
  return doc.is_any(i, {Function::ago, Function::earlier, Function::later}) || ago_by_back(doc, i);
}

bool is_unit_adjective(const Document& doc, std::size_t i) {
  if (doc.is(i, Function::more)) return true;
  return doc.is(i, Class::unknown) && !doc.at(i).capital &&
         (doc.word(i).back() != u's' || doc.word(i).ends_with(u"ss") ||
          doc.word(i).ends_with(u"us"));
}

bool read_modified_duration(const Document& doc, std::size_t i, Expression& expression) {
  const bool ordinal = doc.is(i, Class::ordinal) || doc.is(i, Class::edge);
  if (doc.is(i, Class::ordinal) && doc.value(i) != 1) return false;
  const bool determined_by_the =
      doc.is(i - 1, Function::the) || has_determiner(doc, i) ||
      word_is(doc, i - 1, {u"these", u"those", u"These", u"my", u"your"});
  const bool led = doc.is_any(i - 1, {Function::in, Function::over, Function::during,
                                      Function::for_, Function::within, Function::throughout});
  const std::size_t first = determined_by_the ? i - 1 : i;
  Count count;
  Unit unit{};
  bool plural = false;
  if (fortnight(doc, i + 1) && determined_by_the &&
      doc.is(i, Class::shift)) {  // "the past fortnight"
    fill_duration(expression, first, i + 2, "P2W");
    return true;
  }
  if (read_count(doc, i + 1, count) && !count.article) {
    std::size_t j = count.last;
    Count second;  // "the last 2–3 centuries", "the next two or three years"
    const bool linked = doc.dash(j) || doc.is_any(j, {Function::to, Function::or_});
    const bool range = linked && !count.vague && read_count(doc, j + 1, second) &&
                       !second.article && !second.vague;
    if (range) j = second.last;
    if (joined_hyphen(doc, j) || j >= doc.tokens.size()) return false;
    if (!read_unit(doc, j, false, unit, plural)) {
      if (!is_unit_adjective(doc, j) || !read_unit(doc, j + 1, false, unit, plural)) return false;
      ++j;
    }
    if ((!plural && (count.vague || count.value != 1)) || unit == Unit::season ||
        unit == Unit::half || (doc.is(j, Unit::quarter) && doc.is(j + 1, Function::of)))
      return false;
    if ((doc.at(j).capital && is_name(doc, j, first)) || is_shift(doc, j + 1)) return false;
    const bool verb =
        !ordinal && !determined_by_the && !led && !doc.at(i).capital;  // "made to last five years"
    if (verb) return false;
    fill_duration(expression, first, j + 1, duration_text(count_text(count), unit));
    return true;
  }
  if (!read_unit(doc, i + 1, false, unit, plural) ||
      (ordinal && !(plural && doc.uses_whole_phrase())) || unit == Unit::half ||
      unit == Unit::quarter || unit == Unit::season || doc.at(i + 1).capital)
    return false;
  const bool past = word_is(doc, i, {u"past"});
  if (plural) {
    if (!determined_by_the) return false;
    fill_duration(expression, first, i + 2, duration_text("X", unit));
    if (doc.mode == Mode::news && word_is(doc, i, {u"coming"})) {
      expression.type = TimexType::date;
      expression.value = "FUTURE_REF";
    }
    return true;
  }
  if (is_length_of_interval(doc, i)) {
    fill_duration(expression, first, i + 2, duration_text("1", unit));
    return true;
  }
  if (doc.is(i + 2, Function::of) || doc.is_any(i, {Function::following, Function::preceding}))
    return false;
  const bool last = word_is(doc, i, {u"last"});
  const bool before = doc.is(i - 1, Function::the) &&
                      doc.is_any(i - 2, {Function::in, Function::over, Function::during,
                                         Function::for_, Function::within, Function::throughout});
  const bool long_or_short =
      unit == Unit::decade || unit == Unit::century || unit == Unit::hour || unit == Unit::minute;
  if (!(past && (determined_by_the || led)) &&
      !(last && determined_by_the && (before || long_or_short)))
    return false;
  fill_duration(expression, first, i + 2, duration_text("1", unit));
  return true;
}

}  // namespace asof::timetag
