// Sum of squares in several vectors of doubles, then the scaled row.
#include "kernels/normalize/contract.hpp"

#include "core/lanes.hpp"

namespace asof::ASOF_LEVEL::normalize {
namespace {

constexpr int sums_at_once = 4;  // independent sums, to hide the latency of an addition

double squares_of(const float* row, std::size_t d) {
  Wides totals[sums_at_once] = {};
  std::size_t c = 0;
  for (; c + sums_at_once * wide_width <= d; c += sums_at_once * wide_width) {
    repeat<sums_at_once>([&](auto i) ASOF_INLINE_LAMBDA {
      Wides value = load_wide(row + c + i() * wide_width);
      totals[i] += value * value;
    });
  }
  for (; c + wide_width <= d; c += wide_width) {
    Wides value = load_wide(row + c);
    totals[0] += value * value;
  }
  Wides value = load_wide_first(row + c, d - c);
  return sum((totals[0] + totals[1]) + (totals[2] + totals[3]) + value * value);
}

void scale(float* row, std::size_t d, double factor) {
  std::size_t c = 0;
  for (; c + wide_width <= d; c += wide_width) store_wide(row + c, load_wide(row + c) * factor);
  if (std::size_t rest = d - c; rest > 0)
    store_wide_first(row + c, load_wide_first(row + c, rest) * factor, rest);
}

std::size_t rows(float* rows, std::size_t n, std::size_t ldr, std::size_t d, double* norms) {
  std::size_t refused = 0;
  for (std::size_t r = 0; r < n; ++r) {
    double norm = __builtin_sqrt(squares_of(rows + r * ldr, d));
    if (!__builtin_isfinite(norm)) {
      norm = __builtin_nan("");
      refused += 1;
    } else if (norm > 0) {
      scale(rows + r * ldr, d, 1 / norm);
    }
    if (norms != nullptr) norms[r] = norm;
  }
  return refused;
}

}  // namespace

extern const ::asof::normalize::Kernels kernels;
const ::asof::normalize::Kernels kernels = {rows};

}  // namespace asof::ASOF_LEVEL::normalize
