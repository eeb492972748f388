// Re3's time encoder: a handle owns its weights and tables; fusing rows is a task.
#include <memory>

#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "boundary/handles.hpp"
#include "boundary/task.hpp"
#include "boundary/time_encoder.hpp"
#include "boundary/time_encoder_arguments.hpp"

namespace asof::boundary {
namespace {

using Handle = std::shared_ptr<const TimeEncoder>;
constexpr napi_type_tag encoder_tag = {0x3bd16a5f72c04e98, 0xa90e47c15bf28d36};

// openTimeEncoder(network, parameters): Promise<TimeEncoderHandle>
Napi::Value open_time_encoder(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    TimeNetwork network = time_network(info[0]);
    auto work = [network, parameters = copied(array<float>(info[1], "parameters"))] {
      return std::make_shared<const TimeEncoder>(network, parameters);
    };
    return start_task(info.Env(), std::move(work), [](Napi::Env env, const Handle& encoder) {
      return handle_of(env, encoder_tag, encoder);
    });
  });
}

// fuseTimes(encoder, vectors, dates, cancellation?): Promise<Float32Array>
Napi::Value fuse_times(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    Handle encoder = time_encoder_of(info[0]);
    auto vectors = array<float>(info[1], "vectors");
    std::size_t d = encoder->network().dimensions;
    if (vectors.size() % d != 0)
      refuse("vectors", "a whole number of rows of " + std::to_string(d),
             "an array of " + std::to_string(vectors.size()));
    std::size_t n = vectors.size() / d;
    auto work = [encoder, vectors = copied(vectors), dates = dates_of(info[2], n), n,
                 cancel = Cancellation::flag(info[3])]() mutable {
      // If rows keep their length, the result overwrites the copy and allocates no memory.
      bool in_place = encoder->network().fused() == encoder->network().dimensions;
      std::vector<float> out(in_place ? 0 : n * encoder->network().fused());
      encoder->fuse(dates.parts(), vectors, n,
                    in_place ? std::span<float>(vectors) : std::span<float>(out), cancel);
      return in_place ? std::move(vectors) : std::move(out);
    };
    return start_task(
        info.Env(), std::move(work),
        [](Napi::Env env, const std::vector<float>& out) { return array_of(env, out); });
  });
}

// timeParameterCount(network): number
Napi::Value time_parameter_count(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    return Napi::Number::New(info.Env(),
                             static_cast<double>(layout_of(time_network(info[0])).total));
  });
}

}  // namespace

std::shared_ptr<const TimeEncoder> time_encoder_of(const Napi::Value& value) {
  return contents<Handle>(value, encoder_tag, "encoder", "what openTimeEncoder gave");
}

void export_time_encoder(Napi::Env env, Napi::Object exports) {
  exports.Set("timeParameterCount",
              Napi::Function::New(env, time_parameter_count, "timeParameterCount"));
  exports.Set("openTimeEncoder", Napi::Function::New(env, open_time_encoder, "openTimeEncoder"));
  exports.Set("fuseTimes", Napi::Function::New(env, fuse_times, "fuseTimes"));
}

}  // namespace asof::boundary
