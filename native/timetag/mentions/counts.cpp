// What makes a number that could be a year a count, a measure, a label or a piece of code instead,
// judged by the words and numbers around it. Looks a few tokens each way and changes nothing.
#include "timetag/mentions/mentions.hpp"
#include "timetag/readers/readers.hpp"

namespace asof::timetag {
namespace {

constexpr std::size_t neighbours = 4;  // numbers in a row looked at on each side

bool plain_number(const Scene& scene, std::size_t i) {
  return scene.is(i, Kind::number) && !scene.glued(i);
}

// "4000 1234 1999 2001": a row of numbers with one among them that is no year. "2010 2011 2012" is
// a table's head.
bool in_row_of_numbers(const Scene& scene, std::size_t i, const Prefix& prefix) {
  for (std::size_t k = 1;
       k <= neighbours && plain_number(scene, i - k + 1) && scene.is(i - k, Kind::number); ++k) {
    if (!year_number(scene, i - k)) return true;
  }
  if (determined(scene, i) || prefix.relation != Relation::none)
    return false;  // "the 2017 24 Hours", "lost in 1969 23–20"
  for (std::size_t k = 1; k <= neighbours && plain_number(scene, i + k); ++k) {
    if (!year_number(scene, i + k) && !scene.is(i + k + 1, Class::month)) return true;
  }
  return false;
}

// "15 to 1000", "between 5 and 2000": the other number was no date, or it would stand in a mention.
bool ends_counted_range(const Scene& scene, std::size_t i, const Prefix& prefix,
                        std::size_t floor) {
  std::size_t joint = i - 1;
  while (joint + 3 > i && scene.is_any(joint, {Function::the, Function::around})) --joint;
  const bool to = scene.is_any(joint, {Function::to, Function::through}) ||
                  (scene.is(joint, Function::and_) && (prefix.relation == Relation::between ||
                                                       scene.is(joint - 2, Function::between)));
  return to && joint - 1 >= floor && joint - 1 < i && scene.is(joint - 1, Kind::number);
}

// "from 2000 to 9500", "between 1400 and 6000 K", "of 1500 and 2000 newtons": what follows the
// joint is a count, or the two would be one range. "1914 to 18" and "1990 to 5 May" are not looked
// into.
bool begins_counted_range(const Scene& scene, std::size_t i, std::size_t last,
                          const Prefix& prefix) {
  const bool listed = scene.is_any(last, {Function::and_, Function::or_});
  if (!listed && !scene.is_any(last, {Function::to, Function::through})) return false;
  const bool opens =
      prefix.from || prefix.relation == Relation::between || prefix.relation == Relation::none;
  if (!opens || determined(scene, i))
    return false;  // "168 in 2003 to 201 in 2017", "his 2008 and 2010 opponents"
  std::size_t other = last + 1;
  if (scene.is(other, Function::around)) ++other;
  if (!scene.is(other, Kind::number) || scene.is(other + 1, Class::month)) return false;
  const bool grouped = scene.glued(other + 1) &&
                       (scene.is(other + 1, Kind::comma) || scene.is(other + 1, Kind::dot)) &&
                       scene.glued(other + 2) && scene.is(other + 2, Kind::number);
  if (scene.at(other).digits < 3 && !grouped) return false;
  if (!listed || prefix.relation == Relation::between) return true;
  return prefix.relation == Relation::none &&
         (!year_number(scene, other) || !clean_number(scene, other) ||
          counts_what_follows(scene, other));
}

// "= 2000", "1998 * 2", "f(1800)", "rows[2012]", "#1987"
bool in_code(const Scene& scene, std::size_t i, std::size_t last) {
  const auto one_of = [&](std::size_t j, std::u16string_view signs) {
    return scene.is(j, Kind::symbol) && signs.find(scene.word(j)[0]) != std::u16string_view::npos;
  };
  if (one_of(i - 1, u"=*#@^\\+_") || one_of(last, u"*=^")) return true;
  if (!scene.is(i - 1, Kind::open) || !scene.glued(i) || !scene.glued(i - 1) ||
      !scene.is(i - 2, Kind::word))
    return false;
  return scene.word(i - 1) == u"[" || !scene.at(i - 2).capital;
}

bool says_circa(const Scene& scene, const Prefix& prefix, std::size_t i) {
  const std::size_t word = scene.is(i - 1, Kind::dot) ? i - 2 : i - 1;
  if (scene.is(prefix.first, Function::in) || scene.is(word, Function::circa_letter))
    return true;  // "in about 800"
  return scene.is(word, Function::around) && (scene.word(word)[0] | 32) == u'c';
}

bool changes(const Scene& scene, std::size_t i) {
  return scene.is(i, Class::change) || scene.is(i, Class::measure);
}

}  // namespace

bool counts_what_follows(const Scene& scene, std::size_t i) {
  const Token& token = scene.at(i + 1);
  if (token.kind != Kind::word || token.capital ||
      (token.lexeme.cls != Class::unknown && token.lexeme.cls != Class::daypart))
    return false;
  const std::u16string_view word = scene.word(i + 1);
  return word.size() > 3 && word.ends_with(u's') && !word.ends_with(u"ss") &&
         !word.ends_with(u"us") && !word.ends_with(u"is") && word != u"does" && word != u"perhaps";
}

bool is_count(const Scene& scene, const Expression& expression, const Prefix& prefix,
              std::size_t floor) {
  const std::size_t i = expression.first;
  const bool counted = expression.confidence < 0.5f;  // followed by what may be a plural
  const bool after_name = scene.is(i - 1, Class::unknown) && scene.at(i - 1).capital &&
                          i > 1;  // "The Services Act 2004 gives"
  const bool listed =
      (floor > 0 && i <= floor + 2 && scene.is_any(i - 1, {Function::and_, Function::or_})) ||
      after_name;  // "the 2004 and 2005 drafts"
  if (counted && !listed &&
      (prefix.approximate || prefix.relation == Relation::none || prefix.relation == Relation::by))
    return true;
  if (in_code(scene, i, expression.last)) return true;
  // "up from 212 a year ago"
  const std::size_t last = expression.last;
  if (scene.is(last, Function::a) && scene.is(last + 1, Class::unit) &&
      scene.is_any(last + 2, {Function::ago, Function::earlier, Function::before}))
    return true;
  if (expression.range) return false;
  if (in_row_of_numbers(scene, i, prefix) || ends_counted_range(scene, i, prefix, floor) ||
      begins_counted_range(scene, i, expression.last, prefix))
    return true;
  if (scene.is(i - 1, Function::to) && changes(scene, i - 2)) return true;  // "rose to 1904"
  if (scene.at(i).digits >= 4) return false;
  return (prefix.approximate && !says_circa(scene, prefix, i)) ||
         (scene.is(i - 1, Function::the) &&
          !scene.is(i - 2, Unit::year));  // "in the 180 km region"
}

bool is_range_of_counts(const Scene& scene, const Expression& expression, const Prefix& prefix) {
  const std::size_t i = expression.first;
  if (!expression.bare_year || scene.at(i).digits >= 4) return false;
  if (prefix.relation == Relation::none) return true;  // "111 to 333"
  if (prefix.approximate && !says_circa(scene, prefix, i)) return true;
  return !closed_after(scene, expression.last) ||
         changes(scene, prefix.first - 1);  // "from 100 to 1000 cps", "varied between 500 and 750"
}

}  // namespace asof::timetag
