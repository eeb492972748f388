// Passages that were fetched as a segment in a temporary file.
import {
  binding,
  withCancellation,
  type Segment,
  mapTemporaryFile,
  newSegmentId,
  type Manifest,
  type SegmentEntry,
  type PreparedPassage,
  segmentContent,
  englishAnalyzer,
  withEncode,
} from 'asof/kit';

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
