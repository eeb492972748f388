// See isa_system.hpp.
#include "core/isa_system.hpp"

#include "core/windows/system.hpp"

namespace asof {

#if defined(__x86_64__)
bool system_saves_avx512_on_use() {
  return false;
}

bool system_grants_tiles() {
  return false;  // never asked for: no such machine to try it on
}
#elif defined(__aarch64__)
bool system_has_dot_products() {
  constexpr DWORD dot_products = 43;  // PF_ARM_V82_DP_INSTRUCTIONS_AVAILABLE
  return ::IsProcessorFeaturePresent(dot_products) != 0;
}
#endif

}  // namespace asof
