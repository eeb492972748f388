// Products of bf16 panels. See multiply.hpp.
#include "cuda/search/multiply_panels.hpp"

namespace asof::cuda {

void multiply_bf16(Device& device, const products::Pass& pass,
                   const products::SurvivorCollector& survivors) {
  multiply_panels<false>(device, pass, survivors);
}
void store_bounds_bf16(Device& device, const products::Pass& pass,
                       const products::BoundStore& store) {
  multiply_wide<false>(device, pass, store);
}

}  // namespace asof::cuda
