// Agreement of a question with the words of a statement: its names, values, pairs of words and the
// kind of its answer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "facts/matching.hpp"

namespace asof::facts {

/// What a word is to a question, as bits: its term, a version within one of its values, one of its
/// terms in the very form, its role, a number that it does not give, and a version that it does
/// not.
enum Sign : std::uint8_t {
  is_term = 1,
  is_version = 2,
  is_form = 4,
  is_role = 8,
  is_new_figure = 16,
  is_new_version = 32,
};

/// A word that is something to the question, and where it stands.
struct Hit {
  std::uint32_t place;
  std::uint32_t word;
  std::uint8_t signs;
};

/// A statement or a title, with the few of its words that are something to the question.
struct Text {
  Range range;
  std::span<const Hit> hits;
};

/// Signs by number of a word; 0 of those that no candidate has.
std::vector<std::uint8_t> signs_of(const Pool& pool);

/// How names agree: rarity-weighted overlap, and what the others' names have in excess.
struct NameAgreement {
  double overlap = 0, extra = 0;
};

/// How the question's names agree with names of statements.
class NameMatcher {
 public:
  NameMatcher(const Pool& pool, std::span<const double> idf, std::span<const double> term_idf);

  std::size_t names() const { return sought_.size(); }
  /// How much a name tells, up to 1: one that nearly all passages have tells nothing of one that
  /// lacks it.
  double telling() const { return telling_; }
  /// Weighted share of the names' terms that are held.
  double share(std::span<const double> held) const;
  /// Replaces agreements, one by name of the question, by those with names that agree better.
  void improve(std::span<NameAgreement> best, const std::vector<Name>& names) const;
  /// Of all names: with those of a statement and its title, or less with those that it inherits.
  NameAgreement match(std::span<const NameAgreement> own,
                      std::span<const NameAgreement> inherited) const;

 private:
  struct Sought {
    std::vector<std::int64_t> terms;  // each once
    double mass = 0;                  // sum of their idf
  };
  NameAgreement agreement(const Sought& sought, const Name& name) const;

  const Pool& pool_;
  std::span<const double> idf_;
  std::vector<Sought> sought_;
  std::vector<double> weights_;  // by term of the question; 0 of those of no name
  double total_ = 0, weight_total_ = 0, telling_ = 0;
};

/// The rarity-weighted share of a title's words that the question has.
double share_asked(const Passage& passage, const Pool& pool, std::span<const double> idf);

/// 1 where the question's value `t` follows the word, -1 where another value does, else 0.
int value_after(std::int64_t word, std::uint32_t t, const Text& text, const Pool& pool);

/// Whether another word stands right before the head: "producer prices" for "consumer prices".
bool has_other_modifier(std::int64_t head, const Text& text, const Lexicon& lexicon);

/// Whether a figure is asked for, which is of its time: a holder of an office lasts.
bool is_figure(Wanted wanted);

/// 1 where a statement has nothing of the kind that is asked for, 0.5 where it has another.
double type_missing_of(const Pool& pool, const Text& statement, bool has_times, const Text& title,
                       const std::vector<Name>& names);

}  // namespace asof::facts
