// Prefetching of lines of memory. Included by sources compiled once per level.
#pragma once

#include "core/lanes.hpp"
#include "kernels/quantized/contract.hpp"

namespace asof::ASOF_LEVEL::quantized {
namespace {

/// Asks for lines that come later, a share at a time, so that memory works while registers do: into
/// the second-level cache, since the first has no room for what is at hand and what comes next.
struct Prefetcher {
  std::uintptr_t next;
  std::size_t lines;
  ASOF_INLINE void fetch() {
    for (std::size_t line = 0; line < lines; ++line) {
      __builtin_prefetch(reinterpret_cast<const void*>(next + line * ::asof::quantized::line_bytes),
                         0, 2);
    }
    next += lines * ::asof::quantized::line_bytes;
  }
};

}  // namespace
}  // namespace asof::ASOF_LEVEL::quantized
