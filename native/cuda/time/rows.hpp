// Elementwise kernels over rows in host memory, in chunks that fit the available device memory.
#pragma once

#include "cuda/device/device.hpp"

namespace asof::cuda {

void recency(Device& device, const RecencyData& rows);
void splines(Device& device, const SplineData& rows);
void calendar_parts(Device& device, const CalendarData& rows);
void film(Device& device, const FilmData& rows);

}  // namespace asof::cuda
