// See library.hpp.
#include "device/library.hpp"

#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include "core/error.hpp"
#include "core/path_text.hpp"
#include "device/dynamic_library.hpp"

namespace asof {
namespace {

[[noreturn]] void unavailable(const std::string& text, const char* remedy) {
  throw Error("ERR_DEVICE_UNAVAILABLE",
              text + " " + remedy + " Or search on the CPU: omit device.");
}

constexpr const char* build_remedy = "Build it on a machine with nvcc, see docs/cuda.md.";

/// Opens the library at `path` and checks its interface version.
const cuda::Interface* checked_library(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    unavailable("Expected asof's CUDA library at " + text_of(path) + ", found no such file.",
                build_remedy);
  }
  std::string failure;
  void* library = open_library(path, failure);
  if (library == nullptr)
    unavailable("Expected asof's CUDA library to load, received: " + failure + ".", build_remedy);
  const auto table_of =
      reinterpret_cast<const cuda::Interface* (*)()>(function_of(library, "asof_cuda_interface"));
  if (table_of == nullptr)
    unavailable("Expected " + text_of(path) +
                    " to be asof's CUDA library, found no asof_cuda_interface in it.",
                build_remedy);
  const cuda::Interface* table = table_of();
  if (table->version == cuda::interface_version && table->bytes == sizeof(cuda::Interface))
    return table;
  const auto described = [](std::uint32_t version, std::uint32_t bytes) {
    return std::to_string(version) + " (" + std::to_string(bytes) + " bytes)";
  };
  unavailable("Expected asof's CUDA library of interface " +
                  described(cuda::interface_version, sizeof(cuda::Interface)) +
                  ", received one of " + described(table->version, table->bytes) + " at " +
                  text_of(path) + ": it belongs to another version of asof.",
              build_remedy);
}

}  // namespace

std::filesystem::path cuda_library_path() {
  const char* value = std::getenv("ASOF_CUDA_LIBRARY");
  if (value != nullptr && *value != 0)
    return std::filesystem::absolute(value);  // a bare name is searched in system folders
  const std::filesystem::path folder = own_path().parent_path();
  // @asof/linux-x64-cuda next to @asof/linux-x64, whose prebuilds/linux-x64 has the addon
  std::filesystem::path package = folder.parent_path().parent_path();
  package += "-cuda";
  std::error_code ignored;
  const bool is_installed = std::filesystem::exists(package / cuda_library_name, ignored);
  return (is_installed ? package : folder) / cuda_library_name;
}

const cuda::Interface& cuda_library() {
  static std::mutex mutex;
  // Never closed: a library stays loaded until the process ends.
  static auto* tables = new std::map<std::filesystem::path, const cuda::Interface*>;
  const std::filesystem::path path = cuda_library_path();
  const std::lock_guard lock(mutex);
  const auto known = tables->find(path);
  return *(known != tables->end() ? known : tables->emplace(path, checked_library(path)).first)
              ->second;
}

std::uint32_t device_count(const cuda::Interface& library) {
  cuda::Failure failure;
  std::uint32_t count = 0;
  if (!library.count(&count, &failure)) throw_device_error(failure);
  if (count > 0) return count;
  failure = {cuda::Cause::unavailable, "Expected a CUDA device, found none."};
  throw_device_error(failure);
}

void throw_device_error(const cuda::Failure& failure) {
  switch (failure.cause) {
    case cuda::Cause::aborted:
      throw Error("ERR_ABORTED", "The operation was aborted by its signal.");
    case cuda::Cause::argument:
      throw Error("ERR_INVALID_ARGUMENT", failure.text);
    case cuda::Cause::memory:
      unavailable(failure.text, "Free memory of the device, or use one with more.");
    case cuda::Cause::unavailable:
      unavailable(failure.text, "Use a machine with an NVIDIA device and its driver.");
    default:
      unavailable(failure.text,
                  "Restart the process; if the failure persists, check the device and its driver.");
  }
}

}  // namespace asof
