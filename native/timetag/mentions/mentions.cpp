// Joins expressions to ranges, relates them by the words before them, gives dates without a year
// theirs, and decides which bare numbers are years.
#include "timetag/mentions/mentions.hpp"
#include "timetag/readers/readers.hpp"
#include "timetag/resolution/resolution.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

bool resolved(const Expression& expression) {
  return !std::isnan(expression.start_ms);
}

// "usually peaks in February", "often in summer": of any year.
bool habitual(const Scene& scene, const Expression& expression) {
  if (expression.day > 0 || expression.range || expression.holiday >= 0 ||
      !scene.is(expression.first - 1, Function::in))
    return false;
  for (std::size_t i = expression.first - 2; i + 7 > expression.first && scene.is(i, Kind::word);
       --i) {
    for (std::u16string_view word : {u"usually", u"typically", u"normally", u"often", u"generally",
                                     u"traditionally", u"always", u"ideally"}) {
      if (scene.word(i) == word) return true;
    }
    if (scene.at(i).lexeme.verb == Verb::past) return false;
  }
  return false;
}

void resolve(const Scene& scene, const Prefix& prefix, Expression& expression) {
  if (!expression.lacks_year) return;
  if (scene.mode == Mode::news && habitual(scene, expression)) return;
  scene.story() ? resolve_in_narrative(scene, prefix, expression)
                : resolve_in_news(scene, expression);
}

// "in August and September 1914": a list's last date lends its year.
void borrow_from_list(const Scene& scene, Expression& expression) {
  const std::size_t i = expression.last;
  if (!expression.lacks_year || !(scene.is_any(i, {Function::and_, Function::or_}) ||
                                  scene.is(i, Kind::comma) || scene.is(i, Kind::slash)))
    return;
  std::size_t next = i + 1;
  if (scene.is(i, Kind::comma) && scene.is_any(next, {Function::and_, Function::or_})) ++next;
  if (scene.is_any(next, {Function::in, Function::on})) ++next;
  if (scene.is(next, Function::the))
    ++next;  // "throughout October and the first half of November 1914"
  Expression other;
  const bool part = scene.is(next, Class::part) || scene.is(next, Class::ordinal);
  if (!(scene.is(next, Class::month) || scene.is(next, Class::season) ||
        scene.is(next, Kind::number) || part) ||
      !read_expression(scene, next, other))
    return;
  const bool fine = other.month > 0 || other.granularity == Granularity::season;
  if (other.lacks_year || !fine || other.year == no_year || other.range) return;
  resolve_year(expression, other.year);
  if (expression.start_ms > other.start_ms)
    resolve_year(expression, other.year - 1);  // "until mid-December, and in January 1832"
}

// "from July 1842 to Nov.", "between July and Nov. 1842", "5 May – 7 June 1821": one end lends the
// other its year.
void lend_year(Expression& first, Expression& second) {
  if (first.lacks_year && second.year != no_year && !second.lacks_year &&
      (second.month > 0 || second.granularity == Granularity::season)) {
    resolve_year(first, second.year);
    if (first.start_ms > second.start_ms) resolve_year(first, second.year - 1);
  } else if (second.lacks_year && first.year != no_year && !first.lacks_year &&
             first.granularity < Granularity::year) {
    resolve_year(second, first.year);
    if (second.start_ms < first.start_ms) resolve_year(second, first.year + 1);
  }
}

enum class Joined { no, range, open };

// Decades, centuries and their parts: two that follow one another are one stretch.
bool wide(const Expression& expression) {
  return expression.granularity >= Granularity::part_of_decade && !expression.range &&
         !expression.relative;
}

bool ends_phrase(const Scene& scene, std::size_t i) {
  return scene.is(i, Kind::end) || scene.is(i, Kind::close) || scene.is(i, Kind::comma) ||
         scene.is(i, Kind::dot) || scene.is(i, Kind::symbol);
}

// Reads " to 1420", "–1917", ", until June 1945", "–present" after an expression.
Joined read_second(const Scene& scene, const Prefix& prefix, Expression& first) {
  std::size_t i = first.last;
  if (scene.is(i, Kind::comma) &&
      scene.is_any(i + 1, {Function::to, Function::until, Function::through}))
    ++i;
  // "2020-01-01/2020-12-31"
  const bool dates = scene.is(i, Kind::slash) && scene.glued(i) &&
                     first.granularity == Granularity::day && scene.is(i - 1, Kind::number) &&
                     scene.is(i + 1, Kind::number);
  const bool dash = scene.dash(i) || dates;
  const bool word =
      scene.is_any(i, {Function::to, Function::until, Function::through}) ||
      (scene.is(i, Function::by) && prefix.from) ||
      (scene.is(i, Function::and_) && prefix.relation == Relation::between) ||
      (scene.is(i, Function::up) && scene.is_any(i + 1, {Function::to, Function::until}));
  const bool pair = scene.is_any(i, {Function::and_, Function::or_}) && !word &&
                    wide(first);  // "the 1920s and 1930s"
  if (!dash && !word && !pair) return Joined::no;
  if (dash && scene.glued(i) && ends_phrase(scene, i + 1) && scene.is(i - 1, Kind::number) &&
      scene.word(i)[0] != 0x2014) {
    first.last = i + 1;  // "1998–"
    return Joined::open;
  }
  if (scene.is(i, Function::up)) ++i;
  ++i;
  while (
      scene.is_any(i, {Function::the, Function::around, Function::circa_letter, Function::in}) ||
      scene.is(i, Unit::year) ||
      (scene.is(i, Kind::dot) && scene.is_any(i - 1, {Function::circa_letter, Function::around}))) {
    ++i;
  }
  if (scene.is(i, Function::present) ||
      (scene.is(i, Class::unknown) && scene.word(i) == u"ongoing") ||
      (scene.is(i, Class::deictic) && (scene.value(i) == static_cast<int>(Deictic::now) ||
                                       scene.value(i) == static_cast<int>(Deictic::today)))) {
    first.last = scene.is(i + 1, Class::unit) ? i + 2 : i + 1;  // "the present day"
    return Joined::open;
  }
  Expression second;
  if (!read_expression(scene, i, second) || second.range != first.range) return Joined::no;
  if (dash && second.relative) return Joined::no;
  if (pair && !(wide(second) && second.start_ms == first.end_ms)) return Joined::no;
  lend_year(first, second);
  if (!first.lacks_year) apply_clock(first);
  if (!second.lacks_year) apply_clock(second);
  if (first.lacks_year && second.lacks_year) {
    resolve(scene, prefix, first);
    if (!first.lacks_year) resolve_year(second, first.year);
    if (!first.lacks_year && second.start_ms < first.start_ms) resolve_year(second, first.year + 1);
  }
  if (!resolved(first) || !resolved(second) || second.end_ms <= first.start_ms ||
      (second.start_ms < first.start_ms))
    return Joined::no;
  join(first, second);
  first.one_stretch = pair;
  return Joined::range;
}

// "The toll was 1998", "with 2010 of them": a count, unless it is said to be a year.
bool follows_count_verb(const Scene& scene, std::size_t i) {
  if (!scene.is(i - 1, Kind::word) || scene.is(i - 2, Unit::year)) return false;
  const std::u16string_view word = scene.word(i - 1);
  for (std::u16string_view verb : {u"was", u"were", u"is", u"are", u"had", u"has", u"have", u"with",
                                   u"contained", u"totaled", u"totalled", u"reached"}) {
    if (word == verb) return true;
  }
  return false;
}

bool adjective_form(const Scene& scene, std::size_t i) {
  if (!scene.is(i, Class::unknown) || scene.at(i).capital) return false;
  const std::u16string_view word = scene.word(i);
  for (std::u16string_view ending :
       {u"al", u"ous", u"ful", u"ic", u"ive", u"ary", u"ed", u"less"}) {
    if (word.size() > 4 && word.ends_with(ending)) return true;
  }
  return false;
}

bool starts_text(const Scene& scene, std::size_t i) {
  return i == 0 || scene.is(i - 1, Kind::dot) || (i == 1 && scene.dash(0));
}

// Whether a number alone is a year here. 1800 to 2100 are taken unless something speaks against it,
// others only where something speaks for it.
bool accept_year(const Scene& scene, const Expression& expression, const Prefix& prefix,
                 std::size_t floor) {
  const std::size_t i = expression.first;
  if (prefix.quantity || is_count(scene, expression, prefix, floor)) return false;
  const bool counted = expression.confidence < 0.5f;  // followed by what may be a plural
  const bool short_year = scene.at(i).digits < 4;
  if (short_year) {
    if (expression.range) return prefix.relation != Relation::none || scene.is(i - 1, Kind::open);
    const bool relation = prefix.relation == Relation::in || prefix.relation == Relation::since ||
                          prefix.relation == Relation::until ||
                          prefix.relation == Relation::around ||
                          prefix.relation == Relation::after ||
                          prefix.relation == Relation::before || prefix.relation == Relation::as_of;
    return (relation && scene.at(i).number >= 100 && !scene.is(prefix.first, Function::for_)) ||
           scene.is(i - 1, Unit::year);
  }
  if (prefix.relation == Relation::between && !expression.range &&
      scene.is(expression.last, Function::and_) && !scene.is(expression.last + 1, Kind::word))
    return false;  // "between 1100 and 1200 kg"
  if (expression.range || prefix.supports_year) return true;
  const bool listed = floor > 0 && i <= floor + 2;  // "in 1990, 1995 and 1998"
  const bool opens =
      starts_text(scene, i) && (scene.is(i + 1, Kind::comma) || scene.is(i + 1, Kind::colon));
  const bool enclosed = scene.is(i - 1, Kind::open) ||
                        (scene.is(i - 1, Kind::comma) &&
                         (scene.is(i + 1, Kind::close) || scene.is(i + 1, Kind::comma)));
  const Token& next = scene.at(i + 1);
  const bool adjective =
      adjective_form(scene, i - 1) && determined(scene, i - 1);  // "the pivotal 1214 battle"
  const bool describes = (determined(scene, i) || adjective) && next.kind == Kind::word &&
                         !next.capital && next.lexeme.cls == Class::unknown &&
                         !counted;  // "a 1357 deed"
  // "the 1784 Treaty"; a plural may be what is counted.
  const bool names = scene.story() && scene.is(i - 1, Function::the) && next.kind == Kind::word &&
                     next.capital && scene.word(i + 1).back() != u's';
  if (listed || opens || enclosed || describes || names) return true;
  if (follows_count_verb(scene, i)) return false;
  const std::uint32_t number = scene.at(i).number;
  return number >= 1800 && number <= 2100 && !counted;
}

// "in March, June, September and December": a month between commas after another one.
bool lists_month(const Scene& scene, const Expression& expression, std::size_t floor) {
  const std::size_t i = expression.first, next = expression.last;
  if (floor == 0 || floor + 1 != i || !scene.is(i - 1, Kind::comma) ||
      !scene.is(floor - 1, Class::month) || !scene.at(i).capital)
    return false;
  if (scene.is(next, Kind::comma))
    return scene.is(next + 1, Class::month) ||
           (scene.is_any(next + 1, {Function::and_, Function::or_}) &&
            scene.is(next + 2, Class::month));
  return scene.is_any(next, {Function::and_, Function::or_}) && scene.is(next + 1, Class::month);
}

// A month alone is a name or a verb as often as a date.
bool accept_month(const Scene& scene, const Expression& expression, const Prefix& prefix,
                  std::size_t floor) {
  if (expression.day > 0 || !expression.lacks_year || expression.part >= 0 || expression.range)
    return true;
  if (expression.season >= 0) return true;
  if (month_stands_alone(scene, expression, floor) || news_month(scene, expression, floor) ||
      lists_month(scene, expression, floor))
    return true;
  const Token& month = scene.at(expression.first);
  if (prefix.relation == Relation::none || (!month.capital && month.end - month.begin < 6))
    return false;
  const Token& next = scene.at(expression.last);
  return !(next.kind == Kind::word && next.capital && next.lexeme.cls == Class::unknown) &&
         !(next.kind == Kind::apostrophe && next.glued);
}

bool recurring(const Scene& scene, std::size_t i) {
  const std::u16string_view word =
      scene.is(i - 1, Kind::word) ? scene.word(i - 1) : std::u16string_view();
  return word == u"every" || word == u"each" || word == u"Every" || word == u"Each";
}

// "Sheffield Wednesday", "The Sunday Times": a weekday alone among capitals, and related to
// nothing.
bool named_weekday(const Scene& scene, const Expression& expression, const Prefix& prefix) {
  const std::size_t i = expression.first;
  if (!scene.is(i, Class::weekday) || expression.last != i + 1 || prefix.relation != Relation::none)
    return false;
  const auto capital = [&](std::size_t j) {
    return scene.is(j, Kind::word) && !scene.is(j, Class::function) && scene.at(j).capital;
  };
  if (scene.mode != Mode::news) return (i > 0 && capital(i - 1)) || capital(i + 1);
  // In news "met with Hale Sunday" is a day; not "The Sunday Times", not "Sheffield Wednesday
  // drew".
  const bool opens = i == 0 || !scene.is(i - 1, Kind::word) || scene.is(i - 1, Function::the) ||
                     scene.is(i - 1, Function::a);
  if (capital(i + 1)) return opens || capital(i - 1);
  // "Highs Thursday will reach", "Shares Friday fell": a plural that opens a sentence, and a verb
  // after.
  const bool plural = i > 0 && scene.is(i - 1, Class::unknown) &&
                      scene.word(i - 1).ends_with(u's') && !scene.word(i - 1).ends_with(u"ss");
  if (plural && scene.is(i + 1, Kind::word) && scene.at(i + 1).lexeme.verb != Verb::none)
    return false;
  return capital(i - 1) && (i == 1 || scene.is(i - 2, Kind::dot)) &&
         !scene.is(i - 1, Class::function) && scene.word(i - 1) != u"Also";
}

bool accept(const Scene& scene, const Expression& expression, const Prefix& prefix,
            std::size_t floor) {
  if (recurring(scene, expression.first)) return false;  // "every Monday"
  if (named_weekday(scene, expression, prefix)) return false;
  // "20th Century Fox" is a name
  const std::size_t last = expression.last - 1;
  if (scene.is(last, Unit::century) && scene.at(last).capital &&
      scene.is(last + 1, Class::unknown) && scene.at(last + 1).capital &&
      !determined(scene, expression.first))
    return false;
  if (expression.bare_year) return accept_year(scene, expression, prefix, floor);
  return accept_month(scene, expression, prefix, floor);
}

Relation relation_of(const Scene& scene, const Expression& expression, const Prefix& prefix,
                     Joined joined) {
  if (joined == Joined::open) return Relation::since;
  if (expression.range && (!expression.one_stretch || prefix.relation == Relation::between)) {
    const bool plain = prefix.relation == Relation::none || prefix.relation == Relation::in ||
                       prefix.relation == Relation::on || prefix.from;
    return plain ? Relation::from_to : prefix.relation;
  }
  // "between 1977 and his death": since then; else "between" something else
  if (prefix.relation == Relation::between)
    return expression.bare_year && scene.is(expression.last, Function::and_) &&
                   determined(scene, expression.last + 2)
               ? Relation::since
               : Relation::none;
  const bool apart = scene.is(expression.first, Class::part) &&
                     scene.is(expression.first + 1, Function::in);  // "late in 2012"
  if (prefix.relation == Relation::none && (expression.relative || apart) && resolved(expression)) {
    return expression.granularity <= Granularity::day ? Relation::on : Relation::in;
  }
  return prefix.relation;
}

// "in 1974, 1975 and 1979": the words between are a comma, "and" or both.
bool continues_list(const Scene& scene, std::size_t floor, const Expression& expression) {
  std::size_t i = floor;
  if (floor == 0) return false;
  if (scene.is(i, Kind::comma)) ++i;
  if (scene.is_any(i, {Function::and_, Function::or_})) ++i;
  if (scene.is(i, Function::the)) ++i;
  return i > floor && i == expression.first && !scene.is(expression.last, Kind::open);
}

// What stands before the first of a list holds for the others.
Relation listed_relation(const Mention& before, const Expression& expression) {
  const bool same =
      (before.relation == Relation::in && expression.granularity > Granularity::day) ||
      (before.relation == Relation::on && expression.granularity <= Granularity::day);
  return same && before.granularity == expression.granularity ? before.relation : Relation::none;
}

void end_of_unit(Expression& expression) {
  const double last_day = expression.end_ms - day_ms;
  fill_days(expression, static_cast<std::int64_t>(last_day / day_ms),
            static_cast<std::int64_t>(last_day / day_ms) + 1, Granularity::day);
}

Mention mention_of(const Scene& scene, const Expression& expression, const Prefix& prefix,
                   Relation relation) {
  Mention mention;
  mention.start = scene.at(relation == Relation::none ? expression.first : prefix.first).begin;
  mention.end = scene.at(expression.last - 1).end;
  mention.start_ms = expression.start_ms;
  mention.end_ms = expression.end_ms;
  mention.granularity = expression.granularity;
  mention.relation = relation;
  const bool bare = expression.bare_year && !expression.range;
  mention.confidence = bare ? (prefix.supports_year ? 0.92f : 0.6f) : expression.confidence;
  return mention;
}

void append_mention(const Scene& scene, const Expression& expression, Mention mention,
                    std::size_t floor, Tags& tags) {
  mention.timexes = append_timexes(scene, expression, floor, tags.timexes);
  mention.start = std::min(
      mention.start,
      tags.timexes[tags.timexes.size() - mention.timexes].start);  // the date's own article
  tags.mentions.push_back(mention);
}

}  // namespace

void read_mentions(Scene& scene, Tags& tags) {
  std::size_t floor = 0;  // first token that no mention holds yet
  std::size_t dated = 0;  // the same, of mentions that are dates
  Expression expression;
  Open open;
  for (std::size_t i = 0; i < scene.tokens.size();) {
    if (!read_expression(scene, i, expression)) {
      ++i;
      continue;
    }
    expression.first = std::max(expression.first, floor);
    if (undated(expression)) {
      // "nearly four weeks of fighting since 8 August": where annotations nest, the date inside is
      // the one that counts.
      if (scene.innermost_only() && expression.type == TimexType::duration &&
          nests_date(scene, expression.last)) {
        i = expression.last;
        continue;
      }
      extend_by_event(scene, floor, expression);
      append_mention(scene, expression, mention_of(scene, expression, Prefix{}, Relation::none),
                     floor, tags);
      remember_quarter(scene, expression);
      i = floor = expression.last;
      continue;
    }
    Prefix prefix = read_prefix(scene, floor, expression);
    Joined joined = Joined::no;
    // "from 1990-91 to 1995-96", "between 1990/91 and 1995/96"
    const bool seasons =
        expression.range &&
        ((prefix.from &&
          scene.is_any(expression.last, {Function::to, Function::until, Function::through})) ||
         (prefix.relation == Relation::between && scene.is(expression.last, Function::and_)));
    if ((!expression.range || seasons)) joined = read_second(scene, prefix, expression);
    if ((joined == Joined::range && is_range_of_counts(scene, expression, prefix)) ||
        (joined == Joined::no && !accept(scene, expression, prefix, dated == floor ? floor : 0))) {
      ++i;
      continue;
    }
    extend_by_shifted_year(scene, expression);
    extend_by_told_year(scene, expression);
    borrow_from_list(scene, expression);
    resolve(scene, prefix, expression);
    take_named_date(scene, expression);
    apply_clock(expression);
    Relation relation = relation_of(scene, expression, prefix, joined);
    if (relation == Relation::none && dated == floor && !tags.mentions.empty() &&
        continues_list(scene, floor, expression))
      relation = listed_relation(tags.mentions.back(), expression);
    if (expression.ends_unit && resolved(expression) &&
        (relation == Relation::by || relation == Relation::as_of || relation == Relation::until ||
         relation == Relation::before))
      end_of_unit(expression);
    Mention mention = mention_of(scene, expression, prefix, relation);
    std::size_t last = expression.last;
    if (prefix.from && joined == Joined::no && !expression.range) {
      // "from 1998 onwards", "from 1998 on": the mention's words, not the date's
      if (scene.is(last, Function::onwards) ||
          (scene.is(last, Function::on) && !scene.is(last + 1, Kind::word)))
        mention.end = scene.at(last++).end;
    }
    append_mention(scene, expression, mention, floor, tags);
    fill_open(scene, expression, open, tags);
    if (!resolved(expression)) leave_open(expression, tags, open);
    if (!expression.value.ends_with("T24:00"))
      carry(scene, prefix, expression);  // the story stays before midnight
    remember_quarter(scene, expression);
    i = floor = dated = last;
  }
}

}  // namespace asof::timetag
