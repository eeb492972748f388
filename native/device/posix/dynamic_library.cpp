// See dynamic_library.hpp.
#include "device/dynamic_library.hpp"

#include <dlfcn.h>

namespace asof {

const char* const cuda_library_name = "asof_cuda.so";

std::filesystem::path own_path() {
  Dl_info info;
  return dladdr(reinterpret_cast<const void*>(&own_path), &info) != 0 && info.dli_fname != nullptr
             ? std::filesystem::path(info.dli_fname)
             : std::filesystem::path();
}

void* open_library(const std::filesystem::path& path, std::string& failure) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) failure = dlerror();
  return library;
}

void* function_of(void* library, const char* name) {
  return dlsym(library, name);
}

}  // namespace asof
