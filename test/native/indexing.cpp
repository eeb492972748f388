// Passages that are indexed: the same columns on one thread and on several, and an abort that ends
// the reading.
#include "statements/indexing.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "check.hpp"
#include "core/threads.hpp"

using namespace asof;
using namespace asof::statements;

namespace {

constexpr double published = 1304380800000;  // 3 May 2011

IndexedBatch batch_of(std::size_t passages) {
  IndexedBatch batch;
  batch.sentence_rows = true;
  for (std::size_t nth = 0; nth < passages; ++nth) {
    const std::string year = std::to_string(1900 + nth % 120);
    const std::string first = "It opened in " + year + " at the quay" + std::to_string(nth) + ".";
    const std::string text = first + " In May it shut, as was said on 3 May 2011.";
    const std::string title = nth % 3 == 0 ? "Quay of 1899" : nth % 3 == 1 ? "Quay" : "";
    IndexedPassage& own = batch.passages.emplace_back();
    own.is_packed = nth % 5 != 0;
    own.source.text.text.assign(text.begin(), text.end());
    own.source.title.text.assign(title.begin(), title.end());
    const auto cut = static_cast<std::uint32_t>(first.size());
    own.source.sentences = {{0, cut}, {cut + 1, static_cast<std::uint32_t>(text.size())}};
    own.source.reference = own.source.published_at = nth % 2 == 0 ? published : unknown;
  }
  return batch;
}

bool same(const IndexedColumns& one, const IndexedColumns& other) {
  return one.time_ends == other.time_ends && one.starts == other.starts && one.ends == other.ends &&
         one.granularities == other.granularities && one.packed_ends == other.packed_ends &&
         one.packed == other.packed;
}

}  // namespace

int main() {
  set_thread_count(1);
  IndexedBatch alone = batch_of(400);
  tag(alone, Cancel());
  const IndexedColumns expected = read(alone, {}, Cancel());
  CHECK(expected.time_ends.size() == 1200 && expected.packed_ends.size() == 400);
  CHECK(expected.packed_ends[0] == 0 && expected.packed_ends[399] == expected.packed.size());

  set_thread_count(4);
  IndexedBatch batch = batch_of(400);
  tag(batch, Cancel());
  CHECK(batch.group.bounds().size() == alone.group.bounds().size());
  CHECK(same(read(batch, {}, Cancel()), expected));

  Cancel cancel;
  cancel.request();
  for (const bool is_tagged : {false, true}) try {
      if (is_tagged)
        read(batch, {}, cancel);
      else
        tag(batch, cancel);
      CHECK(false);
    } catch (const Error& error) {
      CHECK(std::string(error.code()) == "ERR_ABORTED");
    }
}
