// Made-up pages for training the embedded time encoder: lives and institutions with spans of years,
// and questions about a time inside them, which need the matching words at a nearby time. usage:
// node --import tsx models/train/timePages.ts FOLDER [--pages 800] [--seed 1]
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mulberry32 } from '../../lib/text/random.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pages: { type: 'string', default: '800' }, seed: { type: 'string', default: '1' } },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('Pass the output folder.');
const random = mulberry32(Number(values.seed) + 1000);
const below = (count: number): number => Math.floor(random() * count);
const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;
const chance = (share: number): boolean => random() < share;

const syllables =
  'ab an be bo cu da di ed em fo gi ho in je ki lo ma ne os pa ri sa te um vi wa yo ze'.split(' ');
const name = (): string => {
  const word = Array.from({ length: 2 + below(2) }, () => pick(syllables)).join('');
  return word[0]!.toUpperCase() + word.slice(1);
};
const months =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/** Facts of a page over a span of years; X is the page, Y the answer. */
const topics = [
  {
    questions: ['Which club did X play for', 'What team did X belong to'],
    statements: ['X played for Y', 'X was a player of Y'],
    answer: () => `${name()} ${pick(['United', 'Rovers', 'Athletic', 'City'])}`,
  },
  {
    questions: ['Who did X work for', 'Which company employed X'],
    statements: ['X worked for Y', 'X was employed by Y'],
    answer: () => `${name()} ${pick(['Works', 'Company', 'Brothers', 'Bank'])}`,
  },
  {
    questions: ['What position did X hold', 'What office was held by X'],
    statements: ['X served as Y', 'X was Y'],
    answer: () =>
      `${pick(['minister', 'mayor', 'governor', 'chief justice', 'ambassador'])} of ${name()}`,
  },
  {
    questions: ['Where did X live', 'What was the home of X'],
    statements: ['X lived in Y', 'X had a house in Y'],
    answer: name,
  },
  {
    questions: ['Which school did X attend', 'Where did X study'],
    statements: ['X attended Y', 'X was a student of Y'],
    answer: () => `${name()} ${pick(['College', 'Academy', 'University'])}`,
  },
  {
    questions: ['Who was the spouse of X', 'Who was X married to'],
    statements: ['X was married to Y', 'X was the spouse of Y'],
    answer: () => `${name()} ${name()}`,
  },
  {
    questions: ['Who owned X', 'Who was the owner of X'],
    statements: ['X was owned by Y', 'X belonged to Y'],
    answer: () => `${name()} ${pick(['Group', 'Trust', 'family'])}`,
  },
  {
    questions: ['Who coached X', 'Who was the head coach of X'],
    statements: ['X was coached by Y', 'X had Y as head coach'],
    answer: () => `${name()} ${name()}`,
  },
] as const;
const asides = [
  'It was much talked about in Z.',
  'A book of Z tells of it.',
  'The local paper wrote about it in Z.',
  'Little is known of what came before.',
  'Records were lost in Z.',
];

interface Span {
  from: number;
  to: number;
}

function passageSentence({ from, to }: Span, sentence: string): string {
  return pick([
    () => `From ${from} to ${to} ${sentence}.`,
    () => `${sentence} from ${from} to ${to}.`,
    () => `${sentence} between ${from} and ${to}.`,
    () => `${sentence} (${from}-${to}).`,
    () => `In ${from}, it was announced that ${sentence}, which lasted until ${to}.`,
    () => `${sentence} from ${pick(months)} ${from} until ${to}.`,
    () => `Since ${from} ${sentence}.`,
    () => `In ${from} ${sentence}.`,
  ])();
}

function questionText(question: string, { from, to }: Span): string {
  const [a, b] = [from + below(to - from + 1), from + below(to - from + 1)].sort(
    (x, y) => x - y,
  ) as [number, number];
  return pick([
    () => `${question} in ${a}?`,
    () => `In ${a}, ${question[0]!.toLowerCase()}${question.slice(1)}?`,
    () => `${question} from ${from} to ${to}?`,
    () => `${question} between ${a} and ${b + 1}?`,
    () => `${question} from ${a} to ${b + 1}?`,
    () => `${question} in ${pick(months)} ${a}?`,
    () => `${question} after ${from - 1}?`,
    () => `${question} before ${to + 1}?`,
    () => `${question} in the ${pick(['early', 'late'])} ${Math.floor(a / 10) * 10}s?`,
  ])();
}

const passages: object[] = [];
const triplets: Record<'train' | 'dev' | 'test', object[]> = { train: [], dev: [], test: [] };
for (let page = 0; page < Number(values.pages); page += 1) {
  const title = `${name()} ${name()}`;
  const split = page % 10 === 0 ? 'dev' : page % 10 < 3 ? 'test' : 'train';
  const birth = chance(0.8) ? 1880 + below(110) : 1500 + below(380);
  for (const topic of [...topics].sort(() => random() - 0.5).slice(0, 3)) {
    let year = birth + 15 + below(15);
    const spans = Array.from({ length: 2 + below(3) }, (_, at) => {
      const span = {
        from: year,
        to: year + 1 + below(8),
        id: `page${page}-${topics.indexOf(topic)}-${at}`,
      };
      year = span.to + below(4);
      return span;
    });
    for (const span of spans) {
      const sentence = pick(topic.statements)
        .replace('X', chance(0.5) ? title : title.split(' ')[1]!)
        .replace('Y', topic.answer());
      const main = chance(0.1) ? `${sentence}.` : passageSentence(span, sentence);
      const aside = pick(asides).replace('Z', String(birth + below(80)));
      const text = chance(0.5) ? main : chance(0.4) ? `${aside} ${main}` : `${main} ${aside}`;
      passages.push({ id: span.id, title, text });
      const negatives = spans
        .filter(({ id }) => id !== span.id)
        .map(({ id }) => ({ id, kind: 'time' }));
      for (let i = 0; i < 2; i += 1)
        triplets[split].push({
          query: questionText(pick(topic.questions).replace('X', title), span),
          positive: span.id,
          negatives: chance(0.5) ? negatives.slice(0, 1) : negatives.slice(-1),
        });
    }
  }
}
mkdirSync(folder, { recursive: true });
const lines = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');
writeFileSync(join(folder, 'passages.jsonl'), lines(passages));
for (const [split, records] of Object.entries(triplets))
  writeFileSync(join(folder, `triplets-${split}.jsonl`), lines(records));
