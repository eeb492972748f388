// Fusion by vectors of doubles, cached in L1 while the norm is summed; long rows are computed
// twice. Results far larger than the caches use non-temporal stores.
#include "kernels/film/contract.hpp"

#include "core/lanes.hpp"

namespace asof::ASOF_LEVEL::film {
namespace {

using ::asof::film::Rows;

constexpr std::size_t buffer_components = 2048;  // 16 KiB of doubles
constexpr std::size_t streamed_from =
    std::size_t{8} << 20;  // components of a result that no cache keeps for its reader

constexpr std::size_t ahead = 384;  // components between the computed and the prefetched one

struct Row {
  const float* x;
  const float* gamma;
  const float* beta;
  std::size_t d;
  double alpha;
};

ASOF_INLINE Wides fused(const Row& row, std::size_t c) {
  Wides factor = multiply_add(spread_wide(row.alpha), load_wide(row.gamma + c), spread_wide(1));
  return multiply_add(factor, load_wide(row.x + c), load_wide(row.beta + c));
}

ASOF_INLINE Wides fused_first(const Row& row, std::size_t c, std::size_t count) {
  Wides factor =
      multiply_add(spread_wide(row.alpha), load_wide_first(row.gamma + c, count), spread_wide(1));
  return multiply_add(factor, load_wide_first(row.x + c, count),
                      load_wide_first(row.beta + c, count));
}

// The sum of the squares. Whole vectors of the fusion are also written to buffer[0..d), unless that
// is null.
template <bool keep>
ASOF_INLINE double squares_of(const Row& row, double* buffer) {
  Wides squares[2] = {};
  std::size_t c = 0;
  for (; c + 2 * wide_width <= row.d; c += 2 * wide_width) {
    __builtin_prefetch(row.x + c + ahead);
    __builtin_prefetch(row.gamma + c + ahead);
    __builtin_prefetch(row.beta + c + ahead);
    Wides low = fused(row, c), high = fused(row, c + wide_width);
    squares[0] = multiply_add(low, low, squares[0]);
    squares[1] = multiply_add(high, high, squares[1]);
    if constexpr (keep) store_wide(buffer + c, low), store_wide(buffer + c + wide_width, high);
  }
  for (; c < row.d; c += wide_width) {
    Wides t = c + wide_width <= row.d ? fused(row, c) : fused_first(row, c, row.d - c);
    squares[0] = multiply_add(t, t, squares[0]);
    if constexpr (keep) store_wide(buffer + c, t);
  }
  return sum(squares[0] + squares[1]);
}

// False where the row is refused.
bool fuse(const Row& row, float* y) {
  alignas(64) double buffer[buffer_components];
  bool keep = row.d <= buffer_components;
  double total = keep ? squares_of<true>(row, buffer) : squares_of<false>(row, nullptr);
  if (!__builtin_isfinite(total)) return false;
  double factor = total > 0 ? 1 / __builtin_sqrt(total) : 0;
  std::size_t c = 0;
  for (; c + wide_width <= row.d; c += wide_width)
    store_wide(y + c, (keep ? load_wide(buffer + c) : fused(row, c)) * factor);
  if (std::size_t rest = row.d - c; rest > 0)
    store_wide_first(y + c, (keep ? load_wide(buffer + c) : fused_first(row, c, rest)) * factor,
                     rest);
  return true;
}

// Rows on their way to memory: collected, and sent in whole lines.
class Outgoing {
 public:
  explicit Outgoing(float* to)
      : before_((reinterpret_cast<std::uintptr_t>(to) % 64) / sizeof(float)),
        size_(before_),
        to_(to - before_) {}
  float* next() { return lines_ + size_; }  // room for a row of buffer_components
  void add(std::size_t count) {
    size_ += count;
    std::size_t sent = 0;
    if (before_ > 0 && size_ >= line) {
      finish(line);
      sent = line;
    }
    for (; sent + line <= size_; sent += line) {
      repeat<static_cast<int>(line / width)>([&](auto i) ASOF_INLINE_LAMBDA {
        stream(to_ + sent + i() * width, load(lines_ + sent + i() * width));
      });
    }
    __builtin_memmove(lines_, lines_ + sent, (size_ - sent) * sizeof(float));
    size_ -= sent;
    to_ += sent;
  }
  void finish() {
    finish(size_);
    streamed();
  }

 private:
  static constexpr std::size_t line = 64 / sizeof(float);
  void finish(std::size_t until) {
    __builtin_memcpy(to_ + before_, lines_ + before_, (until - before_) * sizeof(float));
    before_ = 0;
  }
  std::size_t before_, size_;
  float* to_;
  alignas(64) float lines_[buffer_components + line];
};

std::size_t rows(const Rows& rows, double alpha, float* y, std::uint8_t* refused) {
  const bool far = rows.n * rows.d >= streamed_from && rows.d <= buffer_components;
  Outgoing outgoing(y);
  std::size_t count = 0;
  for (std::size_t r = 0; r < rows.n; ++r) {
    std::size_t at = r * rows.d;
    float* to = far ? outgoing.next() : y + at;
    bool timed = rows.timed[r] != 0;
    bool good = !timed || fuse({rows.x + at, rows.gamma + at, rows.beta + at, rows.d, alpha}, to);
    if (!timed || !good) __builtin_memmove(to, rows.x + at, rows.d * sizeof(float));
    if (far) outgoing.add(rows.d);
    if (refused != nullptr) refused[r] = !good;
    count += !good;
  }
  if (far) outgoing.finish();
  return count;
}

}  // namespace

extern const ::asof::film::Kernels kernels;
const ::asof::film::Kernels kernels = {rows};

}  // namespace asof::ASOF_LEVEL::film
