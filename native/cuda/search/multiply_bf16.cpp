// Products of bf16 panels. See multiply.hpp.
#include "cuda/search/multiply_panels.hpp"

namespace asof::cuda {

void multiply_bf16(Device& device, const products::Pass& pass,
                   const products::Collecting& survivors) {
  multiply_panels<false>(device, pass, survivors);
}
void lay_bf16(Device& device, const products::Pass& pass, const products::Laying& laying) {
  multiply_wide<false>(device, pass, laying);
}

}  // namespace asof::cuda
