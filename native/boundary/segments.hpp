// JavaScript class Segment, for the files of boundary/ that search segments.
#pragma once

#include <napi.h>

#include <memory>
#include <vector>

#include "core/output_file.hpp"
#include "index/segment/segment.hpp"

namespace asof::boundary {

/// The segment behind a JavaScript Segment. Throws ERR_INVALID_ARGUMENT for anything else and
/// ERR_CLOSED after close(). A task that keeps the pointer keeps the mapping, whatever the
/// JavaScript handle does meanwhile.
std::shared_ptr<const Segment> segment_of(const Napi::Value& value);

/// Sections from JavaScript, { name, data }[], and the references that keep their memory until they
/// are written: vectors are large, so they are not copied. The caller must not transfer
/// (detach) a buffer before its promise settles. Destroy it on the JS thread.
struct BorrowedSections {
  std::vector<SectionData> sections;
  std::vector<Napi::ObjectReference> alive;
};
BorrowedSections borrowed_sections(const Napi::Value& value);

/// The file of a JavaScript { descriptor, path }, for a task to write.
std::shared_ptr<OutputFile> output_file_of(const Napi::Value& value);

}  // namespace asof::boundary
