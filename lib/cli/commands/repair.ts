// Definition of `asof repair`.
import type { Command } from '../command.js';
import { encoderOptions } from '../options/encoders.js';
import { timeZoneOption } from '../options/timeZone.js';

export const command: Command = {
  name: 'repair',
  summary: 'Writes all that is readable of a damaged corpus to a new or empty folder.',
  positionals: ['DIR', 'FOLDER'],
  options: {
    ...encoderOptions,
    'time-zone': timeZoneOption('where the manifest is lost, that of the corpus; default UTC'),
  },
  details:
    'DIR stays as it is. Whole segments are linked or copied, readable passages of the others ' +
    'are indexed again, a lost manifest is made anew. Faults are printed, with the ids of ' +
    'passages that are lost, and of those that may have been deleted before. asof compact ' +
    'FOLDER merges the new segments.\n' +
    'The encoder of the corpus is needed where vectors are damaged, and where the manifest is ' +
    'lost, unless it is the embedded one.\n' +
    'out with --json: {corpus, repaired, passages, reindexed, lost:[id], lost_without_id, ' +
    'uncertain:[id], damage:[{file, fault, outcome}], seconds}',
  example: 'asof repair wiki.asof repaired.asof',
  failure: '1 failure or lost passages',
};
