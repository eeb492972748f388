// Restatements: later publications of what a statement says of one time, or of its revision in
// mostly the same words (lib/facts/members/restatements.ts).
#pragma once

#include <cstdint>
#include <vector>

#include "facts/members.hpp"

namespace asof::facts {

/// Sets of terms, each in a row of one column, and whether two of them are mostly alike. What is
/// asked of one set with many others costs a look at each term of these.
class TermSets {
 public:
  explicit TermSets(const Lexicon& lexicon) : lexicon_(lexicon), seen_(lexicon.texts.size()) {}

  /// The number of the set of a text's terms; `values`: with numbers among them.
  std::uint32_t add(const Range& of, bool values);
  /// Whether half of the terms of both are in common.
  bool are_mostly_alike(std::uint32_t one, std::uint32_t other);

 private:
  std::uint32_t begin(std::uint32_t set) const { return set == 0 ? 0 : ends_[set - 1]; }
  void mark(std::uint32_t set);

  const Lexicon& lexicon_;
  std::vector<std::uint32_t> terms_, ends_;
  std::vector<std::uint32_t> seen_;  // by text number: the last round in which it was met
  std::uint32_t round_ = 0;
  std::uint32_t marked_ = 0;  // the set whose terms have the last round, once there is any
};

/// Puts the restatements of members, whose rows are complete: by member the later publications that
/// restate it, the newest first.
void put_restatements(Members& members, const Pool& pool, const Matches& matches,
                      const Asked& asked, TermSets& sets);

}  // namespace asof::facts
