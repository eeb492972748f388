// Signals: the words before a date that relate it to its clause, "as of", "no later than", "during
// the period in". Read backwards from the expression, at most a handful of words, and not into the
// mention before it.
#include "timetag/mentions/mentions.hpp"

namespace asof::timetag {
namespace {

// A window on the tokens before the expression that cannot reach into the mention before.
struct LeftContext {
  const Document& doc;
  std::size_t floor;
  bool inside(std::size_t i) const {
    return i >= floor && i < doc.tokens.size();
  }  // an index before the text wraps to a huge one
  bool is(std::size_t i, auto what) const { return inside(i) && doc.is(i, what); }
  bool is_any(std::size_t i, std::initializer_list<Function> functions) const {
    return inside(i) && doc.is_any(i, functions);
  }
};

// Steps over what may stand between a preposition and its date: "the", "the year", "the night of",
// "the first week of".
std::size_t skip_fillers(const LeftContext& back, std::size_t i) {
  for (int steps = 0; steps < 4; ++steps) {
    if (back.is(i - 1, Function::the)) {
      --i;
    } else if (back.is(i - 1, Unit::year) && i - 1 > back.floor) {
      --i;
    } else if (back.is(i - 1, Function::least) && back.is(i - 2, Function::at)) {
      i -= 2;
    } else if (back.is(i - 1, Function::fiscal)) {
      --i;
    } else if (back.is(i - 1, Function::of) && back.is(i - 2, Class::unit)) {
      i -= 2;
      if (back.is(i - 1, Class::ordinal) || back.is(i - 1, Class::shift) ||
          back.is(i - 1, Class::cardinal) || back.is(i - 1, Class::part))
        --i;
    } else if (back.is(i - 1, Function::of) &&
               (back.is_any(i - 2, {Function::eve, Function::period}) ||
                back.is(i - 2, Class::daypart))) {
      i -= 2;
    } else if (back.is(i - 1, Function::of) && back.is(i - 2, Function::share)) {
      i -= 2;  // "for most of", "over the course of"
    } else if (back.is(i - 1, Function::period)) {
      --i;
    } else {
      break;
    }
  }
  return i;
}

struct Simple {
  Function function;
  Relation relation;
};

constexpr Simple simple[] = {
    {Function::in, Relation::in},           {Function::into, Relation::in},
    {Function::during, Relation::in},       {Function::throughout, Relation::in},
    {Function::within, Relation::in},       {Function::on, Relation::on},
    {Function::since, Relation::since},     {Function::until, Relation::until},
    {Function::through, Relation::until},   {Function::by, Relation::by},
    {Function::before, Relation::before},   {Function::preceding, Relation::before},
    {Function::after, Relation::after},     {Function::following, Relation::after},
    {Function::between, Relation::between}, {Function::effective, Relation::since},
    {Function::pre, Relation::before},      {Function::post, Relation::after},
};

bool is_part(Granularity unit) {
  return unit == Granularity::part_of_month || unit == Granularity::part_of_year ||
         unit == Granularity::part_of_decade || unit == Granularity::part_of_century;
}

bool begins(const LeftContext& back, std::size_t i) {
  return back.inside(i) && (back.doc.word(i) == u"beginning" || back.doc.word(i) == u"Beginning");
}

// "as early as", "as late as", "as recently as", "as far back as"
bool as_early_as(const LeftContext& back, std::size_t i) {
  const bool part =
      back.is(i - 2, Class::part) && (back.doc.value(i - 2) == 0 || back.doc.value(i - 2) == 2);
  if (back.is(i - 1, Function::as) && back.is(i - 2, Function::back) &&
      back.is(i - 4, Function::as))
    return true;
  const bool recently = back.is(i - 2, Class::tense) && back.doc.word(i - 2) == u"recently";
  return back.is(i - 1, Function::as) && (part || recently) && back.is(i - 3, Function::as);
}

bool two_words(const LeftContext& back, std::size_t i, bool day, Signal& signal) {
  const auto set = [&](Relation relation, std::size_t words) {
    signal.relation = relation;
    signal.first = i - words;
    return true;
  };
  if (back.is_any(i - 1, {Function::of, Function::at}) && back.is(i - 2, Function::as))
    return set(Relation::as_of, 2);
  if (back.is(i - 1, Function::from) && back.is(i - 2, Function::as))
    return set(Relation::since, 2);
  if (back.is(i - 1, Function::to)) {
    if (back.is(i - 2, Function::prior)) return set(Relation::before, 2);
    if (back.is(i - 2, Function::up)) {
      // "the run-up to", "leading up to"
      const std::size_t noun = back.is(i - 3, Kind::hyphen) ? i - 4 : i - 3;
      if (back.is(noun, Function::run)) return set(Relation::before, i - noun);
      return set(Relation::until, 2);
    }
    // "dates to", "dating back to", "back to"
    if (back.is_any(i - 2, {Function::dates, Function::dated, Function::back}))
      return set(day ? Relation::on : Relation::in,
                 back.is_any(i - 3, {Function::dates, Function::dated}) ? 3 : 2);
  }
  if (back.is(i - 1, Function::including) && back.is(i - 2, Function::and_) &&
      back.is(i - 3, Function::to) && back.is(i - 4, Function::up))
    return set(Relation::until, 4);
  if (back.is(i - 1, Function::until) && back.is(i - 2, Function::up))
    return set(Relation::until, 2);
  if (back.is(i - 1, Function::of) && back.is(i - 2, Function::ahead))
    return set(Relation::before, 2);
  if (back.is(i - 1, Function::than)) {
    const bool later = back.is(i - 2, Function::later), earlier = back.is(i - 2, Function::earlier);
    const bool negated = back.is_any(i - 3, {Function::no, Function::not_});
    if (later) return set(negated ? Relation::by : Relation::after, negated ? 3 : 2);
    if (earlier) return set(negated ? Relation::since : Relation::before, negated ? 3 : 2);
    signal.quantity = true;  // "more than 1500"
    return false;
  }
  const bool before = back.is(i - 1, Function::before), after = back.is(i - 1, Function::after);
  if ((before || after) && back.is_any(i - 2, {Function::no, Function::not_}))
    return set(before ? Relation::since : Relation::by, 2);  // "not before 1980"
  if ((before || after) && back.is(i - 2, Function::or_) &&
      back.is_any(i - 3, {Function::on, Function::in}))
    return set(before ? Relation::by : Relation::since, 3);
  const bool opens = back.is_any(i - 1, {Function::in, Function::on, Function::from});
  const bool starts =
      back.is_any(i - 2, {Function::starting, Function::effective}) || begins(back, i - 2);
  if (opens && starts && !back.is(i - 3, Function::the)) {
    signal.from = back.is(i - 1, Function::from);
    return set(Relation::since, 2);
  }
  if (as_early_as(back, i)) return set(Relation::in, back.is(i - 2, Function::back) ? 4 : 3);
  return false;
}

// "apart from the 1957 series", "figures from the 2010 census": where something is taken from, not
// since when.
bool is_source(const LeftContext& back, std::size_t i, const Expression& expression) {
  const Document& doc = back.doc;
  return expression.bare_year && !expression.range && doc.is(expression.first - 1, Function::the) &&
         i + 1 == expression.first && doc.is(expression.last, Class::unknown) &&
         !doc.glued(expression.last);
}

// "a house from the 18th century", "songs from the 1960s": what a thing is of, where no verb stands
// before. "Used from the 12th century" is since then.
bool is_origin(const LeftContext& back, std::size_t i, const Expression& expression) {
  if (expression.single_interval) return true;
  const Document& doc = back.doc;
  const bool wide = expression.granularity >= Granularity::part_of_decade;
  const bool name = doc.at(i - 2).capital && i > 2 && !doc.is(i - 3, Kind::dot);
  if (!wide || !back.is(i - 2, Class::unknown) || name ||
      doc.is(expression.last, Function::onwards) || doc.is(expression.last, Function::on))
    return false;
  const std::u16string_view word = doc.word(i - 2);
  for (std::u16string_view ending : {u"ed", u"en", u"wn", u"ing", u"ly", u"ive", u"re"}) {
    if (word.ends_with(ending)) return false;
  }
  return true;
}

bool one_word(const LeftContext& back, std::size_t i, const Expression& expression,
              Signal& signal) {
  const bool day = expression.granularity <= Granularity::day;
  for (const Simple& each : simple) {
    if (!back.is(i - 1, each.function)) continue;
    signal.relation = each.relation == Relation::in && day
                          ? Relation::on
                          : each.relation;  // "during 6 May", "in the early hours of 6 May"
    signal.first = i - 1;
    return true;
  }
  if (back.is(i - 1, Function::dated)) {
    signal.relation = day ? Relation::on : Relation::in;
    signal.first = i - 1;
    return true;
  }
  // "starting 1 March", "beginning May 2005"
  if (back.is(i - 1, Function::starting) ||
      (back.is(i - 1, Class::part) && begins(back, i - 1) && !back.is(i - 2, Function::the))) {
    signal.relation = Relation::since;
    signal.first = i - 1;
    return true;
  }
  const bool over = back.is(i - 1, Function::over) &&
                    (!expression.bare_year ||
                     back.is(expression.first - 1, Function::of));  // "over the course of 1995"
  const bool at = back.is(i - 1, Function::at) &&
                  (is_part(expression.granularity) || expression.at_unit_end ||
                   expression.type == TimexType::time || !expression.time_of_day.value.empty());
  // "play for around 1998": the verb's word, not the date's.
  if (over || at || (back.is(i - 1, Function::for_) && i == skip_fillers(back, expression.first))) {
    signal.relation = day ? Relation::on : Relation::in;
    signal.first = i - 1;
    return true;
  }
  if (back.is(i - 1, Function::from)) {
    const bool stated = back.is_any(i - 2, {Function::dates, Function::dated}) ||
                        (back.is(i - 2, Function::back) && back.is(i - 3, Function::dates));
    if (is_source(back, i, expression)) {
      signal.supports_year = true;
      return false;
    }
    signal.relation = stated || is_origin(back, i, expression) ? (day ? Relation::on : Relation::in)
                                                               : Relation::since;
    signal.from = true;
    signal.first = i - 1;
    return true;
  }
  return false;
}

// "during the period in", "sometime in", "in the period between": words before the preposition that
// belong to it.
void widen(const LeftContext& back, Signal& signal) {
  std::size_t i = signal.first;
  if (back.is(i - 1, Function::period) ||
      (back.is(i - 1, Function::time) && back.is(i - 2, Function::the))) {
    const std::size_t noun =
        back.is(i - 2, Function::time) ? i - 2 : i - 1;  // "in the time period from"
    const std::size_t article = back.is(noun - 1, Function::the) ? noun - 1 : noun;
    if (back.is_any(article - 1, {Function::during, Function::in, Function::for_, Function::over,
                                  Function::within, Function::throughout}))
      i = article - 1;
  } else if (signal.from && back.is(i - 1, Class::unknown) && back.doc.word(i - 1) == u"effect" &&
             back.inside(i - 2)) {
    i -= 2;  // "with effect from"
  } else if (back.is(signal.first, Function::run)) {
    if (back.is(i - 1, Function::the)) --i;
    if (back.is(i - 1, Function::in)) --i;
  } else if (back.is(i - 1, Function::sometime)) {
    --i;
  } else if (back.is(i - 1, Function::time) && back.is(i - 2, Function::some)) {
    i -= 2;
  }
  signal.first = i;
}

}  // namespace

Signal read_signal(const Document& doc, std::size_t floor, const Expression& expression) {
  const LeftContext back{doc, floor};
  Signal signal;
  signal.first = expression.first;
  std::size_t i = skip_fillers(back, expression.first);
  if (doc.is(i - 1, Kind::hyphen) && back.is_any(i - 2, {Function::pre, Function::post})) --i;
  std::size_t approximate = i;
  if (back.is(i - 1, Function::around))
    approximate = i - 1;
  else if (i >= floor + 1 && doc.is(i - 1, Kind::tilde))
    approximate = i - 1;
  else if (back.is(i - 1, Function::circa_letter))
    approximate = i - 1;
  else if (doc.is(i - 1, Kind::dot) && doc.glued(i - 1) &&
           (back.is(i - 2, Function::circa_letter) || back.is(i - 2, Function::around)))
    approximate = i - 2;
  signal.approximate = approximate != i;
  i = approximate;
  if (signal.approximate) {
    signal.relation = Relation::around;
    signal.first = i;
    // "towards the end of 1943" is in it.
    const char16_t letter = doc.word(i).front() | 32;
    if (is_part(expression.granularity) && (letter == u't' || letter == u'n')) {
      signal.relation = Relation::in;
      signal.supports_year = true;
      return signal;
    }
    // "in or around 1590"
    if (back.is(i - 1, Function::or_) && back.is_any(i - 2, {Function::in, Function::on}))
      signal.first = i - 2;
    else if (back.is(i - 1, Function::at))
      signal.first = i - 1;  // "at around 1590"
    i = skip_fillers(back, i);
  }
  // "from as early as": the preposition before it is the relation
  if (as_early_as(back, i) && back.is_any(i - 4, {Function::from, Function::since, Function::until,
                                                  Function::by, Function::to}))
    i -= 3;
  Signal preposition;
  if (two_words(back, i, expression.granularity <= Granularity::day, preposition) ||
      one_word(back, i, expression, preposition)) {
    const bool vague = signal.approximate && (preposition.relation == Relation::in ||
                                              preposition.relation == Relation::on);
    preposition.approximate = signal.approximate;
    if (vague) preposition.relation = Relation::around;
    // "used as from 1914 to 1919": of two ends, "as" is the verb's.
    const bool two_ends =
        doc.dash(expression.last) ||
        doc.is_any(expression.last, {Function::to, Function::until, Function::through});
    if (two_ends && back.is(preposition.first, Function::as) &&
        back.is(preposition.first + 1, Function::from)) {
      ++preposition.first;
      preposition.from = true;
    }
    if (expression.at_unit_end && back.is(i - 1, Function::at)) preposition.relation = Relation::in;
    widen(back, preposition);
    preposition.supports_year = true;
    return preposition;
  }
  signal.quantity = preposition.quantity;
  signal.supports_year =
      signal.approximate ||
      back.is_any(i - 1, {Function::of, Function::to, Function::and_, Function::or_, Function::born,
                          Function::fiscal}) ||
      back.is(expression.first - 1, Unit::year) || back.is(expression.first - 1, Function::of) ||
      doc.is(i - 1, Kind::open) ||
      (doc.is(i - 1, Kind::dot) && doc.glued(i - 1) && back.is(i - 2, Function::born));
  if (back.is(expression.first - 1, Unit::year) && signal.relation == Relation::none)
    signal.first = expression.first;
  return signal;
}

}  // namespace asof::timetag
