// Thread pool of the process, created once. The calling thread takes part, so that nested calls and
// busy pools make progress.
#pragma once

#include <cstddef>
#include <functional>

// The pool is never destroyed: its threads may outlive the Node environment that started them, and
// joining them from a static destructor would hang a process that exits during a search.

namespace asof {

/// Threads that parallel work may use, the caller's included; at least 1. Default: ASOF_THREADS, or
/// the cores that the process may run on at the first call.
std::size_t thread_count();
/// Sets it; 0 restores the default. Running work keeps its width.
void set_thread_count(std::size_t count);

/// Calls body(task, lane) for every task in [0, tasks), each exactly once, on up to `width` threads
/// (0: thread_count()). `lane` is in [0, width) and no two calls with the same lane overlap, so it
/// may index scratch memory. Returns when all have run; the first exception thrown by a body is
/// rethrown after the others have stopped taking new tasks.
void parallel_for(std::size_t tasks, std::size_t width,
                  const std::function<void(std::size_t task, std::size_t lane)>& body);

}  // namespace asof
