// See keep_loaded.hpp.
#include "core/keep_loaded.hpp"

#include "core/windows/system.hpp"

namespace asof {

void keep_loaded() {
  HMODULE module;
  ::GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
                       reinterpret_cast<const wchar_t*>(&keep_loaded), &module);
}

}  // namespace asof
