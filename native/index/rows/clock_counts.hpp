// Counts of rows by their latest instant, for each clock and group of rows: moments of recencies
// and top recencies without a pass over all times. Counted at first use, and cached while the rows
// are open.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/once.hpp"
#include "temporal/forms.hpp"

namespace asof {

struct FlatRows;

class ClockCounts {
 public:
  /// The ends of the latest times of a group's rows, in epoch milliseconds, infinities included.
  struct Group {
    bool known = false;  // false where rows differ too much for counting to save anything
    struct Instant {
      double at, rows;
    };
    std::vector<Instant> instants;  // descending
    struct Row {
      double at;
      std::uint32_t row;
    };
    std::vector<Row> latest;  // all rows of the first instants, descending: at most max_latest
    std::size_t whole = 0;    // the number of these instants
  };

  static constexpr std::size_t max_latest = 4096;

  /// Group 0, 1 or 2 as in VectorMoments of `rows`, which must be the same in every call.
  /// Thread-safe.
  const Group& of(const FlatRows& rows, temporal::Clock clock, std::size_t group) const;

 private:
  mutable std::array<Once, 9> counting_;
  mutable std::array<Group, 9> groups_;  // by clock and group
};

}  // namespace asof
