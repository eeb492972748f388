// The CUDA library beside the addon: opened when a device is first asked for, its interface checked
// before anything of it is called. Without the library, or with one of another version, every
// device is unavailable, and the reason is in the error; nothing else changes.
#pragma once

#include <filesystem>

#include "cuda/interface.hpp"

namespace asof {

/// Where it is looked for: ASOF_CUDA_LIBRARY, or asof_cuda.so beside the file that holds this code
/// (the addon).
std::filesystem::path cuda_library_path();

/// Opens it once; throws ERR_DEVICE_UNAVAILABLE with the reason, at every call anew, where it
/// cannot be had. Off the JS thread.
const cuda::Interface& cuda_library();

/// How many devices the library has, from 1; throws ERR_DEVICE_UNAVAILABLE with the reason where it
/// has none.
std::uint32_t device_count(const cuda::Interface& library);

/// Throws what a call of the library says went wrong.
[[noreturn]] void refuse_device(const cuda::Failure& failure);

}  // namespace asof
