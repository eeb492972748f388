// Real passages for the benches of PostgreSQL: those of the test collections, and of this machine's
// documentation the entries of Debian changelogs, with the days that they are signed for, and the
// paragraphs of manual pages and other documents. No text is there twice. A seed decides the order,
// so that the first n are a sample of all.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Passage } from '../../lib/index.js';
import type { StoredPassage } from '../../lib/records.js';
import { layOutRows } from '../../lib/store/writing/rows.js';
import { seededRandom } from '../../lib/text/random.js';
import { perturbedPassages } from '../quality/sets/perturbedPassages.js';
import { makeSet, passagesOf, queriesOf } from '../quality/sets/sets.js';

const tasks = ['covid', 'hoh', 'nobel', 'nws', 'tennis', 'timeqa'] as const;
const questionFiles: readonly [task: string, file: string][] = [
  ['timeqa', 'queries-hard'],
  ['nobel', 'queries'],
  ['tennis', 'queries-anytime'],
  ['nws', 'queries'],
  ['hoh', 'queries'],
];
const documentation = ['doc', 'info', 'man', 'vim'].map((each) => join('/usr/share', each));
const seed = 20;

export interface BenchPassages {
  passages: Passage[];
  rows: number;
  /** What the passages and rows are. */
  said: string;
  questions: string[];
}

/** The first passages of all, with `rows` rows; more than there are of them come from copies. */
export async function benchPassages(work: string, rows: number): Promise<BenchPassages> {
  const file = join(work, 'passages.json');
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(gathered(work)));
  const real = JSON.parse(readFileSync(file, 'utf8')) as Passage[];
  const timeqa = real.filter(({ id }) => id.startsWith('timeqa-'));
  const copies = perturbedPassages(timeqa, Infinity);
  for (let at = 0; at < timeqa.length; at += 1) copies.next();
  const passages: Passage[] = [];
  const counts = { rows: 0, several: 0, copies: 0 };
  while (counts.rows < rows) {
    // One by one where the number is near: it is reached within a passage.
    const some = counts.rows + 20_000 < rows ? 1000 : 1;
    const next = real.slice(passages.length, passages.length + some);
    counts.copies += next.length === 0 ? 1 : 0;
    if (next.length === 0) next.push(copies.next().value as Passage);
    const laidOut = await layOutRows(next as StoredPassage[], true);
    counts.rows += laidOut.rows;
    counts.several += laidOut.multiSentence;
    passages.push(...next);
  }
  const [n, sentences] = [passages.length, counts.rows - passages.length];
  return {
    passages,
    rows: counts.rows,
    said:
      `${count(counts.rows)} rows: ${count(n)} passages, ${count(counts.several)} of them of ` +
      `several sentences, which are the other ${count(sentences)} rows; ` +
      (counts.copies === 0
        ? 'all texts are real and distinct'
        : `${count(counts.copies)} passages are copies with other names and years`),
    questions: questionsOf(work),
  };
}

export const count = (n: number): string => Math.round(n).toLocaleString('en');

/** Questions of the collections in turn. */
function questionsOf(work: string): string[] {
  const lists = questionFiles.map(([task, file]) => {
    const all = queriesOf(makeSet(work, task), file).map(({ text }) => text);
    return seededRandom(seed, file).shuffled(all);
  });
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
}

function gathered(work: string): Passage[] {
  const seen = new Set<string>();
  const passages: Passage[] = [];
  const add = (passage: Passage): void => {
    const key = passage.text.toLowerCase().replace(/\W+/g, ' ');
    if (seen.has(key)) return;
    seen.add(key);
    passages.push(passage);
  };
  for (const task of tasks)
    for (const each of passagesOf(makeSet(work, task))) add({ ...each, id: `${task}-${each.id}` });
  for (const path of documentation.flatMap((folder) => filesBelow(folder)))
    for (const each of passagesIn(path)) add(each);
  return seededRandom(seed, 'passages').shuffled(passages);
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((each) => {
      const path = join(folder, each.name);
      return each.isDirectory() ? filesBelow(path) : each.isFile() ? [path] : [];
    });
}

function* passagesIn(path: string): Generator<Passage> {
  const read = (): string => {
    const bytes = readFileSync(path);
    return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  };
  const title = basename(path).replace(/(?:\.\w{1,5})*$/, '');
  if (/\/changelog[^/]*\.gz$/.test(path)) yield* entriesOf(read(), basename(dirname(path)));
  else if (path.startsWith('/usr/share/man')) yield* paragraphsOf(plain(read()), title);
  else if (/README|NEWS|FAQ|\.(?:txt|md|rst|html|info)(?:\.gz)?$/.test(path))
    yield* paragraphsOf(read().replace(/<[^>]+>/g, ' '), title);
}

/** Of a changelog: "package (version) suite; urgency", items, " -- name <address>  day". */
function* entriesOf(changelog: string, title: string): Generator<Passage> {
  let items: string[] = [];
  for (const paragraph of changelog.split(/\n\s*\n|\n(?=\s*[*+-] )/)) {
    const signed = /^ -- .*>  (.*)$/m.exec(paragraph);
    if (!signed) {
      items.push(
        paragraph
          .replace(/^\s*[*+-]\s*/, '')
          .replace(/\s+/g, ' ')
          .trim(),
      );
      continue;
    }
    const time = Date.parse(signed[1]!);
    for (const text of items)
      if (isProse(text) && !text.includes('urgency='))
        yield { id: idOf(text), title, text, ...(Number.isNaN(time) ? {} : { publishedAt: time }) };
    items = [];
  }
}

/** Of a manual page, its text without the macros of roff. */
const plain = (page: string): string =>
  page
    .replace(/^\.(?:SH|SS|PP|P|LP|TP|IP|Pp|Sh|It|sp)\b.*$/gm, '\n')
    .replace(/^[.'](?:B|I|BR|RB|IR|RI|Nm|Ar|Xr|Fl)\b/gm, '')
    .replace(/^[.'].*$/gm, '')
    .replace(/\\f.|\\&|\\s[+-]?\d|\\\(..|\\\*\(../g, '')
    .replaceAll('\\-', '-');

function* paragraphsOf(document: string, title: string): Generator<Passage> {
  for (const paragraph of document.split(/\n\s*\n/)) {
    const text = paragraph.replace(/\s+/g, ' ').trim();
    if (isProse(text)) yield { id: idOf(text), title, text: text.slice(0, 1200) };
  }
}

const isProse = (text: string): boolean => (text.match(/[a-z]{3,}/g)?.length ?? 0) >= 5;

const idOf = (text: string): string => createHash('sha1').update(text).digest('hex').slice(0, 16);
