// Scalar reference implementation. The rounding of panel files.
#include "kernels/packing/contract.hpp"

namespace asof::packing {
namespace reference {

static void pack(const Matrix& rows, std::size_t d, std::uint8_t* panels,
                 quantized::PanelRecord* records) {
  quantized::pack_rows(quantized::Storage::int8, rows, d, panels, records);
}

const Kernels kernels = {pack};

}  // namespace reference
}  // namespace asof::packing

ASOF_DISPATCH(packing)
