// Early termination of panels by a bound from their first components (Cauchy-Schwarz on the rest):
// most panels are pruned where vectors have most of their length there, as after PCA.
#pragma once

#include "kernels/quantized/filter.hpp"

// Where the bound prunes few panels, it is tried less often. Included by sources compiled
// once per level. With q^ = s_q a and r^ = s_r b in integers, A and B the sums of a_c b_c and of
// b_c^2 over the components that were read, and rho >= |r^|,
//   v = s_r (a.b) <= s_r A + |a_rest| s_r |b_rest|
//     <= s_r A + |a_rest| sqrt(rho^2 (1 + 2^-19) - s_r^2 B)
// A and B are below 2^24 and exact in float. s_r^2 B rounds three times, for which 2^-19 of rho^2
// has room; the panel test of filter.hpp, in which this stands for v, has some 16 u (alpha + beta)
// rho / s_q >= 16 u |a| rho for the six roundings of numbers below |a| rho.

namespace asof::ASOF_LEVEL::quantized {
namespace {

using ::asof::quantized::panel_bytes;
using ::asof::quantized::tiles;

#if defined(__AVX512VNNI__)
ASOF_INLINE Lanes root(Lanes value) {
  return reinterpret_cast<Lanes>(_mm512_maskz_sqrt_ps(0xffff, reinterpret_cast<__m512>(value)));
}
ASOF_INLINE Lanes at_least_zero(Lanes value) {
  return reinterpret_cast<Lanes>(
      _mm512_maskz_max_ps(0xffff, reinterpret_cast<__m512>(value), _mm512_setzero_ps()));
}

constexpr int prefix_stages = 4, max_prefix_queries = 4;
constexpr std::size_t prefix_lines[prefix_stages] = {4, 8, 16, 32};  // before each test

/// The panels of a range that the bound does not prune for Q queries, those of the sink's chunk.
/// Panels are tested in batches, stage by stage: lines of the next stage are prefetched as soon as
/// a panel passes, and those of the next panels meanwhile, so that no other line is read.
template <typename Arithmetic, int Q>
class PrefixWalk {
 public:
  static ASOF_INLINE PrefixWalk over(const Sink& sink) { return PrefixWalk(sink); }

  explicit PrefixWalk(const Sink& sink)
      : next(sink.scan.first_panel), last(sink.scan.last_panel), sink(sink) {
    const std::size_t d = sink.rows.d;
    tile_count = tiles(sink.rows.storage, d);
    bytes = panel_bytes(sink.rows.storage, d);
    words = Arithmetic::words(sink.queries) +
            sink.first_query / panel_rows * tile_count * Arithmetic::tile_words +
            sink.first_query % panel_rows * Arithmetic::query_words;
    while (stages < prefix_stages && prefix_lines[stages] < tile_count * tile_lines) stages += 1;
    for (int q = 0; q < Q; ++q) measure(q);
    if (stages == 0)
      idle_until = last;
    else
      while (prefetch_next()) {
      }
  }

  /// The first panel that is neither taken nor pending; up to `last`.
  std::size_t next, last;

  ASOF_INLINE bool in_line() const { return next < idle_until && pending_count == 0; }

  ASOF_INLINE std::size_t take(std::size_t* panels, std::size_t most) {
    std::size_t count = 0;
    while (count < most) {
      if (next_in_batch < batch_count)
        panels[count++] = batch[next_in_batch++].panel;
      else if (pending_count > 0)
        test_batch();
      else if (next >= last)
        break;
      else if (next >= idle_until)
        while (prefetch_next()) {
        }
      else {
        panels[count] = next;
        count += sink.scan.rows == nullptr || sink.considered(next) != 0;
        next += 1;
      }
    }
    return count;
  }

 private:
  static constexpr std::size_t batch_panels = 32, trial = 64, idle = 960;

  /// A panel of a batch: its sums over the lines so far.
  struct PanelState {
    Masks sums[Q], squares;
    std::size_t panel;
  };

  /// The length of a query beyond each stage, and the sum of its rows' shift up to it. (Sums of
  /// squares are below 2^30.)
  void measure(int q) {
    std::int32_t shift = 0, squares = 0, all = 0;
    for (std::size_t group = 0; group < tile_count * tile_lines; ++group)
      all += squares_of(q, group);
    std::size_t group = 0;
    for (int stage = 0; stage < stages; ++stage) {
      for (; group < prefix_lines[stage]; ++group) {
        const std::uint32_t word = word_of(q, group);
        for (int c = 0; c < 4; ++c) shift += static_cast<std::int8_t>(word >> (8 * c));
        squares += squares_of(q, group);
      }
      offset[q][stage] = -128 * shift;
      rest[q][stage] = _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(static_cast<float>(all - squares)))) *
                       (1 + 0x1p-18f);
    }
  }

  ASOF_INLINE std::uint32_t word_of(int q, std::size_t group) const {
    return words[group / tile_lines * Arithmetic::tile_words +
                 static_cast<std::size_t>(q) * Arithmetic::query_words + group % tile_lines];
  }

  ASOF_INLINE std::int32_t squares_of(int q, std::size_t group) const {
    const std::uint32_t word = word_of(q, group);
    std::int32_t sum = 0;
    for (int c = 0; c < 4; ++c) {
      const std::int32_t value = static_cast<std::int8_t>(word >> (8 * c));
      sum += value * value;
    }
    return sum;
  }

  /// Prefetches the first lines of the next panel to consider; false without one, or without room
  /// for it.
  ASOF_INLINE bool prefetch_next() {
    if (next < idle_until || pending_count == batch_panels) return false;
    while (next < last && sink.scan.rows != nullptr && sink.considered(next) == 0) next += 1;
    if (next >= last) return false;
    prefetch_lines(next, 0, prefix_lines[0]);
    const std::uint8_t* record = reinterpret_cast<const std::uint8_t*>(&sink.rows.records[next]);
    __builtin_prefetch(record, 0, 2);
    __builtin_prefetch(record + line_bytes, 0, 2);
    pending[pending_count++] = next++;
    return true;
  }

  ASOF_INLINE void prefetch_lines(std::size_t panel, std::size_t from, std::size_t to) const {
    const std::uint8_t* lines = sink.rows.panels + panel * bytes;
    for (std::size_t line = from; line < to; ++line)
      __builtin_prefetch(lines + line * line_bytes, 0, 2);
  }

  /// Tests the pending panels, and prefetches as many others.
  void test_batch() {
    std::size_t count = pending_count;
    total_tests += count;
    for (std::size_t i = 0; i < count; ++i) {
      batch[i].panel = pending[i];
      for (Masks& sum : batch[i].sums) sum = Masks{};
      batch[i].squares = Masks{};
    }
    pending_count = next_in_batch = 0;
    for (int stage = 0; stage < stages; ++stage) {
      const std::size_t end =
          stage + 1 < stages ? prefix_lines[stage + 1] : tile_count * tile_lines;
      batch_count = 0;
      for (std::size_t i = 0; i < count; ++i) {
        if (stage == 0) prefetch_next();
        if (!passes(batch[i], stage)) continue;
        prefetch_lines(batch[i].panel, prefix_lines[stage], end);
        if (batch_count != i) batch[batch_count] = batch[i];
        batch_count += 1;
      }
      count = batch_count;
    }
    total_passes += batch_count;
    if (total_tests < trial) return;
    if (4 * total_passes > 3 * total_tests) idle_until = next + idle;
    total_tests = total_passes = 0;
  }

  /// Whether some row of the panel may survive one more stage.
  ASOF_INLINE bool passes(PanelState& state, int stage) const {
    const std::uint8_t* lines = sink.rows.panels + state.panel * bytes;
    const PanelRecord& record = sink.rows.records[state.panel];
    for (std::size_t line = stage == 0 ? 0 : prefix_lines[stage - 1]; line < prefix_lines[stage];
         ++line) {
      const Groups groups = load_groups(lines + line * line_bytes),
                   part = Arithmetic::template part<0>(groups);
      state.squares = Arithmetic::add_squares(state.squares, groups);
      repeat<Q>([&](auto q) ASOF_INLINE_LAMBDA {
        state.sums[q()] = Arithmetic::add(state.sums[q()], part, word_of(q(), line));
      });
    }
    if (record.most_length < 0x1p-40f) return true;  // s_r^2 might be denormal
    const Lanes scale = load(record.scale), bias = widened(sink.row_bias(state.panel, 0));
    const Lanes longest = spread(record.most_length * record.most_length * (1 + 0x1p-19f));
    const Lanes error = spread(record.most_error), length = spread(record.most_length);
    const Lanes rest_length = root(
        at_least_zero(longest - scale * scale * __builtin_convertvector(state.squares, Lanes)));
    Masks failed = ~Masks{};
    repeat<Q>([&](auto q) ASOF_INLINE_LAMBDA {
      const Lanes sum =
          __builtin_convertvector(state.sums[q()] + (offset[q()][stage] - Masks{}), Lanes);
      Lanes room = multiply_add(
          spread(sink.test.alpha[q()]), error,
          multiply_add(spread(sink.test.beta[q()]), length, spread(-sink.test.limit[q()])));
      room += bias * spread(sink.test.bias_weight[q()]);
      failed &= reinterpret_cast<Masks>(
          multiply_add(spread(rest[q()][stage]), rest_length, multiply_add(sum, scale, room)));
    });
    return (~bits(failed < 0) & sink.considered(state.panel)) != 0;
  }

  const Sink& sink;
  std::size_t tile_count = 0, bytes = 0, idle_until = 0, total_tests = 0, total_passes = 0;
  const std::uint32_t* words = nullptr;
  int stages = 0;
  std::int32_t offset[Q][prefix_stages];
  float rest[Q][prefix_stages];
  std::size_t pending[batch_panels], pending_count = 0;  // prefetched panels
  std::size_t next_in_batch = 0,
              batch_count = 0;  // the panels that pass every stage are the batch's first
  PanelState batch[batch_panels];
};

template <typename Arithmetic, int Q,
          bool by_prefix = Arithmetic::squares && Q <= max_prefix_queries>
struct WalkOf {
  using Type = Walk;
};
template <typename Arithmetic, int Q>
struct WalkOf<Arithmetic, Q, true> {
  using Type = PrefixWalk<Arithmetic, Q>;
};
template <typename Arithmetic, int Q>
using PanelWalk = typename WalkOf<Arithmetic, Q>::Type;
#else
template <typename Arithmetic, int Q>
using PanelWalk = Walk;
#endif

}  // namespace
}  // namespace asof::ASOF_LEVEL::quantized
