// Exports that fuse the vectors of a segment's rows with their times (Re3, section 3.3).
#include <napi.h>

#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "boundary/segments.hpp"
#include "boundary/task.hpp"
#include "boundary/time_encoder.hpp"
#include "boundary/time_encoder_arguments.hpp"
#include "index/segment/fused_vectors.hpp"

namespace asof::boundary {
namespace {

// contentDates(segment, cancellation?): Promise<TimeColumns>
Napi::Value content_dates_task(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    auto work = [segment = segment_of(info[0]), cancel = Cancellation::flag(info[1])] {
      return content_dates(*segment, cancel);
    };
    return start_task(info.Env(), std::move(work), [](Napi::Env env, const Dates& dates) {
      Napi::Object columns = Napi::Object::New(env);
      columns.Set("year", array_of(env, dates.year));
      columns.Set("month", array_of(env, dates.month));
      columns.Set("day", array_of(env, dates.day));
      columns.Set("dayOfYear", array_of(env, dates.day_of_year));
      columns.Set("mask", array_of(env, dates.mask));
      return columns;
    });
  });
}

// writeFusedVectors(file, fusion: { segment, encoder, dates, sections }, cancellation?):
// Promise<void>
Napi::Value write_fused_vectors_task(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto file = output_file_of(info[0]);
    const Napi::Object fusion = object(info[1], "fusion");
    // Shared, so that the references are released on the JS thread, where the task's closure is
    // destroyed.
    auto borrowed = std::make_shared<BorrowedSections>(borrowed_sections(fusion.Get("sections")));
    auto work = [file, segment = segment_of(fusion.Get("segment")),
                 encoder = time_encoder_of(fusion.Get("encoder")),
                 dates = dates_of(fusion.Get("dates")), borrowed,
                 cancel = Cancellation::flag(info[2])] {
      write_fused_vectors(*file, *segment, {*encoder, dates}, borrowed->sections, cancel);
      return true;
    };
    return start_task(info.Env(), std::move(work),
                      [](Napi::Env env, bool) { return env.Undefined(); });
  });
}

}  // namespace

void export_fused_vectors(Napi::Env env, Napi::Object exports) {
  exports.Set("contentDates", Napi::Function::New(env, content_dates_task, "contentDates"));
  exports.Set("writeFusedVectors",
              Napi::Function::New(env, write_fused_vectors_task, "writeFusedVectors"));
}

}  // namespace asof::boundary
