// Errors for segments whose sections contradict each other, where offsets are followed outside the
// addon.
import { basename } from 'node:path';
import type { Segment } from '../../../binding.js';
import { AsOfError } from '../../errors.js';

/** The error for offsets that do not ascend or lead beyond the section that they are of. */
export const wrongOffsets = (segment: Segment, section: string): AsOfError =>
  new AsOfError(
    'ERR_CORPUS_CORRUPT',
    `Expected ascending offsets in section ${section} of ${basename(segment.path)}, found others. ` +
      'Run verify, and restore the corpus from a backup, or run asof repair.',
  );
