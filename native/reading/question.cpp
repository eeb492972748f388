// Words of passages that a question asks by.
#include "reading/question.hpp"

#include <algorithm>

#include "text/analyzer.hpp"
#include "text/forms.hpp"

namespace asof::reading {

const std::vector<std::uint32_t>& QuestionWords::places_of(std::u16string_view written) {
  const auto [known, is_new] = places_.try_emplace(std::u16string(written));
  std::vector<std::uint32_t>& places = known->second;
  if (!is_new) return places;
  std::vector<std::u16string> terms = text::analyze(written);
  terms.insert(terms.begin(), text::lower_case(written));
  for (const std::u16string& each : terms) {
    const auto place = question_.places.find(each);
    if (place != question_.places.end() &&
        std::find(places.begin(), places.end(), place->second) == places.end())
      places.push_back(place->second);
  }
  return places;
}

QuestionWords::Counts QuestionWords::count(std::u16string_view words) {
  std::u16string composed;
  if (!text::is_composed(words)) words = composed = text::composed(words);
  spans_.clear();
  text::find_words(words, spans_);
  Counts counts;
  for (const text::Span& each : spans_) {
    const Stem stem = stem_of(words.substr(each.start, each.end - each.start));
    if (stem != Stem::none) ++counts.stems;
    if (stem == Stem::asked) ++counts.repeated;
  }
  return counts;
}

QuestionWords::Stem QuestionWords::stem_of(std::u16string_view word) {
  const auto [known, is_new] = stems_.try_emplace(std::u16string(word), Stem::none);
  if (!is_new) return known->second;
  const std::u16string term = text::term_of(word);
  if (!term.empty()) known->second = question_.all.contains(term) ? Stem::asked : Stem::other;
  return known->second;
}

}  // namespace asof::reading
