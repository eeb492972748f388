// What a tile is asked: thresholds of similarity for each query, over one tile or several side by
// side. See coarse.hpp.
#include "index/vector/quantized_scan/call.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "index/vector/masked_products.hpp"

namespace asof::vector {
namespace {

using quantized::panel_rows;

constexpr std::size_t few_queries = 4;  // of more, a panel's bytes are of use to several
constexpr std::size_t sparse_row =
    4;  // so many panels that one query reads are as fast as one row in f32
constexpr std::size_t first_stretch_rows = 2 * schema::block_rows;

bool same_recency(const Form& a, const Form& b) {
  return a.clock == b.clock && a.at == b.at && a.floor_days == b.floor_days;
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

bool Coarse::pays(const std::vector<bool>& queries) {
  constexpr std::ptrdiff_t several = 32;
  return std::count(queries.begin(), queries.end(), true) < several ||
         (isa() != Isa::x86_64_v2 && isa() != Isa::x86_64_v3);
}

bool Coarse::suits(std::size_t q, std::size_t rows) const {
  const Query& asked = request_.queries[q];
  if (!asked.has_vector || !asked.weighs_as_floats() || request_.k == 0 || 4 * request_.k > rows)
    return false;
  const float* vector = request_.vectors.data() + q * request_.dimensions;
  double squares = 0;
  for (std::size_t c = 0; c < request_.dimensions; ++c)
    squares += static_cast<double>(vector[c]) * static_cast<double>(vector[c]);
  return std::isfinite(squares) && squares > 0;
}

Coarse::Slot Coarse::slot_of(std::size_t q) {
  Slot slot;
  slot.q = q;
  const Form& form = query(q).form;
  double squares = 0;
  for (std::size_t c = 0; c < request_.dimensions; ++c)
    squares += static_cast<double>(vector(q)[c]) * static_cast<double>(vector(q)[c]);
  slot.length = std::sqrt(squares) * (1 + 1e-9);
  slot.most = form.outside;
  for (std::size_t l = 0; l < form.line_count; ++l)
    slot.most = std::max({slot.most, form.lines[l].at_start, form.lines[l].at_end});
  slot.plain = form.combine == Combine::none && query(q).lexical.empty();
  if (form.combine != Combine::sum) return slot;
  const auto known = std::find_if(recencies_.begin(), recencies_.end(),
                                  [&](const Form& each) { return same_recency(each, form); });
  slot.recency = static_cast<std::size_t>(known - recencies_.begin());
  if (known == recencies_.end()) recencies_.push_back(form);
  const Leading& leading = normalization_->leading(normalization_->recency_of(q));
  if (form.weight > 0 && request_.exactness == Exactness::certified && leading.others < infinity)
    slot.leading = &leading;
  return slot;
}

void Coarse::open(std::size_t first, const std::vector<bool>& takes,
                  const std::vector<WindowSelectivity>& selectivities,
                  const std::vector<std::size_t>& keep, const Normalization& normalization,
                  std::atomic<double>* best, GroupResults& results, std::size_t waiting_most,
                  std::size_t rows) {
  first_ = first;
  takes_ = takes;
  selectivities_ = selectivities;
  keep_ = keep;
  normalization_ = &normalization;
  best_ = best;
  results_ = &results;
  waiting_most_ = waiting_most;
  rows_ = rows;
  slots_.clear();
  recencies_.clear();
  rescored_.assign(takes.size(), 0);
  words_ = sampling_ = false;
  unit_step_ = groups_ = 0;
  for (std::size_t q = 0; q < takes.size(); ++q) {
    if (takes[q]) slots_.push_back(slot_of(q));
  }
  if (slots_.empty()) return;
  makes_ =
      std::none_of(request_.segments.begin(), request_.segments.end(),
                   [](const SearchSegment& segment) { return segment.rows.panels.has_value(); });
  one_mask_ = true;
  for (const Slot& slot : slots_) {
    words_ = words_ || query(slot.q).weighs_words();
    one_mask_ = one_mask_ && query(slot.q).mask == query(slots_.front().q).mask;
  }
  // Neighbours in time are of use in the same tiles.
  auto earlier = [&](const Slot& a, const Slot& b) {
    const Mask &left = query(a.q).mask, &right = query(b.q).mask;
    return std::pair(left.window.start, left.published_until) <
           std::pair(right.window.start, right.published_until);
  };
  std::stable_sort(slots_.begin(), slots_.end(), earlier);
  one_spline_ = have_one_spline();
  exact_spline_ = one_spline_ && one_line_each(query(slots_.front().q).form);
  open_slots();
  open_guesses();
}

/// What is one a slot.
void Coarse::open_slots() {
  pack_queries();
  if (request_.exactness != Exactness::certified) {
    const std::size_t padded = quantized::panels(slots_.size()) * panel_rows;
    no_error_.assign(2 * padded, 0);
    std::fill_n(no_error_.begin(), padded,
                0x1p-60f);  // an infinite error still counts; (denormal products would take a
                            // hundred times as long)
  }
  plain_ = std::all_of(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.plain; });
  guesses_ = std::make_unique<std::atomic<double>[]>(slots_.size());
  wrong_ = std::make_unique<std::atomic<bool>[]>(slots_.size());
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    guesses_[s].store(-infinity, std::memory_order_relaxed);
    start_from_likely(slots_[s]);
  }
  start_from_leading();
  open_beside();
}

void Coarse::prepare(Lane& lane) const {
  if (lane.thresholds.size() == slots_.size()) return;
  lane.thresholds.resize(slots_.size());
  lane.known.assign(slots_.size(), {});
  lane.reach.resize(slots_.size());
  lane.waiting.assign(slots_.size(), {});
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    lane.waiting[s].leaders = slots_[s].likely;
    lane.waiting[s].weight = query(slots_[s].q).semantic_weight;
    lane.waiting[s].room = sampling_ && slots_[s].guesses
                               ? 4 * sample_rank_ + 64
                               : std::min(waiting_most_, 2 * keep_[slots_[s].q] + 128);
    if (groups_ == 0) continue;
    lane.waiting[s].room = waiting_most_;
    lane.waiting[s].rows.reserve(std::min(waiting_most_, expected_));
  }
  lane.peaks.assign(slots_.size() * groups_, -std::numeric_limits<float>::infinity());
  lane.rescored.assign(slots_.size(), 0);
  lane.recencies.resize(recencies_.size());
  lane.recency_spans.resize(recencies_.size());
  lane.factors.assign(slots_.size(), 1);
  lane.stretch = {};
  lane.stretch.room = std::min(most_stretch(), first_stretch_rows);
}

/// What a row must have of similarity to score `threshold` with `more` from elsewhere; a little
/// less, for rounding.
float Coarse::least_similarity(const Slot& slot, double threshold, double most, double more) const {
  const Query& asked = query(slot.q);
  const double needed = asked.form.combine == Combine::sum
                            ? threshold - rounding_slack * std::abs(threshold)
                            : min_relevance(asked, threshold, most);
  return below((needed - more - rounding_slack * std::abs(more)) / asked.semantic_weight);
}

/// The same for the rows of a call, of a query that has nothing from elsewhere.
float Coarse::least_without_more(Lane& lane, std::size_t s, double threshold) const {
  Lane::Known& known = lane.known[s];
  if (threshold != known.threshold || lane.factors[s] != known.most) {
    known = {threshold, lane.factors[s],
             least_similarity(slots_[s], threshold, lane.factors[s], 0)};
  }
  return known.least;
}

/// Sets what every slot needs of the tile's rows; the rows that any of them has to look at.
BlockBits Coarse::look_at(Lane& lane, const Tile& tile) const {
  const FlatRows& rows = request_.segments[tile.segment].rows;
  const BlockTimes times(rows, tile.begin, tile.count);
  read_recencies(lane, tile);
  BlockBits seen{};
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    const Slot& slot = slots_[s];
    const std::size_t mask = tile.mask_of[slot.q];
    lane.thresholds[s] = std::numeric_limits<float>::infinity();
    if (tile.visible[mask] == 0 || slot.done) continue;
    const Query& asked = query(slot.q);
    const double threshold = threshold_of(s);
    lane.factors[s] = times.most_factor(asked.form);
    if (tile.segment < asked.lexical.size() && !asked.lexical[tile.segment].empty()) {
      lane.reach[s] = reachable(lane, tile, s, threshold);
    } else if (asked.form.combine == Combine::sum) {
      lane.thresholds[s] = least_similarity(slot, threshold, 1, most_recency(lane, slot));
      lane.reach[s] = tile.bits[mask];
      if (slot.leads(lane.recency_spans[slot.recency].most)) {
        for_each(tile.bits[mask], [&](std::size_t i) {
          if (slot.leads(lane.recencies[slot.recency][i]))
            lane.reach[s][i / 64] &= ~(std::uint64_t{1} << (i % 64));
        });
      }
    } else {
      lane.thresholds[s] = least_without_more(lane, s, threshold);
      lane.reach[s] = tile.bits[mask];
    }
    for (std::size_t word = 0; word < block_words; ++word) seen[word] |= lane.reach[s][word];
  }
  return seen;
}

/// Whether all slots look at the same rows of the tile, and at enough of them.
bool Coarse::stretches(const Tile& tile) const {
  if (words_ && !shared_words_) return false;
  auto sees_all = [&](const Slot& slot) {
    return tile.visible[tile.mask_of[slot.q]] == tile.count;
  };
  if (one_mask_)
    return slots_.size() > few_queries ||
           4 * tile.visible[tile.mask_of[slots_.front().q]] >= tile.count;
  return std::all_of(slots_.begin(), slots_.end(), sees_all);
}

void Coarse::scan(Lane& lane, const Tile& tile) {
  if (slots_.empty() || all_done_) return;
  prepare(lane);
  Lane::Stretch& stretch = lane.stretch;
  if (stretch.count > 0 &&
      (stretch.segment != tile.segment || stretch.begin + stretch.count != tile.begin))
    flush_stretch(lane);
  if (gather(lane, tile)) return;
  if (!stretches(tile)) {
    flush_stretch(lane);
    if (!samples_units()) scan_now(lane, tile);
    return;
  }
  if (stretch.count == 0) {
    stretch.segment = tile.segment;
    stretch.begin = tile.begin;
    stretch.collectors = &tile.collectors;
    stretch.bits.clear();
  }
  stretch.count += tile.count;
  stretch.bits.push_back(shared_words_ ? worded(tile) : tile.bits[tile.mask_of[slots_.front().q]]);
  if (stretch.count >= stretch.room || tile.count != schema::block_rows)
    flush_stretch(lane);  // words of bits stay in line
}

void Coarse::flush_stretch(Lane& lane) {
  Lane::Stretch& stretch = lane.stretch;
  if (stretch.count == 0) return;
  const std::size_t begin = stretch.begin, count = std::exchange(stretch.count, 0);
  stretch.room = std::min(most_stretch(), 2 * stretch.room);
  const FlatRows& rows = request_.segments[stretch.segment].rows;
  const BlockTimes times(rows, begin, count);
  for (std::size_t s = 0; s < slots_.size() && !shared_recency_; ++s) {
    const Slot& slot = slots_[s];
    const Form& form = query(slot.q).form;
    const double threshold = threshold_of(s);
    lane.factors[s] = times.most_factor(form);
    const bool sums = form.combine == Combine::sum;
    lane.thresholds[s] =
        sums ? least_similarity(slot, threshold, 1, most_recency(rows, begin, count, slot))
             : least_without_more(lane, s, threshold);
  }
  if (!samples_units())
    shared_recency_ ? look_beside(lane, stretch.segment, begin, count)
                    : leave_unreachable(lane, stretch.segment, begin, count);
  Call call{*this, lane, stretch.segment, *stretch.collectors, nullptr};
  call.timed = !samples_units() && time_records(call, begin, count);
  call.plain = plain_ || (call.timed && exact_spline_);
  multiply(call, begin, count, stretch.bits.front().data());
}

void Coarse::scan_now(Lane& lane, const Tile& tile) {
  const BlockBits seen = look_at(lane, tile);
  std::size_t panels_seen = 0;
  for (std::uint64_t word : seen) {
    for (; word != 0; word >>= panel_rows) panels_seen += (word & 0xffff) != 0;
  }
  if (panels_seen == 0) return;
  // Few rows of many panels cost more in few bits than in all of theirs.
  const auto storage =
      makes_ ? quantized::Storage::int8 : request_.segments[tile.segment].rows.panels->storage;
  const std::size_t bytes = panels_seen * quantized::panel_bytes(storage, request_.dimensions);
  if (slots_.size() <= few_queries && count_of(seen) * request_.dimensions * sizeof(float) < bytes)
    return read_plainly(lane, tile);
  if (sparse_row * rows_wanted(lane, tile) < panels_seen * slots_.size())
    return read_plainly(lane, tile);
  Call call{*this, lane, tile.segment, tile.collectors, &tile};
  multiply(call, tile.begin, tile.count, seen.data());
}

/// Over all slots.
std::size_t Coarse::rows_wanted(const Lane& lane, const Tile& tile) const {
  std::size_t wanted = 0;
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    if (tile.visible[tile.mask_of[slots_[s].q]] > 0) wanted += count_of(lane.reach[s]);
  }
  return wanted;
}

void Coarse::read_plainly(Lane& lane, const Tile& tile) {
  const FlatRows& rows = request_.segments[tile.segment].rows;
  const std::size_t d = request_.dimensions;
  float similarities[schema::block_rows];
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    const std::size_t q = slots_[s].q;
    if (tile.visible[tile.mask_of[q]] == 0) continue;
    multiply_rows(kernels_, vector(q), rows.vectors.data() + tile.begin * d, d, 0, d, lane.reach[s],
                  similarities);
    lane.rescored[s] += static_cast<double>(count_of(lane.reach[s]));
    const Scored against = scored(q, tile.segment);
    if (query(q).form.combine != Combine::sum)
      select_rows(against, similarities, tile.begin, lane.reach[s], tile.collectors[q], best_[q]);
    else
      select_summed(against, similarities, lane.recencies[slots_[s].recency].data(), tile.begin,
                    lane.reach[s], tile.collectors[q], best_[q]);
  }
}

/// Bit i of `seen` is row begin + i, up to the next multiple of 64.
void Coarse::multiply(Call& call, std::size_t begin, std::size_t count, const std::uint64_t* seen) {
  Lane& lane = call.lane;
  quantized::Rows given = panels_of(lane, call.segment, begin, count);
  const bool planes = given.storage == quantized::Storage::int4;
  quantized::Queries all =
      planes ? quantized::Queries{} : blocks_[static_cast<std::size_t>(given.storage)]->view();
  if (request_.exactness !=
      Exactness::certified) {  // what may score more than its panel says is of no use
    all.alpha = no_error_.data();
    all.beta = no_error_.data() + no_error_.size() / 2;
  }
  const std::size_t shift = begin % panel_rows, n = given.n;
  std::size_t visible = 0;
  for (std::size_t word = 0; 64 * word < count; ++word)
    visible += static_cast<std::size_t>(__builtin_popcountll(seen[word]));
  if (visible == 0) return;
  const bool some = shift > 0 || visible < count || samples_units();
  // Bit i of the call is row base + i: a scope may begin within a panel.
  std::vector<std::uint64_t> rows(some ? n / 64 + 1 : 0);
  for (std::size_t word = 0; word < rows.size(); ++word) {
    const std::uint64_t own = 64 * word < count ? seen[word] : 0;
    rows[word] = shift == 0 ? own : own << shift | (word > 0 ? seen[word - 1] >> (64 - shift) : 0);
  }
  if (call.timed) given.records = lane.timed.data();
  call.base = begin - shift;
  if (samples_units()) return sample(call, given, all, rows.data());
  const float* beside = beside_of(call);
  auto idle = [&](std::size_t first) {
    const auto from = lane.thresholds.begin() + static_cast<std::ptrdiff_t>(first),
               to = std::min(from + panel_rows, lane.thresholds.end());
    return std::all_of(from, to,
                       [](float least) { return least == std::numeric_limits<float>::infinity(); });
  };
  for (std::size_t first = 0, end; first < slots_.size(); first = end) {
    end = std::min(first + panel_rows, slots_.size());
    if (idle(first)) continue;
    while (end < slots_.size() && !idle(end)) end = std::min(end + panel_rows, slots_.size());
    call.first_slot = first;
    const quantized::Scan scan{
        0,
        quantized::panels(n),
        lane.thresholds.data() + first,
        some ? rows.data() : nullptr,
        [](void* context, const quantized::Candidate* candidates, std::size_t count) {
          Call& own = *static_cast<Call*>(context);
          if (own.plain) return own.coarse.take_plain(own, {candidates, count});
          for (std::size_t i = 0; i < count; ++i) own.coarse.take(own, candidates[i]);
        },
        &call,
        beside,
        beside_weights_.data() + first};
    if (planes) {
      const Panels& panels = *request_.segments[call.segment].rows.panels;
      const int4::Rows own{n,
                           request_.dimensions,
                           panels.bytes.data(),
                           given.records,
                           begin / panel_rows,
                           panels.records.size()};
      multiply_planes(call, own, first, end - first, scan);
    } else
      quantized_.survivors(given, part_of(all, first, end - first), scan);
  }
}

}  // namespace asof::vector
