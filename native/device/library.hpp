// Loader of asof_cuda, the CUDA library next to the addon: opened at the first use of a device, its
// interface version checked before any call. A missing or incompatible library makes every device
// unavailable; searches on the CPU are unaffected.
#pragma once

#include <filesystem>

#include "device/interface.hpp"

namespace asof {

/// An open device and the library that opened it.
struct DeviceHandle {
  const cuda::Interface* library = nullptr;
  cuda::Device* device = nullptr;
};

/// ASOF_CUDA_LIBRARY, or asof_cuda.so (.dll on Windows) in the addon's folder or in that of the
/// same name with "-cuda", which is its package.
std::filesystem::path cuda_library_path();

/// The library, opened once per path. Throws ERR_DEVICE_UNAVAILABLE at every call that fails. Call
/// it off the JS thread.
const cuda::Interface& cuda_library();

/// Number of devices, >= 1; throws ERR_DEVICE_UNAVAILABLE if there is none.
std::uint32_t device_count(const cuda::Interface& library);

/// Throws the asof::Error that corresponds to a library failure.
[[noreturn]] void throw_device_error(const cuda::Failure& failure);

}  // namespace asof
