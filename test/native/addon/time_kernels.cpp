// Kernel families over instants, in milliseconds or ticks of a packed column, as tasks.
#include <napi.h>

#include <variant>

#include "addon/exports.hpp"
#include "addon/offsets.hpp"
#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/task.hpp"
#include "kernels/calendar/contract.hpp"
#include "kernels/decay/contract.hpp"
#include "kernels/spline/contract.hpp"
#include "kernels/standardize/contract.hpp"

namespace asof::boundary {
namespace {

using Instants =
    std::variant<std::vector<double>, std::vector<std::int32_t>, std::vector<std::int64_t>>;

// Copies milliseconds (Float64Array) or ticks (Int32Array, BigInt64Array).
Instants instants(const Napi::Value& value, const char* name) {
  napi_typedarray_type type =
      value.IsTypedArray() ? value.As<Napi::TypedArray>().TypedArrayType() : napi_uint8_array;
  if (type == napi_float64_array) return copied(array<double>(value, name));
  if (type == napi_int32_array) return copied(array<std::int32_t>(value, name));
  if (type == napi_bigint64_array) return copied(array<std::int64_t>(value, name));
  refuse(name, "a Float64Array of milliseconds, or an Int32Array or BigInt64Array of ticks",
         kind_of(value));
}

std::size_t length_of(const Instants& instants) {
  return std::visit([](const auto& values) { return values.size(); }, instants);
}

double field(const Napi::Value& value, const char* object, const char* name) {
  if (!value.IsObject()) refuse(object, "an object", kind_of(value));
  return number(value.As<Napi::Object>().Get(name), (std::string(object) + "." + name).c_str());
}

// The scale of ticks; milliseconds need none.
TickScale scale_of(const Napi::Value& value, const Instants& instants) {
  if (std::holds_alternative<std::vector<double>>(instants)) return {};
  return {field(value, "scale", "unitMs"), field(value, "scale", "originMs")};
}

// spline(request: SplineRequest, cancellation?: Cancellation): Promise<Float32Array>
Napi::Value spline_task(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Napi::Object request = object(info[0], "request");
    Instants starts = instants(request.Get("starts"), "starts"),
             ends = instants(request.Get("ends"), "ends");
    if (starts.index() != ends.index() || length_of(starts) != length_of(ends))
      refuse("ends", "an array of the kind and length of starts", "another");
    const Napi::Value row_offsets = request.Get("offsets"), line_value = request.Get("line");
    bool has_offsets = !row_offsets.IsUndefined();
    std::vector<std::uint32_t> offsets;
    if (has_offsets) {
      auto given = array<std::uint32_t>(row_offsets, "offsets");
      check_offsets(given, length_of(starts), "starts");
      offsets = copied(given);
    }
    auto line = [&](const char* name) { return field(line_value, "line", name); };
    spline::Line drawn = {line("start"), line("end"),     line("atStart"),
                          line("atEnd"), line("outside"), line("unitMs")};
    TickScale scale = scale_of(request.Get("scale"), starts);
    Cancel cancel = Cancellation::flag(info[1]);
    std::size_t n = has_offsets ? offsets.size() - 1 : length_of(starts);
    auto work = [starts = std::move(starts), ends = std::move(ends), offsets = std::move(offsets),
                 has_offsets, drawn, scale, n, cancel, &kernels = spline::kernels()] {
      cancel.throw_if_requested();
      std::vector<float> out(n);
      const std::uint32_t* rows = has_offsets ? offsets.data() : nullptr;
      if (auto* ms = std::get_if<0>(&starts))
        kernels.milliseconds({ms->data(), std::get<0>(ends).data(), rows, n}, scale, drawn,
                             out.data());
      else if (auto* narrow = std::get_if<1>(&starts))
        kernels.ticks32({narrow->data(), std::get<1>(ends).data(), rows, n}, scale, drawn,
                        out.data());
      else
        kernels.ticks64({std::get<2>(starts).data(), std::get<2>(ends).data(), rows, n}, scale,
                        drawn, out.data());
      return out;
    };
    return start_task(
        info.Env(), std::move(work),
        [](Napi::Env env, const std::vector<float>& out) { return array_of(env, out); });
  });
}

// decay(request: DecayRequest): Float32Array
Napi::Value decay_now(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const Napi::Object request = object(info[0], "request");
    const Instants starts = instants(request.Get("starts"), "starts"),
                   ends = instants(request.Get("ends"), "ends");
    if (starts.index() == 0 || starts.index() != ends.index() ||
        length_of(starts) != length_of(ends))
      refuse("ends", "ticks of the kind and length of starts", "another");
    std::vector<std::uint32_t> offsets;
    const bool has_offsets = !request.Get("offsets").IsUndefined();
    if (has_offsets) {
      auto given = array<std::uint32_t>(request.Get("offsets"), "offsets");
      check_offsets(given, length_of(starts), "starts");
      offsets = copied(given);
    }
    temporal::Form form;
    form.kind = static_cast<temporal::Kind>(number(request.Get("kind"), "kind"));
    read(array<double>(request.Get("numbers"), "numbers", 5).data(), form);
    const TickScale scale = scale_of(request.Get("scale"), starts);
    std::vector<float> out(has_offsets ? offsets.size() - 1 : length_of(starts));
    const std::uint32_t* rows = has_offsets ? offsets.data() : nullptr;
    const bool instants_alone = request.Get("ends").StrictEquals(request.Get("starts"));
    auto run = [&](auto kernel, const auto& from, const auto& until) {
      kernel({from.data(), instants_alone ? from.data() : until.data(), rows, out.size()}, scale,
             form, out.data());
    };
    if (starts.index() == 1)
      run(decay::kernels().ticks32, std::get<1>(starts), std::get<1>(ends));
    else
      run(decay::kernels().ticks64, std::get<2>(starts), std::get<2>(ends));
    return array_of(info.Env(), out);
  });
}

standardize::Moments moments_of(const Napi::Value& value, const char* name) {
  return {field(value, name, "count"), field(value, name, "mean"), field(value, name, "squares")};
}

Napi::Value moments_value(Napi::Env env, const standardize::Moments& moments) {
  Napi::Object result = Napi::Object::New(env);
  result.Set("count", moments.count);
  result.Set("mean", moments.mean);
  result.Set("squares", moments.squares);
  return result;
}

// moments(values: Float32Array, cancellation?: Cancellation): Promise<Moments>
Napi::Value moments_task(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto work = [values = copied(array<float>(info[0], "values")),
                 cancel = Cancellation::flag(info[1]), &kernels = standardize::kernels()] {
      cancel.throw_if_requested();
      return kernels.moments(values.data(), values.size());
    };
    return start_task(info.Env(), std::move(work), moments_value);
  });
}

// mergeMoments(a: Moments, b: Moments): Moments
Napi::Value merge_moments(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    return moments_value(info.Env(),
                         standardize::merge(moments_of(info[0], "a"), moments_of(info[1], "b")));
  });
}

// standardize(values: Float32Array, from: Moments, to: Moments, cancellation?: Cancellation):
// Promise<Float32Array>
Napi::Value standardize_task(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto values = array<float>(info[0], "values");
    standardize::Map map =
        standardize::map_of(moments_of(info[1], "from"), moments_of(info[2], "to"));
    auto work = [values = copied(values), map, cancel = Cancellation::flag(info[3]),
                 &kernels = standardize::kernels()]() mutable {
      cancel.throw_if_requested();
      kernels.apply(values.data(), values.size(), map, values.data());
      return std::move(values);
    };
    return start_task(
        info.Env(), std::move(work),
        [](Napi::Env env, const std::vector<float>& out) { return array_of(env, out); });
  });
}

struct Calendar {
  std::vector<std::int32_t> year;
  std::vector<std::uint8_t> month, day;
  std::vector<std::uint16_t> day_of_year;
  std::vector<std::uint8_t> mask;
  std::vector<float> features;
  explicit Calendar(std::size_t n)
      : year(n), month(n), day(n), day_of_year(n), mask(n), features(4 * n) {}
};

Napi::Value calendar_value(Napi::Env env, const Calendar& made) {
  Napi::Object result = Napi::Object::New(env);
  result.Set("year", array_of(env, made.year));
  result.Set("month", array_of(env, made.month));
  result.Set("day", array_of(env, made.day));
  result.Set("dayOfYear", array_of(env, made.day_of_year));
  result.Set("mask", array_of(env, made.mask));
  result.Set("features", array_of(env, made.features));
  return result;
}

// calendar(instants: Float64Array, granularities: Uint8Array, cancellation?: Cancellation):
// Promise<CalendarParts>
Napi::Value calendar_task(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto given = array<double>(info[0], "instants");
    auto granularities = array<std::uint8_t>(info[1], "granularities", given.size());
    for (std::uint8_t each : granularities) {
      if (each >= calendar::granularities)
        refuse("granularities", "numbers below " + std::to_string(calendar::granularities),
               std::to_string(each));
    }
    auto work = [instants = copied(given), granularities = copied(granularities),
                 cancel = Cancellation::flag(info[2]), &kernels = calendar::kernels()] {
      cancel.throw_if_requested();
      Calendar made(instants.size());
      kernels.parts(instants.data(), granularities.data(), instants.size(),
                    {made.year.data(), made.month.data(), made.day.data(), made.day_of_year.data(),
                     made.mask.data()});
      kernels.features(made.month.data(), made.day_of_year.data(), made.mask.data(),
                       instants.size(), made.features.data());
      return made;
    };
    return start_task(info.Env(), std::move(work), calendar_value);
  });
}

}  // namespace

void export_test_time_kernels(Napi::Env env, Napi::Object exports) {
  exports.Set("spline", Napi::Function::New(env, spline_task, "spline"));
  exports.Set("decay", Napi::Function::New(env, decay_now, "decay"));
  exports.Set("moments", Napi::Function::New(env, moments_task, "moments"));
  exports.Set("mergeMoments", Napi::Function::New(env, merge_moments, "mergeMoments"));
  exports.Set("standardize", Napi::Function::New(env, standardize_task, "standardize"));
  exports.Set("calendar", Napi::Function::New(env, calendar_task, "calendar"));
}

}  // namespace asof::boundary
