// Selectivity from block times and a sample of blocks.
#include "index/vector/selectivity.hpp"

#include <algorithm>
#include <utility>

#include "index/vector/masked_products.hpp"

namespace asof::vector {

namespace {

/// The estimated number of the tasks' rows that the mask's window shows, and the number of rows in
/// blocks that may show any: by the times of blocks, and with `samples` by a sample of blocks.
std::pair<double, double> rows_shown(const Request& request, const std::vector<ScanTask>& tasks,
                                     const temporal::Mask& mask, bool samples) {
  struct Block {
    std::size_t segment, begin, count;
  };
  std::vector<SegmentMask> compiled;
  compiled.reserve(request.segments.size());
  for (const VisibleRows& segment : request.segments)
    compiled.push_back(compile_mask(mask, segment.rows));
  std::vector<Block> blocks;
  double rows = 0;
  for (const ScanTask& task : tasks) {
    for (std::size_t begin = task.begin, next; begin < task.end; begin = next) {
      next = std::min(task.end, begin / block_rows * block_rows + block_rows);
      if (!may_pass(compiled[task.segment], request.segments[task.segment].rows, begin)) continue;
      blocks.push_back({task.segment, begin, next - begin});
      rows += static_cast<double>(next - begin);
    }
  }
  constexpr std::size_t sampled_blocks = 16;
  if (!samples || blocks.size() < 2 * sampled_blocks) return {rows, rows};
  double sampled = 0, shown = 0;
  for (std::size_t i = 0; i < sampled_blocks; ++i) {
    const Block& block = blocks[(2 * i + 1) * blocks.size() / (2 * sampled_blocks)];
    BlockBits bits = visible_passages(request.segments[block.segment], block.begin, block.count);
    apply_mask(compiled[block.segment], request.segments[block.segment].rows, block.begin,
               block.count, bits);
    sampled += static_cast<double>(block.count);
    shown += static_cast<double>(count_of(bits));
  }
  return {rows * shown / sampled, rows};
}

}  // namespace

std::vector<WindowSelectivity> estimate_selectivity(const Request& request,
                                                    const std::vector<ScanTask>& tasks,
                                                    const std::vector<temporal::Mask>& masks,
                                                    std::size_t queries) {
  constexpr std::size_t min_batch_queries = 8, max_sampled_masks = 8;
  // Cost of f32 products against bounds, latency and scores of some 3 k rows.
  constexpr double components = 1536;
  const double max_narrow_rows = components * static_cast<double>(request.k) /
                                 static_cast<double>(std::max<std::size_t>(1, request.dimensions));
  const double all =
      tasks.empty()
          ? 0
          : static_cast<double>(tasks.back().offset + tasks.back().end - tasks.back().begin);
  std::vector<WindowSelectivity> selectivities(masks.size(), {false, true, all});
  for (std::size_t m = 0; m < masks.size(); ++m) {
    if (!masks[m].has_window) continue;
    selectivities[m].broad = false;
    if (queries < min_batch_queries) continue;
    const bool samples = masks.size() <= max_sampled_masks;
    const auto [shown, blocks] = rows_shown(request, tasks, masks[m], samples);
    selectivities[m] = {shown <= max_narrow_rows, samples && 2 * shown >= all, shown,
                        20 * shown <= blocks};
  }
  return selectivities;
}

}  // namespace asof::vector
