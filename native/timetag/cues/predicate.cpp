// Aspect and tense of a question's predicate: states ("who was captain", "what did it cost") hold
// at a point of time, events ("which bugs were fixed", "what did they announce") fall into it.

#include <algorithm>
#include <string>

#include "timetag/cues/cues.hpp"
#include "timetag/cues/words.hpp"

namespace asof::timetag {
namespace {

// Irregular past tenses and participles; those equal to the present are excluded.
constexpr std::string_view irregular_past =
    " was were did had been beat became began begun born bought broke broken brought built burst "
    "came caught chose chosen drew drove driven drawn fell fallen flew flown fought found gave "
    "given went gone grew got held hired kept knew known laid led left lost made met paid ran rose "
    "said sang sank sat saw sent shot sold spent spoke stood stole stolen struck sung sunk swam "
    "swore sworn taken taught told took thought won wore worn wrote written ";
constexpr std::string_view presents =
    " need speed feed seed breed exceed proceed indeed hundred weed bleed shed ";

// Verbs of states, of habits and of offices.
constexpr std::string_view stative_verbs =
    " allow amount anchor apply believe belong captain carry chair charge circulate coach command "
    "conduct consider consist contain control cost cover define drive edit employ enrol equal "
    "exceed exist feature follow govern have head hold host include know lead lie live look manage "
    "mean measure need number occupy offer operate own pay permit play practise preside provide "
    "quote rank rate read recognise recognize recommend regulate reign remain represent require "
    "reside rule run serve sit speak sponsor stand staff stay stock study supply support teach "
    "think top total use value wear weigh work yield ";
// Verbs of habits after "did"; their passives are events.
constexpr std::string_view habits = " say sell trade ";
// Pasts of states that no rule forms.
constexpr std::string_view irregular_states =
    " had held known led paid ran read run spoke stood sat taught wore cost ";
// Participles of a change whose result lasts: "which roads were closed on 3 May?"
constexpr std::string_view results =
    " accredited affected assigned authorised authorized banned based blocked called certified "
    "closed composed connected contracted deployed displayed divided docked engaged entitled "
    "frozen headed hung imprisoned injured installed insured kept licensed listed located locked "
    "made "
    "married named parked pegged populated priced registered restricted set stationed stored "
    "suspended ";
// Words in "ed" that are no verb forms, and participles that are adjectives before a noun.
constexpr std::string_view nouns = " bed fed limited need red related recorded seed speed united ";
constexpr std::string_view auxiliaries = " was were is are had has have did been ";

/// Letters, at least two, and "ed".
bool ends_in_ed(std::string_view word) {
  return word.size() >= 4 && word.ends_with("ed") &&
         std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

bool is_stative_past(std::string_view word) {
  if (one_of(irregular_states, word)) return true;
  if (!word.ends_with("ed")) return false;
  const std::string_view stem = word.substr(0, word.size() - 2);
  if (stem.ends_with('i') &&
      one_of(stative_verbs, std::string(stem.substr(0, stem.size() - 1)) + 'y'))
    return true;
  const bool doubled =
      stem.ends_with('l') && one_of(stative_verbs, stem.substr(0, stem.size() - 1));
  return doubled || one_of(stative_verbs, word.substr(0, word.size() - 1)) ||
         (!stem.ends_with('y') && one_of(stative_verbs, stem));
}

bool is_event(const Words& words, std::size_t i) {
  return ends_in_ed(words[i]) || one_of(irregular_past, words[i]) ||
         one_of(" put cut hit shut ", words[i]) || words.phrase(i, "come out") > 0;
}

bool is_auxiliary(const Words& words, std::size_t i) {
  return one_of(auxiliaries, words[i]) || words.phrase(i, "used to") > 0;
}

bool in_ly(std::string_view word) {
  return word.size() > 2 && word.ends_with("ly");
}

/// "was lately elected"
bool is_passive_at(const Words& words, std::size_t i) {
  if (!one_of(" was were been got ", words[i])) return false;
  do ++i;
  while (words.apart(i) && (in_ly(words[i]) || one_of(" not first last next just ", words[i])));
  return words.apart(i) && is_event(words, i) && !is_stative_past(words[i]) &&
         !one_of(results, words[i]) && !one_of(nouns, words[i]) && !is_auxiliary(words, i);
}

/// A past tense after its subject: "which papers appeared", "who died".
bool is_active_at(const Words& words, std::size_t i) {
  std::size_t at = words.any_phrase(i, "who|which|what,how many");
  if (at == 0) return false;
  for (int skipped = 0; skipped <= 4; ++skipped) {
    if (!is_blank(words.at(at))) return false;
    while (is_blank(words.at(at))) ++at;
    const std::size_t first = words.from(at);
    if (words.begin(first) == at) {
      if (is_auxiliary(words, first)) return false;
      if (is_event(words, first) && !is_stative_past(words[first]) &&
          !one_of(nouns, words[first]) && !one_of(" named called ", words[first]))
        return true;
    }
    const std::size_t begin = at;
    while (in_run(words.at(at)) || words.at(at) == '\'' || words.at(at) == '-') ++at;
    if (at == begin) return false;
  }
  return false;
}

/// "what did it cost": the verb of a state after "did" on its line.
bool is_stated_by_did(const Words& words) {
  bool did = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    did = did && words.before(i).find_first_of("\n\r") == std::string_view::npos;
    if (did && (one_of(stative_verbs, words[i]) || one_of(habits, words[i]))) return true;
    did = did || words[i] == "did";
  }
  return false;
}

bool is_perfect_at(const Words& words, std::size_t i) {
  if (!one_of(" had has have ", words[i])) return false;
  ++i;
  if (words.apart(i) && in_ly(words[i])) ++i;
  return words.apart(i) && is_event(words, i) && !is_stative_past(words[i]) && words[i] != "been";
}

template <typename Test>
bool any(const Words& words, Test test) {
  for (std::size_t i = 0; i < words.size(); ++i)
    if (test(words, i)) return true;
  return false;
}

bool any_of(const Words& words, std::string_view list) {
  return any(words, [&](const Words&, std::size_t i) { return one_of(list, words[i]); });
}

bool is_state(const Words& words) {
  if (words.has("happen|happens|happened,occur|occurs|occurred,take|took place,went on,came about"))
    return false;
  if (any_of(words, " did ")) return is_stated_by_did(words);
  return !any(words, is_passive_at) && !any(words, is_active_at);
}

/// "X's a mayor"
bool is_short_is(const Words& words, std::size_t i) {
  const std::size_t at = words.begin(i);
  return at > 1 && words.at(at - 1) == '\'' && in_run(words.at(at - 2)) &&
         words.phrase(i, "s a|an|the") > 0;
}

bool is_past(const Words& words) {
  if (words.has("was|were|did|had,used to")) return true;
  return any(words, is_past_at) && !any_of(words, " is are do does can should must ") &&
         !any(words, is_short_is);
}

}  // namespace

bool is_past_at(const Words& words, std::size_t i) {
  return one_of(irregular_past, words[i]) || (ends_in_ed(words[i]) && !one_of(presents, words[i]));
}

std::uint32_t predicate_cues(std::u16string_view text) {
  const Words words(narrowed(text));
  const auto short_will = [](const Words& all, std::size_t i) {
    return all[i] == "ll" && all.begin(i) > 0 && all.at(all.begin(i) - 1) == '\'';
  };
  std::uint32_t cues = 0;
  const auto set = [&](PredicateCue cue, bool value) {
    if (value) cues |= cue;
  };
  set(state, is_state(words));
  set(past, is_past(words));
  set(perfect, any(words, is_perfect_at));
  set(future, words.has("will,going to") || any(words, short_will));
  set(prediction, words.has("forecast|forecasts|forecasted|predict|predicts|predicted|prediction|"
                            "predictions|projected|projection|projections|expected|anticipated|"
                            "outlook,supposed|likely to,chance|chances of"));
  set(every, any_of(words, " all every everything anything list "));
  set(interrogative, any_of(words, " how who whom what which where was were did had "));
  return cues;
}

}  // namespace asof::timetag
