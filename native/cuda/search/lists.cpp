// See lists.hpp.
#include "cuda/search/lists.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "cuda/kernels/candidates/keep_best.hpp"

namespace asof::cuda {
namespace {

using candidates::keep_threads;
using candidates::rescore_threads;

constexpr std::uint32_t least_room = 8192, rooms_of_keep = 16;  // a list has places for several times what it keeps, of every segment
constexpr std::uint32_t most_table_blocks = 64;

std::uint32_t room_for(const SearchData& asked) {
  const std::uint32_t most = *std::max_element(asked.keep, asked.keep + asked.query_count);
  return std::max(least_room, std::max(rooms_of_keep, 2 * asked.part_count) * most);
}

template <unsigned width, bool fused>
void start_rescore(const candidates::Rescoring& work, dim3 blocks, cudaStream_t stream) {
  check(launch({blocks, rescore_threads, 0, stream}, candidates::rescore<width, fused>, work), "to score candidates");
}

}  // namespace

CandidateLists::CandidateLists(Device& device, const SearchData& asked)
    : device_(device), queries_(asked.query_count), pool_(asked.pool != 0), keep_(asked.keep, asked.keep + queries_), counts_(queries_) {
  const std::uint32_t room = room_for(asked);
  list_ = Buffer<Candidate>(device.memory, std::size_t(queries_) * room, "candidates");
  count_ = device.filled<std::uint32_t>(queries_, 0, "candidates");
  keep_there_ = device.uploaded(keep_.data(), queries_, "candidates");
  const std::vector<double> nothing(queries_, -std::numeric_limits<double>::infinity());
  threshold_ = device.uploaded(nothing.data(), queries_, "candidates");
  least_ = Buffer<float>(device.memory, queries_, "candidates");
  if (pool_) {
    table_blocks_ = std::min(queries_, most_table_blocks);
    table_ = Buffer<unsigned long long>(device.memory, std::size_t(table_blocks_) * candidates::slots_of(room), "candidates");
  }
  lists_ = {list_.get(), count_.get(), threshold_.get(), least_.get(), room};
}

void CandidateLists::read_thresholds(const candidates::Asked* asked) {
  const dim3 blocks((queries_ + keep_threads - 1) / keep_threads);
  check(launch({blocks, keep_threads, 0, device_.stream}, candidates::read_thresholds, lists_, asked, queries_), "to read thresholds");
}

void CandidateLists::put_counts() { device_.upload(count_.get(), counts_.data(), queries_ * sizeof(std::uint32_t)); }

bool CandidateLists::settled() {
  std::vector<std::uint32_t> counts = device_.downloaded(count_.get(), queries_);
  const bool whole = std::all_of(counts.begin(), counts.end(), [&](std::uint32_t count) { return count <= lists_.room; });
  if (whole) counts_ = std::move(counts);
  else put_counts();
  return whole;
}

std::uint32_t CandidateLists::fullest() const { return *std::max_element(counts_.begin(), counts_.end()); }

void CandidateLists::keep_best() {
  const dim3 blocks(pool_ ? table_blocks_ : queries_);
  check(launch({blocks, keep_threads, 0, device_.stream}, candidates::keep_best, lists_, keep_there_.get(), queries_, table_.get()), "to keep the best candidates");
  settled();
}

std::vector<Candidate> CandidateLists::download(std::uint32_t query) {
  return device_.downloaded(list_.get() + std::size_t(query) * lists_.room, counts_[query]);
}

void CandidateLists::rescore(bool bounded_only, const std::vector<candidates::Vectors>& vectors, const std::vector<const float*>& host_vectors, const float* queries,
                             std::uint32_t dimensions, Summing summing, std::uint64_t* rescored) {
  const std::uint32_t most = fullest();
  if (most == 0) return;
  const auto segments = device_.uploaded(vectors.data(), vectors.size(), "segments");
  candidates::Rescoring work{lists_, bounded_only, segments.get(), queries, dimensions, nullptr, nullptr, most};
  std::vector<float> rows;
  std::vector<std::uint32_t> index;
  const bool gathers = std::any_of(vectors.begin(), vectors.end(), [](const candidates::Vectors& each) { return each.rows == nullptr; });
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;
  if (gathers) index.resize(std::size_t(queries_) * most);
  for (std::uint32_t q = 0; q < queries_; ++q) {
    const std::vector<Candidate> list = gathers || rescored != nullptr ? download(q) : std::vector<Candidate>();
    for (std::uint32_t i = 0; i < list.size(); ++i) {
      if (list[i].exact != 0 || (bounded_only && list[i].least == list[i].most)) continue;
      if (rescored != nullptr) ++rescored[q];
      if (vectors[list[i].segment].rows != nullptr) continue;
      const auto [known, added] = numbers.try_emplace({list[i].segment, list[i].row}, static_cast<std::uint32_t>(numbers.size()));
      const float* row = host_vectors[list[i].segment] + std::size_t(list[i].row) * dimensions;
      if (added) rows.insert(rows.end(), row, row + dimensions);
      index[std::size_t(q) * most + i] = known->second;
    }
  }
  const auto gathered = device_.uploaded(rows.data(), rows.size(), "vectors");
  const auto index_there = device_.uploaded(index.data(), index.size(), "vectors");
  work.gathered = gathered.get();
  work.index = index_there.get();
  const std::uint32_t groups = rescore_threads / (static_cast<std::uint32_t>(summing) & 0xff);
  const dim3 blocks(std::min<std::uint32_t>((most + groups - 1) / groups, 64), queries_);
  switch (summing) {
    case Summing::plain: start_rescore<1, false>(work, blocks, device_.stream); break;
    case Summing::four: start_rescore<4, false>(work, blocks, device_.stream); break;
    case Summing::four_fused: start_rescore<4, true>(work, blocks, device_.stream); break;
    case Summing::eight_fused: start_rescore<8, true>(work, blocks, device_.stream); break;
    case Summing::sixteen_fused: start_rescore<16, true>(work, blocks, device_.stream); break;
  }
  device_.finish();
}

void CandidateLists::cut_equals() {
  const auto before = [](const Candidate& a, const Candidate& b) {
    return std::tuple(a.segment, -a.least, a.passage, a.row) < std::tuple(b.segment, -b.least, b.passage, b.row);
  };
  for (std::uint32_t q = 0; q < queries_; ++q) {
    std::vector<Candidate> list = download(q), kept;
    std::sort(list.begin(), list.end(), before);
    std::uint32_t taken = 0;
    std::set<std::uint32_t> passages;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0 && list[i].segment != list[i - 1].segment) {
        taken = 0;
        passages.clear();
      }
      if (taken == keep_[q] || (pool_ && !passages.insert(list[i].passage).second)) continue;
      kept.push_back(list[i]);
      ++taken;
    }
    counts_[q] = static_cast<std::uint32_t>(kept.size());
    device_.upload(list_.get() + std::size_t(q) * lists_.room, kept.data(), kept.size() * sizeof(Candidate));
  }
  put_counts();
  device_.finish();
}

}  // namespace asof::cuda
