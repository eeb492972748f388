// Clock faces: "3:30 p.m. EST", "0530hrs", "five o'clock", "half past six". Digits
// without further evidence ("5:3", "John 3:16") are none.
#pragma once
#include <string_view>

#include "timetag/document.hpp"

namespace asof::timetag {

inline constexpr double minute_ms = 60'000.0;

struct ClockFace {
  int hour = 0;
  int minute = 0;
  int second = -1;
  bool to_the_minute = false;
  bool sure = false;  // a sign that it is a time: "pm", "o'clock", a zone
  int zone = -1;
  std::size_t first = 0;
  std::size_t last = 0;
};

/// Whether the word at `i` is `lower`, in any case.
bool is_word(const Document& doc, std::size_t i, std::u16string_view lower);
/// Whether the words before `i` announce a time of day.
bool is_introduced(const Document& doc, std::size_t i);
bool read_face(const Document& doc, std::size_t i, ClockFace& face);
void set_time_of_day(const ClockFace& face, TimeOfDay& time);

}  // namespace asof::timetag
