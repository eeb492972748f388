// See node_api.hpp: the dynamic linker finds them, or refuses the addon with the name.
#include "boundary/node_api.hpp"

namespace asof::boundary {

const char* missing_node_function() {
  return nullptr;
}

}  // namespace asof::boundary
