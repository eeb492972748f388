// Probability that a passage answers: lib/facts/ranking/cascade.ts says what it is.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace asof::facts {

struct CascadeWeights {
  std::span<const double> features, clock, series;
  double relevance_log_odds = 0, relevance_similarity = 0;
  double relative_share = 0, relative_shift = 0;
};

/// MemberColumns of lib/facts/members/members.ts, borrowed.
struct CascadeInput {
  std::size_t candidates = 0;
  std::uint32_t place = 1;
  std::span<const float> features;
  std::span<const std::int32_t> candidate;
  std::span<const std::uint8_t> interpretation;
  std::span<const std::int32_t> rank;
  std::array<std::span<const std::int32_t>, 2> ranked;
  std::span<const std::uint32_t> restatement_ends, restatements;  // by member; numbers of members
  std::span<const std::uint8_t> same_series;                      // by restatement
  bool has_operator = false, is_latest = false;
  std::span<const double> starts, ends, clock_inputs, series_inputs, similarity;
  std::span<const double> credibility, judged;  // empty for none
};

struct CascadeOutput {
  std::vector<double> log_odds, relative, evidence;           // by member
  std::vector<std::int32_t> preferred, source;                // by member
  std::int32_t best = -1;
  std::array<std::vector<std::int32_t>, 2> winners;           // by interpretation and candidate
  std::array<std::vector<double>, 2> parts;
  std::vector<double> ordered, relevance, outdated, scores;   // by candidate
  std::vector<std::int32_t> relevant, members;
  std::vector<std::uint8_t> is_ordered;
  double nothing = 0, clock = 0, series = 0;
};

CascadeOutput cascade(const CascadeInput& input, const CascadeWeights& weights);

}  // namespace asof::facts
