// Functions of Node-API, which the program has that loads the addon.
#pragma once

namespace asof::boundary {

/// One that the program lacks, which is older than Node-API 8 then; null if it has all.
const char* missing_node_function();

}  // namespace asof::boundary
