// Searches on a device, emulated or not, against the host's: the same rows with the same scores to
// the bit, whatever the forms, masks, scopes, storages and segments, ties among them, and whether
// all fits the device, its vectors do not, or nothing but a page does. What is refused says why.
#include "world.hpp"

using namespace asof;
using namespace asof::cuda::test;

namespace {

const Storage int8 = quantized::Storage::int8, bf16 = quantized::Storage::bf16, f32 = std::nullopt;

void shapes() {
  compare(world_of(33, {700}, int8, false, false, 1), {9, 5, 0, false, true, true});
  compare(world_of(64, {900, 300, 1}, int8, false, true, 2), {9, 10, 0, true, true, true});
  compare(world_of(40, {800, 500}, bf16, false, false, 3), {12, 7, 0, false, true, true});
  compare(world_of(17, {12000}, int8, true, false, 4), {3, 10, 0, false, true, true});
  compare(world_of(33, {700, 90}, f32, false, false, 5), {20, 10, 0, false, true, true});
  compare(world_of(24, {5000}, f32, true, true, 6), {3, 10, 0, true, true, true});
  compare(world_of(48, {3000}, int8, false, false, 7, false), {4, 6, 0, false, false, true});
  compare(world_of(20, {2500, 700}, bf16, false, false, 8, false), {3, 5, 0, false, false, true});
}

/// One row, no row, k of nothing and of more than there is; from one component to many.
void edges() {
  for (const Storage& storage : {int8, bf16, f32}) {
    compare(world_of(1, {1}, storage, false, false, 11, false), {2, 3, 0, false, false});
    compare(world_of(5, {0}, storage, false, false, 12, false), {2, 3, 0, false, false});
    compare(world_of(7, {130}, storage, false, false, 13), {2, 1000, 0, false, false});
    compare(world_of(9, {70}, storage, false, false, 14, false), {2, 0, 0, false, false});
    compare(world_of(16, {65, 1, 64}, storage, false, false, 15), {5, 200, 0, true, false});
    for (const std::size_t d : {2, 63, 64, 65, 384, 4096})
      compare(world_of(d, {100}, storage, false, false, d), {2, 4, 0, false, false, false, true});
  }
  compare(world_of(12, {200}, int8, false, false, 16),
          {270, 3, 0, false, false, false, true});  // more queries than a pass has
}

/// Long enough to begin with a sample, also where few rows are seen, or many are as good.
void samples() {
  // Masks that hide little: the first rows of the sample are scored by their vectors, or, of many
  // wanted, survive a scan that knows no threshold.
  for (const Storage& storage : {int8, bf16}) {
    compare(world_of(8, {20000, 600}, storage, false, false, 54, false),
            {2, 10, 0, false, false, false});
    compare(world_of(40, {36000}, storage, false, false, 55, false),
            {1, 200, 0, false, false, false, true});
  }
  compare(world_of(8, {20000, 600}, int8, false, false, 51, false),
          {5, 10, 0, false, false, false});
  compare(world_of(8, {18000}, int8, true, false, 52, false), {3, 5, 0, true, false, false});
  compare(world_of(8, {17000}, bf16, false, true, 53), {4, 300, 0, true, false, false});
}

/// The same where warpgroups multiply: a longer sample's bounds are laid out.
void laid_samples() {
  emulate_hopper(true);
  compare(world_of(8, {33000, 600}, int8, false, false, 61, false),
          {2, 10, 0, false, false, false});
  compare(world_of(8, {33000}, bf16, true, false, 62, false), {2, 5, 0, true, false, false, true});
  compare(world_of(8, {33000, 90}, int8, false, true, 63), {3, 7, 0, false, true, false, true});
  compare(world_of(8, {33000}, int8, false, false, 64, false),
          {20, 3, 0, false, false, false, true});
  emulate_hopper(false);
}

/// With so little memory that vectors are gathered, and then that panels or vectors come in pages.
void little_memory() {
  compare(world_of(256, {7000}, int8, false, false, 21), {2, 5, 9 << 19, false, false});
  compare(world_of(128, {7000, 300}, bf16, false, false, 22), {2, 5, 9 << 18, false, false});
  compare(world_of(96, {7000}, f32, false, false, 23), {2, 5, 9 << 18, false, false, false, true});
}

void refused(bool good, const cuda::Failure& failure, cuda::Cause cause, const char* part) {
  CHECK(!good && failure.cause == cause);
  if (std::string(failure.text).find(part) == std::string::npos)
    std::fprintf(stderr, "%s\n", failure.text);
  CHECK(std::string(failure.text).find(part) != std::string::npos);
}

/// A search of a segment of 32 dimensions for the five rows best for one query.
struct OneQuery {
  const cuda::QueryData query;
  const std::uint32_t keep = 5;
  const std::vector<float> vector = std::vector<float>(33, 1.0f);
  const cuda::MaskData mask;
  const cuda::ScopedSegment part;
  cuda::SearchRequest search;

  OneQuery(cuda::DeviceSegment* segment, std::uint64_t rows)
      : query{},
        mask{},
        part{segment, 0, rows, nullptr, &mask},
        search{&part, 1, 1, 1, 32, &query, vector.data(), &keep} {
    search.summing = 4;
  }
};

void what_is_refused_says_why() {
  const World world = world_of(32, {2000}, int8, false, false, 31);
  cuda::SegmentData data = vector::segment_data(world.segments[0]->rows());
  cuda::Failure failure;
  {
    Library library(100 << 10);
    cuda::DeviceSegment* none = nullptr;
    data.rows = 2000;
    refused(library.table->load(library.device, nullptr, &none, &failure), failure,
            cuda::Cause::argument, "Expected arguments");
    refused(library.table->load(nullptr, &data, &none, &failure), failure, cuda::Cause::argument,
            "an open device");
    cuda::DeviceSegment* paged = library.load(data);
    OneQuery one(paged, 2000);
    cuda::SearchRequest& search = one.search;
    search.dimensions = 33;
    const cuda::ResultSink found{[](void*, std::uint32_t, const cuda::Hit*, std::uint32_t) {}};
    refused(library.table->search(library.device, &search, &found, &failure), failure,
            cuda::Cause::argument, "32 dimensions, received 33");
    search.dimensions = 32;
    refused(library.table->search(library.device, &search, &found, &failure), failure,
            cuda::Cause::memory, "Expected room for");
    search.summing = 3;
    refused(library.table->search(library.device, &search, &found, &failure), failure,
            cuda::Cause::argument, "summation order");
    cuda::SegmentData odd = data;
    odd.storage = static_cast<cuda::VectorStorage>(7);
    refused(library.table->load(library.device, &odd, &none, &failure), failure,
            cuda::Cause::argument, "received number 7");
    odd = data;
    odd.dimensions = 70000;
    refused(library.table->load(library.device, &odd, &none, &failure), failure,
            cuda::Cause::argument, "65536 dimensions");
  }
  {
    Library library(10 << 10);
    cuda::DeviceSegment* none = nullptr;
    refused(library.table->load(library.device, &data, &none, &failure), failure,
            cuda::Cause::memory, "of 10240 are available");
    cuda::Device* other = nullptr;
    refused(library.table->open(99, 0, &other, &failure), failure, cuda::Cause::unavailable,
            "received number 99");
    library.table->close(nullptr);
    library.table->unload(nullptr);
    library.table->destroy_trainer(nullptr);
  }
  nothing_is_left();
}

/// Somebody else has the device's memory, and gives it back.
void a_full_device_serves_again() {
  const World world = world_of(32, {9000}, int8, false, false, 42);
  const cuda::SegmentData data = vector::segment_data(world.segments[0]->rows());
  {
    Library library(0);
    cuda::DeviceSegment* resident = library.load(data);
    OneQuery one(resident, 9000);
    cuda::SearchRequest& search = one.search;
    std::uint32_t given = 0;
    const cuda::ResultSink found{
        [](void* context, std::uint32_t, const cuda::Hit*, std::uint32_t count) {
          *static_cast<std::uint32_t*>(context) += count;
        },
        &given};
    cuda::Failure failure;
    const std::size_t taken = cuda::emulation::allocated();
    cuda::emulation::set_device(1, taken);
    refused(library.table->search(library.device, &search, &found, &failure), failure,
            cuda::Cause::memory, "out of memory");
    cuda::DeviceSegment* none = nullptr;
    cuda::emulation::set_device(1, taken + (9000 << 3));
    refused(library.table->load(library.device, &data, &none, &failure), failure,
            cuda::Cause::memory, "out of memory");
    CHECK(cuda::emulation::allocated() == taken);
    cuda::emulation::set_device(1, std::size_t(1) << 30);
    Library::expect(library.table->search(library.device, &search, &found, &failure), failure);
    CHECK(given >= 5);
  }
  nothing_is_left();
}

void a_search_that_is_stopped_says_so() {
  const World world = world_of(32, {9000}, int8, false, false, 41);
  {
    Library library(0);
    cuda::DeviceSegment* resident = library.load(vector::segment_data(world.segments[0]->rows()));
    OneQuery one(resident, 9000);
    cuda::SearchRequest& search = one.search;
    int asked = 0;
    search.stop = [](void* context) { return ++*static_cast<int*>(context) == 2; };
    search.context = &asked;
    const cuda::ResultSink found{
        [](void*, std::uint32_t, const cuda::Hit*, std::uint32_t) { CHECK(false); }};
    cuda::Failure failure;
    refused(library.table->search(library.device, &search, &found, &failure), failure,
            cuda::Cause::aborted, "stopped");
  }
  nothing_is_left();
}

}  // namespace

int main() {
  little_memory();
  shapes();
  samples();
  laid_samples();
  edges();
  what_is_refused_says_why();
  if (emulated()) a_full_device_serves_again();
  a_search_that_is_stopped_says_so();
  return 0;
}
