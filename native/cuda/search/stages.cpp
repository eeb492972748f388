// See stages.hpp.
#include "cuda/search/stages.hpp"

#include <algorithm>
#include <cmath>

namespace asof::cuda {
namespace {

constexpr std::uint32_t group_rows = 64;
constexpr double first_rows = 256,
                 first_of_keep =
                     4;  // the first rows survive all, and must hold the k best of something
// What survives a stage grows with it, query by query, and a scan waits for survivors; a stage
// costs a device some tens of microseconds.
constexpr double most_growth = 64, certain_growth = 18, growing_queries = 40960;
constexpr double slack = 4;  // bounds keep several times k, and rows are not all alike
constexpr double least_growth = 3;
constexpr double laid_of_keep = 64;  // fewer seen rows would say little of the rest

std::uint32_t whole_groups(double rows) {
  return static_cast<std::uint32_t>(std::ceil(rows / group_rows)) * group_rows;
}

}  // namespace

std::optional<std::vector<Stage>> stages_of(const StagesAsked& asked) {
  std::vector<Stage> stages;
  if (asked.last_row <= asked.first_row) return stages;
  const std::uint32_t from = asked.first_row / group_rows * group_rows;
  const double all = asked.last_row - from, keep = std::max(1u, asked.keep), room = asked.room;
  if (all <= room / 2) return std::vector<Stage>{{false, from, asked.last_row, false, false}};
  if (!(asked.share > 0)) return std::nullopt;
  const bool laid = asked.known_rows == 0 && asked.laid_rows * asked.share >= laid_of_keep * keep &&
                    2 * asked.laid_rows <= all;
  const double begin =
      laid ? asked.laid_rows : std::max(first_rows, first_of_keep * keep / asked.share);
  const double cheap = std::clamp(growing_queries / (keep * asked.queries), certain_growth,
                                  most_growth),
               growth = std::min(cheap, room * asked.share / (slack * keep));
  if (growth < least_growth || (!laid && begin > room / 2)) return std::nullopt;
  // What may be scanned at once of rows in no order, if so many are known.
  double size = asked.known_rows == 0
                    ? begin
                    : std::max(begin, static_cast<double>(asked.known_rows) * growth);
  const double steps = size < all ? std::ceil(std::log(all / size) / std::log(growth)) : 0,
               ratio = steps > 0 ? std::pow(all / size, 1 / steps) : 1;
  std::uint32_t sampled = 0, done = 0;
  for (double step = 0; step <= steps; ++step, size *= ratio) {
    const std::uint32_t to =
        step == steps ? asked.last_row - from : std::min(whole_groups(size), asked.last_row - from);
    const bool sample =
        step < steps && done == 0 && 2 * asked.sample_rows >= to && sampled < asked.sample_rows;
    if (sample) {
      const std::uint32_t end = std::min(to, asked.sample_rows);
      stages.push_back({true, sampled, end, false, laid && step == 0});
      sampled = end;
    } else {
      if (done == 0 && sampled > 0) stages.back().ends_sample = true;
      if (to > done) stages.push_back({false, from + done, from + to, false, false});
      done = to;
    }
  }
  return stages;
}

}  // namespace asof::cuda
