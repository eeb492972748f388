// Exports of each file of test/native/addon, declared in testBinding.d.ts.
#pragma once

#include <napi.h>

namespace asof::boundary {

void export_test_allocations(Napi::Env env, Napi::Object exports);
void export_test_process(Napi::Env env, Napi::Object exports);
void export_test_kernels(Napi::Env env, Napi::Object exports);
void export_test_quantized(Napi::Env env, Napi::Object exports);
void export_test_time_kernels(Napi::Env env, Napi::Object exports);
void export_test_text(Napi::Env env, Napi::Object exports);
void export_test_encoder(Napi::Env env, Napi::Object exports);
void export_test_timetag(Napi::Env env, Napi::Object exports);
void export_test_facts(Napi::Env env, Napi::Object exports);
void export_test_reading(Napi::Env env, Napi::Object exports);

}  // namespace asof::boundary
