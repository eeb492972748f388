// Summation order of inner products at a level, for devices (cuda::Summing): the lane count, plus
// 0x100 where multiply-adds are fused; 1 for the reference. Compared by
// test/native/cuda/search.cpp.
#pragma once

#include <cstdint>

#include "core/isa.hpp"

namespace asof::inner_product {

inline std::uint32_t summing_of(Isa level) {
  switch (level) {
    case Isa::reference:
      return 1;
    case Isa::x86_64_v2:
      return 4;
    case Isa::x86_64_v3:
      return 0x108;
    case Isa::portable:
    case Isa::portable_dotprod:
#if defined(__aarch64__)
      return 0x104;
#else
      return 4;
#endif
    default:
      return 0x110;
  }
}

}  // namespace asof::inner_product
