// Derived column of Re3's fused vectors (section 3.3): each row's vector fused with the row's
// content time. Rows without a time keep their vectors bit for bit.
import { binding, withCancellation } from '../binding.js';
import { nativeTimeEncoder, type TimeEncoder } from '../vectors/timeEncoder.js';
import { derivedColumnKey, type DerivedColumnSpec } from './derivedColumn.js';

/**
 * Version of the selection of a row's time (native/index/segment/fused_vectors.hpp), part of the
 * key.
 */
const timeSelection = 'content-narrowed-1';

/**
 * The spec of the column, keyed by the weights, their encoder, and the selection of times. @throws
 * AsOfError ERR_INVALID_ARGUMENT for a value that is no time encoder
 */
export function fusedVectorColumn(times: TimeEncoder): DerivedColumnSpec {
  const handle = nativeTimeEncoder(times);
  return {
    key: derivedColumnKey('fused', times.id, timeSelection),
    async write(segment, file, sections, signal) {
      const dates = await withCancellation(signal, (cancellation) =>
        binding.contentDates(segment, cancellation),
      );
      await withCancellation(signal, (cancellation) =>
        binding.writeFusedVectors(
          file,
          { segment, encoder: handle, dates, sections },
          cancellation,
        ),
      );
    },
  };
}
