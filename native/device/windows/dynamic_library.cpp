// See dynamic_library.hpp.
#include "device/dynamic_library.hpp"

#include "core/windows/system.hpp"

namespace asof {

const char* const cuda_library_name = "asof_cuda.dll";

std::filesystem::path own_path() {
  HMODULE module = nullptr;
  wchar_t path[32768];
  if (!::GetModuleHandleExW(
          GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
          reinterpret_cast<const wchar_t*>(&own_path), &module))
    return {};
  const DWORD length = ::GetModuleFileNameW(module, path, 32768);
  return std::wstring(path, length);
}

void* open_library(const std::filesystem::path& path, std::string& failure) {
  // Its dependencies are looked for next to it too.
  const HMODULE library = ::LoadLibraryExW(
      path.c_str(), nullptr, LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR | LOAD_LIBRARY_SEARCH_DEFAULT_DIRS);
  if (library == nullptr) failure = "error " + std::to_string(last_error());
  return reinterpret_cast<void*>(library);
}

void* function_of(void* library, const char* name) {
  return reinterpret_cast<void*>(::GetProcAddress(reinterpret_cast<HMODULE>(library), name));
}

}  // namespace asof
