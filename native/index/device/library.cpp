// See library.hpp.
#include "index/device/library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <mutex>
#include <string>

#include "core/error.hpp"

namespace asof {
namespace {

[[noreturn]] void unavailable(const std::string& text) { throw Error("ERR_DEVICE_UNAVAILABLE", text); }

std::filesystem::path own_path() {
  Dl_info info;
  return dladdr(reinterpret_cast<const void*>(&own_path), &info) != 0 && info.dli_fname != nullptr ? std::filesystem::path(info.dli_fname) : std::filesystem::path();
}

/// The table, once it is known to be of this version.
const cuda::Interface* opened() {
  const std::filesystem::path path = cuda_library_path();
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    unavailable("Expected asof's CUDA library at " + path.string() + ", found no such file. Build it where nvcc is with: npm run build:cuda. Or leave out device.");
  }
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) unavailable("Expected asof's CUDA library to load, received: " + std::string(dlerror()) + ".");
  const auto table_of = reinterpret_cast<const cuda::Interface* (*)()>(dlsym(library, "asof_cuda_interface"));
  if (table_of == nullptr) unavailable("Expected " + path.string() + " to be asof's CUDA library; it has no asof_cuda_interface.");
  const cuda::Interface* table = table_of();
  if (table->version == cuda::interface_version && table->bytes == sizeof(cuda::Interface)) return table;
  unavailable("Expected a CUDA library of interface " + std::to_string(cuda::interface_version) + ", received one of " + std::to_string(table->version) +
              " (" + path.string() + "). Build it again with: npm run build:cuda.");
}

}  // namespace

std::filesystem::path cuda_library_path() {
  const char* given = std::getenv("ASOF_CUDA_LIBRARY");
  return given != nullptr && *given != 0 ? std::filesystem::path(given) : own_path().parent_path() / "asof_cuda.so";
}

const cuda::Interface& cuda_library() {
  static std::mutex mutex;
  static const cuda::Interface* table = nullptr;
  const std::lock_guard lock(mutex);
  if (table == nullptr) table = opened();
  return *table;
}

void refuse_device(const cuda::Failure& failure) {
  switch (failure.cause) {
    case cuda::Cause::aborted: throw Error("ERR_ABORTED", "The operation was aborted by its signal.");
    case cuda::Cause::memory: throw Error("ERR_OUT_OF_MEMORY", failure.text);
    case cuda::Cause::argument: throw Error("ERR_INVALID_ARGUMENT", failure.text);
    default: throw Error("ERR_DEVICE_UNAVAILABLE", failure.text);
  }
}

}  // namespace asof
