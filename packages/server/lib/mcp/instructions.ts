// What the corpora hold, in words for a model: it decides by them what to ask and when.
import { toJson } from 'asof/kit';
import type { StoredCorpusInfo } from 'asof';

const clocks = {
  published: 'published',
  valid: 'valid',
  content: 'speaking of times',
} as const;

/** By the names of the corpora. */
export function instructionsOf(infos: ReadonlyMap<string, StoredCorpusInfo>): string {
  const [several, passage] =
    infos.size > 1
      ? [['Every tool takes the name of one corpus as corpus.'], 'CORPUS/ID']
      : [[], 'ID'];
  return [
    [...infos].map(([name, info]) => holdingOf(name, info)).join('\n'),
    ...several,
    'A question has two clocks. as_of is the time in the world that is asked about: what held ' +
      'then. asked_at is the moment of asking, default now: later publications are ' +
      'hidden. "Who was in office in 2019?" needs as_of or those words; "what did people believe ' +
      'in 2019?" needs asked_at.',
    'search answers a question with dated passages, timeline lists what changed, read_time reads ' +
      'times without a search, list and get show what is stored. Prefer passages that nothing ' +
      `supersedes, and say of which time an answer is. The resource asof://passage/${passage} has ` +
      'the whole of a passage.',
  ].join('\n\n');
}

function holdingOf(name: string, info: StoredCorpusInfo): string {
  const spans = Object.entries(toJson.spans(info)).map(
    ([clock, { start_iso: start, end_iso: end }]) =>
      `${clocks[clock as keyof typeof clocks]} from ${start ?? 'any time'} to ${end ?? 'any time'}`,
  );
  const holds = [`${info.passages.toLocaleString('en-US')} dated passages`, ...spans].join(', ');
  return (
    `The corpus ${name} holds ${holds}; days are of ${info.timeZone}. Others may add to it ` +
    'meanwhile.'
  );
}
