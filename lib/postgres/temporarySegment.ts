// Passages that were fetched as a segment in a temporary file.
import { binding, withCancellation } from '../binding.js';
import type { Segment } from '../../binding.js';
import { mapTemporaryFile } from '../store/format/files.js';
import { newSegmentId, type Manifest, type SegmentEntry } from '../store/format/manifest.js';
import type { PreparedPassage } from '../store/passages/passages.js';
import { segmentContent } from '../store/writing/segmentBuilder.js';
import { englishAnalyzer } from '../text/analyzer.js';
import { withEncode } from '../vectors/encoder.js';

const analyzer = englishAnalyzer();

/** The segment of passages that bring vectors and content times, ascending by id. */
export async function temporarySegment(
  unordered: readonly PreparedPassage[],
  manifest: Manifest,
  signal: AbortSignal | undefined,
): Promise<{ native: Segment; entry: SegmentEntry; passages: PreparedPassage[] }> {
  const passages = unordered.toSorted((a, b) => (a.stored.id < b.stored.id ? -1 : 1));
  const encoder = withEncode(manifest.encoder, 'rows that bring their vectors');
  const { sections, ...content } = await segmentContent(
    { storage: 'f32', schema: manifest },
    passages,
    { encoder, analyzer },
    signal,
  );
  const native = await mapTemporaryFile((output) =>
    withCancellation(signal, (cancellation) =>
      binding.writeSegment(output, sections, cancellation),
    ),
  );
  const { bytes, checksum } = native;
  return { native, entry: { ...content, id: newSegmentId(1), bytes, checksum }, passages };
}
