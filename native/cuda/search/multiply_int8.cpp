// Products of int8 panels. See multiply.hpp.
#include "cuda/search/multiply_panels.hpp"

namespace asof::cuda {

std::uint32_t pass_queries(const Device& device, std::uint32_t queries, std::uint32_t tiles) {
  for (std::uint32_t size = most_pass_queries; size >= quantized::panel_rows; size /= 2) {
    const std::uint32_t nq = std::min(size, std::max<std::uint32_t>(queries, 1));
    if (fitting_query_warps(device, nq, tiles, nq <= 64 ? 1 : nq <= 128 ? 2 : 4) > 0) return size;
  }
  return 0;
}

void multiply_int8(Device& device, const products::Pass& pass, const products::Collecting& survivors) { multiply_panels<true>(device, pass, survivors); }

}  // namespace asof::cuda
