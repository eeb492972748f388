// Likeness of two statements.
#include "facts/revision.hpp"

#include <algorithm>
#include <iterator>

namespace asof::facts {
namespace {

/// Terms of a statement, each once, ascending.
std::vector<std::uint32_t> terms_of(const Pool& pool, const Matches& matches, std::size_t match) {
  const Passage& passage = *pool.passages[matches.candidate[match]];
  const Range words = passage.words_of(passage.statements[matches.statement[match]]);
  std::vector<std::uint32_t> terms;
  for (std::uint32_t at = words.from; at < words.to; ++at)
    terms.push_back(pool.lexicon.terms[words.of->words[at]]);
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  return terms;
}

}  // namespace

std::vector<std::uint32_t> subject_of(const Lexicon& lexicon, const Passage& passage) {
  std::vector<std::uint32_t> subject;
  for (const std::uint32_t word : passage.title.words)
    if (!lexicon.values[word]) subject.push_back(lexicon.lows[word]);
  return subject;
}

Likeness compare_statements(const Pool& pool, const Matches& matches, std::size_t one,
                            std::size_t other) {
  const auto terms = terms_of(pool, matches, one), others = terms_of(pool, matches, other);
  std::vector<std::uint32_t> common;
  std::set_intersection(terms.begin(), terms.end(), others.begin(), others.end(),
                        std::back_inserter(common));
  const std::size_t all = terms.size() + others.size() - common.size();
  const bool same_subject = subject_of(pool.lexicon, *pool.passages[matches.candidate[one]]) ==
                            subject_of(pool.lexicon, *pool.passages[matches.candidate[other]]);
  return {.is_revision = same_subject && !common.empty() && 2 * common.size() >= all,
          .has_same_terms = terms == others,
          .has_same_subject = same_subject};
}

}  // namespace asof::facts
