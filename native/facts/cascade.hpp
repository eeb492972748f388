// Probability that a passage answers. Where the order of a series counts: one of its statements is
// a member of the series that is asked for, and none that the operator prefers to it is one; sure
// members are so ordered by time, unsure ones by relevance, without a threshold. Where it does not:
// by relevance alone. Both are mixed by the probability that a series is asked for; where the
// latest of all is, older members of the first's series stand behind other series.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace asof::facts {

/// CascadeWeights of lib/facts/ranking/cascade.ts, borrowed.
struct CascadeWeights {
  std::span<const double> features, clock, series;  // as long as the inputs that they weigh
  double relevance_log_odds = 0, relevance_similarity = 0, relevance_coverage = 0;
  double relative_share = 0, relative_shift = 0;
};

/// MemberColumns of lib/facts/members/members.ts, borrowed. Numbers of candidates, interpretations
/// and members are in range and restatement_ends ascends, or memory of others is read.
struct CascadeInput {
  std::size_t candidates = 0;
  std::uint32_t place = 1;  // from 1
  std::span<const float> features;
  std::span<const std::int32_t> candidate;
  std::span<const std::uint8_t> interpretation;
  std::span<const std::int32_t> rank;
  std::array<std::span<const std::int32_t>, 2> ranked;
  std::span<const std::uint32_t> restatement_ends, restatements;  // by member; numbers of members
  std::span<const std::uint8_t> same_series;                      // by restatement
  bool has_operator = false, is_latest = false;
  std::span<const double> starts, ends, clock_inputs, series_inputs, similarity, coverage;
  std::span<const double> credibility, judged;  // empty for none
};

/// CascadeResult of binding.d.ts, which has the meaning of each.
struct CascadeOutput {
  std::vector<double> log_odds, relative, evidence;  // by member
  std::vector<std::int32_t> preferred, source;       // by member
  std::int32_t best = -1;
  std::array<std::vector<std::int32_t>, 2> winners;  // by interpretation and candidate
  std::array<std::vector<double>, 2> parts;
  std::vector<double> ordered, relevance, outdated, scores;  // by candidate
  std::vector<std::int32_t> relevant, members;
  std::vector<std::uint8_t> is_ordered;
  double nothing = 0, clock = 0, series = 0;
};

CascadeOutput cascade(const CascadeInput& input, const CascadeWeights& weights);

/// What the scores are made of, by candidate.
struct CascadeShares {
  std::span<const double> ordered, relevance, outdated;
};
/// By candidate: log-probability that it answers if the order counts with probability `series`.
std::vector<double> mix_cascade(const CascadeShares& shares, double series);

}  // namespace asof::facts
