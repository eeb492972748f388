// Matching: how each statement of a question's candidates agrees with the question, its times
// aside. Missing terms count as sums, not as shares, so that each adds its own evidence.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "facts/features.hpp"
#include "facts/question.hpp"
#include "statements/lexicon.hpp"
#include "statements/passage.hpp"

namespace asof::facts {

using Name = std::vector<std::uint32_t>;  // numbers of the terms of one name

/// Names of a passage: those of its title, and of each statement.
struct PassageNames {
  std::vector<Name> title;
  std::vector<std::vector<Name>> statements;
};

/// Whether a short title begins with a name: "Send 0.15", not "Send reports to us".
bool opens_with_name(const Lexicon& lexicon, Range title);

/// Lower-case forms that the texts of passages mostly write with a capital within sentences, in
/// order.
std::vector<std::uint32_t> capitalised_words(
    const Lexicon& lexicon, std::span<const std::shared_ptr<const Passage>> passages);

/// What a question has of a term, as bits.
enum Mark : std::uint8_t { asked_term = 1, of_name = 2, of_anchor = 4, version_within = 8 };
/// Bits of what a question gives, so that it is no answer.
inline constexpr std::uint8_t given = asked_term | of_anchor;

/// The words of all candidates, and what the question has of them.
class Pool {
 public:
  Pool(const Lexicon& lexicon, std::vector<std::shared_ptr<const Passage>> passages,
       Question question);

  const Lexicon& lexicon;
  const std::vector<std::shared_ptr<const Passage>> passages;
  const Question question;
  std::vector<std::uint32_t> words;   // distinct, of titles and texts
  std::vector<std::uint8_t> has;      // by text number: 1 where a candidate has the term
  std::vector<std::uint8_t> marks;    // by text number: bits of Mark
  std::vector<std::uint8_t> in_pool;  // by term of the question: whether any candidate has it
  std::int64_t role = -1;             // number of the question's role; -1 without one
  std::vector<PassageNames> names;    // by candidate
  /// Numbers of the terms whose idf `match` reads: of names, titles and the question.
  std::vector<std::uint32_t> weighed() const;

  /// Number of the question's term `t`; -1 where the lexicon lacks it.
  std::int64_t number_of(std::size_t t) const { return numbers_[t]; }
  /// The question's term of this number, which has the mark `asked_term`.
  std::size_t place_of(std::uint32_t term) const { return places_[term]; }
  /// The question's term in this very form; -1 where it has none.
  std::int32_t place_of_form(std::uint32_t low) const { return lows_[low]; }
  /// The question's values that a term is a version within; it has the mark `version_within`.
  const std::vector<std::uint32_t>& values_of(std::uint32_t term) const {
    return versions_.find(term)->second;
  }
  /// Whether a term is the question's value `t`, or a version within it.
  bool is_value(std::uint32_t term, std::uint32_t t) const;

 private:
  /// Returns by number of a word how often it stands within a sentence rather than first.
  std::vector<std::uint32_t> read_words();
  void mark_question();
  void mark_versions();
  void read_names(const std::vector<std::uint32_t>& inside);

  std::vector<std::int64_t> numbers_;  // by term of the question
  std::vector<std::uint16_t> places_;  // by text number
  std::vector<std::int16_t> lows_;     // by text number
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> versions_;
};

/// Statements of all candidates, in order, as columns.
struct Matches {
  std::vector<std::uint32_t> candidate;  // by match
  std::vector<std::uint32_t> statement;  // its number in the passage
  std::vector<double> features;          // row-major, `width` each; those of time 0
  std::vector<std::int32_t> matched;     // bits of the question's first 30 terms that it has
  std::vector<std::vector<std::uint32_t>> roles;  // UTF-16 offsets of the question's role

  std::size_t size() const { return candidate.size(); }
  std::span<double> row(std::size_t match) {
    return std::span(features).subspan(match * width, width);
  }
  std::span<const double> row(std::size_t match) const {
    return std::span(features).subspan(match * width, width);
  }
};

/// idf by number of a text (those of `weighed`; others may be 0), `term_idf` by term of the
/// question, scan scores by candidate, cosines by statement.
Matches match(const Pool& pool, std::span<const double> idf, std::span<const double> term_idf,
              std::span<const double> scores, std::span<const double> cosines);

/// Shares of the best candidate, at most 1, and siblings: other names where one has the very name.
/// `measured`, by match: 1 of those among which the scan's best is sought; all where it is empty.
void compare(Matches& matches, std::span<const std::uint8_t> measured);

/// What may vary of a statement within its series, as numbers of texts, each once, in order.
struct Varying {
  std::vector<std::uint32_t> values;  // numbers and names that question and title lack
  std::vector<std::uint32_t> slots;  // that the question lacks: of the statement, else of the title
};
Varying varying(const Pool& pool, const Matches& matches, std::size_t match);

/// A term by its forms, any of which stands for it.
struct WeightedForms {
  std::vector<std::u16string> forms;
  double weight = 0;
};
/// By match, the weighted share of terms that its statement or its title has.
std::vector<double> held_shares(const Pool& pool, const Matches& matches,
                                std::span<const WeightedForms> terms);

/// What a statement lacks of the question: the smaller, the more it is about it.
inline double missing_of(std::span<const double> features) {
  return features[rarity_missing] + features[name_missing] + features[value_missing] -
         features[name_overlap];
}

}  // namespace asof::facts
