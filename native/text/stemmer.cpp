// Steps 1a to 5b of the algorithm, each of which replaces an ending at most.
#include "text/stemmer.hpp"

#include <span>
#include <string_view>

namespace asof::text {
namespace {

using View = std::u16string_view;

constexpr bool is_letter_of(View letters, char16_t unit) {
  return letters.find(unit) != View::npos;
}

/// How many times consonants follow vowels: m of the algorithm. y is a vowel behind a consonant.
std::size_t measure(View stem) {
  std::size_t count = 0;
  bool after_vowel = false;
  for (std::size_t at = 0; at < stem.size(); ++at) {
    const bool vowel =
        is_letter_of(u"aeiou", stem[at]) || (stem[at] == u'y' && at > 0 && !after_vowel);
    if (after_vowel && !vowel) ++count;
    after_vowel = vowel;
  }
  return count;
}

bool has_vowel(View stem) {
  return stem.find_first_of(u"aeiou") != View::npos || stem.find(u'y', 1) != View::npos;
}

/// Whether it is consonants, a vowel and a consonant but w, x or y, after which an e may be mute.
bool is_short(View stem) {
  if (stem.size() < 3 || is_letter_of(u"aeiouwxy", stem.back())) return false;
  const std::size_t vowel = stem.size() - 2;
  return is_letter_of(u"aeiouy", stem[vowel]) && !is_letter_of(u"aeiou", stem.front()) &&
         stem.substr(0, vowel).find_first_of(u"aeiouy", 1) == View::npos;
}

struct Ending {
  View from, to;
};
// Of two that are endings of each other the longer one comes first.
constexpr Ending step_2[] = {{u"ational", u"ate"}, {u"tional", u"tion"}, {u"ization", u"ize"},
                             {u"ation", u"ate"},   {u"iveness", u"ive"}, {u"fulness", u"ful"},
                             {u"ousness", u"ous"}, {u"biliti", u"ble"},  {u"alism", u"al"},
                             {u"aliti", u"al"},    {u"iviti", u"ive"},   {u"entli", u"ent"},
                             {u"ousli", u"ous"},   {u"alli", u"al"},     {u"enci", u"ence"},
                             {u"anci", u"ance"},   {u"izer", u"ize"},    {u"ator", u"ate"},
                             {u"logi", u"log"},    {u"bli", u"ble"},     {u"eli", u"e"}};
constexpr Ending step_3[] = {{u"icate", u"ic"}, {u"ative", u""},  {u"alize", u"al"},
                             {u"iciti", u"ic"}, {u"ical", u"ic"}, {u"ness", u""},
                             {u"ful", u""}};
constexpr Ending step_4[] = {
    {u"ement", u""}, {u"ance", u""}, {u"ence", u""}, {u"able", u""}, {u"ible", u""}, {u"ment", u""},
    {u"ant", u""},   {u"ent", u""},  {u"ism", u""},  {u"ate", u""},  {u"iti", u""},  {u"ous", u""},
    {u"ive", u""},   {u"ize", u""},  {u"al", u""},   {u"er", u""},   {u"ic", u""},   {u"ou", u""}};

class Word {
 public:
  explicit Word(std::u16string& word) : word_(word) {}

  /// The longest of the endings that leaves a stem, if any, is replaced where the stem has more
  /// than `least` of its measure.
  bool replace(std::span<const Ending> endings, std::size_t least) {
    for (const Ending& ending : endings) {
      if (!ends(ending.from)) continue;
      if (measure(before(ending.from)) > least) put(ending.from, ending.to);
      return true;
    }
    return false;
  }
  void plural() {
    if (ends(u"sses") || ends(u"ies"))
      cut(2);
    else if (ends(u"s") && word_.size() > 2 && !ends(u"ss"))
      cut(1);
  }
  void past() {
    if (ends(u"eed")) {
      if (measure(before(u"eed")) > 0) cut(1);
      return;
    }
    const View ending = ends(u"ed") ? u"ed" : u"ing";
    if (!ends(ending) || !has_vowel(before(ending))) return;
    put(ending, u"");
    const View stem = word_;
    if (stem.ends_with(u"at") || stem.ends_with(u"bl") || stem.ends_with(u"iz"))
      word_ += u'e';
    else if (stem.size() > 1 && stem.back() == stem[stem.size() - 2] &&
             !is_letter_of(u"aeiouylsz", stem.back()))
      cut(1);
    else if (is_short(stem))
      word_ += u'e';
  }
  void last_y() {
    if (ends(u"y") && has_vowel(before(u"y"))) word_.back() = u'i';
  }
  void ion() {
    const View stem = ends(u"ion") ? before(u"ion") : View();
    if (stem.size() > 1 && is_letter_of(u"st", stem.back()) && measure(stem) > 1) cut(3);
  }
  void mute_e() {
    if (!ends(u"e")) return;
    const std::size_t count = measure(before(u"e"));
    if (count > 1 || (count == 1 && !is_short(before(u"e")))) cut(1);
  }
  void double_l() {
    if (View(word_).ends_with(u"ll") && measure(word_) > 1) cut(1);
  }

 private:
  /// Whether it has the ending behind a stem.
  bool ends(View ending) const {
    return word_.size() > ending.size() && View(word_).ends_with(ending);
  }
  View before(View ending) const { return View(word_).substr(0, word_.size() - ending.size()); }
  void cut(std::size_t units) { word_.resize(word_.size() - units); }
  void put(View ending, View other) {
    cut(ending.size());
    word_ += other;
  }

  std::u16string& word_;
};

}  // namespace

void stem(std::u16string& word) {
  if (word.size() < 3) return;
  Word steps(word);
  steps.plural();
  steps.past();
  steps.last_y();
  steps.replace(step_2, 0);
  steps.replace(step_3, 0);
  if (!steps.replace(step_4, 1)) steps.ion();
  steps.mute_e();
  steps.double_l();
}

}  // namespace asof::text
