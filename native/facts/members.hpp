// Members of the series that a question may ask for: each statement at each of its times, by
// content and by publication.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "facts/matching.hpp"

namespace asof::facts {

enum class Holding : std::uint8_t { holds, ended, not_yet, unknown };
/// The truth table of lib/facts/members/holding.ts; `longest`: the longest known state, 0 for none.
Holding holding_in(const Time& time, const Window& window, bool is_event, double longest);

/// A later publication of a statement for the same time, or of its revision.
struct Restatement {
  std::uint32_t member;
  bool same_series;  // both may be of one series in whatever words: it is then as relevant
};

/// Members as columns.
struct Members {
  std::vector<std::uint32_t> match;  // by member
  std::vector<std::uint32_t> candidate;
  std::vector<std::uint8_t> interpretation;  // 0 by content, 1 by publication
  std::vector<Time> times;
  std::vector<std::uint8_t> has_time;
  std::vector<float> features;                       // row-major, `width` each
  std::vector<std::int32_t> rank;                    // place in the operator's order, 0 the best
  std::array<std::vector<std::uint32_t>, 2> ranked;  // by interpretation: its members by rank
  std::vector<std::uint32_t> restatement_ends;       // of member m: from restatement_ends[m - 1]
  std::vector<Restatement> restatements;
  std::array<double, 6> clock_inputs{};   // clockGate of lib/facts/members/members.ts
  std::array<double, 5> series_inputs{};  // seriesGate
  double longest = 0;                     // of the states of the likely series
};

/// `excluded`, by match: 1 of statements of a neighbour itself; empty for none.
Members members_of(const Pool& pool, const Matches& matches, const Asked& asked,
                   std::span<const std::uint8_t> excluded);

}  // namespace asof::facts
