// Numbers in the range of years that are counts, measures, labels or code, by the words and numbers
// around them. Reads a few tokens each way.
#include "timetag/grammar/rules.hpp"
#include "timetag/mentions/mentions.hpp"

namespace asof::timetag {
namespace {

constexpr std::size_t neighbours = 4;  // numbers in a row looked at on each side

bool plain_number(const Document& doc, std::size_t i) {
  return doc.is(i, Kind::number) && !doc.glued(i);
}

// "4000 1234 1999 2001": a row of numbers with one among them that is no year. "2010 2011 2012" is
// a table's head.
bool in_row_of_numbers(const Document& doc, std::size_t i, const Signal& signal) {
  for (std::size_t k = 1;
       k <= neighbours && plain_number(doc, i - k + 1) && doc.is(i - k, Kind::number); ++k) {
    if (!is_year_number(doc, i - k)) return true;
  }
  if (has_determiner(doc, i) || signal.relation != Relation::none)
    return false;  // "the 2017 24 Hours", "lost in 1969 23–20"
  for (std::size_t k = 1; k <= neighbours && plain_number(doc, i + k); ++k) {
    if (!is_year_number(doc, i + k) && !doc.is(i + k + 1, Class::month)) return true;
  }
  return false;
}

// "15 to 1000", "between 5 and 2000": the other number was no date, or it would stand in a mention.
bool ends_counted_range(const Document& doc, std::size_t i, const Signal& signal,
                        std::size_t floor) {
  std::size_t joint = i - 1;
  while (joint + 3 > i && doc.is_any(joint, {Function::the, Function::around})) --joint;
  const bool to = doc.is_any(joint, {Function::to, Function::through}) ||
                  (doc.is(joint, Function::and_) &&
                   (signal.relation == Relation::between || doc.is(joint - 2, Function::between)));
  return to && joint - 1 >= floor && joint - 1 < i && doc.is(joint - 1, Kind::number);
}

// "from 2000 to 9500", "between 1400 and 6000 K", "of 1500 and 2000 newtons": what follows the
// joint is a count, or the two would be one range. "1914 to 18" and "1990 to 5 May" are not looked
// into.
bool begins_counted_range(const Document& doc, std::size_t i, std::size_t last,
                          const Signal& signal) {
  const bool listed = doc.is_any(last, {Function::and_, Function::or_});
  if (!listed && !doc.is_any(last, {Function::to, Function::through})) return false;
  const bool opens =
      signal.from || signal.relation == Relation::between || signal.relation == Relation::none;
  if (!opens || has_determiner(doc, i))
    return false;  // "168 in 2003 to 201 in 2017", "his 2008 and 2010 opponents"
  std::size_t other = last + 1;
  if (doc.is(other, Function::around)) ++other;
  if (!doc.is(other, Kind::number) || doc.is(other + 1, Class::month)) return false;
  const bool grouped = doc.glued(other + 1) &&
                       (doc.is(other + 1, Kind::comma) || doc.is(other + 1, Kind::dot)) &&
                       doc.glued(other + 2) && doc.is(other + 2, Kind::number);
  if (doc.at(other).digits < 3 && !grouped) return false;
  if (!listed || signal.relation == Relation::between) return true;
  return signal.relation == Relation::none &&
         (!is_year_number(doc, other) || !is_plain_number(doc, other) ||
          quantifies_next_word(doc, other));
}

// "= 2000", "1998 * 2", "f(1800)", "rows[2012]", "#1987"
bool in_code(const Document& doc, std::size_t i, std::size_t last) {
  const auto one_of = [&](std::size_t j, std::u16string_view signs) {
    return doc.is(j, Kind::symbol) && signs.find(doc.word(j)[0]) != std::u16string_view::npos;
  };
  if (one_of(i - 1, u"=*#@^\\+_") || one_of(last, u"*=^")) return true;
  if (!doc.is(i - 1, Kind::open) || !doc.glued(i) || !doc.glued(i - 1) ||
      !doc.is(i - 2, Kind::word))
    return false;
  return doc.word(i - 1) == u"[" || !doc.at(i - 2).capital;
}

bool says_circa(const Document& doc, const Signal& signal, std::size_t i) {
  const std::size_t word = doc.is(i - 1, Kind::dot) ? i - 2 : i - 1;
  if (doc.is(signal.first, Function::in) || doc.is(word, Function::circa_letter))
    return true;  // "in about 800"
  return doc.is(word, Function::around) && (doc.word(word)[0] | 32) == u'c';
}

bool changes(const Document& doc, std::size_t i) {
  return doc.is(i, Class::change) || doc.is(i, Class::measure);
}

}  // namespace

bool quantifies_next_word(const Document& doc, std::size_t i) {
  const Token& token = doc.at(i + 1);
  if (token.kind != Kind::word || token.capital ||
      (token.lexeme.cls != Class::unknown && token.lexeme.cls != Class::daypart))
    return false;
  const std::u16string_view word = doc.word(i + 1);
  return word.size() > 3 && word.ends_with(u's') && !word.ends_with(u"ss") &&
         !word.ends_with(u"us") && !word.ends_with(u"is") && word != u"does" && word != u"perhaps";
}

bool is_quantity(const Document& doc, const Expression& expression, const Signal& signal,
                 std::size_t floor) {
  const std::size_t i = expression.first;
  const bool counted = expression.confidence < 0.5f;  // followed by what may be a plural
  const bool after_name = doc.is(i - 1, Class::unknown) && doc.at(i - 1).capital &&
                          i > 1;  // "The Services Act 2004 gives"
  const bool listed =
      (floor > 0 && i <= floor + 2 && doc.is_any(i - 1, {Function::and_, Function::or_})) ||
      after_name;  // "the 2004 and 2005 drafts"
  if (counted && !listed &&
      (signal.approximate || signal.relation == Relation::none || signal.relation == Relation::by))
    return true;
  if (in_code(doc, i, expression.last)) return true;
  // "up from 212 a year ago"
  const std::size_t last = expression.last;
  if (doc.is(last, Function::a) && doc.is(last + 1, Class::unit) &&
      doc.is_any(last + 2, {Function::ago, Function::earlier, Function::before}))
    return true;
  if (expression.range) return false;
  if (in_row_of_numbers(doc, i, signal) || ends_counted_range(doc, i, signal, floor) ||
      begins_counted_range(doc, i, expression.last, signal))
    return true;
  if (doc.is(i - 1, Function::to) && changes(doc, i - 2)) return true;  // "rose to 1904"
  if (doc.at(i).digits >= 4) return false;
  return (signal.approximate && !says_circa(doc, signal, i)) ||
         (doc.is(i - 1, Function::the) && !doc.is(i - 2, Unit::year));  // "in the 180 km region"
}

bool is_quantity_range(const Document& doc, const Expression& expression, const Signal& signal) {
  const std::size_t i = expression.first;
  if (!expression.bare_year || doc.at(i).digits >= 4) return false;
  if (signal.relation == Relation::none) return true;  // "111 to 333"
  if (signal.approximate && !says_circa(doc, signal, i)) return true;
  return !ends_phrase_after(doc, expression.last) ||
         changes(doc,
                 signal.first - 1);  // "from 100 to 1000 cps", "varied between 500 and 750"
}

}  // namespace asof::timetag
