// Which way in time the clause of a date points, by the verb nearest to it: "was shut Thursday" back, "will meet Thursday"
// ahead. A local rule over word forms, without any parse: a bounded number of words before the date, then after it.
#include "kernels/timetag/resolution/resolution.hpp"

namespace asof::timetag {
namespace {

constexpr std::size_t words_before = 30, words_after = 15;

// A dot that ends a sentence, rather than an abbreviation: "Mr. Hale", "Nov. 3", "U.S. troops".
bool ends_sentence(const Scene& scene, std::size_t i) {
  if (!scene.is(i, Kind::dot)) return false;
  const Token& word = scene.at(i - 1);
  const std::uint32_t length = word.end - word.begin;
  const bool abbreviation = word.kind == Kind::word && (length == 1 || (word.capital && length <= 4)) && word.lexeme.cls != Class::weekday;
  const Token& next = scene.at(i + 1);
  return !abbreviation && !next.glued && !(next.kind == Kind::word && !next.capital);
}

// "closed", "announced"; not "need", "speed", "Boston-based".
bool past_form(const Scene& scene, std::size_t i) {
  const Token& token = scene.at(i);
  if (token.kind != Kind::word || token.capital || token.lexeme.verb != Verb::none || token.lexeme.cls != Class::unknown) return false;
  const std::u16string_view word = scene.word(i);
  const bool compound = scene.is(i - 1, Kind::hyphen) && scene.glued(i);
  return word.size() >= 4 && word.ends_with(u"ed") && !word.ends_with(u"eed") && !compound;
}

// "be released", "are closed", "stay closed": the participle of a passive, or of a state that stays, says nothing about time.
bool passive(const Scene& scene, std::size_t i) {
  std::size_t before = i - 1;
  const auto is_word = [&](std::size_t j, std::u16string_view word) { return scene.is(j, Kind::word) && scene.word(j) == word; };
  const auto adverb = [&](std::size_t j) { return scene.is(j, Function::not_) || (scene.is(j, Class::unknown) && scene.word(j).ends_with(u"ly")); };
  if (adverb(before)) --before;
  for (const std::u16string_view word : {u"be", u"being", u"is", u"are", u"stay", u"stays", u"remain", u"remains"}) {
    if (is_word(before, word)) return true;
  }
  return false;
}

// "agreed to", "invited him to", "urged both sides to": what follows is still to be done.
bool asks_to(const Scene& scene, std::size_t i) {
  for (std::size_t j = i + 1; j <= i + 4 && scene.is(j, Kind::word); ++j) {
    if (scene.is(j, Function::to)) return true;
  }
  return false;
}

Direction verb_at(const Scene& scene, std::size_t i) {
  const Verb verb = scene.is(i, Kind::word) ? scene.at(i).lexeme.verb : Verb::none;
  if (scene.is(i, Class::month) || (scene.at(i).capital && scene.is(i - 1, Kind::word) && scene.at(i - 1).capital)) return Direction::unknown;
  if (verb == Verb::past) {
    const bool refusal = scene.word(i) == u"won" && scene.is(i + 1, Kind::apostrophe) && scene.glued(i + 1);  // "won't"
    if (refusal) return Direction::ahead;
    return passive(scene, i) ? Direction::unknown : Direction::back;
  }
  if (verb == Verb::future) return scene.word(i) == u"due" && scene.is(i + 1, Function::to) ? Direction::unknown : Direction::ahead;  // "due to a loss"
  if (verb == Verb::promise) {
    if (scene.is(i + 1, Function::for_) || asks_to(scene, i)) return Direction::ahead;
    if (scene.word(i) == u"set") return scene.is_any(i + 1, {Function::in, Function::on}) && !passive(scene, i) ? Direction::back : Direction::unknown;  // "a record set in May"
    return scene.word(i).ends_with(u"ed") && !passive(scene, i) ? Direction::back : Direction::unknown;
  }
  return past_form(scene, i) && !passive(scene, i) ? Direction::back : Direction::unknown;
}

// "The final is on May 3", "Could you find": said of what is to come, and of any day.
bool says_little(const Scene& scene, std::size_t i) {
  for (const std::u16string_view word : {u"is", u"Is", u"are", u"Are", u"can", u"Can", u"could", u"Could"}) {
    if (scene.is(i, Kind::word) && scene.word(i) == word) return true;
  }
  return false;
}

// "5,000 cases until June 30th": counted so far, or still to come. "Three days until June 30th" are to come.
bool opens_with_count(const Scene& scene, std::size_t from, std::size_t until) {
  return scene.is(from, Kind::number) && scene.is(until - 1, Kind::word) && !scene.is(until - 1, Class::unit);
}

}  // namespace

Direction direction_at(const Scene& scene, std::size_t first, std::size_t last, bool* weakly) {
  const auto weak = [&](bool is) {
    if (weakly != nullptr) *weakly = is;
  };
  weak(false);
  if (scene.is(first - 1, Function::the)) --first;
  std::size_t before = first - 1;
  if (scene.is(before, Function::since) || scene.is(before, Function::than)) return Direction::back;
  const bool dated = scene.is(first, Class::weekday) || scene.is(last - 1, Kind::number);
  if (scene.is(before, Function::for_) && dated) {
    weak(true);
    return Direction::ahead;  // "called for Thursday"
  }
  for (std::size_t steps = 0; steps < words_before && before < scene.tokens.size() && !ends_sentence(scene, before); ++steps, --before) {
    const Direction found = verb_at(scene, before);
    weak(says_little(scene, before));
    if (found != Direction::unknown) return found;
  }
  // "From the start until June 30, she led": what opens a sentence has no verb of its own.
  const bool opening = scene.is(last, Kind::comma) && scene.is_any(before + 1, {Function::from, Function::in, Function::at, Function::on, Function::for_, Function::over});
  if (scene.is_any(first - 1, {Function::by, Function::until}) && before + 2 < first && !opening) {
    // "Sales until June 30 were up", "the ban, in force until June 30, was lifted": the verb of what the date belongs to.
    if (verb_at(scene, scene.is(last, Kind::comma) ? last + 1 : last) == Direction::back) return Direction::back;
    weak(false);
    if (scene.is(first - 1, Function::until) && opens_with_count(scene, before + 1, first - 1)) return Direction::unknown;
    return Direction::ahead;  // "needs it by Friday"
  }
  for (std::size_t i = last; i < last + words_after && i < scene.tokens.size() && !ends_sentence(scene, i); ++i) {
    const Direction found = verb_at(scene, i);
    weak(says_little(scene, i));
    if (found != Direction::unknown) return found;
  }
  return Direction::unknown;
}

}  // namespace asof::timetag
