// Unicode tables, unpacked once a process into shared pages of 128 code points.
#include "encoder/unicode.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <vector>

namespace asof::unicode {
namespace {

struct FlagRange {
  char32_t first, last;
  std::uint16_t flags;
};
struct MarkRank {
  char32_t code_point;
  std::uint8_t rank;
};

#include "encoder/unicode_table.inc"

}  // namespace

const char* version() {
  return kUnicodeVersion;
}

const Table& Table::instance() {
  static const Table* table =
      new Table;  // never destroyed: the pool's threads may outlive static destruction
  return *table;
}

Table::Table() : mappings_(kMappings) {
  std::vector<Properties> all(0x110000);
  for (const FlagRange& range : kFlagRanges) {
    for (char32_t each = range.first; each <= range.last; ++each) all[each].flags = range.flags;
  }
  for (const MarkRank& mark : kMarkRanks) all[mark.code_point].rank = mark.rank;
  for (std::size_t at = 0; at < std::size(kMappings); at += 2 + kMappings[at + 1]) {
    all[kMappings[at]].length = static_cast<std::uint8_t>(kMappings[at + 1]);
    all[kMappings[at]].offset = static_cast<std::uint32_t>(at + 2);
  }
  auto order = [](const Properties& a, const Properties& b) {
    return std::memcmp(&a, &b, sizeof a) < 0;
  };
  std::map<Properties, std::uint16_t, decltype(order)> entries(order);
  std::map<std::vector<std::uint16_t>, std::uint16_t> pages;
  for (std::size_t page = 0; page < std::size(stage_); ++page) {
    std::vector<std::uint16_t> ids(128);
    for (std::size_t i = 0; i < 128; ++i) {
      ids[i] = entries.emplace(all[page * 128 + i], static_cast<std::uint16_t>(entries.size()))
                   .first->second;
    }
    stage_[page] =
        pages.emplace(std::move(ids), static_cast<std::uint16_t>(pages.size())).first->second;
  }
  entries_ = new Properties[entries.size()];
  for (const auto& [entry, id] : entries) entries_[id] = entry;
  pages_ = new Page[pages.size()];
  for (const auto& [ids, id] : pages) std::copy(ids.begin(), ids.end(), pages_[id]);
}

}  // namespace asof::unicode
