// Matching of candidate texts with a question's terms.
#include "index/lexical/text_table.hpp"

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "core/error.hpp"

namespace asof::lexical {
namespace {

constexpr std::int32_t none = -1;

[[noreturn]] void refuse(const std::string& what) {
  throw Error("ERR_INVALID_ARGUMENT", "Expected " + what + ".");
}

/// Indices of a term in the lists of the question, or `none`.
struct TermRole {
  std::int32_t place = none;           // in the question's terms
  std::int32_t counted_terms = none;   // in the counted terms
  std::int32_t likeness_begin = none;  // of its first likeness, to the first common term
};

/// Small numbers by term number: a hash table.
class TermNumbers {
 public:
  /// The value of a term. An absent term is inserted with 0, and sets `added`.
  std::uint32_t& at(std::uint32_t term, bool& added) {
    if (2 * used_ >= keys_.size()) grow();
    std::size_t slot = slot_of(term);
    added = keys_[slot] == empty;
    if (added) keys_[slot] = term, used_ += 1;
    return values_[slot];
  }

 private:
  static constexpr std::uint64_t empty = ~std::uint64_t{0};
  std::size_t slot_of(std::uint32_t term) const {
    std::size_t slot = (term * std::uint64_t{0x9e3779b97f4a7c15}) >> shift_;
    while (keys_[slot] != empty && keys_[slot] != term) slot = (slot + 1) & (keys_.size() - 1);
    return slot;
  }
  void grow() {
    std::vector<std::uint64_t> keys(std::move(keys_));
    std::vector<std::uint32_t> values(std::move(values_));
    shift_ -= 1;
    keys_.assign(std::size_t{1} << (64 - shift_), empty);
    values_.assign(keys_.size(), 0);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (keys[i] == empty) continue;
      const std::size_t slot = slot_of(static_cast<std::uint32_t>(keys[i]));
      keys_[slot] = keys[i];
      values_[slot] = values[i];
    }
  }
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> values_;
  std::size_t used_ = 0;
  unsigned shift_ = 54;
};

/// Roles of terms, looked up at their first occurrence.
class TermRoles {
 public:
  TermRoles(const Dictionary& dictionary, const TextQuestion& question, const WordTable* words)
      : dictionary_(dictionary), words_(words) {
    roles_.emplace_back();
    for (const std::uint32_t place : question.common) {
      const auto word = words ? words->find(question.terms[place]) : std::nullopt;
      if (!word) refuse("common terms to be in the word table, received " + question.terms[place]);
      common_.push_back(*word);
    }
    name(question.terms, &TermRole::place);
    name(question.counted_terms, &TermRole::counted_terms);
  }
  const TermRole& of(std::uint32_t term) {
    bool added;
    std::uint32_t& number = term_numbers_.at(term, added);
    if (added && !common_.empty()) number = add_likenesses(term, 0);
    return roles_[number];
  }
  double likeness(std::int32_t likeness_begin, std::size_t i) const {
    return likenesses_[static_cast<std::size_t>(likeness_begin) + i];
  }

 private:
  void name(const std::vector<std::string>& terms, std::int32_t TermRole::* as) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const auto term = dictionary_.find(terms[i]);
      if (!term) continue;
      bool added;
      std::uint32_t& number = term_numbers_.at(*term, added);
      if (number == 0) {
        number = static_cast<std::uint32_t>(roles_.size());
        roles_.emplace_back();
        if (!common_.empty()) add_likenesses(*term, number);
      }
      roles_[number].*as = static_cast<std::int32_t>(i);
    }
  }
  /// Adds the term's likenesses to role `own`, or to a new one if it is 0. Returns the role's
  /// number, 0 if the word table lacks the term.
  std::uint32_t add_likenesses(std::uint32_t term, std::uint32_t own) {
    const auto word = dictionary_.word(term);
    if (!word) return own;
    if (own == 0) {
      own = static_cast<std::uint32_t>(roles_.size());
      roles_.emplace_back();
    }
    if (likenesses_.size() + common_.size() >
        static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      refuse("texts of fewer distinct terms");
    roles_[own].likeness_begin = static_cast<std::int32_t>(likenesses_.size());
    for (const std::uint32_t common : common_)
      likenesses_.push_back(words_->likeness(common, *word));
    return own;
  }
  const Dictionary& dictionary_;
  const WordTable* words_;
  std::vector<std::uint32_t> common_;
  TermNumbers term_numbers_;
  std::vector<TermRole> roles_;
  std::vector<double> likenesses_;
};

void check(const TextQuestion& question) {
  const std::size_t width = question.terms.size();
  for (const auto& terms : {std::cref(question.terms), std::cref(question.counted_terms)}) {
    if (std::unordered_set<std::string>(terms.get().begin(), terms.get().end()).size() !=
        terms.get().size())
      refuse("terms that differ, received one twice");
  }
  for (const auto& [one, other] : question.pairs)
    if (one >= width || other >= width)
      refuse("pairs of places below " + std::to_string(width) + ", received others");
  for (const std::uint32_t place : question.common)
    if (place >= width)
      refuse("common places below " + std::to_string(width) + ", received others");
}

/// The question's pairs that are adjacent in a text. (A table of all terms by all is too large for
/// a long question.)
class PairMatcher {
 public:
  explicit PairMatcher(const TextQuestion& question)
      : pairs_(question.pairs), present_(pairs_.size(), 0) {
    std::sort(pairs_.begin(), pairs_.end());
  }
  void mark(std::int32_t before, std::int32_t place) {
    const std::pair<std::uint32_t, std::uint32_t> pair(before, place);
    for (auto at = std::lower_bound(pairs_.begin(), pairs_.end(), pair);
         at != pairs_.end() && *at == pair; ++at)
      present_[static_cast<std::size_t>(at - pairs_.begin())] = 1;
  }
  /// The share of adjacent pairs; resets the matcher for the next text.
  double share() {
    if (pairs_.empty()) return std::numeric_limits<double>::quiet_NaN();
    const auto count_present = std::count(present_.begin(), present_.end(), 1);
    if (count_present > 0) std::fill(present_.begin(), present_.end(), 0);
    return static_cast<double>(count_present) / static_cast<double>(pairs_.size());
  }

 private:
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;  // ascending
  std::vector<std::uint8_t> present_;
};

}  // namespace

TextTable text_table(const Texts& texts, const Dictionary& dictionary, const TextQuestion& question,
                     const WordTable* words, const Cancel& cancel) {
  check(question);
  const std::size_t count = texts.offsets.size() - 1, width = question.terms.size(),
                    counted_terms = question.counted_terms.size();
  TextTable table{std::vector<std::uint8_t>(count * width), std::vector<double>(count * width),
                  std::vector<double>(count), std::vector<double>(count * counted_terms),
                  std::vector<std::uint32_t>(count)};
  TermRoles roles(dictionary, question, words);
  PairMatcher pair_matcher(question);
  for (std::size_t text = 0; text < count; ++text) {
    if (text % 64 == 0) cancel.throw_if_requested();
    std::uint8_t* present = table.present.data() + text * width;
    double* nearest = table.nearest.data() + text * width;
    double* counts = table.counts.data() + text * counted_terms;
    std::int32_t before = none;
    for (const std::uint32_t term : texts.of(text)) {
      const TermRole role = roles.of(term);
      if (role.counted_terms >= 0) counts[role.counted_terms] += 1;
      if (role.place >= 0) {
        present[role.place] = 1;
        if (before >= 0) pair_matcher.mark(before, role.place);
      }
      before = role.place;
      if (role.likeness_begin < 0) continue;
      for (std::size_t i = 0; i < question.common.size(); ++i) {
        double& max_likeness = nearest[question.common[i]];
        max_likeness = std::max(max_likeness, roles.likeness(role.likeness_begin, i));
      }
    }
    table.lengths[text] = static_cast<std::uint32_t>(texts.of(text).size());
    table.pairs[text] = pair_matcher.share();
  }
  return table;
}

}  // namespace asof::lexical
