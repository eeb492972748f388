// Scan for few queries: the bound by the first bit plane, products of some queries by a panel in
// registers, prunes rows before their second plane is read; the bound by both planes prunes the
// rest.
#include "kernels/int4/line_product.hpp"
#include "kernels/quantized/row_bias.hpp"

namespace asof::ASOF_LEVEL::int4 {
namespace {

using ::asof::int4::first_plane;
using ::asof::int4::PanelRange;
using ::asof::int4::PanelRecord;
using ::asof::int4::PanelSurvivor;
using ::asof::int4::Scan;
using ::asof::int4::second_plane;

#if defined(__AVX512F__)
constexpr int most_queries = 8, most_sums = 8;
#elif defined(__AVX2__) || defined(__aarch64__)
constexpr int most_queries = 4, most_sums = 8;
#else
constexpr int most_queries = 2, most_sums = 8;
#endif

/// Panels that a block of `most_queries` is multiplied with at once. Where a multiplication is one
/// instruction, to spread a query's word over a vector takes as long, and serves both.
#if defined(__AVX512VNNI__)
constexpr int most_panels = 2;
#else
constexpr int most_panels = 1;
#endif

constexpr float largest = 3.402823466e38f;
constexpr std::size_t ahead_bytes =
    8192;  // between a line that is multiplied and the one that is prefetched
constexpr std::size_t stretch_panels =
    32;  // in the second-level cache while all queries pass over them

ASOF_INLINE std::size_t smaller(std::size_t a, std::size_t b) {
  return a < b ? a : b;
}
ASOF_INLINE const std::uint8_t* tile_of(const Queries& queries, std::size_t query) {
  return queries.tiles + query / panel_rows * units(queries.d) * 1024 + query % panel_rows * 64;
}
ASOF_INLINE void prefetch(const void* line) {
  __builtin_prefetch(line, 0, 2);
}

/// Sums of Q queries with P panels; independent chains of additions.
template <int Q, int P>
struct Block {
  static constexpr int chains = most_sums / (Q * P * pieces) >= 2 ? 2 : 1;
  Masks sums[Q][P][pieces];

  /// `ahead` are planes that come later; null where they are not prefetched.
  ASOF_INLINE void multiply(const std::uint8_t* (&planes)[P], const Queries& queries,
                            std::size_t first, const std::uint8_t* (&ahead)[P]) {
    Masks own[Q][P][chains][pieces] = {};
    const std::uint8_t* tiles[Q];
    repeat<Q>([&](auto q) ASOF_INLINE_LAMBDA { tiles[q()] = tile_of(queries, first + q()); });
    for (std::size_t unit = units(queries.d); unit > 0; --unit) {
      repeat<8 / chains>([&](auto step) ASOF_INLINE_LAMBDA {
        repeat<chains>([&](auto chain) ASOF_INLINE_LAMBDA {
          constexpr std::size_t line = step() * chains + chain();
          repeat<pieces>([&](auto v) ASOF_INLINE_LAMBDA {
            Groups low[P], high[P];
            repeat<P>([&](auto p) ASOF_INLINE_LAMBDA {
              if (v() == 0 && ahead[p()] != nullptr) prefetch(ahead[p()] + line * line_bytes);
              const Groups both = load_groups(planes[p()] + line * line_bytes + v() * width * 4);
              low[p()] = both & 0x0f0f0f0fu;
              high[p()] = both >> 4 & 0x0f0f0f0fu;
            });
            repeat<Q>([&](auto q) ASOF_INLINE_LAMBDA {
              std::uint32_t words[2];
              __builtin_memcpy(words, tiles[q()] + line * 8, 8);
              repeat<P>([&](auto p) ASOF_INLINE_LAMBDA {
                Masks& sum = own[q()][p()][chain()][v()];
                sum = add_groups(sum, low[p()], high[p()], words[0], words[1]);
              });
            });
          });
        });
      });
      repeat<P>([&](auto p) ASOF_INLINE_LAMBDA {
        planes[p()] += 8 * line_bytes;
        if (ahead[p()] != nullptr) ahead[p()] += 8 * line_bytes;
      });
      repeat<Q>([&](auto q) ASOF_INLINE_LAMBDA { tiles[q()] += 1024; });
    }
    repeat<Q>([&](auto q) ASOF_INLINE_LAMBDA {
      repeat<P>([&](auto p) ASOF_INLINE_LAMBDA {
        repeat<pieces>([&](auto v) ASOF_INLINE_LAMBDA {
          sums[q()][p()][v()] = own[q()][p()][0][v()];
          if constexpr (chains == 2) sums[q()][p()][v()] += own[q()][p()][1][v()];
        });
      });
    });
  }
};

/// Pairs that pass the first plane, and candidates that pass both.
struct Sink {
  Sink(const Rows& rows, const Queries& queries, const Scan& scan)
      : rows(rows), queries(queries), scan(scan) {}

  struct Pending {
    std::uint32_t query, row;
    std::int32_t sum;
  };
  const Rows& rows;
  const Queries& queries;
  const Scan& scan;
  std::size_t pending_count = 0, candidate_count = 0;
  Pending pending[64];
  PanelSurvivor room[512];

  /// One bit a row of the panel that exists and is considered.
  ASOF_INLINE unsigned considered(std::size_t panel) const {
    const std::size_t first = panel * panel_rows;
    const unsigned all = rows.n - first >= panel_rows ? 0xffffu : (1u << (rows.n - first)) - 1;
    return scan.rows == nullptr
               ? all
               : all & static_cast<unsigned>(scan.rows[first / 64] >> (first % 64));
  }

  ASOF_INLINE float product(const PanelRecord& record, const Pending& each) const {
    const std::int32_t second =
        second_sum(second_plane(rows, each.row), tile_of(queries, each.query), units(rows.d));
    const std::int32_t whole = 16 * (each.sum - 8 * queries.sum[each.query]) + second;
    return queries.shift[each.query] + static_cast<float>(whole) *
                                           record.scale[each.row % panel_rows] *
                                           queries.scale[each.query];
  }

  __attribute__((noinline)) void refine() {
    for (std::size_t i = 0; i < pending_count; ++i) {
      const Pending& each = pending[i];
      const std::size_t q = each.query, place = each.row % panel_rows;
      const PanelRecord& record = rows.records[each.row / panel_rows];
      const float value = product(record, each);
      const float fine = record.error[place] > largest ? record.error[place]
                                                       : record.fine_error * record.scale[place];
      const float upper = value + (queries.alpha[q] * fine +
                                   queries.beta[q] * (record.fine_length * record.length[place]) +
                                   queries.omega[q]);
      if (::asof::quantized::biased_bound(scan, q, each.row, upper) < scan.thresholds[q]) continue;
      room[candidate_count++] = {each.query, each.row, value, upper};
    }
    pending_count = 0;
    if (candidate_count + sizeof(pending) / sizeof(Pending) > sizeof(room) / sizeof(PanelSurvivor))
      flush();
  }

  void flush() {
    if (candidate_count > 0) scan.take(scan.context, room, candidate_count);
    candidate_count = 0;
  }

  /// Adds rows of a panel that pass the first plane for a query.
  __attribute__((noinline)) void keep(std::size_t query, std::size_t panel, unsigned passing_rows,
                                      const std::int32_t* sums) {
    if (pending_count + panel_rows > sizeof(pending) / sizeof(Pending)) refine();
    prefetch(&rows.records[panel]);
    for (unsigned passing = passing_rows & considered(panel); passing != 0;
         passing &= passing - 1) {
      const unsigned place = static_cast<unsigned>(__builtin_ctz(passing));
      const std::size_t row = panel * panel_rows + place;
      const std::uint8_t* second = second_plane(rows, row);
      for (std::size_t at = 0; at < 32 * units(rows.d); at += line_bytes)
        __builtin_prefetch(second + at, 0, 3);
      pending[pending_count++] = {static_cast<std::uint32_t>(query),
                                  static_cast<std::uint32_t>(row), sums[place]};
    }
  }
};

/// Tests a panel of a block by its first plane.
template <int Q, int P>
ASOF_INLINE void test(Sink& sink, const Block<Q, P>& block, std::size_t first, std::size_t place,
                      std::size_t panel) {
  const PanelRecord& record = sink.rows.records[panel];
  const Queries& queries = sink.queries;
  repeat<Q>([&](auto q) ASOF_INLINE_LAMBDA {
    const std::size_t query = first + q();
    if (Q > 1 && query >= queries.nq) return;
    const Lanes threshold = spread(sink.scan.thresholds[query]);
    unsigned passing = 0;
    repeat<pieces>([&](auto v) ASOF_INLINE_LAMBDA {
      constexpr std::size_t at = v() * width;
      const Groups halves = (reinterpret_cast<Groups>(block.sums[q()][place][v()]) << 5) -
                            spread_group(241u * static_cast<std::uint32_t>(queries.sum[query]));
      const Lanes product = spread(queries.shift[query]) +
                            __builtin_convertvector(reinterpret_cast<Masks>(halves), Lanes) *
                                load(record.scale + at) * spread(queries.scale[query] * 0.5f);
      const Lanes error = spread(queries.alpha[query]) * load(record.error + at) +
                          spread(queries.beta[query]) * load(record.length + at) +
                          spread(queries.omega[query]);
      Lanes upper = product + error;
      if (sink.scan.row_bias != nullptr)
        upper = with_bias(upper, bias_of_rows(sink.scan, sink.rows.n, panel, v()) *
                                     spread(sink.scan.bias_weights[query]));
      passing |= bits(~(upper < threshold)) << at;
    });
    if (__builtin_expect(passing != 0, 0))
      sink.keep(query, panel, passing,
                reinterpret_cast<const std::int32_t*>(&block.sums[q()][place]));
  });
}

template <int Q, int P>
void survivors_of(Sink& sink) {
  const std::size_t plane = 512 * units(sink.rows.d), ahead_panels = ahead_bytes / plane + 1;
  for (std::size_t from = sink.scan.first_panel; from < sink.scan.last_panel;
       from += stretch_panels) {
    const std::size_t to = smaller(from + stretch_panels, sink.scan.last_panel);
    for (std::size_t first = 0; first < sink.queries.nq; first += Q) {
      for (std::size_t panel = from; panel < to;) {
        std::size_t panels[P], count = 0;
        const std::uint8_t *planes[P], *ahead[P] = {};
        for (; panel < to && count < P; ++panel) {
          if (sink.considered(panel) == 0) continue;
          planes[count] = first_plane(sink.rows, panel);
          const std::size_t next = panel + ahead_panels;
          if (first == 0 && next < sink.scan.last_panel && sink.considered(next) != 0) {
            ahead[count] = first_plane(sink.rows, next);
            for (int field = 1; field < 4; ++field)
              prefetch(reinterpret_cast<const std::uint8_t*>(&sink.rows.records[next]) +
                       field * line_bytes);
          }
          panels[count++] = panel;
        }
        if (count == 0) break;
        for (std::size_t p = count; p < P; ++p) planes[p] = planes[0];
        Block<Q, P> block;
        block.multiply(planes, sink.queries, first, ahead);
        for (std::size_t p = 0; p < count; ++p) test(sink, block, first, p, panels[p]);
      }
    }
  }
  sink.refine();
  sink.flush();
}

void survivors(const Rows& rows, const Queries& queries, const Scan& scan) {
  if (rows.n == 0 || queries.nq == 0) return;
  Scan within = scan;
  within.last_panel = smaller(scan.last_panel, (rows.n + panel_rows - 1) / panel_rows);
  Sink sink(rows, queries, within);
  if (queries.nq == 1) return survivors_of<1, 1>(sink);
  if constexpr (most_queries >= 4) {
    if (queries.nq > 4 && most_queries >= 8) return survivors_of<most_queries, most_panels>(sink);
    if (queries.nq > 2) return survivors_of<4, 1>(sink);
  }
  survivors_of<2, 1>(sink);
}

void products(const Rows& rows, const Queries& queries, PanelRange range, float* out,
              std::size_t ldo) {
  const auto [first, last] = range;
  const Scan scan = {first, last, nullptr, nullptr, nullptr, nullptr};
  const Sink sink(rows, queries, scan);
  for (std::size_t panel = first; panel < last && panel * panel_rows < rows.n; ++panel) {
    for (std::size_t query = 0; query < queries.nq; ++query) {
      Block<1, 1> block;
      const std::uint8_t *plane[] = {first_plane(rows, panel)}, *none[] = {nullptr};
      block.multiply(plane, queries, query, none);
      const std::int32_t* sums = reinterpret_cast<const std::int32_t*>(&block.sums[0]);
      for (std::size_t place = 0; place < panel_rows && panel * panel_rows + place < rows.n;
           ++place) {
        const std::size_t row = panel * panel_rows + place;
        out[query * ldo + row - first * panel_rows] = sink.product(
            rows.records[panel],
            {static_cast<std::uint32_t>(query), static_cast<std::uint32_t>(row), sums[place]});
      }
    }
  }
}

typedef std::uint32_t Four __attribute__((vector_size(16)));
typedef std::uint32_t LooseFour __attribute__((vector_size(16), aligned(1), may_alias));

/// Four words of four rows, `stride` bytes apart, as four rows of 16 words.
ASOF_INLINE void turn_four(const std::uint8_t* from, std::size_t stride, std::uint32_t* to) {
  const Four a = *reinterpret_cast<const LooseFour*>(from),
             b = *reinterpret_cast<const LooseFour*>(from + stride);
  const Four c = *reinterpret_cast<const LooseFour*>(from + 2 * stride),
             d = *reinterpret_cast<const LooseFour*>(from + 3 * stride);
  const Four low = __builtin_shufflevector(a, b, 0, 4, 1, 5),
             high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Four low2 = __builtin_shufflevector(c, d, 0, 4, 1, 5),
             high2 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  *reinterpret_cast<LooseFour*>(to) = __builtin_shufflevector(low, low2, 0, 1, 4, 5);
  *reinterpret_cast<LooseFour*>(to + 16) = __builtin_shufflevector(low, low2, 2, 3, 6, 7);
  *reinterpret_cast<LooseFour*>(to + 32) = __builtin_shufflevector(high, high2, 0, 1, 4, 5);
  *reinterpret_cast<LooseFour*>(to + 48) = __builtin_shufflevector(high, high2, 2, 3, 6, 7);
}

void unpack(const Rows& rows, std::size_t first_panel, std::size_t last_panel, std::uint8_t* out,
            PanelRecord* records) {
  const std::size_t count = units(rows.d), stride = 32 * count;
  for (std::size_t panel = first_panel; panel < last_panel; ++panel, ++records) {
    const std::uint8_t *first = first_plane(rows, panel),
                       *second = second_plane(rows, panel * panel_rows);
    for (std::size_t unit = 0; unit < count;
         ++unit, first += 8 * line_bytes, second += 32, out += 16 * line_bytes) {
      alignas(line_bytes)
          std::uint32_t words[8][panel_rows];  // of the second plane, by word and row
      for (std::size_t r = 0; r < panel_rows; r += 4) {
        turn_four(second + r * stride, stride, &words[0][r]);
        turn_four(second + r * stride + 16, stride, &words[4][r]);
      }
      repeat<8>([&](auto w) ASOF_INLINE_LAMBDA {
        repeat<pieces>([&](auto v) ASOF_INLINE_LAMBDA {
          constexpr std::size_t at = v() * width * 4;
          // Word w holds the lower halves of group w and the upper ones' of group w + 8; of the
          // first plane, line g has groups 2 g and 2 g + 1.
          auto upper = [&](std::size_t group) ASOF_INLINE_LAMBDA {
            const Groups line = load_groups(first + group / 2 * line_bytes + at);
            return ((group % 2 == 0 ? line << 4 : line) & 0xf0f0f0f0u) ^ 0x80808080u;
          };
          const Groups lower = load_groups(reinterpret_cast<const std::uint8_t*>(words[w()]) + at);
          *reinterpret_cast<LooseGroups*>(out + w() * line_bytes + at) =
              upper(w()) | (lower & 0x0f0f0f0fu);
          *reinterpret_cast<LooseGroups*>(out + (w() + 8) * line_bytes + at) =
              upper(w() + 8) | (lower >> 4 & 0x0f0f0f0fu);
        });
      });
    }
    ::asof::int4::whole_record(rows.records[panel], *records);
  }
}

}  // namespace

extern const ::asof::int4::Kernels kernels;
const ::asof::int4::Kernels kernels = {products, survivors, unpack};

}  // namespace asof::ASOF_LEVEL::int4
