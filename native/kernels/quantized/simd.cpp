// Products and survivors by register blocks, and by AMX tiles where available.
#if defined(__AMX_INT8__)
#include "kernels/quantized/tiles.hpp"
#else
#include "kernels/quantized/blocks.hpp"
#endif

namespace asof::ASOF_LEVEL::quantized {
namespace {

// Tiles work for 32 queries whatever their number, which memory hides; so all bf16 goes by tiles,
// and has the same bits in any company.
#if defined(__AMX_INT8__)
constexpr std::size_t most_int8_by_blocks = 4;
ASOF_INLINE bool by_tiles(Storage storage, std::size_t queries) {
  return storage == Storage::bf16 || queries > most_int8_by_blocks;
}
#endif

template <typename Arithmetic>
void products_by_blocks(const Rows& rows, const Queries& queries, PanelRange range, float* out,
                        std::size_t ldo) {
  with_block<most_block_queries>(queries.nq, [&](auto q) ASOF_INLINE_LAMBDA {
    products_of<Arithmetic, q(), block_panels(q())>(rows, queries, range, out, ldo);
  });
}

void products(const Rows& rows, const Queries& queries, PanelRange range, float* out,
              std::size_t ldo) {
  if (range.first >= range.last || range.first * panel_rows >= rows.n || queries.nq == 0) return;
#if defined(__AMX_INT8__)
  if (by_tiles(rows.storage, queries.nq)) {
    return rows.storage == Storage::int8 ? products_by_tiles<true>(rows, queries, range, out, ldo)
                                         : products_by_tiles<false>(rows, queries, range, out, ldo);
  }
#endif
  if (rows.storage == Storage::int8)
    products_by_blocks<Int8>(rows, queries, range, out, ldo);
  else
    products_by_blocks<Bf16>(rows, queries, range, out, ldo);
}

void chunk(Sink& sink) {
#if defined(__AMX_INT8__)
  if (by_tiles(sink.rows.storage, sink.query_count)) {
    const bool more = sink.scan.row_bias != nullptr;
    if (sink.rows.storage == Storage::int8)
      return more ? chunk_by_tiles<true, true>(sink) : chunk_by_tiles<true, false>(sink);
    return more ? chunk_by_tiles<false, true>(sink) : chunk_by_tiles<false, false>(sink);
  }
#endif
  if (sink.rows.storage == Storage::int8)
    chunk_by_blocks<Int8>(sink);
  else
    chunk_by_blocks<Bf16>(sink);
}

void survivors(const Rows& rows, const Queries& queries, const Scan& scan) {
  Sink sink(rows, queries, scan);
  for (std::size_t first = 0; first < queries.nq; first += chunk_queries) {
    sink.first_query = first;
    sink.query_count = smaller(chunk_queries, queries.nq - first);
    read_thresholds(sink.test, queries, first, sink.query_count, scan);
    chunk(sink);
  }
  sink.flush();
}

}  // namespace

extern const ::asof::quantized::Kernels kernels;
const ::asof::quantized::Kernels kernels = {products, survivors};

}  // namespace asof::ASOF_LEVEL::quantized
