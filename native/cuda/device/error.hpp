// Exception of the library's internals; library.cpp converts it to a Failure.
#pragma once

#include <stdexcept>
#include <string>

#include "cuda/target.hpp"
#include "device/interface.hpp"

namespace asof::cuda {

class DeviceError : public std::runtime_error {
 public:
  DeviceError(Cause cause, const std::string& text) : std::runtime_error(text), cause(cause) {}
  Cause cause;
};

/// Throws if a call of the CUDA runtime failed; `action` ends the sentence "The device refused
/// ...".
inline void check(cudaError_t error, const char* action) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // clears the error, which the next launch would report again
  const Cause cause = error == cudaErrorMemoryAllocation ? Cause::memory : Cause::failed;
  throw DeviceError(
      cause, std::string("The device refused ") + action + ": " + cudaGetErrorString(error) + ".");
}

}  // namespace asof::cuda
