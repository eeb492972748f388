// Implementation of the C interface (device/interface.hpp) over device/, search/ and training/.
// Exceptions become Failures here; none leaves the library.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <new>

#include "cuda/search/search.hpp"
#include "cuda/training/trainer.hpp"

namespace asof::cuda {
namespace {

void set_failure(Failure* failure, Cause cause, const char* text) noexcept {
  if (failure == nullptr) return;
  failure->cause = cause;
  std::snprintf(failure->text, sizeof failure->text, "%s", text);
}

template <typename Work>
bool guarded(Failure* failure, Work work) noexcept {
  try {
    work();
    return true;
  } catch (const DeviceError& refusal) {
    set_failure(failure, refusal.cause, refusal.what());
  } catch (const std::bad_alloc&) {
    set_failure(failure, Cause::memory, "The host has no memory left.");
  } catch (const std::length_error&) {
    set_failure(failure, Cause::memory, "The allocation exceeds the memory of the host.");
  } catch (const std::exception& error) {
    set_failure(failure, Cause::failed, error.what());
  } catch (...) {
    set_failure(failure, Cause::failed, "The library failed with an unknown exception.");
  }
  return false;
}

template <typename Pointer>
void expect(Pointer pointer, const char* what) {
  if (pointer == nullptr)
    throw DeviceError(Cause::argument, std::string("Expected ") + what + ", received none.");
}

/// Runs work on an open device; calls to one device are serialized.
template <typename Work>
bool serialized(Device* device, const void* arguments, Failure* failure, Work work) noexcept {
  return guarded(failure, [&] {
    expect(device, "an open device");
    expect(arguments, "arguments");
    const std::lock_guard turn(device->mutex);
    device->use();
    work();
  });
}

/// Destroys an object of a device. Errors cannot be reported.
template <typename Owned>
void destroy(Owned* owned) noexcept {
  if (owned == nullptr) return;
  guarded(nullptr, [&] {
    Device& device = owned->device;
    const std::lock_guard turn(device.mutex);
    cudaSetDevice(device.ordinal);
    delete owned;
    device.memory.trim();
  });
}

/// Text of a CUDA version number: 12040 is 12.4.
std::string version_of(int number) {
  return "CUDA " + std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

std::uint32_t device_count() {
  int count = 0, driver = 0, own = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0) return static_cast<std::uint32_t>(count);
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&own);
  // A driver runs code of every toolkit of its major version.
  const std::string expectation =
      "Expected an NVIDIA driver for " + version_of(own / 1000 * 1000) + " or later, found ";
  if (driver == 0) throw DeviceError(Cause::unavailable, expectation + "none.");
  if (error == cudaErrorInsufficientDriver)
    throw DeviceError(Cause::unavailable, expectation + "one for " + version_of(driver) + ".");
  const std::string why = error == cudaSuccess || error == cudaErrorNoDevice
                              ? ""
                              : std::string(" (") + cudaGetErrorString(error) + ")";
  throw DeviceError(Cause::unavailable, "Expected a CUDA device, found none that the driver for " +
                                            version_of(driver) + " shows this process" + why + ".");
}

void expect_device(std::uint32_t ordinal) {
  const std::uint32_t count = device_count();
  if (ordinal < count) return;
  throw DeviceError(Cause::unavailable, "Expected one of " + std::to_string(count) +
                                            " devices, received number " + std::to_string(ordinal) +
                                            ".");
}

constexpr int min_capability = 75;

bool count(std::uint32_t* devices, Failure* failure) {
  return guarded(failure, [&] { *devices = device_count(); });
}

bool info(std::uint32_t ordinal, DeviceInfo* info, Failure* failure) {
  return guarded(failure, [&] {
    expect_device(ordinal);
    cudaDeviceProp properties{};
    check(cudaSetDevice(static_cast<int>(ordinal)), "to be used");
    check(cudaGetDeviceProperties(&properties, static_cast<int>(ordinal)),
          "to report its properties");
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "to report its free memory");
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
    if (10 * properties.major + properties.minor < min_capability) {
      throw DeviceError(Cause::unavailable,
                        "Expected a device of compute capability 7.5 (Turing) or later, found " +
                            std::string(properties.name) + " of " +
                            std::to_string(properties.major) + "." +
                            std::to_string(properties.minor) + ".");
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
  return serialized(device, segment, failure, [&] {
    struct Loading {
      Device& device;
      bool whole = false;
      ~Loading() {
        device.upload_stream.stop = nullptr;
        if (!whole) device.memory.trim();  // blocks of a failed upload fit no search
      }
    } loading{*device};
    device->upload_stream.stop = segment->stop;
    device->upload_stream.stop_context = segment->context;
    *resident = new DeviceSegment(*device, *segment);
    loading.whole = true;
  });
}

void unload(DeviceSegment* resident) {
  destroy(resident);
}

bool run_search(Device* device, const SearchRequest* request, const ResultSink* sink,
                Failure* failure) {
  return serialized(device, request, failure, [&] { search(*device, *request, *sink); });
}

bool create_trainer(Device* device, const TrainerData* data, Trainer** trainer, Failure* failure) {
  return serialized(device, data, failure, [&] { *trainer = new Trainer(*device, *data); });
}

void destroy_trainer(Trainer* trainer) {
  destroy(trainer);
}

bool write_state(Trainer* trainer, const float* parameters, const float* first, const float* second,
                 Failure* failure) {
  return serialized(trainer == nullptr ? nullptr : &trainer->device, trainer, failure,
                    [&] { trainer->write(parameters, first, second); });
}

bool read_state(Trainer* trainer, float* parameters, float* first, float* second,
                Failure* failure) {
  return serialized(trainer == nullptr ? nullptr : &trainer->device, trainer, failure,
                    [&] { trainer->read(parameters, first, second); });
}

bool step(Trainer* trainer, const TrainStep* options, double* loss, float* gradient,
          Failure* failure) {
  return serialized(trainer == nullptr ? nullptr : &trainer->device, options, failure,
                    [&] { *loss = trainer->step(*options, gradient); });
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
