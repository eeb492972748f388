// Products and survivors by blocks in registers. Compiled once a level; see contract.hpp.
#include "kernels/quantized/blocks.hpp"

namespace asof::ASOF_LEVEL::quantized {
namespace {

template <typename Arithmetic>
void products_by_blocks(const Rows& rows, const Queries& queries, std::size_t first, std::size_t last, float* out, std::size_t ldo) {
  with_block<most_block_queries>(queries.nq, [&](auto q) ASOF_INLINE_LAMBDA {
    products_of<Arithmetic, q(), block_panels(q())>(rows, queries, first, last, out, ldo);
  });
}

void products(const Rows& rows, const Queries& queries, std::size_t first, std::size_t last, float* out, std::size_t ldo) {
  if (first >= last || first * panel_rows >= rows.n) return;
  if (rows.storage == Storage::int8) products_by_blocks<Int8>(rows, queries, first, last, out, ldo);
  else products_by_blocks<Bf16>(rows, queries, first, last, out, ldo);
}

void survivors(const Rows& rows, const Queries& queries, const Scan& scan) {
  Sink sink(rows, queries, scan);
  for (std::size_t first = 0; first < queries.nq; first += chunk_queries) {
    sink.first_query = first;
    sink.query_count = smaller(chunk_queries, queries.nq - first);
    read_thresholds(sink.coarse, queries, first, sink.query_count, scan.thresholds);
    if (rows.storage == Storage::int8) chunk_by_blocks<Int8>(sink);
    else chunk_by_blocks<Bf16>(sink);
  }
  sink.hand_over();
}

}  // namespace

extern const ::asof::quantized::Kernels kernels;
const ::asof::quantized::Kernels kernels = {products, survivors};

}  // namespace asof::ASOF_LEVEL::quantized
