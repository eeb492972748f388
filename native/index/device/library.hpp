// The CUDA library beside the addon: opened when a device is first asked for, its interface checked before anything of it is called. Without the library,
// or with one of another version, every device is unavailable, and the reason is in the error; nothing else changes.
#pragma once

#include <filesystem>

#include "cuda/interface.hpp"

namespace asof {

/// Where it is looked for: ASOF_CUDA_LIBRARY, or asof_cuda.so (.dll) beside the file that holds this code.
std::filesystem::path cuda_library_path();

/// Opens it once; throws ERR_DEVICE_UNAVAILABLE with the reason, again at every call, where it cannot be had.
const cuda::Interface& cuda_library();

/// Throws what a call of the library says went wrong.
[[noreturn]] void refuse_device(const cuda::Failure& failure);

}  // namespace asof
