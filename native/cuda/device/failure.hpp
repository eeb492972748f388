// What a device refuses, as an exception within the library; library.cpp turns it into a Failure at
// its edge.
#pragma once

#include <stdexcept>
#include <string>

#include "cuda/target.hpp"
#include "device/interface.hpp"

namespace asof::cuda {

class Refusal : public std::runtime_error {
 public:
  Refusal(Cause cause, const std::string& text) : std::runtime_error(text), cause(cause) {}
  Cause cause;
};

/// Throws where a call of the runtime failed; `doing` ends the sentence "The device refused ...".
inline void check(cudaError_t error, const char* doing) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // the runtime remembers it, and whoever starts a kernel next would be told
  const Cause cause = error == cudaErrorMemoryAllocation ? Cause::memory : Cause::failed;
  throw Refusal(
      cause, std::string("The device refused ") + doing + ": " + cudaGetErrorString(error) + ".");
}

}  // namespace asof::cuda
