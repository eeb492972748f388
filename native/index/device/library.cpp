// See library.hpp.
#include "index/device/library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include "core/error.hpp"

namespace asof {
namespace {

[[noreturn]] void unavailable(const std::string& text, const char* remedy) {
  throw Error("ERR_DEVICE_UNAVAILABLE",
              text + " " + remedy + " Or search on the CPU: leave out device.");
}

constexpr const char* build_it = "Build it where nvcc is, as docs/cuda.md says.";

std::filesystem::path own_path() {
  Dl_info info;
  return dladdr(reinterpret_cast<const void*>(&own_path), &info) != 0 && info.dli_fname != nullptr
             ? std::filesystem::path(info.dli_fname)
             : std::filesystem::path();
}

/// The table, once it is known to be of this version.
const cuda::Interface* opened(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    unavailable("Expected asof's CUDA library at " + path.string() + ", found no such file.",
                build_it);
  }
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    unavailable("Expected asof's CUDA library to load, received: " + std::string(dlerror()) + ".",
                build_it);
  const auto table_of =
      reinterpret_cast<const cuda::Interface* (*)()>(dlsym(library, "asof_cuda_interface"));
  if (table_of == nullptr)
    unavailable("Expected " + path.string() +
                    " to be asof's CUDA library, found no asof_cuda_interface in it.",
                build_it);
  const cuda::Interface* table = table_of();
  if (table->version == cuda::interface_version && table->bytes == sizeof(cuda::Interface))
    return table;
  const auto described = [](std::uint32_t version, std::uint32_t bytes) {
    return std::to_string(version) + " (" + std::to_string(bytes) + " bytes)";
  };
  unavailable("Expected asof's CUDA library of interface " +
                  described(cuda::interface_version, sizeof(cuda::Interface)) +
                  ", received one of " + described(table->version, table->bytes) + " at " +
                  path.string() + ": it belongs to another version of asof.",
              build_it);
}

}  // namespace

std::filesystem::path cuda_library_path() {
  const char* given = std::getenv("ASOF_CUDA_LIBRARY");
  if (given == nullptr || *given == 0) return own_path().parent_path() / "asof_cuda.so";
  return std::filesystem::absolute(
      given);  // a bare name would be looked for where the system keeps its libraries
}

const cuda::Interface& cuda_library() {
  static std::mutex mutex;
  static auto* tables = new std::map<std::filesystem::path,
                                     const cuda::Interface*>;  // a library once opened stays so
  const std::filesystem::path path = cuda_library_path();
  const std::lock_guard lock(mutex);
  const auto known = tables->find(path);
  return *(known != tables->end() ? known : tables->emplace(path, opened(path)).first)->second;
}

std::uint32_t device_count(const cuda::Interface& library) {
  cuda::Failure failure;
  std::uint32_t count = 0;
  if (!library.count(&count, &failure)) refuse_device(failure);
  if (count > 0) return count;
  failure = {cuda::Cause::unavailable, "Expected a CUDA device, found none."};
  refuse_device(failure);
}

void refuse_device(const cuda::Failure& failure) {
  switch (failure.cause) {
    case cuda::Cause::aborted:
      throw Error("ERR_ABORTED", "The operation was aborted by its signal.");
    case cuda::Cause::argument:
      throw Error("ERR_INVALID_ARGUMENT", failure.text);
    case cuda::Cause::memory:
      unavailable(failure.text,
                  "Close what else is open on it, or take a device with more memory.");
    case cuda::Cause::unavailable:
      unavailable(failure.text, "Take a machine with an NVIDIA device and a driver for it.");
    default:
      unavailable(
          failure.text,
          "Start the process again; if that does not help, the device or its driver is at fault.");
  }
}

}  // namespace asof
