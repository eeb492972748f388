// Temporal direction of a date's clause, by the nearest verb: "was shut Thursday" back, "will meet
// Thursday" ahead. A local rule over word forms, without a parse: a bounded number of words before
// the date, then after it.
#include "timetag/normalization/normalization.hpp"

namespace asof::timetag {
namespace {

constexpr std::size_t words_before = 30, words_after = 15, helper_reach = 8;

// A dot that ends a sentence, rather than an abbreviation: "Mr. Hale", "Nov. 3", "U.S. troops".
bool ends_sentence(const Document& doc, std::size_t i) {
  if (!doc.is(i, Kind::dot)) return false;
  const Token& word = doc.at(i - 1);
  const std::uint32_t length = word.end - word.begin;
  const bool abbreviation = word.kind == Kind::word &&
                            (length == 1 || (word.capital && length <= 4)) &&
                            word.lexeme.cls != Class::weekday;
  const Token& next = doc.at(i + 1);
  return !abbreviation && !next.glued && !(next.kind == Kind::word && !next.capital);
}

// "closed", "announced"; not "need", "speed", "Boston-based".
bool past_form(const Document& doc, std::size_t i) {
  const Token& token = doc.at(i);
  if (token.kind != Kind::word || token.capital || token.lexeme.verb != Verb::none) return false;
  if (token.lexeme.cls != Class::unknown && token.lexeme.cls != Class::change)
    return false;  // "declined to comment"
  const std::u16string_view word = doc.word(i);
  const bool compound = doc.is(i - 1, Kind::hyphen) && doc.glued(i);
  return word.size() >= 4 && word.ends_with(u"ed") && !word.ends_with(u"eed") && !compound;
}

// "be released", "are closed", "stay closed": the participle of a passive, or of a state that
// stays, says nothing about time.
bool passive(const Document& doc, std::size_t i) {
  std::size_t before = i - 1;
  const auto is_word = [&](std::size_t j, std::u16string_view word) {
    return doc.is(j, Kind::word) && doc.word(j) == word;
  };
  const auto adverb = [&](std::size_t j) {
    return doc.is(j, Function::not_) || (doc.is(j, Class::unknown) && doc.word(j).ends_with(u"ly"));
  };
  if (adverb(before)) --before;
  for (const std::u16string_view word :
       {u"be", u"being", u"is", u"are", u"stay", u"stays", u"remain", u"remains"}) {
    if (is_word(before, word)) return true;
  }
  return false;
}

// "agreed to", "invited him to", "urged both sides to": what follows is still to be done.
bool asks_to(const Document& doc, std::size_t i) {
  for (std::size_t j = i + 1; j <= i + 4 && doc.is(j, Kind::word); ++j) {
    if (doc.is(j, Function::to)) return true;
  }
  return false;
}

// Plurals of the present, which are infinitives too.
bool is_bare(std::u16string_view word) {
  for (std::u16string_view each :
       {u"go", u"begin", u"reopen", u"reconvene", u"resume", u"arrive", u"depart", u"meet"}) {
    if (word == each) return true;
  }
  return false;
}

// "had to go", "did not arrive", "how high did it go": an infinitive, whose helper says.
bool infinitive(const Document& doc, std::size_t i) {
  if (doc.is_any(i - 1, {Function::to, Function::not_})) return true;
  for (std::size_t j = i - 1; j + helper_reach >= i && doc.is(j, Kind::word); --j) {
    const std::u16string_view word = doc.word(j);
    if (word == u"did" || word == u"Did") return true;
  }
  return false;
}

// "who leaves office in January"; "which conditions" are a noun's.
bool present_after_who(const Document& doc, std::size_t i) {
  const std::u16string_view word = doc.word(i);
  if (word.size() <= 4 || !word.ends_with(u's') || word.ends_with(u"ss") ||
      !doc.is(i - 1, Class::unknown))
    return false;
  return doc.word(i - 1) == u"who";
}

Direction verb_at(const Document& doc, std::size_t i) {
  const Token& token = doc.at(i);
  if (token.kind != Kind::word) return Direction::unknown;
  const Verb verb = token.lexeme.verb;
  if (token.lexeme.cls == Class::month ||
      (token.capital && doc.is(i - 1, Kind::word) && doc.at(i - 1).capital))
    return Direction::unknown;
  if (verb == Verb::past) {
    const bool refusal =
        doc.word(i) == u"won" && doc.is(i + 1, Kind::apostrophe) && doc.glued(i + 1);  // "won't"
    if (refusal) return Direction::ahead;
    return passive(doc, i) ? Direction::unknown : Direction::back;
  }
  if (verb == Verb::future && is_bare(doc.word(i)) && infinitive(doc, i)) return Direction::unknown;
  if (verb == Verb::future)
    return doc.word(i) == u"due" && doc.is(i + 1, Function::to)
               ? Direction::unknown
               : Direction::ahead;  // "due to a loss"
  if (verb == Verb::promise) {
    if (doc.is(i + 1, Function::for_) || asks_to(doc, i)) return Direction::ahead;
    if (doc.word(i) == u"set")
      return doc.is_any(i + 1, {Function::in, Function::on}) && !passive(doc, i)
                 ? Direction::back
                 : Direction::unknown;  // "a record set in May"
    return doc.word(i).ends_with(u"ed") && !passive(doc, i) ? Direction::back : Direction::unknown;
  }
  if (verb == Verb::none && token.lexeme.cls == Class::unknown && present_after_who(doc, i))
    return Direction::ahead;
  return past_form(doc, i) && !passive(doc, i) ? Direction::back : Direction::unknown;
}

// "The final is on May 3", "Could you find": said of what is to come, and of any day.
bool says_little(const Document& doc, std::size_t i) {
  const Token& token = doc.at(i);
  if (token.kind != Kind::word || token.lexeme.verb != Verb::future) return false;
  const std::u16string_view said = doc.word(i);
  for (const std::u16string_view word :
       {u"is", u"Is", u"are", u"Are", u"can", u"Can", u"could", u"Could"}) {
    if (said == word) return true;
  }
  return false;
}

// "was deferred until the fall", "was moved up to Nov. 20", "gave them until Friday": what is put
// off, or given time, is still to come.
bool puts_off(const Document& doc, std::size_t i) {
  const std::u16string_view put = doc.is(i, Kind::word) ? doc.word(i) : std::u16string_view();
  for (std::u16string_view word :
       {u"deferred", u"postponed", u"delayed", u"adjourned", u"rescheduled", u"suspended",
        u"extended", u"moved", u"pushed", u"gave", u"given", u"granted"}) {
    if (put == word) return true;
  }
  return false;
}

// "5,000 cases until June 30th": counted so far, or still to come. "Three days until June 30th" are
// to come.
bool opens_with_count(const Document& doc, std::size_t from, std::size_t until) {
  return doc.is(from, Kind::number) && doc.is(until - 1, Kind::word) &&
         !doc.is(until - 1, Class::unit);
}

// "who will play", "is bringing", "scheduled for": words of a question in the future tense, but for
// what the asker will do.
bool asks_ahead_at(const Document& doc, std::size_t i) {
  const Token& token = doc.at(i);
  if (token.kind != Kind::word) return false;
  const std::u16string_view word = doc.word(i);
  if (word == u"will" || word == u"Will" || word == u"shall" || word == u"Shall")
    return !word_is(doc, i - 1, {u"I", u"i", u"we", u"it"});
  if (word == u"is" || word == u"are")
    return doc.is(i + 1, Class::unknown) && doc.word(i + 1).size() > 4 &&
           doc.word(i + 1).ends_with(u"ing");
  if (word == u"won") return doc.is(i + 1, Kind::apostrophe);
  if (word == u"going") return doc.is(i + 1, Function::to) && doc.is(i + 2, Class::unknown);
  return word == u"scheduled" || word == u"coming" || word == u"planned" || word == u"due";
}

bool ends_question(const Document& doc, std::size_t i) {
  return ends_sentence(doc, i) || (doc.is(i, Kind::symbol) && doc.word(i) == u"?");
}

bool asks_ahead(const Document& doc, std::size_t first, std::size_t last) {
  if (doc.is(first - 1, Function::since)) return false;
  std::size_t i = first - 1;
  for (std::size_t steps = 0; steps < words_before && i < doc.tokens.size(); ++steps, --i) {
    if (ends_question(doc, i)) break;
    if (asks_ahead_at(doc, i)) return true;
  }
  for (i = last; i < last + words_after && i < doc.tokens.size(); ++i) {
    if (ends_question(doc, i)) break;
    if (asks_ahead_at(doc, i)) return true;
  }
  return false;
}

}  // namespace

Direction direction_at(const Document& doc, std::size_t first, std::size_t last, bool* weakly) {
  const auto weak = [&](bool is) {
    if (weakly != nullptr) *weakly = is;
  };
  weak(false);
  if (doc.question) return asks_ahead(doc, first, last) ? Direction::ahead : Direction::back;
  if (doc.is(first - 1, Function::the)) --first;
  std::size_t before = first - 1;
  if (doc.is(before, Function::since) || doc.is(before, Function::than)) return Direction::back;
  if (doc.is(before, Function::effective) && doc.is(before - 1, Kind::comma))
    return Direction::ahead;  // "a new chief, effective April 1"
  const bool dated = doc.is(first, Class::weekday) || doc.is(last - 1, Kind::number);
  const bool possessive = doc.is(last, Kind::apostrophe) &&
                          doc.glued(last);  // "claimed responsibility for Sunday's bombing"
  if (doc.is(before, Function::for_) && dated && !possessive) {
    weak(true);
    return Direction::ahead;  // "called for Thursday"
  }
  for (std::size_t steps = 0;
       steps < words_before && before < doc.tokens.size() && !ends_sentence(doc, before);
       ++steps, --before) {
    const Direction direction = verb_at(doc, before);
    weak(says_little(doc, before));
    if (direction == Direction::back && puts_off(doc, before) &&
        doc.is_any(first - 1, {Function::until, Function::to}))
      return Direction::ahead;
    if (direction != Direction::unknown) return direction;
  }
  // "From the start until June 30, she led": what opens a sentence has no verb of its own.
  const bool opening = doc.is(last, Kind::comma) &&
                       doc.is_any(before + 1, {Function::from, Function::in, Function::at,
                                               Function::on, Function::for_, Function::over});
  if (doc.is_any(first - 1, {Function::by, Function::until}) && before + 2 < first && !opening) {
    // "Sales until June 30 were up", "the ban, in force until June 30, was lifted": the verb of
    // what the date belongs to.
    if (verb_at(doc, doc.is(last, Kind::comma) ? last + 1 : last) == Direction::back)
      return Direction::back;
    weak(false);
    if (doc.is(first - 1, Function::until) && opens_with_count(doc, before + 1, first - 1))
      return Direction::unknown;
    return Direction::ahead;  // "needs it by Friday"
  }
  for (std::size_t i = last;
       i < last + words_after && i < doc.tokens.size() && !ends_sentence(doc, i); ++i) {
    const Direction direction = verb_at(doc, i);
    weak(says_little(doc, i));
    if (direction != Direction::unknown) return direction;
  }
  return Direction::unknown;
}

}  // namespace asof::timetag
