// Return of the allocator's free memory to the system (malloc_trim): per-thread arenas would keep
// tens of megabytes each after a search.
#pragma once

#include <cstddef>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace asof {

/// Takes a millisecond or two, and as long at the next use of the pages: for callers that freed
/// much.
inline void trim_allocator() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace asof
