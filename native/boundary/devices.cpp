// Exports that list CUDA devices. Tasks, since a driver may take a second to start.
#include <napi.h>

#include <optional>

#include "boundary/exports.hpp"
#include "boundary/task.hpp"
#include "core/path_text.hpp"
#include "device/library.hpp"

namespace asof::boundary {
namespace {

struct DeviceListing {
  std::string library, build,
      reason;  // why there is no device; without a build there is no library
  std::vector<cuda::DeviceInfo> devices;
};

DeviceListing probe_devices() {
  DeviceListing listing;
  listing.library = text_of(cuda_library_path());
  try {
    const cuda::Interface& library = cuda_library();
    listing.build = library.build;
    const std::uint32_t count = device_count(library);
    for (std::uint32_t ordinal = 0; ordinal < count; ++ordinal) {
      cuda::DeviceInfo info{};
      cuda::Failure failure;
      if (!library.info(ordinal, &info, &failure)) throw_device_error(failure);
      listing.devices.push_back(info);
    }
  } catch (const Error& error) {
    listing.reason = error.what();
  }
  return listing;
}

Napi::Value to_object(Napi::Env env, const DeviceListing& listing) {
  Napi::Object result = Napi::Object::New(env);
  result.Set("library", listing.library);
  result.Set("build", listing.build.empty() ? env.Null()
                                            : Napi::Value(Napi::String::New(env, listing.build)));
  result.Set("reason", listing.reason.empty()
                           ? env.Null()
                           : Napi::Value(Napi::String::New(env, listing.reason)));
  Napi::Array devices = Napi::Array::New(env, listing.devices.size());
  for (std::uint32_t i = 0; i < listing.devices.size(); ++i) {
    const cuda::DeviceInfo& info = listing.devices[i];
    Napi::Object device = Napi::Object::New(env);
    device.Set("name", std::string(info.name));
    device.Set("memory", static_cast<double>(info.memory));
    device.Set("freeMemory", static_cast<double>(info.free));
    device.Set("computeCapability", std::to_string(info.major) + "." + std::to_string(info.minor));
    device.Set("processors", static_cast<double>(info.processors));
    devices.Set(i, device);
  }
  result.Set("devices", devices);
  return result;
}

// listDevices(): Promise<DeviceList>
Napi::Value list_devices(const Napi::CallbackInfo& info) {
  return guarded(info.Env(),
                 [&]() -> Napi::Value { return start_task(info.Env(), probe_devices, to_object); });
}

// deviceUnavailableReason(): Promise<string | null>
Napi::Value device_unavailable_reason(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto work = []() -> std::string {
      try {
        device_count(cuda_library());
        return {};
      } catch (const Error& error) {
        return error.what();
      }
    };
    auto finish = [](Napi::Env env, const std::string& reason) -> Napi::Value {
      return reason.empty() ? env.Null() : Napi::String::New(env, reason);
    };
    return start_task(info.Env(), std::move(work), finish);
  });
}

}  // namespace

void export_devices(Napi::Env env, Napi::Object exports) {
  exports.Set("deviceUnavailableReason",
              Napi::Function::New(env, device_unavailable_reason, "deviceUnavailableReason"));
  exports.Set("listDevices", Napi::Function::New(env, list_devices, "listDevices"));
}

}  // namespace asof::boundary
