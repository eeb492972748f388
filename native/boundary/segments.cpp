// Exports of segment files and the writer's lock: opening, reading and writing sections, checksums.
#include "boundary/segments.hpp"

#include <optional>

#include "boundary/arguments.hpp"
#include "boundary/environment.hpp"
#include "boundary/exports.hpp"
#include "boundary/task.hpp"
#include "core/checksum.hpp"
#include "core/file_lock.hpp"
#include "core/path_text.hpp"
#include "index/lexical/verify.hpp"
#include "index/segment/verify_rows.hpp"

namespace asof::boundary {
namespace {

constexpr napi_type_tag segment_tag = {0x3c1f6a92d05e4b77, 0xa4d81e62b95c3f08};

std::optional<Element> element_of_type(napi_typedarray_type type) {
  switch (type) {
    case napi_uint8_array:
      return Element::u8;
    case napi_int8_array:
      return Element::i8;
    case napi_uint16_array:
      return Element::u16;
    case napi_int32_array:
      return Element::i32;
    case napi_uint32_array:
      return Element::u32;
    case napi_bigint64_array:
      return Element::i64;
    case napi_biguint64_array:
      return Element::u64;
    case napi_float32_array:
      return Element::f32;
    case napi_float64_array:
      return Element::f64;
    default:
      return std::nullopt;
  }
}

const char* name_of(Element element) {
  constexpr const char* names[] = {"", "u8", "i8", "u16", "i32", "u32", "i64", "u64", "f32", "f64"};
  return names[static_cast<std::uint32_t>(element)];
}

class SegmentHandle : public Wrapped<SegmentHandle> {
 public:
  static Napi::Function define(Napi::Env env) {
    return DefineClass(env, "Segment",
                       {
                           StaticMethod("open", &SegmentHandle::open),
                           InstanceMethod("sections", &SegmentHandle::sections),
                           InstanceMethod("read", &SegmentHandle::read),
                           InstanceMethod("readEach", &SegmentHandle::read_each),
                           InstanceMethod("verify", &SegmentHandle::verify),
                           InstanceMethod("verifyStructure", &SegmentHandle::verify_structure),
                           InstanceMethod("close", &SegmentHandle::close),
                           InstanceAccessor<&SegmentHandle::path>("path"),
                           InstanceAccessor<&SegmentHandle::bytes>("bytes"),
                           InstanceAccessor<&SegmentHandle::checksum>("checksum"),
                           InstanceAccessor<&SegmentHandle::is_open>("isOpen"),
                       });
  }

  // new Segment(path, temporary?): called by Segment.open.
  explicit SegmentHandle(const Napi::CallbackInfo& info) : Wrapped<SegmentHandle>(info) {
    guarded(info.Env(), [&] {
      segment_ = Segment::open(path_of(string(info[0], "path")),
                               !info[1].IsUndefined() && boolean(info[1], "temporary"));
      path_ = text_of(segment_->path());
      bytes_ = segment_->bytes();
      checksum_ = segment_->checksum();
      napi_type_tag_object(info.Env(), info.This(), &segment_tag);
    });
  }

  const std::shared_ptr<const Segment>& segment() const {
    SegmentsOfCall::note(opened());
    return segment_;
  }

 private:
  const std::shared_ptr<const Segment>& opened() const {
    if (!segment_)
      throw Error("ERR_CLOSED", "Expected an open segment, received one that was closed (" + path_ +
                                    "). Open it again with Segment.open.");
    return segment_;
  }

  static Napi::Value open(const Napi::CallbackInfo& info) {
    return guarded(info.Env(), [&]() -> Napi::Value {
      return environment(info.Env()).segment_class.New({info[0], info[1]});
    });
  }

  Napi::Value sections(const Napi::CallbackInfo& info) {
    return guarded(info.Env(), [&]() -> Napi::Value {
      Napi::Array list = Napi::Array::New(info.Env());
      for (const SectionInfo& each : segment()->sections()) {
        Napi::Object entry = Napi::Object::New(info.Env());
        entry.Set("name", each.name);
        entry.Set("element", name_of(each.element));
        entry.Set("count", static_cast<double>(each.count));
        entry.Set("offset", static_cast<double>(each.offset));
        entry.Set("bytes", static_cast<double>(each.count * element_bytes(each.element)));
        list.Set(list.Length(), entry);
      }
      return list;
    });
  }

  /// Calls read(T()) for the type of the section's elements; throws if the section is missing.
  static Napi::Value with_element(const Segment& segment, const std::string& name, auto read) {
    const auto& all = segment.sections();
    const auto section = std::find_if(all.begin(), all.end(),
                                      [&](const SectionInfo& each) { return each.name == name; });
    if (section == all.end()) segment.section<std::uint8_t>(name);
    switch (section->element) {
      case Element::u8:
        return read(std::uint8_t());
      case Element::i8:
        return read(std::int8_t());
      case Element::u16:
        return read(std::uint16_t());
      case Element::i32:
        return read(std::int32_t());
      case Element::u32:
        return read(std::uint32_t());
      case Element::i64:
        return read(std::int64_t());
      case Element::u64:
        return read(std::uint64_t());
      case Element::f32:
        return read(float());
      case Element::f64:
        return read(double());
    }
    throw Error("ERR_INTERNAL", "A section of an unknown kind of element.");
  }

  static constexpr double limit = 9007199254740991.0;

  /// Who reads a section has its places from other sections or from the manifest.
  [[noreturn]] static void ends_early(const Segment& segment, const std::string& name,
                                      std::size_t all) {
    throw Error("ERR_CORPUS_CORRUPT",
                "Expected the section " + name + " of " + text_of(segment.path()) +
                    " to have the elements that others point to, found that it ends after " +
                    std::to_string(all) +
                    ". Restore the file from a backup or index the "
                    "passages again.");
  }

  template <typename T>
  static Napi::Value piece(Napi::Env env, const Segment& segment, const std::string& name,
                           std::size_t from, std::size_t count) {
    return array_of<T>(env, segment.checked<T>(name).subspan(from, count));
  }

  Napi::Value read(const Napi::CallbackInfo& info) {
    return guarded(info.Env(), [&]() -> Napi::Value {
      const Segment& open_segment = *segment();
      const std::string name = string(info[0], "name");
      return with_element(open_segment, name, [&]<typename T>(T) {
        const std::size_t all = open_segment.checked<T>(name).size();
        const std::size_t from = info[1].IsUndefined() ? 0 : size(info[1], "from", 0, limit);
        if (from > all) ends_early(open_segment, name, all);
        const std::size_t count =
            info[2].IsUndefined() ? all - from : size(info[2], "count", 0, limit);
        if (count > all - from) ends_early(open_segment, name, all);
        return piece<T>(info.Env(), open_segment, name, from, count);
      });
    });
  }

  template <typename T>
  static Napi::Value pieces(Napi::Env env, const Segment& segment, const std::string& name,
                            std::span<const std::uint32_t> stretches) {
    const CheckedSpan<T> all = segment.checked<T>(name);
    std::vector<T> elements;
    for (std::size_t i = 0; i + 1 < stretches.size(); i += 2) {
      const std::size_t from = stretches[i], count = stretches[i + 1];
      if (from > all.size() || count > all.size() - from) ends_early(segment, name, all.size());
      const auto piece = all.subspan(from, count);
      elements.insert(elements.end(), piece.begin(), piece.end());
    }
    return array_of(env, elements);
  }

  Napi::Value read_each(const Napi::CallbackInfo& info) {
    return guarded(info.Env(), [&]() -> Napi::Value {
      const Segment& open_segment = *segment();
      const std::string name = string(info[0], "name");
      const std::span<const std::uint32_t> stretches = array<std::uint32_t>(info[1], "stretches");
      if (stretches.size() % 2 != 0)
        refuse("stretches", "pairs of a place and a count", "an odd number of elements");
      return with_element(open_segment, name, [&]<typename T>(T) {
        return pieces<T>(info.Env(), open_segment, name, stretches);
      });
    });
  }

  Napi::Value verify(const Napi::CallbackInfo& info) {
    return guarded(info.Env(), [&]() -> Napi::Value {
      // Not noted as a segment of this call, which would verify it before.
      auto work = [segment = opened(), cancel = Cancellation::flag(info[0])] {
        segment->verify(cancel);
        return true;
      };
      return start_task(info.Env(), std::move(work),
                        [](Napi::Env env, bool) { return env.Undefined(); });
    });
  }

  Napi::Value verify_structure(const Napi::CallbackInfo& info) {
    return guarded(info.Env(), [&]() -> Napi::Value {
      auto work = [segment = segment(), cancel = Cancellation::flag(info[0])] {
        segment->check_all(cancel);
        verify_rows(*segment, cancel);
        lexical::verify_postings(*segment, cancel);
        return true;
      };
      return start_task(info.Env(), std::move(work),
                        [](Napi::Env env, bool) { return env.Undefined(); });
    });
  }

  void close(const Napi::CallbackInfo&) { segment_.reset(); }
  Napi::Value path(const Napi::CallbackInfo& info) { return Napi::String::New(info.Env(), path_); }
  Napi::Value bytes(const Napi::CallbackInfo& info) {
    return Napi::Number::New(info.Env(), static_cast<double>(bytes_));
  }
  Napi::Value checksum(const Napi::CallbackInfo& info) {
    return Napi::Number::New(info.Env(), checksum_);
  }
  Napi::Value is_open(const Napi::CallbackInfo& info) {
    return Napi::Boolean::New(info.Env(), segment_ != nullptr);
  }

  std::shared_ptr<const Segment> segment_;
  std::string path_;
  std::uint64_t bytes_ = 0;
  std::uint32_t checksum_ = 0;
};

// writeSegment(file, sections, cancellation?): Promise<void>
Napi::Value write_segment_task(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    auto file = output_file_of(info[0]);
    // Shared, so that the references are released on the JS thread, where the task's closure is
    // destroyed.
    auto borrowed = std::make_shared<BorrowedSections>(borrowed_sections(info[1]));
    auto work = [file, borrowed, cancel = Cancellation::flag(info[2])] {
      write_segment(*file, borrowed->sections, cancel);
      return true;
    };
    return start_task(info.Env(), std::move(work),
                      [](Napi::Env env, bool) { return env.Undefined(); });
  });
}

class FileLockHandle : public Wrapped<FileLockHandle> {
 public:
  static Napi::Function define(Napi::Env env) {
    return DefineClass(env, "FileLock",
                       {InstanceMethod("release", &FileLockHandle::release),
                        InstanceAccessor<&FileLockHandle::locked>("locked")});
  }
  explicit FileLockHandle(const Napi::CallbackInfo& info) : Wrapped<FileLockHandle>(info) {
    guarded(info.Env(), [&] { lock_.emplace(path_of(string(info[0], "path"))); });
  }

 private:
  void release(const Napi::CallbackInfo&) { lock_.value().release(); }
  Napi::Value locked(const Napi::CallbackInfo& info) {
    return Napi::Boolean::New(info.Env(), lock_.value().locked());
  }
  std::optional<FileLock> lock_;
};

// crc32c(bytes, before?, portable?): number
Napi::Value checksum(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const auto bytes = array<std::uint8_t>(info[0], "bytes");
    const auto before = static_cast<std::uint32_t>(
        info[1].IsUndefined() ? 0 : size(info[1], "before", 0, 4294967295.0));
    const bool portable = !info[2].IsUndefined() && boolean(info[2], "portable");
    return Napi::Number::New(
        info.Env(), (portable ? crc32c_portable : crc32c)(bytes.data(), bytes.size(), before));
  });
}

}  // namespace

std::shared_ptr<const Segment> segment_of(const Napi::Value& value) {
  bool matches = false;
  if (value.IsObject()) napi_check_object_type_tag(value.Env(), value, &segment_tag, &matches);
  if (!matches) refuse("segment", "a Segment", kind_of(value));
  return Napi::ObjectWrap<SegmentHandle>::Unwrap(value.As<Napi::Object>())->segment();
}

BorrowedSections borrowed_sections(const Napi::Value& value) {
  if (!value.IsArray()) refuse("sections", "an array of { name, data }", kind_of(value));
  Napi::Array list = value.As<Napi::Array>();
  BorrowedSections borrowed;
  for (std::uint32_t i = 0; i < list.Length(); ++i) {
    const Napi::Value each = list.Get(i);
    if (!each.IsObject())
      refuse("sections", "an array of { name, data }", "one that holds " + kind_of(each));
    const Napi::Value data = each.As<Napi::Object>().Get("data");
    if (!data.IsTypedArray()) refuse("data", "a typed array", kind_of(data));
    const std::optional<Element> element =
        element_of_type(data.As<Napi::TypedArray>().TypedArrayType());
    if (!element)
      refuse("data", "a typed array of a type that segments hold",
             "a Uint8ClampedArray or Int16Array");
    napi_typedarray_type type;
    std::size_t length = 0, offset = 0;
    void* memory = nullptr;
    napi_value buffer;
    napi_get_typedarray_info(value.Env(), data, &type, &length, &memory, &buffer, &offset);
    bool detached = false;
    napi_is_detached_arraybuffer(value.Env(), buffer, &detached);
    if (detached)
      refuse("data", "a typed array whose buffer is attached",
             "one whose buffer was transferred or detached");
    borrowed.sections.push_back(
        {string(each.As<Napi::Object>().Get("name"), "name"), *element, memory, length});
    borrowed.alive.push_back(Napi::Persistent(data.As<Napi::Object>()));
  }
  return borrowed;
}

std::shared_ptr<OutputFile> output_file_of(const Napi::Value& value) {
  const Napi::Object file = object(value, "file");
  const auto descriptor = size(file.Get("descriptor"), "descriptor", 0, 2147483647.0);
  return std::make_shared<OutputFile>(static_cast<int>(descriptor),
                                      path_of(string(file.Get("path"), "path")));
}

void export_segments(Napi::Env env, Napi::Object exports) {
  Napi::Function segment_class = SegmentHandle::define(env);
  environment(env).segment_class = Napi::Persistent(segment_class);
  exports.Set("Segment", segment_class);
  exports.Set("FileLock", FileLockHandle::define(env));
  exports.Set("writeSegment", Napi::Function::New(env, write_segment_task, "writeSegment"));
  exports.Set("crc32c", Napi::Function::New(env, checksum, "crc32c"));
}

}  // namespace asof::boundary
