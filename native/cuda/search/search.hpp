// Search of resident segments, those of one device: chunks of rows are multiplied by the queries,
// rows whose certified best reaches a query's threshold join its list, lists are cut back after
// each chunk, and what is left at the end is scored by its f32 vectors. It hands over a superset of
// each query's best k with scores that have the host's bits; ordering them, with ties, is the
// host's.
#pragma once

#include "cuda/search/resident.hpp"

namespace asof::cuda {

void search(Device& device, const SearchRequest& asked, const ResultSink& found);

}  // namespace asof::cuda
