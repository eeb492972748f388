// What the allocator keeps of freed memory for each thread that freed it, given back to the system:
// searches run on several threads in turn, and lists of tens of megabytes would stay once for each
// of them. Nothing where the allocator has no such call.
#pragma once

#include <cstddef>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace asof {

/// Takes a millisecond or two, and the next use of the pages as long again: for who freed much.
inline void trim_allocator() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace asof
