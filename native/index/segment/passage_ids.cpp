// Order of ids, and bisection of a segment's ids.
#include "index/segment/passage_ids.hpp"

#include <algorithm>

#include "core/path_text.hpp"
#include "index/segment/passage_bytes.hpp"

namespace asof {
namespace {

[[noreturn]] void corrupt(const Segment& segment, const char* section) {
  throw Error("ERR_CORPUS_CORRUPT",
              std::string("Expected the section ") + section + " of the segment " +
                  text_of(segment.path()) +
                  " to hold an id for each passage, found that it does not. Restore the file from "
                  "a backup, or index the corpus again.");
}

}  // namespace

bool id_less(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) noexcept {
  const std::size_t shorter = std::min(a.size(), b.size());
  const auto differs =
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(shorter), b.begin());
  if (differs.first == a.begin() + static_cast<std::ptrdiff_t>(shorter)) return a.size() < b.size();
  // UTF-16 puts surrogate pairs (lead bytes F0 to F4) before U+E000 to U+FFFF (lead bytes EE and
  // EF).
  auto weight = [](std::uint8_t byte) {
    return byte == 0xEE || byte == 0xEF ? byte + 16 : int{byte};
  };
  return weight(*differs.first) < weight(*differs.second);
}

std::vector<std::uint32_t> find_passages(const Segment& segment, std::span<const std::string> ids,
                                         std::span<const std::uint8_t> visible) {
  const auto counts = segment.section<std::uint64_t>(schema::counts);
  if (counts.empty()) corrupt(segment, schema::counts);
  const PassageBytes id(segment, schema::passage_id_offset, schema::passage_id);
  if (id.size() != counts[0]) corrupt(segment, schema::passage_id_offset);
  std::vector<std::uint32_t> found;
  found.reserve(ids.size());
  for (const std::string& each : ids) {
    const std::span<const std::uint8_t> sought(reinterpret_cast<const std::uint8_t*>(each.data()),
                                               each.size());
    std::uint32_t low = 0, high = static_cast<std::uint32_t>(counts[0]);
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (id_less(id[middle], sought))
        low = middle + 1;
      else
        high = middle;
    }
    const auto has_id = [&] { return low < counts[0] && std::ranges::equal(id[low], sought); };
    const auto is_hidden = [&] {
      return !visible.empty() && (visible[low / 8] >> (low % 8) & 1) == 0;
    };
    while (has_id() && is_hidden()) ++low;
    found.push_back(has_id() ? low : no_passage);
  }
  segment.throw_if_faulted();
  return found;
}

}  // namespace asof
