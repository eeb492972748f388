// See lists.hpp.
#include "cuda/search/lists.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "cuda/kernels/candidates/keep_best.hpp"
#include "cuda/search/multiply.hpp"

namespace asof::cuda {
namespace {

using candidates::keep_threads;
using candidates::rescore_threads;
using candidates::wants_vector;

constexpr std::uint32_t
    least_room = 8192,
    rooms_of_keep = 16;  // a list has places for several times what it keeps, of every segment
constexpr std::uint32_t most_table_blocks = 264, most_search_queries = 4096;
constexpr std::size_t lists_share = 3, letter_most = std::size_t(64) << 20;
// A pass over the fewest rows that are read at once must fit.
constexpr std::size_t least_survivors = 64, survivors_share = 16, survivors_of_room = 4;

std::uint32_t most_kept(const SearchRequest& asked) {
  return *std::max_element(asked.k, asked.k + asked.query_count);
}

std::uint32_t room_for(const SearchRequest& asked) {
  return std::max(least_room, std::max(rooms_of_keep, 2 * asked.segment_count) * most_kept(asked));
}

/// Places for what is handed over: k and the few that an order by bounds cannot tell apart.
std::uint32_t given_for(std::uint32_t keep) {
  return keep + keep / 4 + 8;
}

}  // namespace

std::uint32_t CandidateLists::queries_at_once(Device& device, const SearchRequest& asked) {
  const std::size_t room = room_for(asked),
                    each = room * (sizeof(Candidate) + sizeof(products::Survivor));
  const std::size_t sent = asked.dimensions * sizeof(float) +
                           asked.segment_count * sizeof(candidates::Asked) + letter_bytes;
  const std::size_t got = given_for(most_kept(asked)) * sizeof(Hit) + sizeof(candidates::Given);
  const std::size_t fit = std::max<std::size_t>(
      std::min(device.memory.left() / lists_share / each, letter_most / std::max(sent, got)), 1);
  // Passes are of 256: as many groups of them as fit, or a part of one.
  return static_cast<std::uint32_t>(std::min<std::size_t>(
      fit < most_pass_queries ? fit : fit / most_pass_queries * most_pass_queries,
      most_search_queries));
}

CandidateLists::CandidateLists(Device& device, const SearchRequest& asked, Letter& letter)
    : device_(device),
      queries_(asked.query_count),
      pool_(asked.pool != 0),
      keep_(asked.k, asked.k + queries_),
      counts_(queries_ + 1) {
  const std::uint32_t room = room_for(asked);
  list_ = Buffer<Candidate>(device.memory, std::size_t(queries_) * room, "candidates");
  keep_there_ = letter.put(keep_.data(), queries_);
  const auto thresholds = letter.page<double>(queries_);
  const auto least = letter.page<float>(queries_);
  for (std::uint32_t q = 0; q < queries_; ++q) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    thresholds.here[q] = keep_[q] == 0 ? infinity : -infinity;  // nothing, or all
    least.here[q] = static_cast<float>(thresholds.here[q]);
    given_room_ += given_for(keep_[q]);
  }
  growth_ = std::clamp(room / (4 * std::max(1u, most_kept(asked))), 4u, 64u);
  if (pool_) {
    table_blocks_ = std::min(queries_, most_table_blocks);
    table_ = Buffer<unsigned long long>(
        device.memory, std::size_t(table_blocks_) * candidates::slots_of(room), "candidates");
  }
  const std::size_t fits =
      device.memory.left() / survivors_share / sizeof(products::Survivor) / queries_;
  survivors_room_ = static_cast<std::uint32_t>(
      std::clamp<std::size_t>(fits, least_survivors, std::size_t(survivors_of_room) * room));
  survivors_ = Buffer<products::Survivor>(device.memory, std::size_t(queries_) * survivors_room_,
                                          "survivors");
  survivor_count_ = letter.put_zeros<std::uint32_t>(std::size_t(queries_) * products::count_stride);
  std::uint32_t* counts = letter.put_zeros<std::uint32_t>(queries_ + 1);
  lists_ = {
      list_.get(), counts, thresholds.there, least.there, letter.put_zeros<std::uint32_t>(queries_),
      room};
}

void CandidateLists::read_thresholds(const candidates::Asked* asked) {
  const dim3 blocks((queries_ + keep_threads - 1) / keep_threads);
  check(launch({blocks, keep_threads, 0, device_.stream}, candidates::read_thresholds, lists_,
               asked, queries_),
        "to read thresholds");
}

void CandidateLists::clear_survivors() {
  check(cudaMemsetAsync(survivor_count_, 0,
                        std::size_t(queries_) * products::count_stride * sizeof(std::uint32_t),
                        device_.stream),
        "to clear memory");
}

void CandidateLists::clear() {
  clear_survivors();
  check(cudaMemsetAsync(lists_.scored, 0, queries_ * sizeof(std::uint32_t), device_.stream),
        "to clear memory");
  check(cudaMemsetAsync(lists_.count, 0, (queries_ + 1) * sizeof(std::uint32_t), device_.stream),
        "to clear memory");
}

products::Collecting CandidateLists::survivors(std::uint32_t first_query) const {
  return {survivors_.get(), survivor_count_, survivors_room_, first_query};
}

void CandidateLists::join(const candidates::Joining& joining) {
  constexpr unsigned threads = 256;
  check(launch({dim3(2, queries_), threads, 0, device_.stream}, candidates::join, joining,
               survivors(0), queries_),
        "to join survivors");
}

void CandidateLists::settle(const candidates::Joining& joining,
                            const candidates::ExactScores& exact, const candidates::Asked* next,
                            std::uint32_t dropped, std::uint32_t* missing) {
  const candidates::Settling work{joining,  survivors(0), exact,        keep_there_, next,
                                  queries_, dropped,      table_.get(), missing};
  const dim3 blocks(pool_ ? table_blocks_ : queries_);
  check(launch({blocks, keep_threads, 0, device_.stream}, candidates::settle, work),
        "to settle a chunk");
}

void CandidateLists::begin(const candidates::Joining& joining, const candidates::ExactScores& exact,
                           const float* least, std::uint32_t rows, const candidates::Asked* next,
                           std::uint32_t dropped) {
  const candidates::Beginning work{joining, exact,    least,   rows,        keep_there_,
                                   next,    queries_, dropped, table_.get()};
  const dim3 blocks(pool_ ? table_blocks_ : queries_);
  check(launch({blocks, keep_threads, 0, device_.stream}, candidates::begin, work),
        "to score a sample");
}

void CandidateLists::put_counts() {
  device_.upload(lists_.count, counts_.data(), counts_.size() * sizeof(std::uint32_t));
}

bool CandidateLists::settled() {
  std::vector<std::uint32_t> counts = device_.downloaded(lists_.count, queries_ + 1);
  const bool whole =
      counts.back() == 0 && std::all_of(counts.begin(), counts.end(),
                                        [&](std::uint32_t count) { return count <= lists_.room; });
  if (whole)
    counts_ = std::move(counts);
  else
    put_counts();
  return whole;
}

std::uint32_t CandidateLists::fullest() const {
  return *std::max_element(counts_.begin(), counts_.end());
}

void CandidateLists::keep_best() {
  const dim3 blocks(pool_ ? table_blocks_ : queries_);
  check(launch({blocks, keep_threads, 0, device_.stream}, candidates::keep_best, lists_,
               keep_there_, queries_, table_.get()),
        "to keep the best candidates");
  settled();
}

std::vector<Candidate> CandidateLists::download(std::uint32_t query) {
  return device_.downloaded(list_.get() + std::size_t(query) * lists_.room, counts_[query]);
}

bool CandidateLists::give(const candidates::ExactScores& exact, const std::function<bool()>& whole,
                          const ResultSink& found) {
  const candidates::Rescoring work{lists_,         Scoring::exact, exact.summing,
                                   exact.segments, exact.queries,  exact.d,
                                   nullptr,        nullptr,        0};
  check(launch({dim3(4, queries_), rescore_threads, 0, device_.stream}, candidates::rescore, work),
        "to score candidates");
  // The total, then a line a query, then rows.
  const std::size_t head = sizeof(candidates::Given) * (queries_ + 1),
                    bytes = head + sizeof(Hit) * given_room_;
  const Buffer<std::uint8_t> there(device_.memory, bytes, "results");
  auto* total = reinterpret_cast<std::uint32_t*>(there.get());
  auto* given = reinterpret_cast<candidates::Given*>(there.get()) + 1;
  check(cudaMemsetAsync(total, 0, bytes, device_.stream),
        "to clear memory");  // all of it comes back
  const candidates::Giving giving{lists_,
                                  keep_there_,
                                  queries_,
                                  given_room_,
                                  total,
                                  given,
                                  reinterpret_cast<Hit*>(there.get() + head),
                                  table_.get()};
  check(launch({dim3(pool_ ? table_blocks_ : queries_), keep_threads, 0, device_.stream},
               candidates::give, giving),
        "to give results");
  const auto* here = static_cast<const std::uint8_t*>(device_.incoming.room_for(bytes));
  check(cudaMemcpyAsync(device_.incoming.room_for(bytes), there.get(), bytes,
                        cudaMemcpyDeviceToHost, device_.stream),
        "to send results");
  device_.finish();
  if (!whole()) return false;
  const auto* lines = reinterpret_cast<const candidates::Given*>(here) + 1;
  for (std::uint32_t q = 0; q < queries_; ++q) {
    counts_[q] = lines[q].count;
    if (found.rescored != nullptr) found.rescored[q] += lines[q].scored;
  }
  if (*reinterpret_cast<const std::uint32_t*>(here) > given_room_) return false;
  const auto* rows = reinterpret_cast<const Hit*>(here + head);
  for (std::uint32_t q = 0; q < queries_; ++q) {
    if (lines[q].count > 0) found.emit(found.context, q, rows + lines[q].first, lines[q].count);
  }
  return true;
}

/// Vectors that stayed with the host, of the candidates that want them.
struct CandidateLists::Gathered {
  std::vector<float> rows;
  std::vector<std::uint32_t> index;
};

CandidateLists::Gathered CandidateLists::gather(Scoring scoring,
                                                const std::vector<candidates::Vectors>& vectors,
                                                const std::vector<const float*>& host_vectors,
                                                std::uint32_t dimensions, std::uint64_t* rescored) {
  Gathered gathered;
  const bool gathers =
      std::any_of(vectors.begin(), vectors.end(),
                  [](const candidates::Vectors& each) { return each.rows == nullptr; });
  if (scoring == Scoring::raw || (!gathers && rescored == nullptr)) return gathered;
  const std::uint32_t most = fullest();
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;
  if (gathers) gathered.index.resize(std::size_t(queries_) * most);
  for (std::uint32_t q = 0; q < queries_; ++q) {
    const std::vector<Candidate> list = download(q);
    for (std::uint32_t i = 0; i < list.size(); ++i) {
      if (!wants_vector(list[i], scoring)) continue;
      if (rescored != nullptr) ++rescored[q];
      if (vectors[list[i].segment].rows != nullptr) continue;
      const auto [known, added] = numbers.try_emplace({list[i].segment, list[i].row},
                                                      static_cast<std::uint32_t>(numbers.size()));
      const float* row = host_vectors[list[i].segment] + std::size_t(list[i].row) * dimensions;
      if (added) gathered.rows.insert(gathered.rows.end(), row, row + dimensions);
      gathered.index[std::size_t(q) * most + i] = known->second;
    }
  }
  return gathered;
}

void CandidateLists::rescore(Scoring scoring, const std::vector<candidates::Vectors>& vectors,
                             const std::vector<const float*>& host_vectors, const float* queries,
                             std::uint32_t dimensions, Summing summing, std::uint64_t* rescored) {
  const std::uint32_t most = fullest();
  if (most == 0) return;
  const auto segments = device_.uploaded(vectors.data(), vectors.size(), "segments");
  const Gathered gathered = gather(scoring, vectors, host_vectors, dimensions, rescored);
  const auto rows =
      device_.uploaded(gathered.rows.data(), gathered.rows.size(), "the vectors of candidates");
  const auto index =
      device_.uploaded(gathered.index.data(), gathered.index.size(), "the vectors of candidates");
  const candidates::Rescoring work{
      lists_, scoring, summing, segments.get(), queries, dimensions, rows.get(), index.get(), most};
  const std::uint32_t groups = rescore_threads / width_of(summing), most_queries = 65535;
  if (queries_ > most_queries)
    throw Refusal(Cause::argument, "Expected at most 65535 queries, received more.");
  const dim3 blocks(std::min<std::uint32_t>((most + groups - 1) / groups, 64), queries_);
  check(launch({blocks, rescore_threads, 0, device_.stream}, candidates::rescore, work),
        "to score candidates");
  device_.finish();
}

void CandidateLists::put(std::uint32_t query, const std::vector<Candidate>& kept) {
  counts_[query] = static_cast<std::uint32_t>(kept.size());
  device_.upload(list_.get() + std::size_t(query) * lists_.room, kept.data(),
                 kept.size() * sizeof(Candidate));
}

void CandidateLists::cut_equals() {
  const auto before = [](const Candidate& a, const Candidate& b) {
    return std::tuple(a.segment, -a.least, a.passage, a.row) <
           std::tuple(b.segment, -b.least, b.passage, b.row);
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
    put(q, kept);
  }
  put_counts();
  device_.finish();
}

void CandidateLists::cut_to_keep() {
  for (std::uint32_t q = 0; q < queries_; ++q) {
    std::vector<Candidate> list = download(q);
    std::erase_if(list, [](const Candidate& each) { return each.most != each.most; });
    if (pool_) {
      const auto place = [](const Candidate& each) {
        return std::tuple(each.segment, each.passage, -each.least, each.row);
      };
      std::sort(list.begin(), list.end(),
                [&](const Candidate& a, const Candidate& b) { return place(a) < place(b); });
      const auto same = [](const Candidate& a, const Candidate& b) {
        return a.segment == b.segment && a.passage == b.passage;
      };
      list.erase(std::unique(list.begin(), list.end(), same), list.end());
    }
    if (list.size() > keep_[q] && keep_[q] > 0) {
      const auto place = [](const Candidate& each) {
        return std::tuple(-each.least, each.segment, each.passage, each.row);
      };
      std::sort(list.begin(), list.end(),
                [&](const Candidate& a, const Candidate& b) { return place(a) < place(b); });
      const double last = list[keep_[q] - 1].least;
      std::map<std::uint16_t, std::uint32_t> taken;
      std::erase_if(list, [&](const Candidate& each) {
        return each.least < last || (++taken[each.segment] > keep_[q] && each.least == last);
      });
    }
    put(q, list);
  }
  put_counts();
  device_.finish();
}

}  // namespace asof::cuda
