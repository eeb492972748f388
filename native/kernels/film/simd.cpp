// The fusion by vectors of doubles: once for the length, once for the values. Compiled once a level. See contract.hpp.
#include "kernels/film/contract.hpp"

#include "core/lanes.hpp"

namespace asof::ASOF_LEVEL::film {
namespace {

using ::asof::film::Rows;

struct Row {
  const float* x;
  const float* gamma;
  const float* beta;
  std::size_t d;
  double alpha;
};

ASOF_INLINE Wides fused(const Row& row, std::size_t c) {
  return (1.0 + row.alpha * load_wide(row.gamma + c)) * load_wide(row.x + c) + load_wide(row.beta + c);
}

ASOF_INLINE Wides fused_first(const Row& row, std::size_t c, std::size_t count) {
  return (1.0 + row.alpha * load_wide_first(row.gamma + c, count)) * load_wide_first(row.x + c, count) + load_wide_first(row.beta + c, count);
}

// False where the row is refused.
bool fuse(const Row& row, float* y) {
  Wides squares[2] = {};
  std::size_t c = 0;
  for (; c + 2 * wide_width <= row.d; c += 2 * wide_width) {
    Wides low = fused(row, c), high = fused(row, c + wide_width);
    squares[0] += low * low;
    squares[1] += high * high;
  }
  for (; c < row.d; c += wide_width) {
    Wides t = c + wide_width <= row.d ? fused(row, c) : fused_first(row, c, row.d - c);
    squares[0] += t * t;
  }
  double total = sum(squares[0] + squares[1]);
  if (!__builtin_isfinite(total)) return false;
  double factor = total > 0 ? 1 / __builtin_sqrt(total) : 0;
  for (c = 0; c + wide_width <= row.d; c += wide_width) store_wide(y + c, fused(row, c) * factor);
  if (std::size_t rest = row.d - c; rest > 0) store_wide_first(y + c, fused_first(row, c, rest) * factor, rest);
  return true;
}

std::size_t rows(const Rows& rows, double alpha, float* y, std::uint8_t* refused) {
  std::size_t count = 0;
  for (std::size_t r = 0; r < rows.n; ++r) {
    std::size_t at = r * rows.d;
    bool timed = rows.timed[r] != 0;
    bool good = !timed || fuse({rows.x + at, rows.gamma + at, rows.beta + at, rows.d, alpha}, y + at);
    if (!timed || !good) __builtin_memmove(y + at, rows.x + at, rows.d * sizeof(float));
    if (refused != nullptr) refused[r] = !good;
    count += !good;
  }
  return count;
}

}  // namespace

extern const ::asof::film::Kernels kernels;
const ::asof::film::Kernels kernels = {rows};

}  // namespace asof::ASOF_LEVEL::film
