// Data of a Node environment (the main thread and every worker thread have their own): the error
// class and the classes that native code instantiates.
#pragma once

#include <napi.h>

#include "boundary/segments_of_call.hpp"
#include "core/error.hpp"

namespace asof::boundary {

struct Environment {
  Napi::FunctionReference error_class;  // AsOfError of lib/errors.ts, given by setErrorClass
  Napi::FunctionReference segment_class;
};

inline Environment& environment(Napi::Env env) {
  return *env.GetInstanceData<Environment>();
}

/// The AsOfError for a native error; a plain Error with `code` until setErrorClass has been called.
inline Napi::Value error_value(Napi::Env env, const char* code, const std::string& message) {
  Environment& data = environment(env);
  if (!data.error_class.IsEmpty())
    return data.error_class.New({Napi::String::New(env, code), Napi::String::New(env, message)});
  Napi::Error error = Napi::Error::New(env, message);
  error.Set("code", Napi::String::New(env, code));
  return error.Value();
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
  } catch (const Error& error) {
    throw Napi::Error(env, error_value(env, error.code(), error.what()));
  } catch (const std::bad_alloc&) {
    throw Napi::Error(
        env, error_value(
                 env, "ERR_OUT_OF_MEMORY",
                 "Expected memory for the operation, the system refused it. Use smaller batches."));
  } catch (const std::exception& error) {
    throw Napi::Error(env, error_value(env, "ERR_INTERNAL",
                                       std::string("A fault of asof's own: ") + error.what()));
  }
}

}  // namespace asof::boundary
