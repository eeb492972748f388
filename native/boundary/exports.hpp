// What each file of boundary/ exports; addon.cpp calls them all. binding.d.ts is the contract in
// TypeScript's words.
#pragma once

#include <napi.h>

namespace asof::boundary {

void export_process(Napi::Env env, Napi::Object exports);
void export_devices(Napi::Env env, Napi::Object exports);
void export_timetag(Napi::Env env, Napi::Object exports);
void export_segments(Napi::Env env, Napi::Object exports);
void export_catalog_file(Napi::Env env, Napi::Object exports);
void export_corpus_segments(Napi::Env env, Napi::Object exports);
void export_kernels(Napi::Env env, Napi::Object exports);
void export_quantized(Napi::Env env, Napi::Object exports);
void export_flat(Napi::Env env, Napi::Object exports);
void export_time_kernels(Napi::Env env, Napi::Object exports);
void export_lexical(Napi::Env env, Napi::Object exports);
void export_texts(Napi::Env env, Napi::Object exports);
void export_static_encoder(Napi::Env env, Napi::Object exports);
void export_training(Napi::Env env, Napi::Object exports);
void export_time_encoder(Napi::Env env, Napi::Object exports);
void export_fused_vectors(Napi::Env env, Napi::Object exports);

}  // namespace asof::boundary
