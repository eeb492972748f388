// A stand-in for asof's CUDA library that has no device: it fails as ASOF_FAKE_CUDA says, with the
// causes that the real one has. device.test.ts compiles it against the real interface.
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "device/interface.hpp"

using namespace asof::cuda;

namespace {

std::string_view wanted() {
  const char* given = std::getenv("ASOF_FAKE_CUDA");
  return given == nullptr ? "" : given;
}

bool refused(Failure* failure, Cause cause, const char* text) {
  failure->cause = cause;
  std::strncpy(failure->text, text, sizeof failure->text - 1);
  return false;
}

bool count(std::uint32_t* devices, Failure* failure) {
  if (wanted() == "no driver")
    return refused(failure, Cause::unavailable, "Expected an NVIDIA driver, found none.");
  *devices = wanted() == "no device" ? 0 : 1;
  return true;
}

bool info(std::uint32_t, DeviceInfo* info, Failure*) {
  *info = {};
  std::strcpy(info->name, "no device at all");
  info->memory = 1000;
  info->major = 7;
  info->minor = 5;
  return true;
}

bool open(std::uint32_t, std::uint64_t, Device**, Failure* failure) {
  if (wanted() == "busy")
    return refused(failure, Cause::failed,
                   "The device refused to be opened: it is somebody's alone.");
  return refused(failure, Cause::memory,
                 "Expected room for 16777216 bytes of pinned memory, 1000 are left.");
}

Interface table;

}  // namespace

extern "C" __attribute__((visibility("default"))) const Interface* asof_cuda_interface() {
  table = {};
  table.version = interface_version + (wanted() == "other version" ? 7 : 0);
  table.bytes = sizeof(Interface);
  table.build = "a stand-in";
  table.count = count;
  table.info = info;
  table.open = open;
  return &table;
}
