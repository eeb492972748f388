// How a device scans a segment without asking its host in between: first a sample from all over it,
// which says what scores count, and then its rows, in stages that grow as fast as what survives
// them finds room. It only reckons: what a scan does not keep to is found out by whoever runs it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace asof::cuda {

struct Stage {
  bool sample;  // rows of the segment's sample, else its own
  std::uint32_t first, last;
  bool ends_sample;  // its candidates are of use no more: they come again
  bool laid;         // bounds of its products are laid out, and read for the best
};

struct StagesAsked {
  std::uint32_t first_row, last_row;  // in scope
  std::uint32_t sample_rows;          // 0: there is none
  std::uint32_t laid_rows;            // so many of them may be laid out; 0: none
  std::uint64_t known_rows;           // of segments before it, whose thresholds hold
  std::uint32_t keep, queries;        // the greatest k
  std::uint32_t room;                 // survivors of a query that find places
  double share;                       // of rows that every query sees
};

/// Nothing where stages would have to be so short that the host may as well ask after each.
std::optional<std::vector<Stage>> stages_of(const StagesAsked& asked);

}  // namespace asof::cuda
