// Entry point of the test addon, asof_test.node: the shipped addon's exports and those that only
// tests and benchmarks call, over one copy of the engine, so that levels and handles are shared.
#include <napi.h>

#include "addon/exports.hpp"
#include "boundary/exports.hpp"

static Napi::Object initialize(Napi::Env env, Napi::Object exports) {
  asof::boundary::export_all(env, exports);
  asof::boundary::export_test_allocations(env, exports);
  asof::boundary::export_test_process(env, exports);
  asof::boundary::export_test_kernels(env, exports);
  asof::boundary::export_test_quantized(env, exports);
  asof::boundary::export_test_time_kernels(env, exports);
  asof::boundary::export_test_text(env, exports);
  asof::boundary::export_test_encoder(env, exports);
  asof::boundary::export_test_timetag(env, exports);
  asof::boundary::export_test_facts(env, exports);
  asof::boundary::export_test_reading(env, exports);
  return exports;
}

NODE_API_MODULE(asof_test, initialize)
