// Process-wide exports: error class, cancellation, thread count, instruction-set level.
#include <napi.h>

#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "boundary/task.hpp"
#include "core/isa.hpp"
#include "core/threads.hpp"

namespace asof::boundary {
namespace {

// setErrorClass(errorClass: new (code: string, message: string) => Error): void
Napi::Value set_error_class(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    if (!info[0].IsFunction()) refuse("errorClass", "a class", kind_of(info[0]));
    environment(info.Env()).error_class = Napi::Persistent(info[0].As<Napi::Function>());
    return info.Env().Undefined();
  });
}

// threadCount(): number
Napi::Value get_thread_count(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(thread_count()));
}

// isa(): string
Napi::Value get_isa(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    return Napi::String::New(info.Env(), std::string(isa_name(isa())));
  });
}

}  // namespace

void export_process(Napi::Env env, Napi::Object exports) {
  exports.Set("Cancellation", Cancellation::define(env));
  exports.Set("setErrorClass", Napi::Function::New(env, set_error_class, "setErrorClass"));
  exports.Set("threadCount", Napi::Function::New(env, get_thread_count, "threadCount"));
  exports.Set("isa", Napi::Function::New(env, get_isa, "isa"));
}

}  // namespace asof::boundary
