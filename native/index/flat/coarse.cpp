// What a tile is asked: thresholds of similarity for each query, and the rows that can reach them at all. See coarse.hpp.
#include "index/flat/coarse_call.hpp"

#include <algorithm>
#include <cmath>

#include "index/flat/runs.hpp"

namespace asof::flat {
namespace {

using quantized::panel_rows;

constexpr std::size_t few_queries = 4;  // of more, a panel's bytes are of use to several

bool same_recency(const Form& a, const Form& b) { return a.clock == b.clock && a.at == b.at && a.floor_days == b.floor_days; }

float below(double value) {
  constexpr double largest = std::numeric_limits<float>::max();
  const double less = value - coarse_slack * std::abs(value) - static_cast<double>(std::numeric_limits<float>::min());
  if (less > largest) return std::numeric_limits<float>::infinity();
  return less >= -largest ? static_cast<float>(less) : -std::numeric_limits<float>::infinity();
}

/// The queries [first, first + count) of a block of packed ones; `first` is a multiple of 16.
quantized::Queries part_of(const quantized::Queries& all, std::size_t first, std::size_t count) {
  const std::size_t bytes = first * quantized::tiles(all.storage, all.d) * quantized::line_bytes;
  quantized::Queries part = all;
  part.nq = count;
  part.tiles += bytes;
  part.words += 2 * bytes / sizeof(std::uint32_t);
  for (const float** list : {&part.scale, &part.alpha, &part.beta, &part.omega}) *list += first;
  part.offset += first;
  return part;
}

}  // namespace

Window span_of_block(const ClockColumn& column, std::size_t row) {
  return std::visit([&](const auto& clock) -> Window {
    constexpr Window none{infinity, -infinity};
    if (clock.start.empty()) return none;
    if (clock.blocks.empty()) return {};
    const auto* block = &clock.blocks[2 * (row / schema::block_rows)];
    if (block[0] > block[1]) return none;
    return {milliseconds_of(block[0], clock.encoding), milliseconds_of(block[1], clock.encoding)};
  }, column);
}

bool Coarse::suits(std::size_t q, std::size_t rows) const {
  const Query& asked = request_.queries[q];
  if (!asked.has_vector || !(asked.semantic_weight > 0) || request_.k == 0 || 4 * request_.k > rows) return false;
  const float* vector = request_.vectors.data() + q * request_.dimensions;
  double squares = 0;
  for (std::size_t c = 0; c < request_.dimensions; ++c) squares += static_cast<double>(vector[c]) * static_cast<double>(vector[c]);
  return std::isfinite(squares) && squares > 0;
}

Coarse::Slot Coarse::slot_of(std::size_t q) {
  Slot slot;
  slot.q = q;
  const Form& form = query(q).form;
  double squares = 0;
  for (std::size_t c = 0; c < request_.dimensions; ++c) squares += static_cast<double>(vector(q)[c]) * static_cast<double>(vector(q)[c]);
  slot.length = std::sqrt(squares) * (1 + 1e-9);
  slot.met = {infinity, -infinity};
  slot.most = form.outside;
  for (std::size_t l = 0; l < form.line_count; ++l) {
    const Window window = opened(form.lines[l].window);
    slot.met = {std::min(slot.met.start, window.start), std::max(slot.met.end, window.end)};
    slot.most = std::max({slot.most, form.lines[l].at_start, form.lines[l].at_end});
  }
  if (form.combine != Combine::sum) return slot;
  const auto known = std::find_if(recencies_.begin(), recencies_.end(), [&](const Form& each) { return same_recency(each, form); });
  slot.recency = static_cast<std::size_t>(known - recencies_.begin());
  if (known == recencies_.end()) recencies_.push_back(form);
  return slot;
}

void Coarse::open(std::size_t first, const std::vector<bool>& takes, const std::vector<std::size_t>& keep,
                  const std::vector<standardize::Map>& standards, std::atomic<double>* best, Finds& finds, std::size_t waiting_most) {
  first_ = first;
  takes_ = takes;
  keep_ = keep;
  standards_ = &standards;
  best_ = best;
  finds_ = &finds;
  waiting_most_ = waiting_most;
  slots_.clear();
  recencies_.clear();
  rescored_.assign(takes.size(), 0);
  for (auto& block : blocks_) block.reset();
  for (std::size_t q = 0; q < takes.size(); ++q) {
    if (takes[q]) slots_.push_back(slot_of(q));
  }
  if (slots_.empty()) return;
  // Neighbours in time are of use in the same tiles.
  auto earlier = [&](const Slot& a, const Slot& b) {
    const Mask &left = query(a.q).mask, &right = query(b.q).mask;
    return std::pair(left.window.start, left.published_until) < std::pair(right.window.start, right.published_until);
  };
  std::stable_sort(slots_.begin(), slots_.end(), earlier);
  const std::size_t d = request_.dimensions;
  std::vector<float> vectors;
  for (const Slot& slot : slots_) vectors.insert(vectors.end(), vector(slot.q), vector(slot.q) + d);
  for (const SearchSegment& segment : request_.segments) {
    if (!segment.rows.panels) continue;
    auto& block = blocks_[static_cast<std::size_t>(segment.rows.panels->storage)];
    if (!block) block.emplace(segment.rows.panels->storage, vectors.data(), slots_.size(), d, d);
  }
  leaders_ = std::make_unique<Leaders[]>(slots_.size());
  for (std::size_t s = 0; s < slots_.size(); ++s) start_from_likely(s);
}

void Coarse::start_from_likely(std::size_t s) {
  const std::size_t q = slots_[s].q, d = request_.dimensions;
  leaders_[s].open(keep_[q], request_.pool, best_[q]);
  if (query(q).likely.empty() || query(q).form.combine == Combine::sum) return;
  leaders_[s].expect_repeats();
  for (const Place& place : query(q).likely) {
    const FlatRows& rows = request_.segments[place.segment].rows;
    float similarity = 0;
    kernels_.block(vector(q), 1, d, rows.vectors.data() + place.row * d, 1, d, d, &similarity, 1);
    const Scored against = scored(q, place.segment);
    leaders_[s].push(place.segment, rows.row_passage[place.row], place.row, against.score(against.relevance(similarity, place.row), place.row));
  }
}

void Coarse::prepare(Lane& lane) const {
  if (lane.thresholds.size() == slots_.size()) return;
  lane.thresholds.resize(slots_.size());
  lane.known.assign(slots_.size(), {});
  lane.reach.resize(slots_.size());
  lane.pending.assign(slots_.size(), {});
  lane.rescored.assign(slots_.size(), 0);
  lane.recencies.resize(recencies_.size());
  lane.recency_spans.resize(recencies_.size());
}

/// What a row must have of similarity to score `threshold` with `more` from elsewhere; a little less, for rounding.
float Coarse::least_similarity(const Slot& slot, double threshold, bool met, double more) const {
  const Query& asked = query(slot.q);
  const double needed = asked.form.combine == Combine::sum
                            ? threshold - coarse_slack * std::abs(threshold)
                            : needed_relevance(asked, threshold, met ? slot.most : asked.form.outside);
  return below((needed - more - coarse_slack * std::abs(more)) / asked.semantic_weight);
}

/// The rows that could reach the threshold were they as similar as can be, and in lane.thresholds what it takes of the best of them.
BlockBits Coarse::reachable(Lane& lane, const Tile& tile, std::size_t s, double threshold, bool met) const {
  const Slot& slot = slots_[s];
  const Scored against = scored(slot.q, tile.segment);
  const Query& asked = against.query;
  const Panels& panels = *against.rows.panels;
  float longest = 0;
  for (std::size_t p = tile.begin / panel_rows; p * panel_rows < tile.begin + tile.count; ++p) {
    longest = std::max(longest, panels.records[p].most_length + panels.records[p].most_error);
  }
  double more[schema::block_rows] = {};
  if (against.lexical != nullptr) {
    for (std::size_t i = 0; i < tile.count; ++i) more[i] = asked.lexical_weight * static_cast<double>(against.lexical[tile.begin + i]);
  }
  if (asked.form.combine == Combine::sum) {
    const auto& recencies = lane.recencies[slot.recency];
    for (std::size_t i = 0; i < tile.count; ++i) more[i] += asked.form.weight * standardized(against.standard, recencies[i]);
  }
  const double without = static_cast<double>(least_similarity(slot, threshold, met, 0)) * asked.semantic_weight;
  const double ceiling = asked.semantic_weight * slot.length * static_cast<double>(longest) * (1 + coarse_slack) + coarse_slack;
  BlockBits reach{};
  double most = -infinity;
  for_each(tile.bits[tile.mask_of[slot.q]], [&](std::size_t i) {
    if (without - more[i] - coarse_slack * std::abs(more[i]) > ceiling) return;  // an infinite length reaches everything
    reach[i / 64] |= std::uint64_t{1} << (i % 64);
    most = std::max(most, more[i]);
  });
  if (most > -infinity) lane.thresholds[s] = least_similarity(slot, threshold, met, most);
  return reach;
}

/// No row of the tile adds more by its recency.
double Coarse::most_recency(const Lane& lane, const Slot& slot) const {
  const auto& [least, most, none] = lane.recency_spans[slot.recency];
  const standardize::Map& map = (*standards_)[slot.q];
  const double weight = query(slot.q).form.weight;
  double more = none ? weight * map.mean_to : -infinity;
  if (least <= most) more = std::max({more, weight * standardized(map, least), weight * standardized(map, most)});
  return more;
}

void Coarse::read_recencies(Lane& lane, const Tile& tile) const {
  for (std::size_t r = 0; r < recencies_.size(); ++r) {
    auto& recencies = lane.recencies[r];
    recencies_of(recencies_[r], request_.segments[tile.segment].rows, tile.begin, tile.count, recencies.data());
    Lane::RecencySpan span;
    for (std::size_t i = 0; i < tile.count; ++i) {
      span.none = span.none || recencies[i] != recencies[i];
      span.least = recencies[i] < span.least ? recencies[i] : span.least;
      span.most = recencies[i] > span.most ? recencies[i] : span.most;
    }
    lane.recency_spans[r] = span;
  }
}

/// Sets what every slot needs of the tile's rows; the rows that any of them has to look at.
BlockBits Coarse::look_at(Lane& lane, const Tile& tile) const {
  const FlatRows& rows = request_.segments[tile.segment].rows;
  const Met met(rows, tile.begin);
  read_recencies(lane, tile);
  BlockBits seen{};
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    const Slot& slot = slots_[s];
    const std::size_t mask = tile.mask_of[slot.q];
    lane.thresholds[s] = std::numeric_limits<float>::infinity();
    if (tile.visible[mask] == 0) continue;
    const Query& asked = query(slot.q);
    const double threshold = best_[slot.q].load(std::memory_order_relaxed);
    const bool meets = asked.form.combine != Combine::product || met(asked.form, slot.met);
    if (tile.segment < asked.lexical.size() && !asked.lexical[tile.segment].empty()) {
      lane.reach[s] = reachable(lane, tile, s, threshold, meets);
    } else if (asked.form.combine == Combine::sum) {
      lane.thresholds[s] = least_similarity(slot, threshold, meets, most_recency(lane, slot));
      lane.reach[s] = tile.bits[mask];
    } else {
      Lane::Known& known = lane.known[s];
      if (threshold != known.threshold) known = {threshold, least_similarity(slot, threshold, true, 0), least_similarity(slot, threshold, false, 0)};
      lane.thresholds[s] = meets ? known.met : known.unmet;
      lane.reach[s] = tile.bits[mask];
    }
    for (std::size_t word = 0; word < block_words; ++word) seen[word] |= lane.reach[s][word];
  }
  return seen;
}

void Coarse::scan(Lane& lane, const Tile& tile) {
  prepare(lane);
  const BlockBits seen = look_at(lane, tile);
  std::size_t panels_seen = 0;
  for (std::uint64_t word : seen) {
    for (; word != 0; word >>= panel_rows) panels_seen += (word & 0xffff) != 0;
  }
  if (panels_seen == 0) return;
  // Few rows of many panels cost more in few bits than in all of theirs.
  const std::size_t bytes = panels_seen * quantized::panel_bytes(request_.segments[tile.segment].rows.panels->storage, request_.dimensions);
  if (slots_.size() <= few_queries && count_of(seen) * request_.dimensions * sizeof(float) < bytes) return read_plainly(lane, tile);
  multiply(lane, tile, seen);
}

void Coarse::read_plainly(Lane& lane, const Tile& tile) {
  const FlatRows& rows = request_.segments[tile.segment].rows;
  const std::size_t d = request_.dimensions;
  float similarities[schema::block_rows];
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    const std::size_t q = slots_[s].q;
    if (tile.visible[tile.mask_of[q]] == 0) continue;
    multiply_rows(kernels_, vector(q), rows.vectors.data() + tile.begin * d, d, 0, d, lane.reach[s], similarities);
    lane.rescored[s] += static_cast<double>(count_of(lane.reach[s]));
    const Scored against = scored(q, tile.segment);
    if (query(q).form.combine != Combine::sum) select_rows(against, similarities, tile.begin, lane.reach[s], tile.collectors[q], best_[q]);
    else select_summed(against, similarities, lane.recencies[slots_[s].recency].data(), tile.begin, lane.reach[s], tile.collectors[q], best_[q]);
  }
}

void Coarse::multiply(Lane& lane, const Tile& tile, const BlockBits& seen) {
  const Panels& panels = *request_.segments[tile.segment].rows.panels;
  const quantized::Queries all = blocks_[static_cast<std::size_t>(panels.storage)]->view();
  const std::size_t panel = tile.begin / panel_rows, shift = tile.begin % panel_rows;
  // Bit i of the call is row base + i: a scope may begin within a panel.
  BlockBits rows = seen;
  if (shift > 0) {
    for (std::size_t word = block_words; word-- > 0;) rows[word] = seen[word] << shift | (word > 0 ? seen[word - 1] >> (64 - shift) : 0);
  }
  const std::size_t n = shift + tile.count;
  const bool some = shift > 0 || count_of(seen) < tile.count;
  const std::uint8_t* bytes = panels.bytes.data() + panel * quantized::panel_bytes(panels.storage, request_.dimensions);
  const quantized::Rows given{panels.storage, n, request_.dimensions, bytes, panels.records.data() + panel};
  Call call{*this, lane, tile, 0, tile.begin - shift, Met(request_.segments[tile.segment].rows, tile.begin)};
  auto idle = [&](std::size_t first) {
    const auto from = lane.thresholds.begin() + static_cast<std::ptrdiff_t>(first), to = std::min(from + panel_rows, lane.thresholds.end());
    return std::all_of(from, to, [](float least) { return least == std::numeric_limits<float>::infinity(); });
  };
  for (std::size_t first = 0, end; first < slots_.size(); first = end) {
    end = std::min(first + panel_rows, slots_.size());
    if (idle(first)) continue;
    while (end < slots_.size() && !idle(end)) end = std::min(end + panel_rows, slots_.size());
    call.first_slot = first;
    const quantized::Scan scan{0, quantized::panels(n), lane.thresholds.data() + first, some ? rows.data() : nullptr,
                               [](void* context, const quantized::Candidate* candidates, std::size_t count) {
                                 Call& own = *static_cast<Call*>(context);
                                 for (std::size_t i = 0; i < count; ++i) own.coarse.take(own, candidates[i]);
                               },
                               &call};
    quantized_.survivors(given, part_of(all, first, end - first), scan);
  }
}

}  // namespace asof::flat
