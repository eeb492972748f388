// The recipe of Re3's fused vectors (section 3.3): each row of a segment fused with its own content
// time, as the segment stores it. A row without one keeps its vector bit for bit.
import { binding, withCancellation } from '../binding.js';
import { nativeTimeEncoder, type TimeEncoder } from '../vectors/timeEncoder.js';
import { derivedColumnKey, type DerivedColumnSpec } from './derivedColumn.js';

/**
 * How a row's one time is chosen (native/index/fused_vectors.hpp): a version of its own, so that
 * another choice makes other files.
 */
const timesOfRows = 'content-narrowed-1';

/**
 * Keyed by the weights, the encoder that they fit, and the choice of times. @throws AsOfError
 * ERR_INVALID_ARGUMENT where it is no time encoder
 */
export function fusedVectorColumn(times: TimeEncoder): DerivedColumnSpec {
  const handle = nativeTimeEncoder(times);
  return {
    key: derivedColumnKey('fused', times.id, timesOfRows),
    async write(segment, path, sections, signal) {
      const dates = await withCancellation(signal, (cancellation) =>
        binding.contentDates(segment, cancellation),
      );
      await withCancellation(signal, (cancellation) =>
        binding.writeFusedVectors(
          path,
          { segment, encoder: handle, dates, sections },
          cancellation,
        ),
      );
    },
  };
}
