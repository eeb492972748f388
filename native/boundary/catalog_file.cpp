// Exports for the LMDB catalog file: page check, SIGBUS guard, preallocation of its lock file.
#include <napi.h>

#include <optional>

#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "boundary/task.hpp"
#include "core/lmdb_file.hpp"
#include "core/sigbus_guard.hpp"

namespace asof::boundary {
namespace {

// checkLmdbPages(path, leaves, cancellation?): Promise<void>
Napi::Value check_pages(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto work = [path = string(info[0], "path"), leaves = boolean(info[1], "leaves"),
                 cancel = Cancellation::flag(info[2])] {
      check_lmdb_pages(path, leaves, cancel);
      return true;
    };
    return start_task(info.Env(), std::move(work),
                      [](Napi::Env env, bool) { return env.Undefined(); });
  });
}

// allocateFile(path, bytes): void
Napi::Value allocate(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const std::string path = string(info[0], "path");
    allocate_file(path, size(info[1], "bytes", 1, 1 << 30));
    return info.Env().Undefined();
  });
}

class GuardedFileHandle : public Napi::ObjectWrap<GuardedFileHandle> {
 public:
  static Napi::Function define(Napi::Env env) {
    return DefineClass(env, "GuardedFile",
                       {InstanceMethod("release", &GuardedFileHandle::release),
                        InstanceAccessor<&GuardedFileHandle::faulted>("faulted")});
  }
  explicit GuardedFileHandle(const Napi::CallbackInfo& info)
      : Napi::ObjectWrap<GuardedFileHandle>(info) {
    guarded(info.Env(), [&] { guard_.emplace(string(info[0], "path")); });
  }

 private:
  void release(const Napi::CallbackInfo&) {
    has_faulted_ = has_faulted_ || (guard_ && guard_->faulted());
    guard_.reset();
  }
  Napi::Value faulted(const Napi::CallbackInfo& info) {
    return Napi::Boolean::New(info.Env(), has_faulted_ || (guard_ && guard_->faulted()));
  }
  std::optional<GuardedFile> guard_;
  bool has_faulted_ = false;
};

}  // namespace

void export_catalog_file(Napi::Env env, Napi::Object exports) {
  exports.Set("GuardedFile", GuardedFileHandle::define(env));
  exports.Set("checkLmdbPages", Napi::Function::New(env, check_pages, "checkLmdbPages"));
  exports.Set("allocateFile", Napi::Function::New(env, allocate, "allocateFile"));
}

}  // namespace asof::boundary
