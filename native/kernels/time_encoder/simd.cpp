// Sums of table rows by vectors of floats.
#include "kernels/time_encoder/contract.hpp"

#include "core/lanes.hpp"

namespace asof::ASOF_LEVEL::time_encoder {
namespace {

using ::asof::time_encoder::components;
using ::asof::time_encoder::none;
using ::asof::time_encoder::Sums;

ASOF_INLINE Lanes rectify(Lanes value) {
  return value < 0 ? Lanes{} : value;
}

void sums(const Sums& sums, float* out) {
  for (std::size_t i = 0; i < sums.n; ++i, out += sums.width) {
    const float* terms[components];
    int count = 0;
    for (std::size_t k = 0; k < components; ++k) {
      if (sums.rows[k][i] != none) terms[count++] = sums.tables[k] + sums.rows[k][i] * sums.width;
    }
    std::size_t c = 0;
    for (; c + width <= sums.width; c += width) {
      Lanes value = load(sums.bias + c);
      for (int t = 0; t < count; ++t) value += load(terms[t] + c);
      store(out + c, sums.rectified ? rectify(value) : value);
    }
    if (std::size_t rest = sums.width - c; rest > 0) {
      Lanes value = load_first(sums.bias + c, rest);
      for (int t = 0; t < count; ++t) value += load_first(terms[t] + c, rest);
      store_first(out + c, sums.rectified ? rectify(value) : value, rest);
    }
  }
}

}  // namespace

extern const ::asof::time_encoder::Kernels kernels;
const ::asof::time_encoder::Kernels kernels = {sums};

}  // namespace asof::ASOF_LEVEL::time_encoder
