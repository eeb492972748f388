// Passages that were fetched as a segment in a temporary file.
import { binding, withCancellation } from '../../binding.js';
import type { Segment } from '../../../binding.js';
import { englishAnalyzer } from '../../text/analyzer.js';
import { withEncode } from '../../vectors/encoder.js';
import { mapTemporaryFile } from '../format/files.js';
import { newSegmentId, type SegmentEntry } from '../format/manifest.js';
import type { PreparedPassage } from '../passages/passages.js';
import { segmentContent } from '../writing/segmentBuilder.js';
import { byId } from '../writing/writer.js';
import type { RemoteSettings } from './remoteSource.js';

const analyzer = englishAnalyzer();

/** The segment of passages that bring vectors and content times, ascending by id. */
export async function temporarySegment(
  unordered: readonly PreparedPassage[],
  settings: RemoteSettings,
  signal: AbortSignal | undefined,
): Promise<{ native: Segment; entry: SegmentEntry; passages: PreparedPassage[] }> {
  const passages = unordered.toSorted(byId);
  const encoder = withEncode(settings.encoder, 'rows that bring their vectors');
  const { sections, ...content } = await segmentContent(
    { storage: 'f32', schema: settings },
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
