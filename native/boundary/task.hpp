// Promises of the addon. A task runs on a libuv thread, owns its inputs and touches no JavaScript
// value; its result is converted back on the JS thread.
#pragma once

#include <napi.h>

#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "boundary/environment.hpp"
#include "core/cancel.hpp"
#include "core/error.hpp"

namespace asof::boundary {

/// The JavaScript class Cancellation: `cancel()` sets the flag that a task reads between tiles.
class Cancellation : public Wrapped<Cancellation> {
 public:
  static Napi::Function define(Napi::Env env) {
    return DefineClass(env, "Cancellation", {InstanceMethod("cancel", &Cancellation::cancel)});
  }
  explicit Cancellation(const Napi::CallbackInfo& info) : Wrapped<Cancellation>(info) {
    guarded(info.Env(), [&] {
      flag_.emplace();
      napi_type_tag_object(info.Env(), info.This(), &tag);
    });
  }
  /// The flag behind a Cancellation, or a fresh one if `value` is undefined.
  static Cancel flag(const Napi::Value& value) {
    if (value.IsUndefined()) return Cancel();
    bool matches = false;
    if (value.IsObject()) napi_check_object_type_tag(value.Env(), value, &tag, &matches);
    if (!matches)
      throw Error(
          "ERR_INVALID_ARGUMENT",
          "Expected cancellation to be a Cancellation or undefined, received something else.");
    const Cancel& flag = *Unwrap(value.As<Napi::Object>())->flag_;
    SegmentsOfCall::note(flag);
    return flag;
  }

 private:
  static constexpr napi_type_tag tag = {0x5e1d9f0a7c3b4e21, 0x9b0c6d2f41a87e53};
  void cancel(const Napi::CallbackInfo&) { flag_->request(); }
  std::optional<Cancel> flag_;
};

/// Settles a promise by calling `settling`. In a worker thread that is being terminated every
/// JavaScript call fails, and the promise is never settled.
template <typename Settling>
void settle(Napi::Env env, Settling settling) {
  Napi::HandleScope scope(env);
  try {
    settling();
  } catch (const Napi::Error&) {
  }
}

/// Starts `work()` off the JS thread, after the segments of the call have been verified; the
/// promise resolves with `finish(env, result)`, which runs on the JS thread.
template <typename Work, typename Finish>
Napi::Value start_task(Napi::Env env, Work work, Finish finish) {
  using Result = decltype(work());
  class Task : public Napi::AsyncWorker {
   public:
    Task(Napi::Env env, Work work, Finish finish)
        : Napi::AsyncWorker(env, "asof"),
          deferred_(Napi::Promise::Deferred::New(env)),
          segments_(SegmentsOfCall::take_list()),
          cancel_(SegmentsOfCall::take_cancel()),
          work_(std::move(work)),
          finish_(std::move(finish)) {}
    Napi::Promise promise() const { return deferred_.Promise(); }

   protected:
    // Never by AsyncWorker's SetError: copying a message would need the memory that is missing.
    void Execute() override {
      try {
        auto verified_work = [this] {
          for (const auto& segment : segments_) segment->check(cancel_);
          return work_();
        };
        result_.emplace(with_fault_check(segments_, verified_work));
      } catch (...) {
        failure_ = std::current_exception();
      }
    }
    void OnOK() override {
      settle(Env(), [this] {
        try {
          if (failure_) std::rethrow_exception(failure_);
          deferred_.Resolve(finish_(Env(), *result_));
        } catch (const std::exception&) {
          deferred_.Reject(handled_error(Env()));
        }
      });
    }

   private:
    Napi::Promise::Deferred deferred_;
    SegmentsOfCall::List segments_;
    asof::Cancel cancel_;  // Cancel is a function of the base
    Work work_;
    Finish finish_;
    std::optional<Result> result_;
    std::exception_ptr failure_;
  };
  auto task = std::make_unique<Task>(env, std::move(work), std::move(finish));
  Napi::Promise promise = task->promise();
  task->Queue();
  task.release();  // deletes itself at the end
  return promise;
}

}  // namespace asof::boundary
