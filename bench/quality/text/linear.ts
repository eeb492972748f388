// Processor time of every public entry that reads text, over adversarial texts: one unit of text,
// repeated to n, 2n and 4n UTF-16 units, 4n being at most what a question may have where the entry
// reads a question. Twice the text may take twice the time: a row whose time grows by more than 2.5
// at a doubling is marked `!!`, and the exit code is then 1. Times under --floor milliseconds are
// noise and not compared. Each entry runs in a process that is killed after --limit milliseconds a
// case. After `npm run build`: `node --import tsx bench/quality/text/linear.ts [--units 65536]
// [--entry REGEXP] [--input REGEXP] [--limit 20000] [--floor 100] [--all]`; --all
// prints the rows without a mark too.
import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from '../../options.js';

type Unit = string | ((n: number) => string);

/** Units that are their own names, between bars. */
const texts = (
  'a|A|é|中|1| |\0|\n|\t|-|.|,|"|“|\'|(|)|[|{|<|#|`|*|/|_|?|\u{1f468}\u200d|\u0301|' +
  'a\u0301\u0301\u0301|a |A |Ab |a.b|A.|A. |a-|a_|a\n|x y |1-|1 |1,|123,|1.|' +
  '$1 |1/2/|1990 |1 May 2020 |May |in 1990 |' +
  'and |or, |the |of |of the A |\'s |A\'s |Mr. |J. Smith, |"a" |(a) |(1990) |who |when did |' +
  'who was the A before |how many |as of |before |the first |twenty-|served as mayor from |' +
  'was mayor of A. |became A in 1990 |was succeeded by |A v1.2 '
).split('|');
/** Repeated to the length of a case; functions make the nth unit. */
const inputs: Readonly<Record<string, Unit>> = {
  'distinct words': (n) => `w${n.toString(36)} `,
  'distinct names': (n) => `N${n.toString(36)} `,
  'distinct sentences': (n) => `Ann W${n} was the mayor of T${n % 97} in ${1000 + (n % 1000)}. `,
  'distinct dates': (n) => `${1 + (n % 28)} May ${1000 + (n % 1000)}. `,
  'distinct numbers': (n) => `${n}, `,
  bar: '|',
  ...Object.fromEntries(texts.map((text) => [text, text])),
};

function repeated(unit: Unit, units: number): string {
  if (typeof unit === 'string') return unit.repeat(Math.ceil(units / unit.length)).slice(0, units);
  const parts: string[] = [];
  for (let length = 0; length < units; )
    length += parts[parts.push(unit(parts.length)) - 1]!.length;
  return parts.join('').slice(0, units);
}

interface Case {
  entry: string;
  text: string;
}

/** Units of a question's text, so that four times as many with the words around it may be asked. */
const questionUnits = 4998;
const questionEntries = [
  'parseQuestion',
  'timeline',
  'hybrid',
  'bm25',
  'dense',
  'mrag',
  'tempralm',
  're3',
  'reimplementation',
];
const evidenceEntries = questionEntries.slice(1).map((name) => `${name} over`);
const entries = [
  ...questionEntries,
  ...evidenceEntries,
  'tagText',
  'splitSentences',
  'chunk',
  'chunk markdown',
  'add text',
  'add metadata',
];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      units: { type: 'string', default: '65536' },
      entry: { type: 'string', default: '' },
      input: { type: 'string', default: '' },
      limit: { type: 'string', default: '20000' },
      floor: { type: 'string', default: '100' },
      all: { type: 'boolean', default: false },
    },
  });
  const [units, limitMs, floorMs] = [values.units, values.limit, values.floor].map(Number) as [
    number,
    number,
    number,
  ];
  let [rows, marked] = [0, 0];
  const cell = (ms: number): string =>
    (ms === Infinity ? `>${limitMs}` : ms.toFixed(0)).padStart(8);
  console.log(`${'entry'.padEnd(22)}${'input'.padEnd(24)}       n      2n      4n  ms`);
  for (const entry of entries.filter((each) => new RegExp(values.entry).test(each))) {
    const size = questionEntries.includes(entry) ? Math.min(units, questionUnits) : units;
    let child = new Child();
    for (const [name, unit] of Object.entries(inputs)) {
      if (!new RegExp(values.input).test(name)) continue;
      const times = [Infinity, Infinity, Infinity];
      // What looks quadratic is measured again: other load of the machine is no text's cost.
      for (let again = 0; again < 3 && (again === 0 || grows(times, floorMs)); again += 1)
        for (const [at, factor] of [1, 2, 4].entries()) {
          const each = { entry, text: repeated(unit, size * factor) };
          const ms = await child.time(each, limitMs);
          times[at] = Math.min(times[at]!, ms);
          if (ms < Infinity) continue;
          child = new Child();
          break;
        }
      const isMarked = grows(times, floorMs);
      rows += 1;
      if (isMarked) marked += 1;
      if (isMarked || values.all)
        console.log(
          `${entry.padEnd(22)}${JSON.stringify(name).padEnd(24)}${times.map(cell).join('')}${isMarked ? '  !!' : ''}`,
        );
    }
    child.end();
  }
  console.log(`${rows} rows, ${marked} marked`);
  process.exitCode = marked > 0 ? 1 : 0;
}

/** Whether a doubling takes over 2.5 times as long, or did not end. */
const grows = (times: readonly number[], floorMs: number): boolean =>
  times.some(
    (ms, at) =>
      ms === Infinity ||
      (ms > floorMs && at > 0 && ms > 2.5 * Math.max(times[at - 1]!, floorMs / 4)),
  );

/** A process that runs cases one at a time. */
class Child {
  private readonly process: ChildProcess;
  private readonly folder = mkdtempSync(join(tmpdir(), 'asof-linear-'));

  constructor() {
    this.process = fork(fileURLToPath(import.meta.url), [this.folder], {
      execArgv: process.execArgv,
      serialization: 'advanced',
    });
  }

  /** Milliseconds of processor time; infinite if the limit is over first. */
  time(each: Case, limitMs: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.end();
        done(Infinity);
      }, limitMs + 5000);
      const done = (ms: number): void => {
        clearTimeout(timer);
        this.process.off('exit', left);
        resolve(ms);
      };
      const left = (code: number | null): void => reject(new Error(`the child left with ${code}`));
      this.process.once('exit', left);
      this.process.once('message', (ms: number | string) => {
        if (typeof ms === 'number') done(ms);
        else {
          clearTimeout(timer);
          reject(new Error(`${each.entry}: ${ms}`));
        }
      });
      this.process.send(each);
    });
  }

  end(): void {
    this.process.removeAllListeners('message');
    this.process.removeAllListeners('exit');
    this.process.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The child's part. */
function serve(): void {
  const ready = prepare(process.argv[2]!);
  process.on('message', ({ entry, text }: Case) => {
    void ready
      .then(async (timed) => {
        process.send!(await timed(entry, text));
      })
      .catch((fault: unknown) => process.send!(String((fault as Error).stack)));
  });
}

async function prepare(folder: string): Promise<(entry: string, text: string) => Promise<number>> {
  const library = await import('../../../dist/index.js');
  const papers = await import('../../../dist/papers/index.js');
  const time = await import('../../../dist/time/index.js');
  const { chunk } = await import('../../../packages/documents/dist/index.js');
  const { AsOfError, Corpus, timeline, hybrid, bm25, dense } = library;
  const { mrag, tempralm, re3, reimplementation } = papers;
  const systems = { hybrid, bm25, dense, mrag, tempralm, re3, reimplementation };
  const ordinary = [
    ['a', 'Ann Lee was the mayor of Lund from 1999 to 2004. She led the council.', '2003-05-01'],
    ['b', 'The mayor of Lund is Bo Ek, who took office on 1 May 2004.', '2004-06-01'],
    ['c', 'Lund has a cathedral, and a university since 1666.', '2010-01-01'],
  ].map(([id, text, publishedAt]) => ({ id: id!, text: text!, publishedAt: publishedAt! }));
  let corpora = 0;
  const fresh = (): ReturnType<typeof Corpus.open> => Corpus.open(join(folder, `c${corpora++}`));
  const base = await fresh();
  await base.add(ordinary);
  const asked = { text: 'Who was the mayor of Lund in May 2003?', askedAt: '2012-01-01' };
  const run = (name: string, corpus: typeof base, question: typeof asked): Promise<unknown> =>
    name === 'timeline'
      ? timeline(corpus, question)
      : systems[name as keyof typeof systems]({ corpus }).run(question);
  // Compiled before it is measured.
  for (const name of ['timeline', ...Object.keys(systems)])
    for (let again = 0; again < 3; again += 1) await run(name, base, asked);
  return async (entry, text) => {
    const { body, done } = await bodyOf(entry, text);
    const before = process.cpuUsage();
    try {
      await body();
    } catch (error) {
      if (!AsOfError.is(error)) throw error; // a refusal is an answer
    }
    const { user, system } = process.cpuUsage(before);
    await done?.();
    return (user + system) / 1000;
  };
  async function bodyOf(
    entry: string,
    text: string,
  ): Promise<{ body: () => unknown; done?: () => Promise<void> }> {
    if (entry === 'parseQuestion')
      return { body: () => time.parseQuestion({ text: `Who ${text}?`, askedAt: '2012-01-01' }) };
    if (entry === 'tagText') return { body: () => time.tagText(text, { reference: '2012-01-01' }) };
    if (entry === 'splitSentences') return { body: () => time.splitSentences(text) };
    if (entry === 'chunk') return { body: () => chunk({ id: 'd', text }) };
    if (entry === 'chunk markdown')
      return { body: () => chunk({ id: 'd', text }, { by: 'markdown' }) };
    const inPassage = `The mayor of Lund. ${text}`.slice(0, 1 << 20).toWellFormed();
    if (entry.startsWith('add')) {
      const corpus = await fresh();
      const passage =
        entry === 'add text'
          ? { id: 'x', text: inPassage, publishedAt: '2003-05-02' }
          : { id: 'x', text: 'x', metadata: { x: text.slice(0, 1 << 17).toWellFormed() } };
      return { body: () => corpus.add([passage]), done: () => corpus.close() };
    }
    if (!entry.endsWith(' over'))
      return { body: () => run(entry, base, { ...asked, text: `Who ${text}?` }) };
    const corpus = await fresh();
    await corpus.add([...ordinary, { id: 'x', text: inPassage, publishedAt: '2003-05-02' }]);
    return {
      body: () => run(entry.slice(0, -' over'.length), corpus, asked),
      done: () => corpus.close(),
    };
  }
}

if (process.send) serve();
else await main();
