// Query vectors of a batch, packed once for every panel storage of the request.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "index/vector/request.hpp"
#include "kernels/int4/contract.hpp"
#include "kernels/quantized/queries.hpp"

namespace asof::vector {

/// Panels of a range of rows of a segment; row 0 is the first of its panel.
struct PanelRange {
  quantized::Rows rows;
  std::size_t segment = 0, first_panel = 0;
};

/// Consecutive slots; `first` is a multiple of quantized::panel_rows.
struct SlotRange {
  std::size_t first, count;
};

class PackedQueries {
 public:
  /// `vectors` are the slots' vectors one after the other. `on_the_fly`: segments have no panels
  /// and are packed to int8 during the scan.
  PackedQueries(const Request& request, std::span<const float> vectors, bool on_the_fly);

  /// All slots, for rows that are not int4.
  quantized::Queries view(quantized::Storage storage) const;

  /// Whether some segment is int4.
  bool has_int4() const { return int4_block_.has_value(); }

  /// Runs the kernel of the panels' storage.
  void survivors(const PanelRange& panels, SlotRange slots, const quantized::Scan& scan) const;

 private:
  void pack(quantized::Storage storage, std::span<const float> vectors);
  void pack_int4(std::size_t segment, std::span<const float> vectors);
  void survivors_int4(const PanelRange& panels, SlotRange slots, const quantized::Scan& scan) const;

  const Request* request_;
  std::size_t count_;
  const quantized::Kernels* quantized_ = &quantized::kernels();
  const int4::Kernels* int4_ = &int4::kernels();
  std::array<std::optional<quantized::QueryBlock>, 2> blocks_;  // by storage
  std::optional<int4::QueryBlock> int4_block_;
  std::vector<int4::Shifts> shifts_;  // one a segment
  std::vector<float> no_error_;       // of inexact scans: alphas, then betas, of every slot
};

}  // namespace asof::vector
