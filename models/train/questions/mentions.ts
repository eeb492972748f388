// The labelled questions of bench/quality/time/readings with the mentions of time that the tagger
// finds in them: what train.py learns from, JSON lines to standard output.
//
// node --import tsx models/train/questions/mentions.ts > questions.jsonl
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { tagQuestion } from '../../../lib/time/tagger.js';
import { parseAskedAt } from '../../../lib/time/instant.js';

const folder = join(import.meta.dirname, '../../../bench/quality/time/readings');
const day = 86_400_000;

for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
  if (file === 'identifiers.jsonl') continue;
  for (const line of readFileSync(join(folder, file), 'utf8').trim().split('\n')) {
    const label = JSON.parse(line) as { text: string; asked_at: string };
    const reference = parseAskedAt(label.asked_at, 'asked_at');
    const asked = Math.floor(reference / day);
    const mentions = tagQuestion(label.text, reference).map((mention) => {
      const { start, end, relation, timexType: type, timexValue: value, interval } = mention;
      if (!interval) return { start, end, relation, type, value };
      const from = Math.floor(interval.start / day);
      const to = Math.floor((interval.end - 1) / day);
      const [first, last] = [interval.start, interval.end - 1].map((instant) =>
        new Date(instant).toISOString().slice(0, -14).replace(/^\+0/, ''),
      );
      return { start, end, relation, type, value, first, last, from: from - asked, to: to - asked };
    });
    console.log(JSON.stringify({ hand: basename(file, '.jsonl'), ...label, mentions }));
  }
}
