// See isa_system.hpp.
#include "core/isa_system.hpp"

#include <sys/sysctl.h>

#include <cstddef>

namespace asof {
namespace {

bool says(const char* name) {
  int value = 0;
  std::size_t bytes = sizeof value;
  return sysctlbyname(name, &value, &bytes, nullptr, 0) == 0 && value != 0;
}

}  // namespace

#if defined(__x86_64__)
bool system_saves_avx512_on_use() {
  return says("hw.optional.avx512f");
}

bool system_grants_tiles() {
  return false;
}
#elif defined(__aarch64__)
bool system_has_dot_products() {
  return says("hw.optional.arm.FEAT_DotProd");
}
#endif

}  // namespace asof
