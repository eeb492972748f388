#include "facts/coverage.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace asof::facts {
namespace {

/// Added to the number of words before the logarithm.
constexpr double few_words = 5;
/// The least deviation; of candidates that are all alike.
constexpr double least = 1e-6;

/// By term and word of the pool, in place: 1 of a term's own forms, 0 of what is unlike it.
std::vector<double> likenesses(const Pool& pool, std::span<const double> cosines) {
  const std::size_t count = pool.words.size();
  std::vector<double> alike(cosines.begin(), cosines.end());
  for (std::size_t t = 0; t < pool.question.terms.size(); ++t) {
    const bool is_value = pool.question.terms[t].value;
    for (std::size_t nth = 0; nth < count; ++nth) {
      double& value = alike[t * count + nth];
      const std::uint32_t term = pool.lexicon.terms[pool.words[nth]];
      const bool is_own = is_value ? pool.is_value(term, static_cast<std::uint32_t>(t))
                                   : std::cmp_equal(term, pool.number_of(t));
      value = is_own ? 1 : is_value ? 0 : std::clamp(value, 0.0, 1.0);
    }
  }
  return alike;
}

/// The places in `pool.words` of a candidate's distinct words. Texts that are read here number a
/// word once for each punctuation behind it, packed ones do not: as what it is read, it is one.
class DistinctWords {
 public:
  explicit DistinctWords(const Pool& pool)
      : places_(pool.lexicon.words()), seen_(pool.words.size()) {
    const Lexicon& lexicon = pool.lexicon;
    std::unordered_map<std::uint64_t, std::uint32_t> known(pool.words.size());
    for (std::uint32_t nth = 0; nth < pool.words.size(); ++nth) {
      const std::uint32_t word = pool.words[nth];
      const std::uint64_t form = std::uint64_t{lexicon.lows[word]} << 2 |
                                 std::uint64_t{lexicon.capitals[word] != 0} << 1 |
                                 std::uint64_t{lexicon.values[word] != 0};
      places_[word] = known.try_emplace(form, nth).first->second;
    }
  }

  const std::vector<std::uint32_t>& of(const Passage& passage) {
    found_.clear();
    ++round_;
    for (const Range& range : {passage.title_words(), passage.text_words()}) {
      for (std::uint32_t at = range.from; at < range.to; ++at) {
        const std::uint32_t place = places_[range.of->words[at]];
        if (seen_[place] == round_) continue;
        seen_[place] = round_;
        found_.push_back(place);
      }
    }
    return found_;
  }

 private:
  std::vector<std::uint32_t> places_, seen_, found_;
  std::uint32_t round_ = 0;
};

void centre(std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  for (double& value : values) value -= sum / static_cast<double>(values.size());
}

double product(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

std::vector<double> coverage_of(const Pool& pool, std::span<const double> term_idf,
                                std::span<const double> cosines) {
  const std::size_t count = pool.words.size();
  const std::vector<double> alike = likenesses(pool, cosines);
  DistinctWords distinct(pool);
  std::vector<double> covered, lengths;
  for (const auto& passage : pool.passages) {
    const std::vector<std::uint32_t>& words = distinct.of(*passage);
    double sum = 0;
    for (std::size_t t = 0; t < term_idf.size(); ++t) {
      double most = 0;
      for (const std::uint32_t word : words) most = std::max(most, alike[t * count + word]);
      sum += term_idf[t] * most;
    }
    covered.push_back(sum);
    lengths.push_back(std::log(few_words + static_cast<double>(words.size())));
  }
  if (covered.empty()) return covered;
  centre(covered);
  centre(lengths);
  const double slope = product(covered, lengths) / std::max(product(lengths, lengths), least);
  for (std::size_t each = 0; each < covered.size(); ++each) covered[each] -= slope * lengths[each];
  const double variance = product(covered, covered) / static_cast<double>(covered.size());
  for (double& value : covered) value /= std::max(std::sqrt(variance), least);
  return covered;
}

}  // namespace asof::facts
