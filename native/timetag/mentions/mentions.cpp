// Assembly of mentions: joins expressions to ranges, reads their signals, resolves dates without a
// year, and decides which bare numbers are years.
#include "timetag/mentions/mentions.hpp"
#include "timetag/grammar/rules.hpp"
#include "timetag/normalization/normalization.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

bool resolved(const Expression& expression) {
  return !std::isnan(expression.start_ms);
}

// "usually peaks in February", "often in summer": of any year.
bool habitual(const Document& doc, const Expression& expression) {
  if (expression.day > 0 || expression.range || expression.holiday >= 0 ||
      !doc.is(expression.first - 1, Function::in))
    return false;
  for (std::size_t i = expression.first - 2; i + 7 > expression.first && doc.is(i, Kind::word);
       --i) {
    for (std::u16string_view word : {u"usually", u"typically", u"normally", u"often", u"generally",
                                     u"traditionally", u"always", u"ideally"}) {
      if (doc.word(i) == word) return true;
    }
    if (doc.at(i).lexeme.verb == Verb::past) return false;
  }
  return false;
}

void resolve(const Document& doc, const Signal& signal, Expression& expression) {
  if (!expression.underspecified) return;
  if (doc.mode == Mode::news && habitual(doc, expression)) return;
  doc.narrative() ? resolve_in_narrative(doc, signal, expression)
                  : resolve_in_news(doc, expression);
}

// "in August and September 1914": a list's last date lends its year.
void take_year_from_list(const Document& doc, Expression& expression) {
  const std::size_t i = expression.last;
  if (!expression.underspecified || !(doc.is_any(i, {Function::and_, Function::or_}) ||
                                      doc.is(i, Kind::comma) || doc.is(i, Kind::slash)))
    return;
  std::size_t next = i + 1;
  if (doc.is(i, Kind::comma) && doc.is_any(next, {Function::and_, Function::or_})) ++next;
  if (doc.is_any(next, {Function::in, Function::on})) ++next;
  if (doc.is(next, Function::the))
    ++next;  // "throughout October and the first half of November 1914"
  Expression other;
  const bool part = doc.is(next, Class::part) || doc.is(next, Class::ordinal);
  if (!(doc.is(next, Class::month) || doc.is(next, Class::season) || doc.is(next, Kind::number) ||
        part) ||
      !read_expression(doc, next, other))
    return;
  const bool fine = other.month > 0 || other.granularity == Granularity::season;
  if (doc.question) extend_by_shifted_year(doc, other);
  if (other.underspecified || !fine || other.year == no_year || other.range) return;
  resolve_year(expression, other.year);
  if (expression.start_ms > other.start_ms)
    resolve_year(expression, other.year - 1);  // "until mid-December, and in January 1832"
}

// "from July 1842 to Nov.", "between July and Nov. 1842", "5 May – 7 June 1821": one end lends the
// other its year.
void share_year(Expression& first, Expression& second) {
  if (first.underspecified && second.year != no_year && !second.underspecified &&
      (second.month > 0 || second.granularity == Granularity::season)) {
    resolve_year(first, second.year);
    if (first.start_ms > second.start_ms) resolve_year(first, second.year - 1);
  } else if (second.underspecified && first.year != no_year && !first.underspecified &&
             first.granularity < Granularity::year) {
    resolve_year(second, first.year);
    if (second.start_ms < first.start_ms) resolve_year(second, first.year + 1);
  }
}

enum class RangeKind { no, range, open };

// Decades, centuries and their parts: two that follow one another are one stretch.
bool wide(const Expression& expression) {
  return expression.granularity >= Granularity::part_of_decade && !expression.range &&
         !expression.relative;
}

bool ends_phrase(const Document& doc, std::size_t i) {
  return doc.is(i, Kind::end) || doc.is(i, Kind::close) || doc.is(i, Kind::comma) ||
         doc.is(i, Kind::dot) || doc.is(i, Kind::symbol);
}

// Reads " to 1420", "–1917", ", until June 1945", "–present" after an expression.
RangeKind read_range_end(const Document& doc, const Signal& signal, Expression& first) {
  std::size_t i = first.last;
  if (doc.is(i, Kind::comma) &&
      doc.is_any(i + 1, {Function::to, Function::until, Function::through}))
    ++i;
  // "2020-01-01/2020-12-31"
  const bool dates = doc.is(i, Kind::slash) && doc.glued(i) &&
                     first.granularity == Granularity::day && doc.is(i - 1, Kind::number) &&
                     doc.is(i + 1, Kind::number);
  const bool dots = doc.question && doc.is(i, Kind::dot) && doc.is(i + 1, Kind::dot) &&
                    doc.glued(i + 1) && doc.glued(i + 2);  // "1996..2000"
  if (dots) ++i;
  if (doc.question && word_is(doc, i, {u"right"})) ++i;  // "March right through to September 1976"
  const bool dash = doc.dash(i) || dates || dots;
  const bool word = doc.is_any(i, {Function::to, Function::until, Function::through}) ||
                    (doc.is(i, Function::by) && signal.from) ||
                    (doc.is(i, Function::and_) && signal.relation == Relation::between) ||
                    (doc.is(i, Function::up) && doc.is_any(i + 1, {Function::to, Function::until}));
  const bool pair = doc.is_any(i, {Function::and_, Function::or_}) && !word &&
                    wide(first);  // "the 1920s and 1930s"
  if (!dash && !word && !pair) return RangeKind::no;
  if (dash && doc.glued(i) && ends_phrase(doc, i + 1) && doc.is(i - 1, Kind::number) &&
      doc.word(i)[0] != 0x2014) {
    first.last = i + 1;  // "1998–"
    return RangeKind::open;
  }
  if (doc.is(i, Function::up)) ++i;
  ++i;
  while (doc.is_any(i, {Function::the, Function::around, Function::circa_letter, Function::in}) ||
         (doc.question &&
          (doc.is(i, Function::to) || doc.is_any(i, {Function::and_, Function::including}))) ||
         doc.is(i, Unit::year) ||
         (doc.is(i, Kind::dot) && doc.is_any(i - 1, {Function::circa_letter, Function::around}))) {
    ++i;
  }
  if (doc.is(i, Function::present) || (doc.is(i, Class::unknown) && doc.word(i) == u"ongoing") ||
      (doc.is(i, Class::deictic) && (doc.value(i) == static_cast<int>(Deictic::now) ||
                                     doc.value(i) == static_cast<int>(Deictic::today)))) {
    first.last = doc.is(i + 1, Class::unit) ? i + 2 : i + 1;  // "the present day"
    return RangeKind::open;
  }
  Expression second;
  if (!read_expression(doc, i, second) || second.range != first.range) return RangeKind::no;
  if (dash && second.relative) return RangeKind::no;
  if (doc.question) extend_by_shifted_year(doc, second);
  if (pair && !(wide(second) && second.start_ms == first.end_ms)) return RangeKind::no;
  share_year(first, second);
  if (!first.underspecified) apply_time_of_day(first);
  if (!second.underspecified) apply_time_of_day(second);
  if (first.underspecified && second.underspecified) {
    resolve(doc, signal, first);
    if (!first.underspecified) resolve_year(second, first.year);
    if (!first.underspecified && second.start_ms < first.start_ms)
      resolve_year(second, first.year + 1);
  }
  if (!resolved(first) || !resolved(second) || second.end_ms <= first.start_ms ||
      (second.start_ms < first.start_ms))
    return RangeKind::no;
  join(first, second);
  first.single_interval = pair;
  return RangeKind::range;
}

Relation mention_relation(const Document& doc, const Expression& expression, const Signal& signal,
                          RangeKind range_kind) {
  if (range_kind == RangeKind::open) return Relation::since;
  if (expression.range && (!expression.single_interval || signal.relation == Relation::between)) {
    const bool plain = signal.relation == Relation::none || signal.relation == Relation::in ||
                       signal.relation == Relation::on || signal.from;
    return plain ? Relation::from_to : signal.relation;
  }
  // "between 1977 and his death": since then; else "between" something else
  if (signal.relation == Relation::between)
    return expression.bare_year && doc.is(expression.last, Function::and_) &&
                   has_determiner(doc, expression.last + 2)
               ? Relation::since
               : Relation::none;
  const bool apart = doc.is(expression.first, Class::part) &&
                     doc.is(expression.first + 1, Function::in);  // "late in 2012"
  if (signal.relation == Relation::none && (expression.relative || apart) && resolved(expression)) {
    return expression.granularity <= Granularity::day ? Relation::on : Relation::in;
  }
  return signal.relation;
}

// "in 1974, 1975 and 1979": the words between are a comma, "and" or both.
bool continues_list(const Document& doc, std::size_t floor, const Expression& expression) {
  std::size_t i = floor;
  if (floor == 0) return false;
  if (doc.is(i, Kind::comma)) ++i;
  if (doc.is_any(i, {Function::and_, Function::or_})) ++i;
  if (doc.is(i, Function::the)) ++i;
  return i > floor && i == expression.first && !doc.is(expression.last, Kind::open);
}

// The signal of a list's first date holds for the others.
Relation listed_relation(const Mention& before, const Expression& expression) {
  const bool same =
      (before.relation == Relation::in && expression.granularity > Granularity::day) ||
      (before.relation == Relation::on && expression.granularity <= Granularity::day);
  return same && before.granularity == expression.granularity ? before.relation : Relation::none;
}

// A question's "by the end of 1965" is by 1965.
void whole_unit(Expression& expression) {
  const Civil start =
      civil_from_days(static_cast<std::int64_t>(std::floor(expression.start_ms / day_ms)));
  const bool month = expression.granularity == Granularity::part_of_month;
  expression.start_ms =
      static_cast<double>(days_from_civil(start.year, month ? start.month : 1, 1)) * day_ms;
}

void end_of_unit(Expression& expression) {
  const double last_day = expression.end_ms - day_ms;
  fill_days(expression, static_cast<std::int64_t>(last_day / day_ms),
            static_cast<std::int64_t>(last_day / day_ms) + 1, Granularity::day);
}

Mention mention_of(const Document& doc, const Expression& expression, const Signal& signal,
                   Relation relation) {
  Mention mention;
  mention.start = doc.at(relation == Relation::none ? expression.first : signal.first).begin;
  mention.end = doc.at(expression.last - 1).end;
  mention.start_ms = expression.start_ms;
  mention.end_ms = expression.end_ms;
  mention.granularity = expression.granularity;
  mention.relation = relation;
  const bool bare = expression.bare_year && !expression.range;
  mention.confidence = bare ? (signal.supports_year ? 0.92f : 0.6f) : expression.confidence;
  return mention;
}

void append_mention(const Document& doc, const Expression& expression, Mention mention,
                    std::size_t floor, Tags& tags) {
  mention.timexes = append_timexes(doc, expression, floor, tags.timexes);
  mention.start = std::min(
      mention.start,
      tags.timexes[tags.timexes.size() - mention.timexes].start);  // the date's own article
  tags.mentions.push_back(mention);
}

}  // namespace

void read_mentions(Document& doc, Tags& tags) {
  std::size_t floor = 0;  // first token after all mentions so far
  std::size_t dated = 0;  // the same, of mentions that are dates
  Expression expression;
  PendingYear open;
  for (std::size_t i = 0; i < doc.tokens.size();) {
    if (!read_expression(doc, i, expression)) {
      ++i;
      continue;
    }
    expression.first = std::max(expression.first, floor);
    if (has_no_interval(expression)) {
      // "nearly four weeks of fighting since 8 August": of nested annotations, the date counts.
      if (doc.uses_innermost() && expression.type == TimexType::duration &&
          nests_date(doc, expression.last)) {
        i = expression.last;
        continue;
      }
      extend_by_event(doc, floor, expression);
      append_mention(doc, expression, mention_of(doc, expression, Signal{}, Relation::none), floor,
                     tags);
      remember_quarter(doc, expression);
      i = floor = expression.last;
      continue;
    }
    Signal signal = read_signal(doc, floor, expression);
    RangeKind range_kind = RangeKind::no;
    // "from 1990-91 to 1995-96", "between 1990/91 and 1995/96"
    const bool seasons =
        expression.range &&
        ((signal.from &&
          doc.is_any(expression.last, {Function::to, Function::until, Function::through})) ||
         (signal.relation == Relation::between && doc.is(expression.last, Function::and_)));
    if ((!expression.range || seasons)) range_kind = read_range_end(doc, signal, expression);
    if ((range_kind == RangeKind::range && is_quantity_range(doc, expression, signal)) ||
        (range_kind == RangeKind::no &&
         !is_time_mention(doc, expression, signal, dated == floor ? floor : 0))) {
      ++i;
      continue;
    }
    extend_by_shifted_year(doc, expression);
    extend_by_anchor_year(doc, expression);
    take_year_from_list(doc, expression);
    resolve(doc, signal, expression);
    take_named_date(doc, expression);
    apply_time_of_day(expression);
    Relation relation = mention_relation(doc, expression, signal, range_kind);
    if (relation == Relation::none && dated == floor && !tags.mentions.empty() &&
        continues_list(doc, floor, expression))
      relation = listed_relation(tags.mentions.back(), expression);
    if (expression.at_unit_end && resolved(expression) &&
        (relation == Relation::by || relation == Relation::as_of || relation == Relation::until ||
         relation == Relation::before ||
         (doc.question && doc.is(expression.first - 2, Function::to))))
      doc.question&& expression.granularity <= Granularity::part_of_year ? whole_unit(expression)
                                                                         : end_of_unit(expression);
    Mention mention = mention_of(doc, expression, signal, relation);
    const bool name_like = doc.question && relation == Relation::none &&
                           expression.last == expression.first + 1 && !expression.bare_year;
    if (name_like) mention.confidence = std::min(mention.confidence, 0.5f);  // "April", "Sunday"
    std::size_t last = expression.last;
    // "from 1998 onwards", "from 1998 on": the mention's words, not the date's
    if (signal.from && range_kind == RangeKind::no && !expression.range &&
        (doc.is(last, Function::onwards) ||
         (doc.is(last, Function::on) && !doc.is(last + 1, Kind::word))))
      mention.end = doc.at(last++).end;
    append_mention(doc, expression, mention, floor, tags);
    fill_pending_year(doc, expression, open, tags);
    if (!resolved(expression)) note_pending_year(expression, tags, open);
    if (!expression.value.ends_with("T24:00"))
      update_anchor(doc, signal, expression);  // the story stays before midnight
    remember_quarter(doc, expression);
    i = floor = dated = last;
  }
}

}  // namespace asof::timetag
