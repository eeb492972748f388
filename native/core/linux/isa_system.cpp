// See isa_system.hpp.
#include "core/isa_system.hpp"

#if defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace asof {

#if defined(__x86_64__)
bool system_saves_avx512_on_use() {
  return false;
}

bool system_grants_tiles() {
  constexpr long request_permission = 0x1023,
                 tile_data = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
}
#elif defined(__aarch64__)
bool system_has_dot_products() {
  constexpr unsigned long dotprod = 1ul << 20;  // HWCAP_ASIMDDP
  return (getauxval(AT_HWCAP) & dotprod) != 0;
}
#endif

}  // namespace asof
