// The library's edge: functions of C over device/, search/, time/ and training/. What is thrown
// within becomes a cause and a sentence; nothing is thrown beyond it, whatever it is.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <new>

#include "cuda/search/search.hpp"
#include "cuda/time/rows.hpp"
#include "cuda/training/trainer.hpp"

namespace asof::cuda {
namespace {

void say(Failure* failure, Cause cause, const char* text) noexcept {
  if (failure == nullptr) return;
  failure->cause = cause;
  std::snprintf(failure->text, sizeof failure->text, "%s", text);
}

template <typename Work>
bool guarded(Failure* failure, Work work) noexcept {
  try {
    work();
    return true;
  } catch (const Refusal& refusal) {
    say(failure, refusal.cause, refusal.what());
  } catch (const std::bad_alloc&) {
    say(failure, Cause::memory, "The host has no memory left.");
  } catch (const std::length_error&) {
    say(failure, Cause::memory, "The host has no memory for so much.");
  } catch (const std::exception& error) {
    say(failure, Cause::failed, error.what());
  } catch (...) {
    say(failure, Cause::failed, "The library failed in a way that it does not know.");
  }
  return false;
}

template <typename Pointer>
void expect(Pointer pointer, const char* what) {
  if (pointer == nullptr)
    throw Refusal(Cause::argument, std::string("Expected ") + what + ", received none.");
}

/// Work on an open device, in its turn.
template <typename Work>
bool in_turn(Device* device, const void* given, Failure* failure, Work work) noexcept {
  return guarded(failure, [&] {
    expect(device, "an open device");
    expect(given, "something to do");
    const std::lock_guard turn(device->one_at_a_time);
    device->use();
    work();
  });
}

/// Gives something of a device back, in its turn. There is nobody to tell of what goes wrong.
template <typename Owned>
void give_back(Owned* owned) noexcept {
  if (owned == nullptr) return;
  guarded(nullptr, [&] {
    Device& device = owned->device;
    const std::lock_guard turn(device.one_at_a_time);
    cudaSetDevice(device.ordinal);
    delete owned;
    device.memory.free_kept();
  });
}

/// As CUDA numbers its versions: 12040 is 12.4.
std::string version_of(int number) {
  return "CUDA " + std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

std::uint32_t device_count() {
  int count = 0, driver = 0, own = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0) return static_cast<std::uint32_t>(count);
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&own);
  // Drivers run what was built by any toolkit of their major version.
  const std::string wanted =
      "Expected an NVIDIA driver for " + version_of(own / 1000 * 1000) + " or later, found ";
  if (driver == 0) throw Refusal(Cause::unavailable, wanted + "none.");
  if (error == cudaErrorInsufficientDriver)
    throw Refusal(Cause::unavailable, wanted + "one for " + version_of(driver) + ".");
  const std::string why = error == cudaSuccess || error == cudaErrorNoDevice
                              ? ""
                              : std::string(" (") + cudaGetErrorString(error) + ")";
  throw Refusal(Cause::unavailable, "Expected a CUDA device, found none that the driver for " +
                                        version_of(driver) + " shows this process" + why + ".");
}

void expect_device(std::uint32_t ordinal) {
  const std::uint32_t count = device_count();
  if (ordinal < count) return;
  throw Refusal(Cause::unavailable, "Expected one of " + std::to_string(count) +
                                        " devices, received number " + std::to_string(ordinal) +
                                        ".");
}

constexpr int least_capability = 75;

bool count(std::uint32_t* devices, Failure* failure) {
  return guarded(failure, [&] { *devices = device_count(); });
}

bool info(std::uint32_t ordinal, DeviceInfo* info, Failure* failure) {
  return guarded(failure, [&] {
    expect_device(ordinal);
    cudaDeviceProp properties;
    check(cudaSetDevice(static_cast<int>(ordinal)), "to be used");
    check(cudaGetDeviceProperties(&properties, static_cast<int>(ordinal)), "to say what it is");
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "to say how much memory is free");
    *info = {};
    std::snprintf(info->name, sizeof info->name, "%s", properties.name);
    info->memory = total;
    info->free = free;
    info->major = static_cast<std::uint32_t>(properties.major);
    info->minor = static_cast<std::uint32_t>(properties.minor);
    info->processors = static_cast<std::uint32_t>(properties.multiProcessorCount);
  });
}

bool open(std::uint32_t ordinal, std::uint64_t memory_limit, Device** device, Failure* failure) {
  return guarded(failure, [&] {
    expect_device(ordinal);
    auto opened = std::make_unique<Device>(static_cast<int>(ordinal), memory_limit);
    const cudaDeviceProp& properties = opened->properties;
    if (10 * properties.major + properties.minor < least_capability) {
      throw Refusal(Cause::unavailable,
                    "Expected a device of compute capability 7.5 (Turing) or later, found " +
                        std::string(properties.name) + " of " + std::to_string(properties.major) +
                        "." + std::to_string(properties.minor) + ".");
    }
    *device = opened.release();
  });
}

void close(Device* device) {
  guarded(nullptr, [&] {
    if (device != nullptr) cudaSetDevice(device->ordinal);
    delete device;
  });
}

bool load(Device* device, const SegmentData* segment, DeviceSegment** resident, Failure* failure) {
  return in_turn(device, segment, failure, [&] {
    struct Loading {
      Device& device;
      bool whole = false;
      ~Loading() {
        device.way.stop = nullptr;
        if (!whole) device.memory.free_kept();  // what came before is of no use to searches
      }
    } loading{*device};
    device->way.stop = segment->stop;
    device->way.stop_context = segment->context;
    *resident = new DeviceSegment(*device, *segment);
    loading.whole = true;
  });
}

void unload(DeviceSegment* resident) {
  give_back(resident);
}

bool run_search(Device* device, const SearchRequest* asked, const ResultSink* found,
                Failure* failure) {
  return in_turn(device, asked, failure, [&] { search(*device, *asked, *found); });
}

bool run_recency(Device* device, const RecencyData* rows, Failure* failure) {
  return in_turn(device, rows, failure, [&] { recency(*device, *rows); });
}

bool run_spline(Device* device, const SplineData* rows, Failure* failure) {
  return in_turn(device, rows, failure, [&] { splines(*device, *rows); });
}

bool run_calendar(Device* device, const CalendarData* rows, Failure* failure) {
  return in_turn(device, rows, failure, [&] { calendar_parts(*device, *rows); });
}

bool run_film(Device* device, const FilmData* rows, Failure* failure) {
  return in_turn(device, rows, failure, [&] { film(*device, *rows); });
}

bool create_trainer(Device* device, const TrainerData* data, Trainer** trainer, Failure* failure) {
  return in_turn(device, data, failure, [&] { *trainer = new Trainer(*device, *data); });
}

void destroy_trainer(Trainer* trainer) {
  give_back(trainer);
}

bool write_state(Trainer* trainer, const float* parameters, const float* first, const float* second,
                 Failure* failure) {
  return in_turn(trainer == nullptr ? nullptr : &trainer->device, trainer, failure,
                 [&] { trainer->write(parameters, first, second); });
}

bool read_state(Trainer* trainer, float* parameters, float* first, float* second,
                Failure* failure) {
  return in_turn(trainer == nullptr ? nullptr : &trainer->device, trainer, failure,
                 [&] { trainer->read(parameters, first, second); });
}

bool step(Trainer* trainer, const TrainStep* how, double* loss, float* gradient, Failure* failure) {
  return in_turn(trainer == nullptr ? nullptr : &trainer->device, how, failure,
                 [&] { *loss = trainer->step(*how, gradient); });
}

#if defined(__CUDACC__)
#define ASOF_STRING_OF(text) #text
#define ASOF_STRING(text) ASOF_STRING_OF(text)
constexpr char build[] =
    "CUDA " ASOF_STRING(__CUDACC_VER_MAJOR__) "." ASOF_STRING(__CUDACC_VER_MINOR__);
#else
constexpr char build[] = "emulated on the host";
#endif

constexpr Interface table = {interface_version,
                             sizeof(Interface),
                             build,
                             count,
                             info,
                             open,
                             close,
                             load,
                             unload,
                             run_search,
                             run_recency,
                             run_spline,
                             run_calendar,
                             run_film,
                             create_trainer,
                             destroy_trainer,
                             write_state,
                             read_state,
                             step};

}  // namespace
}  // namespace asof::cuda

extern "C" __attribute__((visibility("default"))) const asof::cuda::Interface*
asof_cuda_interface() {
  return &asof::cuda::table;
}
