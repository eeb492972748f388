// Collections of the public sources of Re3's table 1, in the form of one JSON line a record:
// TimeQA's human-written part, the Nobel laureates of TS-Retriever, and HoH's revised facts.
import { readJsonLines } from 'asof/kit';
import { readQrels } from '../../files/trec.js';
import type { PaperData, PaperSource } from './data.js';
import { inventedNames, inventedPlaces } from './invented.js';
import { opaqueId, writeSet, type SetPassage, type SetQuery } from './writeSet.js';

async function recordsOf<T>(path: string, signal?: AbortSignal): Promise<T[]> {
  const records: T[] = [];
  const shape = (record: Record<string, unknown>): { record: T } => ({ record: record as T });
  for await (const { record } of readJsonLines(path, shape, { signal })) records.push(record);
  return records;
}

/** Text of a tokenised source, without its blanks around punctuation. */
const detokenised = (text: string): string =>
  text
    .replace(/ ([,.;:!?%)\]}]|'s\b|n't\b)/g, '$1')
    .replace(/([([{]) /g, '$1')
    .replace(/``\s?|\s?''/g, '"')
    .replace(/(\d) ?– ?(\d)/g, '$1–$2')
    .trim();

const source = (name: string, folder: string, file: string, sha256: string): PaperSource => ({
  name,
  file: new RegExp(`(?:^|/)${folder}/${file.replace('.', '\\.')}$`),
  from: sourcesOf[folder]!,
  sha256: [sha256],
});
const sourcesOf: Readonly<Record<string, string>> = {
  timeqa_human:
    'github.com/wenhuchen/Time-Sensitive-QA at 38b0598 (BSD), its human-annotated questions and ' +
    'paragraphs as lines {id, page, title, text} and {id, question_easy, question_hard, answers, ' +
    'gold}',
  nobel_tsrag:
    'github.com/seungyoonee/TSM at 5006065, dataset/test/nobel_prize, as lines {id, text}',
  hoh_600:
    'github.com/jin-ryu/temporal-conflict-qa at 7b9b56d, HoH-QAs, as lines {id, title, text, ' +
    'published} and {id, question, answer, gold, outdated}',
};

export const timeQaSources: readonly PaperSource[] = [
  source(
    'corpus',
    'timeqa_human',
    'corpus.jsonl',
    'ae8f321c20b05f16fed4e52c944dded5f7b9acb7a2f8e93e910383f2292aae00',
  ),
  source(
    'queries',
    'timeqa_human',
    'queries.jsonl',
    'b2194bc587d1b67952cd54a816fc458744f03a4f2cb0e1cc9a6f7fb17e6bd591',
  ),
];

interface TimeQaPassage {
  id: string;
  title: string;
  text: string;
  heading?: boolean;
}

/** The paragraphs of TimeQA's pages, without headings. */
export async function timeQaPassages(path: string, signal?: AbortSignal): Promise<SetPassage[]> {
  const records = await recordsOf<TimeQaPassage>(path, signal);
  return records
    .filter(({ heading }) => heading !== true)
    .map(({ id, title, text }) => ({
      id: opaqueId(id),
      title: detokenised(title),
      text: detokenised(text),
    }));
}

interface TimeQaQuery {
  id: string;
  answers: string[];
  gold: { doc: string }[];
  question_easy: string;
  question_hard: string;
}

/** The questions with another date in their hard form. */
export const timeQa: PaperData = {
  name: 'timeqa',
  of: "TimeQA's human-written questions with key dates (easy) and perturbed ones (hard)",
  difference: 'parts of the source, with passages of our own',
  comparable: true,
  sources: timeQaSources,
  async make(files, folder, signal) {
    const passages = await timeQaPassages(files.get('corpus')![0]!, signal);
    const known = new Set(passages.map(({ id }) => id));
    const goldOf = ({ gold }: TimeQaQuery): string[] =>
      [...new Set(gold.map(({ doc }) => opaqueId(doc)))].filter((id) => known.has(id));
    const records = await recordsOf<TimeQaQuery>(files.get('queries')![0]!, signal);
    const asked = records.filter(
      (query) =>
        goldOf(query).length > 0 &&
        query.question_easy !== query.question_hard &&
        /\d{3,4}/.test(query.question_hard),
    );
    const of = (text: (query: TimeQaQuery) => string): SetQuery[] =>
      asked.map((query) => ({
        id: opaqueId(query.id),
        text: text(query),
        answers: query.answers,
      }));
    await writeSet(folder, {
      passages,
      queries: { easy: of((each) => each.question_easy), hard: of((each) => each.question_hard) },
      qrels: asked.flatMap((query) => goldOf(query).map((id) => [opaqueId(query.id), id] as const)),
    });
  },
  async sample(folder) {
    const people = inventedNames(200);
    const terms = inventedPlaces(40).flatMap((place, post) =>
      Array.from({ length: 5 }, (_, at) => ({
        place,
        holder: people[post * 5 + at]!,
        start: 1950 + at * 12 + (post % 5),
      })),
    );
    const idOf = ({ place, start }: (typeof terms)[number]): string => opaqueId(`${place}${start}`);
    const of = (when: (start: number) => string): SetQuery[] =>
      terms.map((term) => ({
        id: `q${idOf(term)}`,
        text: `Who was mayor of ${term.place} ${when(term.start)}?`,
        answers: [term.holder],
      }));
    await writeSet(folder, {
      passages: terms.map((term) => ({
        id: idOf(term),
        title: `${term.place} town council`,
        text: `${term.holder} was mayor of ${term.place} from ${term.start} to ${term.start + 12}.`,
      })),
      queries: {
        easy: of((start) => `from ${start} to ${start + 12}`),
        hard: of((start) => `in ${start + 5}`),
      },
      qrels: terms.map((term) => [`q${idOf(term)}`, idOf(term)] as const),
    });
  },
};

export const nobel: PaperData = {
  name: 'nobel',
  of: 'who won a Nobel Prize in, or between, years, over the records of laureates',
  difference: 'answers are the laureates of the judged records',
  comparable: true,
  sources: [
    source(
      'corpus',
      'nobel_tsrag',
      'corpus.jsonl',
      '16f89d42280955f63df01354b6dd4d2b35b76696b705f99015f98c3485c78626',
    ),
    source(
      'queries',
      'nobel_tsrag',
      'queries.jsonl',
      '18bb70a0345e5a71539346ed3a104d4ccfa42a4948b350d471c75dd92620ab90',
    ),
    source(
      'qrels',
      'nobel_tsrag',
      'qrels.tsv',
      '600469be42b3a42aa81ebe4c3f7d475376907e2b57aa0fe40f9b410937e22137',
    ),
  ],
  async make(files, folder, signal) {
    const corpus = await recordsOf<{ id: string; text: string }>(files.get('corpus')![0]!, signal);
    const asked = await recordsOf<{ id: string; text: string }>(files.get('queries')![0]!, signal);
    const judged = await readQrels(files.get('qrels')![0]!, { signal });
    const titles = new Map(corpus.map(({ id, text }) => [id, text.split('\n')[0]!]));
    const answersOf = (query: string): string[] =>
      [...(judged.get(query) ?? [])].flatMap(([id, grade]) =>
        grade > 0 ? (titles.get(id) ?? []) : [],
      );
    await writeSet(folder, {
      passages: corpus.map(({ id, text }) => ({
        id: opaqueId(id),
        title: titles.get(id)!,
        text,
      })),
      queries: {
        '': asked
          .filter(({ text }) => !/ born /i.test(text))
          .map(({ id, text }) => ({ id: opaqueId(id), text, answers: answersOf(id) })),
      },
      qrels: [...judged].flatMap(([query, grades]) =>
        [...grades].flatMap(([id, grade]) =>
          grade > 0 ? [[opaqueId(query), opaqueId(id)] as const] : [],
        ),
      ),
    });
  },
  async sample(folder) {
    const prizes = ['Geology', 'Harbours', 'Cartography'];
    const awards = prizes.flatMap((prize, kind) =>
      inventedNames(60).map((winner, at) => ({ prize, winner, year: 1940 + at, kind })),
    );
    const idOf = ({ kind, year }: (typeof awards)[number]): string => opaqueId(`${kind} ${year}`);
    await writeSet(folder, {
      passages: awards.map((award) => ({
        id: idOf(award),
        title: award.winner,
        text: `${award.winner}\nThe Marden Prize in ${award.prize} ${award.year}.\nBorn: ${award.year - 50}.`,
      })),
      queries: {
        '': awards
          .filter(({ year }) => year % 3 === 0)
          .map((award) => ({
            id: `q${idOf(award)}`,
            text: `Who won the Marden Prize in ${award.prize} in ${award.year}?`,
            answers: [award.winner],
          })),
      },
      qrels: awards
        .filter(({ year }) => year % 3 === 0)
        .map((award) => [`q${idOf(award)}`, idOf(award)] as const),
    });
  },
};

interface RevisedFact {
  id: string;
  question: string;
  answer: string;
  gold: string;
  outdated: { doc: string }[];
}

export const revisedFacts: PaperData = {
  name: 'hoh',
  of: "HoH's questions, over current and outdated sentences of dated snapshots",
  difference: 'the first 600 records of 96,124',
  comparable: true,
  sources: [
    source(
      'corpus',
      'hoh_600',
      'corpus.jsonl',
      '53dd03135aa6240d2d759b7ded5c67685f36506731bb4eb2fce4b178fde77cfc',
    ),
    source(
      'queries',
      'hoh_600',
      'queries.jsonl',
      '0442eb98f567b78857d9545d741ca5a6df5cdcd0479fb38acf74cbad59b598b3',
    ),
  ],
  async make(files, folder, signal) {
    const corpus = await recordsOf<{ id: string; title: string; text: string; published: string }>(
      files.get('corpus')![0]!,
      signal,
    );
    const byId = new Map(corpus.map((each) => [each.id, each]));
    const words = (id: string): string => {
      const { title, text } = byId.get(id)!;
      return `${title}${text}`
        .replace(/[^\p{L}\p{N}_]+/gu, ' ')
        .toLowerCase()
        .trim();
    };
    const idOf = (id: string): string => opaqueId(words(id) + byId.get(id)!.published);
    const records = await recordsOf<RevisedFact>(files.get('queries')![0]!, signal);
    const past = new Set(records.flatMap(({ outdated }) => outdated.map(({ doc }) => words(doc))));
    const asked = records.filter(({ gold }) => !past.has(words(gold)));
    const passages = new Map(
      corpus.map(({ id, title, text, published }) => [
        idOf(id),
        { id: idOf(id), title, text, published_at: published },
      ]),
    );
    await writeSet(folder, {
      passages: [...passages.values()],
      queries: {
        '': asked.map(({ id, question, answer }) => ({
          id: opaqueId(id),
          text: question,
          asked_at: '2025-01-01',
          answers: [answer],
        })),
      },
      qrels: asked.map(({ id, gold }) => [opaqueId(id), idOf(gold)] as const),
      outdated: asked.flatMap(({ id, outdated }) =>
        [...new Set(outdated.map(({ doc }) => idOf(doc)))].map(
          (doc) => [opaqueId(id), doc] as const,
        ),
      ),
    });
  },
  async sample(folder) {
    const facts = inventedPlaces(60).flatMap((place, at) =>
      [2021, 2022, 2023].map((year) => ({ place, year, berths: 40 + ((at * 7 + year * 3) % 90) })),
    );
    const idOf = ({ place, year }: (typeof facts)[number]): string => opaqueId(`${place}${year}`);
    const current = facts.filter(({ year }) => year === 2023);
    await writeSet(folder, {
      passages: facts.map((fact) => ({
        id: idOf(fact),
        title: `Port of ${fact.place}`,
        text: `The port of ${fact.place} has ${fact.berths} berths.`,
        published_at: `${fact.year}-06-01`,
      })),
      queries: {
        '': current.map((fact) => ({
          id: `q${idOf(fact)}`,
          text: `How many berths has the port of ${fact.place}?`,
          asked_at: '2024-01-01',
          answers: [String(fact.berths)],
        })),
      },
      qrels: current.map((fact) => [`q${idOf(fact)}`, idOf(fact)] as const),
      outdated: facts
        .filter(({ year }) => year < 2023)
        .map((fact) => [`q${opaqueId(`${fact.place}2023`)}`, idOf(fact)] as const),
    });
  },
};
