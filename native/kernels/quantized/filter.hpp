// Survivor tests: a panel test with one number per query and panel while sums are in registers, and
// the exact rule of contract.hpp for the rows that pass it.
#pragma once

#include "kernels/quantized/line_product.hpp"
#include "kernels/quantized/row_bias.hpp"

namespace asof::ASOF_LEVEL::quantized {
namespace {

using ::asof::quantized::PanelRange;
using ::asof::quantized::PanelRecord;
using ::asof::quantized::PanelSurvivor;
using ::asof::quantized::Rows;
using ::asof::quantized::Scan;
using ::asof::quantized::Storage;

constexpr std::size_t chunk_queries = 256;  // queries that pass over the rows together
constexpr float largest = 3.402823466e38f;
constexpr unsigned every_row = 0xffff;

ASOF_INLINE std::size_t smaller(std::size_t a, std::size_t b) {
  return a < b ? a : b;
}

// The panel test. With s the scale of the query (1 where it is 0), v the sum times the row's
// scale, and the greatest error and length of the panel, the exact rule (product + (alpha delta +
// beta rho + omega) >= t, in float) implies
//   v + (alpha' most_error + beta' most_length - t') >= 0      where  alpha' = alpha / s (1 +
//   2^-18) beta' = (beta (1 + 2^-18) + (alpha + beta) 2^-20) / s      t' = (t - 2 omega) / s, less
//   2^-20 of itself
// Roundings of either side are a few 2^-24 of t, of alpha delta + beta rho, or of |product| <= |q^|
// rho <= (alpha + beta) rho, and 2^-18 and 2^-20 are 64 and 16 of them. Infinite parts are kept
// from meeting their opposites: t' is finite. The bias of a row is added to v, (b + |b|
// 2^-18) (w / s), which has room for its own roundings.
struct PanelTest {
  alignas(line_bytes) float limit[chunk_queries], alpha[chunk_queries], beta[chunk_queries],
      bias_weight[chunk_queries];
};

ASOF_INLINE float finite(float value) {
  return value > largest ? largest : value < -largest ? -largest : value;
}

/// Reads the thresholds of queries [first, first + count); the test fails for padding queries.
void read_thresholds(PanelTest& test, const Queries& queries, std::size_t first, std::size_t count,
                     const Scan& scan) {
  constexpr std::size_t block = 2 * panel_rows;  // the queries of the widest
  for (std::size_t i = 0; i < (count + block - 1) / block * block; ++i) {
    test.limit[i] = largest;
    test.alpha[i] = test.beta[i] = test.bias_weight[i] = 0;
    if (i >= count) continue;
    const std::size_t query = first + i;
    const float inverse = queries.scale[query] > 0 ? 1 / queries.scale[query] : 1;
    const float alpha = queries.alpha[query], beta = queries.beta[query],
                threshold = scan.thresholds[query];
    const float limit =
        threshold != threshold
            ? -largest
            : finite(finite(finite(threshold) - 2 * queries.omega[query]) * inverse);
    test.limit[i] = finite(limit - (limit < 0 ? -limit : limit) * 0x1p-20f);
    test.alpha[i] = alpha * inverse * (1 + 0x1p-18f);
    test.beta[i] = (beta * (1 + 0x1p-18f) + (alpha + beta) * 0x1p-20f) * inverse;
    if (scan.row_bias != nullptr) test.bias_weight[i] = scan.bias_weights[query] * inverse;
  }
}

/// The slack of v, for every query of the chunk: room[i] = alpha' most_error + beta'
/// most_length - t'.
ASOF_INLINE void rooms(const PanelTest& test, const PanelRecord& record, std::size_t count,
                       float* room) {
  Lanes error = spread(record.most_error), length = spread(record.most_length);
  for (std::size_t i = 0; i < count; i += width) {
    store(room + i, multiply_add(load(test.alpha + i), error,
                                 multiply_add(load(test.beta + i), length, -load(test.limit + i))));
  }
}

/// A little more, for rounding.
ASOF_INLINE Lanes widened(Lanes value) {
  return value + absolute(value) * spread(0x1p-18f);
}

/// The exact rule, and a buffer of the candidates that pass it.
struct Sink {
  Sink(const Rows& rows, const Queries& queries, const Scan& scan)
      : rows(rows), queries(queries), scan(scan) {}

  const Rows& rows;
  const Queries& queries;
  const Scan& scan;
  std::size_t first_query = 0, query_count = 0;  // of the chunk
  std::size_t candidate_count = 0;
  PanelTest test;
  PanelSurvivor room[1024];

  /// One bit a row of the panel that exists and is considered.
  ASOF_INLINE unsigned considered(std::size_t panel) const {
    const std::size_t first = panel * panel_rows;
    unsigned all = rows.n - first >= panel_rows ? every_row : (1u << (rows.n - first)) - 1;
    return scan.rows == nullptr
               ? all
               : all & static_cast<unsigned>(scan.rows[first / 64] >> (first % 64));
  }

  /// Biases of the panel's rows; `piece` of its vectors.
  ASOF_INLINE Lanes row_bias(std::size_t panel, std::size_t piece) const {
    return scan.row_bias == nullptr ? Lanes{} : bias_of_rows(scan, rows.n, panel, piece);
  }

  void flush() {
    if (candidate_count > 0) scan.take(scan.context, room, candidate_count);
    candidate_count = 0;
  }
};

/// Sixteen sums of one query and panel, integers or floats.
template <bool whole>
__attribute__((noinline)) void keep(Sink& sink, std::size_t query, std::size_t panel,
                                    const std::uint32_t* sums) {
  const PanelRecord& record = sink.rows.records[panel];
  alignas(line_bytes) float product[panel_rows], upper[panel_rows];
  unsigned passing = 0;
  repeat<pieces>([&](auto piece) ASOF_INLINE_LAMBDA {
    constexpr std::size_t at = piece() * width;
    Groups sum = load_groups(reinterpret_cast<const std::uint8_t*>(sums + at));
    Lanes value;
    if constexpr (whole)
      value = __builtin_convertvector(reinterpret_cast<Masks>(sum), Lanes) *
              load(record.scale + at) * spread(sink.queries.scale[query]);
    else
      value = reinterpret_cast<Lanes>(sum);
    Lanes error = spread(sink.queries.alpha[query]) * load(record.error + at) +
                  spread(sink.queries.beta[query]) * load(record.length + at) +
                  spread(sink.queries.omega[query]);
    store(product + at, value);
    store(upper + at, value + error);
    Lanes bound = value + error;
    if (sink.scan.row_bias != nullptr)
      bound = with_bias(bound, sink.row_bias(panel, static_cast<std::size_t>(piece())) *
                                   spread(sink.scan.bias_weights[query]));
    passing |= bits(~(bound < spread(sink.scan.thresholds[query]))) << at;
  });
  for (passing &= sink.considered(panel); passing != 0; passing &= passing - 1) {
    const unsigned row = static_cast<unsigned>(__builtin_ctz(passing));
    sink.room[sink.candidate_count++] = {static_cast<std::uint32_t>(query),
                                         static_cast<std::uint32_t>(panel * panel_rows + row),
                                         product[row], upper[row]};
  }
  if (sink.candidate_count + panel_rows <= sizeof(sink.room) / sizeof(PanelSurvivor)) return;
  sink.flush();
  read_thresholds(sink.test, sink.queries, sink.first_query, sink.query_count, sink.scan);
}

/// Walks the panels of a range that have rows to consider.
struct Walk {
  const Sink& sink;
  std::size_t next, last;

  static ASOF_INLINE Walk over(const Sink& sink) {
    return {sink, sink.scan.first_panel, sink.scan.last_panel};
  }

  /// Whether the next panels are consecutive, so that they can be prefetched.
  ASOF_INLINE bool in_line() const { return true; }

  /// The next panels, at most `most` of them; 0 at the end.
  ASOF_INLINE std::size_t take(std::size_t* panels, std::size_t most) {
    std::size_t count = 0;
    for (; next < last && count < most; ++next) {
      panels[count] = next;
      count += sink.scan.rows == nullptr || sink.considered(next) != 0;
    }
    return count;
  }
};

}  // namespace
}  // namespace asof::ASOF_LEVEL::quantized
