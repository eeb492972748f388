// Keeps this code in memory: the pool's threads and handlers of faults outlive the environment that
// loaded the addon, and Node unloads the addons of a worker thread that ends.
#pragma once

namespace asof {

/// The library that has this function is not unloaded until the process ends.
void keep_loaded();

}  // namespace asof
