// See isa_system.hpp.
#include "core/isa_system.hpp"

#if defined(__x86_64__)
#include <sys/sysctl.h>

#include <cstddef>
#endif

namespace asof {

#if defined(__x86_64__)
bool system_saves_avx512_on_use() {
  int value = 0;
  std::size_t bytes = sizeof value;
  return sysctlbyname("hw.optional.avx512f", &value, &bytes, nullptr, 0) == 0 && value != 0;
}

bool system_grants_tiles() {
  return false;
}
#elif defined(__aarch64__)
bool system_has_dot_products() {
  return true;  // every processor of Apple's for computers
}
#endif

}  // namespace asof
