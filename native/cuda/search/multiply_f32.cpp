// Products of f32 vectors. See multiply.hpp.
#include <algorithm>

#include "cuda/search/multiply.hpp"

namespace asof::cuda {
namespace {

template <int columns>
void start(Device& device, const products::FloatPass& pass,
           const products::SurvivorCollector& survivors) {
  const auto kernel = products::floats<columns, products::SurvivorCollector>;
  const std::uint32_t needed =
      (pass.last_row - pass.first_row + products::float_rows - 1) / products::float_rows;
  const std::uint32_t most = static_cast<std::uint32_t>(device.properties.multiProcessorCount) *
                             blocks_at_once(kernel, products::float_threads, 0);
  const dim3 blocks(std::min(most, needed), (pass.queries.nq + 16 * columns - 1) / (16 * columns));
  check(launch({blocks, dim3(products::float_threads), 0, device.stream}, kernel, pass, survivors),
        "to multiply");
}

}  // namespace

void multiply_f32(Device& device, const products::FloatPass& pass,
                  const products::SurvivorCollector& survivors) {
  if (pass.queries.nq <= 16)
    start<1>(device, pass, survivors);
  else
    start<4>(device, pass, survivors);
}

}  // namespace asof::cuda
