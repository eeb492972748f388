// See pass_plan.hpp.
#include "cuda/search/pass_plan.hpp"

#include <algorithm>
#include <cmath>

namespace asof::cuda {
namespace {

constexpr std::uint32_t group_rows = 64;
// All rows of the first pass survive; they must include k visible ones.
constexpr double first_rows = 256, first_rows_per_k = 4;
// The survivors of a pass grow with it for every query; a pass costs some tens of microseconds.
constexpr double max_growth = 64, free_growth = 18, growth_budget = 40960;
constexpr double slack = 4;  // bounds let several times k through, and rows are not all alike
constexpr double min_growth = 3;
constexpr double bound_rows_per_k = 64;  // fewer visible rows estimate a threshold poorly

std::uint32_t whole_groups(double rows) {
  return static_cast<std::uint32_t>(std::ceil(rows / group_rows)) * group_rows;
}

}  // namespace

std::optional<std::vector<ScanPass>> plan_passes(const PassPlanInput& input) {
  std::vector<ScanPass> passes;
  if (input.last_row <= input.first_row) return passes;
  const std::uint32_t from = input.first_row / group_rows * group_rows;
  const double all = input.last_row - from, max_k = std::max(1u, input.max_k), room = input.room;
  if (all <= room / 2) return std::vector<ScanPass>{{false, from, input.last_row, false, false}};
  if (!(input.share > 0)) return std::nullopt;
  const bool stores_bounds = input.known_rows == 0 &&
                             input.bound_rows * input.share >= bound_rows_per_k * max_k &&
                             2 * input.bound_rows <= all;
  const double begin = stores_bounds ? input.bound_rows
                                     : std::max(first_rows, first_rows_per_k * max_k / input.share);
  const double cheap = std::clamp(growth_budget / (max_k * input.queries), free_growth, max_growth),
               growth = std::min(cheap, room * input.share / (slack * max_k));
  if (growth < min_growth || (!stores_bounds && begin > room / 2)) return std::nullopt;
  // Rows in random order that may be scanned at once when `known_rows` are known.
  double size = input.known_rows == 0
                    ? begin
                    : std::max(begin, static_cast<double>(input.known_rows) * growth);
  const auto steps = static_cast<std::uint32_t>(
      size < all ? std::ceil(std::log(all / size) / std::log(growth)) : 0);
  const double ratio = steps > 0 ? std::pow(all / size, 1.0 / steps) : 1;
  std::uint32_t sample_done = 0, done = 0;
  for (std::uint32_t step = 0; step <= steps; ++step, size *= ratio) {
    const std::uint32_t to =
        step == steps ? input.last_row - from : std::min(whole_groups(size), input.last_row - from);
    const bool sample =
        step < steps && done == 0 && 2 * input.sample_rows >= to && sample_done < input.sample_rows;
    if (sample) {
      const std::uint32_t end = std::min(to, input.sample_rows);
      passes.push_back({true, sample_done, end, false, stores_bounds && step == 0});
      sample_done = end;
    } else {
      if (done == 0 && sample_done > 0) passes.back().ends_sample = true;
      if (to > done) passes.push_back({false, from + done, from + to, false, false});
      done = to;
    }
  }
  return passes;
}

}  // namespace asof::cuda
