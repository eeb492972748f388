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

/// What a term is to the question; `none` where it is nothing of the kind.
struct Meaning {
  std::int32_t place = none;    // in the question's terms
  std::int32_t counted = none;  // in the terms that are counted
  std::int32_t alike = none;    // where its likenesses to the common terms begin
};

/// Small numbers by a term's number: a hash table with keys and values interleaved, since most
/// lookups are of the next token.
class Known {
 public:
  /// The place of the term's number; `fresh` says that it was not there before.
  std::uint32_t& at(std::uint32_t term, bool& fresh) {
    if (2 * used_ >= keys_.size()) grow();
    std::size_t slot = slot_of(term);
    fresh = keys_[slot] == empty;
    if (fresh) keys_[slot] = term, used_ += 1;
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

/// The meanings of terms, each found when it is met first.
class Meanings {
 public:
  Meanings(const Dictionary& dictionary, const TextQuestion& question, const WordTable* words)
      : dictionary_(dictionary), words_(words) {
    meanings_.emplace_back();
    for (const std::uint32_t place : question.common) {
      const auto word = words ? words->find(question.terms[place]) : std::nullopt;
      if (!word) refuse("common terms to be in the word table, received " + question.terms[place]);
      common_.push_back(*word);
    }
    name(question.terms, &Meaning::place);
    name(question.counted, &Meaning::counted);
  }
  const Meaning& of(std::uint32_t term) {
    bool fresh;
    std::uint32_t& number = known_.at(term, fresh);
    if (fresh && !common_.empty()) number = with_likenesses(term, 0);
    return meanings_[number];
  }
  double likeness(std::int32_t alike, std::size_t i) const {
    return likenesses_[static_cast<std::size_t>(alike) + i];
  }

 private:
  void name(const std::vector<std::string>& terms, std::int32_t Meaning::* as) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const auto term = dictionary_.find(terms[i]);
      if (!term) continue;
      bool fresh;
      std::uint32_t& number = known_.at(*term, fresh);
      if (number == 0) {
        number = static_cast<std::uint32_t>(meanings_.size());
        meanings_.emplace_back();
        if (!common_.empty()) with_likenesses(*term, number);
      }
      meanings_[number].*as = static_cast<std::int32_t>(i);
    }
  }
  /// The number of a meaning with them: `own`, or a new one; 0, which is nothing, where the word
  /// table lacks the term.
  std::uint32_t with_likenesses(std::uint32_t term, std::uint32_t own) {
    const auto word = dictionary_.word(term);
    if (!word) return own;
    if (own == 0) {
      own = static_cast<std::uint32_t>(meanings_.size());
      meanings_.emplace_back();
    }
    if (likenesses_.size() + common_.size() >
        static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      refuse("texts of fewer distinct terms");
    meanings_[own].alike = static_cast<std::int32_t>(likenesses_.size());
    for (const std::uint32_t common : common_)
      likenesses_.push_back(words_->likeness(common, *word));
    return own;
  }
  const Dictionary& dictionary_;
  const WordTable* words_;
  std::vector<std::uint32_t> common_;
  Known known_;
  std::vector<Meaning> meanings_;
  std::vector<double> likenesses_;
};

void check(const TextQuestion& question) {
  const std::size_t width = question.terms.size();
  for (const auto& terms : {std::cref(question.terms), std::cref(question.counted)}) {
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

/// Which of the question's pairs stand together in the text at hand. (A table of all terms by all
/// is too large for a long question.)
class Together {
 public:
  explicit Together(const TextQuestion& question)
      : pairs_(question.pairs), stand_(pairs_.size(), 0) {
    std::sort(pairs_.begin(), pairs_.end());
  }
  void note(std::int32_t before, std::int32_t place) {
    const std::pair<std::uint32_t, std::uint32_t> pair(before, place);
    for (auto at = std::lower_bound(pairs_.begin(), pairs_.end(), pair);
         at != pairs_.end() && *at == pair; ++at)
      stand_[static_cast<std::size_t>(at - pairs_.begin())] = 1;
  }
  /// The share of the pairs that stand together, which is forgotten.
  double share() {
    if (pairs_.empty()) return std::numeric_limits<double>::quiet_NaN();
    const auto found = std::count(stand_.begin(), stand_.end(), 1);
    if (found > 0) std::fill(stand_.begin(), stand_.end(), 0);
    return static_cast<double>(found) / static_cast<double>(pairs_.size());
  }

 private:
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;  // ascending
  std::vector<std::uint8_t> stand_;
};

}  // namespace

TextTable text_table(const Texts& texts, const Dictionary& dictionary, const TextQuestion& question,
                     const WordTable* words, const Cancel& cancel) {
  check(question);
  const std::size_t count = texts.offsets.size() - 1, width = question.terms.size(),
                    counted = question.counted.size();
  TextTable table{std::vector<std::uint8_t>(count * width), std::vector<double>(count * width),
                  std::vector<double>(count), std::vector<double>(count * counted),
                  std::vector<std::uint32_t>(count)};
  Meanings meanings(dictionary, question, words);
  Together together(question);
  for (std::size_t text = 0; text < count; ++text) {
    if (text % 64 == 0) cancel.throw_if_requested();
    std::uint8_t* held = table.held.data() + text * width;
    double* nearest = table.nearest.data() + text * width;
    double* counts = table.counts.data() + text * counted;
    std::int32_t before = none;
    for (const std::uint32_t term : texts.of(text)) {
      const Meaning meaning = meanings.of(term);
      if (meaning.counted >= 0) counts[meaning.counted] += 1;
      if (meaning.place >= 0) {
        held[meaning.place] = 1;
        if (before >= 0) together.note(before, meaning.place);
      }
      before = meaning.place;
      if (meaning.alike < 0) continue;
      for (std::size_t i = 0; i < question.common.size(); ++i) {
        double& most = nearest[question.common[i]];
        most = std::max(most, meanings.likeness(meaning.alike, i));
      }
    }
    table.lengths[text] = static_cast<std::uint32_t>(texts.of(text).size());
    table.pairs[text] = together.share();
  }
  return table;
}

}  // namespace asof::lexical
