// BM25 as in Lucene 8 and later, with exact document lengths.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

// idf ln(1 + (N - df + 0.5) / (df + 0.5)), term part tf / (tf + k1 (1 - b + b dl / avgdl)), without
// the factor (k1 + 1). Lengths dl are exact token counts, not Lucene's one-byte norms.
//
// Every contribution is rounded to a multiple of 2^-32. Sums of such numbers below 2^21 are exact
// in a double, so a score has the same bits whatever the order of summation, and a sum of upper
// bounds is an upper bound.

namespace asof::lexical {

/// k1 >= 0 (0: only presence counts), b in [0, 1] (0: length does not count).
struct Bm25 {
  double k1 = 0.9;
  double b = 0.4;
};

/// Counts of rows of a scope over all segments.
struct Statistics {
  std::uint64_t rows = 0;
  std::uint64_t tokens = 0;
  double average_length() const {
    return tokens == 0 ? 1.0 : static_cast<double>(tokens) / static_cast<double>(rows);
  }
};

/// Statistics of a collection of which the segments hold a part.
struct Collection {
  Statistics statistics;                                        // of the scope
  std::map<std::string, std::uint64_t, std::less<>> rows_with;  // a term; 0 of others
};

/// Query terms counted with repetition. Its product with the largest idf of 2^32 rows stays below
/// 2^19.
inline constexpr std::size_t query_terms_limit = 16384;
inline constexpr double score_grid = 0x1p-32;

inline double inverse_document_frequency(std::uint64_t rows, std::uint64_t with_term) {
  double n = static_cast<double>(rows), df = static_cast<double>(with_term);
  return std::log1p((n - df + 0.5) / (df + 0.5));
}

/// The nearest multiple of 2^-32, for values in [0, 2^19): doubles from 2^20 to 2^21 are 2^-32
/// apart.
inline double on_grid(double value) {
  constexpr double anchor = 0x1.8p20;
  return (value + anchor) - anchor;
}

/// w tf / (tf + K) with K = 1 / inverse_norm, written so that each rounding keeps it monotone: up
/// with tf, up with inverse_norm.
inline double contribution(double weight, double frequency, double inverse_norm) {
  return on_grid(weight - weight / (1.0 + frequency * inverse_norm));
}

/// 1 / (k1 (1 - b + b dl / avgdl)) by length: a table for the usual lengths, computed beyond.
class InverseNorms {
 public:
  InverseNorms(const Bm25& parameters, double average_length, std::uint32_t longest)
      : k1_(parameters.k1),
        base_(1.0 - parameters.b),
        slope_(parameters.b / average_length),
        table_(std::size_t{longest < table_limit ? longest : table_limit} + 1) {
    for (std::size_t length = 0; length < table_.size(); ++length)
      table_[length] = compute(static_cast<double>(length));
  }
  double operator()(std::uint32_t length) const {
    return length < table_.size() ? table_[length] : compute(length);
  }

 private:
  static constexpr std::uint32_t table_limit = 8192;
  double compute(double length) const {
    double norm = k1_ * (base_ + slope_ * length);
    return norm > 0 ? 1.0 / norm : HUGE_VAL;  // infinite: the term part is 1
  }
  double k1_, base_, slope_;
  std::vector<double> table_;
};

}  // namespace asof::lexical
