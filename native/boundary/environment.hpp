// Data of a Node environment (the main thread and every worker thread have their own): the error
// class and the classes that native code instantiates.
#pragma once

#include <napi.h>

#include <cstdio>
#include <new>

#include "boundary/segments_of_call.hpp"
#include "core/error.hpp"

namespace asof::boundary {

struct Environment {
  Napi::FunctionReference error_class;  // AsOfError of lib/errors.ts, given by setErrorClass
  Napi::FunctionReference segment_class;
  Napi::FunctionReference array_buffer_class;
};

inline Environment& environment(Napi::Env env) {
  return *env.GetInstanceData<Environment>();
}

/// The environment of this JS thread, set when it loads the addon: where nothing else says it.
inline thread_local napi_env environment_of_thread = nullptr;

/// The AsOfError for a native error; a plain Error with `code` until setErrorClass has been called.
/// Allocates nothing outside JavaScript, since memory may be what there is none of.
inline Napi::Value error_value(Napi::Env env, const char* code, const char* message) {
  Environment& data = environment(env);
  if (!data.error_class.IsEmpty())
    return data.error_class.New({Napi::String::New(env, code), Napi::String::New(env, message)});
  Napi::Error error = Napi::Error::New(env, message);
  error.Set("code", Napi::String::New(env, code));
  return error.Value();
}

/// Of the exception that is being handled, one of C++ or of JavaScript.
inline Napi::Value handled_error(Napi::Env env) {
  try {
    throw;
  } catch (const Napi::Error& error) {
    return error.Value();
  } catch (const Error& error) {
    return error_value(env, error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return error_value(
        env, "ERR_OUT_OF_MEMORY",
        "Expected memory for the operation, the system refused it. Use smaller batches.");
  } catch (const std::exception& error) {
    char message[256];
    std::snprintf(message, sizeof message, "A fault of asof's own: %s", error.what());
    return error_value(env, "ERR_INTERNAL", message);
  }
}

/// Runs `body`, converting asof::Error and std exceptions to JavaScript ones, and any outcome of
/// reading a faulted segment to its error. Every exported function is wrapped in it.
template <typename Body>
auto guarded(Napi::Env env, Body body) -> decltype(body()) {
  SegmentsOfCall segments;
  try {
    return with_fault_check(segments, body);
  } catch (const Napi::Error&) {
    throw;
  } catch (const std::exception&) {
    throw Napi::Error(env, handled_error(env));
  }
}

/// Base of the classes that JavaScript constructs. No other code runs where an object of theirs
/// gets no memory, which therefore becomes an error of JavaScript's here.
template <typename T>
class Wrapped : public Napi::ObjectWrap<T> {
 public:
  static void* operator new(std::size_t bytes) {
    return guarded(environment_of_thread, [bytes] { return ::operator new(bytes); });
  }
  static void operator delete(void* memory) { ::operator delete(memory); }

 private:
  friend T;
  explicit Wrapped(const Napi::CallbackInfo& info) : Napi::ObjectWrap<T>(info) {}
};

}  // namespace asof::boundary
