// The kernels of one number or vector a row, from memory of the host and back, in pieces that fit
// what the device has left. It computes nothing itself.
#pragma once

#include "cuda/device/device.hpp"

namespace asof::cuda {

void recency(Device& device, const RecencyData& rows);
void splines(Device& device, const SplineData& rows);
void calendar_parts(Device& device, const CalendarData& rows);
void film(Device& device, const FilmData& rows);

}  // namespace asof::cuda
