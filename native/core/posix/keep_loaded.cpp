// See keep_loaded.hpp.
#include "core/keep_loaded.hpp"

#include <dlfcn.h>

namespace asof {

void keep_loaded() {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&keep_loaded), &info) != 0 && info.dli_fname != nullptr)
    dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

}  // namespace asof
