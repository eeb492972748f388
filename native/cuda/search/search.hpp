// Search of segments resident on one device. Rows are multiplied by the queries pass by pass; rows
// whose certified upper bound reaches the threshold of a query become candidates, candidate lists
// are pruned after each pass, and the remaining candidates are rescored with their f32 vectors.
#pragma once

#include "cuda/search/device_segment.hpp"

namespace asof::cuda {

/// Emits a superset of the k best rows of each query, with scores bit-identical to the host's. The
/// host orders them and breaks ties.
void search(Device& device, const SearchRequest& request, const ResultSink& sink);

}  // namespace asof::cuda
