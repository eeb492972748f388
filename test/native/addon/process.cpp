// Process-wide controls for tests: thread count and instruction-set level.
#include <napi.h>

#include "addon/exports.hpp"
#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "core/isa.hpp"
#include "core/threads.hpp"

namespace asof::boundary {
namespace {

// setThreadCount(count: number): void
Napi::Value put_thread_count(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    set_thread_count(size(info[0], "count", 0, 1024));
    return info.Env().Undefined();
  });
}

// isaLevels(): string[]
Napi::Value get_isa_levels(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    Napi::Array names = Napi::Array::New(info.Env());
    for (Isa level : isa_levels())
      names.Set(names.Length(), Napi::String::New(info.Env(), std::string(isa_name(level))));
    return names;
  });
}

// setIsa(name: string): void
Napi::Value put_isa(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    set_isa(string(info[0], "name"));
    return info.Env().Undefined();
  });
}

}  // namespace

void export_test_process(Napi::Env env, Napi::Object exports) {
  exports.Set("setThreadCount", Napi::Function::New(env, put_thread_count, "setThreadCount"));
  exports.Set("isaLevels", Napi::Function::New(env, get_isa_levels, "isaLevels"));
  exports.Set("setIsa", Napi::Function::New(env, put_isa, "setIsa"));
}

}  // namespace asof::boundary
