// Benchmarks from records: what is relevant, superseded and to come agrees with the records;
// negatives are wrong in one respect; splits share nothing; the same seed gives the same, whatever
// the order of the records.
import assert from 'node:assert/strict';
import type { Re2Benchmark } from '../../lib/re2/benchmark.js';
import type { Re2Schema } from '../../lib/re2/schema.js';
import type { Re2Question } from '../../lib/re2/question.js';
import { parseQuestion } from '../../../../lib/time/index.js';
import { sameValues } from '../../lib/re2/versionStates.js';
import {
  benchmarkOf,
  countSchema,
  places,
  rows,
  schemas,
  scoreSchema,
  weatherSchema,
} from './records.js';

type Text = ReturnType<Re2Benchmark['texts']> extends Generator<infer T> ? T : never;
interface Made {
  benchmark: Re2Benchmark;
  questions: Re2Question[];
  held: Map<string, Text>;
}

/** Those without options, which tests read and do not change. */
const plain = new Map<Re2Schema, Promise<Made>>();

function made(schema: Re2Schema, options?: object): Promise<Made> {
  if (options) return make(schema, options);
  const known = plain.get(schema) ?? make(schema, {});
  plain.set(schema, known);
  return known;
}

async function make(schema: Re2Schema, options: object): Promise<Made> {
  const benchmark = await benchmarkOf(schema, { seed: 5, ...options });
  const questions = [...benchmark.questions()];
  const texts = [...benchmark.texts()];
  const held = new Map(texts.map((each) => [each.passage.id, each]));
  assert.equal(held.size, texts.length, 'ids are unique');
  return { benchmark, questions, held };
}

/**
 * When a passage was published and a question asked: a day alone starts with its first instant, and
 * is asked at its last.
 */
const publishedAt = (text: string): number => Date.parse(text);
const askedAt = (text: string): number =>
  text.length === 10 ? Date.parse(text) + 86_400_000 - 1 : Date.parse(text);
const factOf = ({ truth }: Text): string =>
  JSON.stringify([truth.entity, truth.attribute, Object.keys(truth.values), truth.date]);

describe('Re2-style benchmarks', () => {
  for (const [name, schema] of Object.entries(schemas)) {
    it(`judges ${name} as the records do`, async () => {
      const { questions, held } = await made(schema);
      assert.ok(questions.length > 40, `${questions.length} questions`);
      const versions = new Map<string, Text[]>();
      for (const each of held.values())
        if (!each.truth.perturbed)
          versions.set(factOf(each), [...(versions.get(factOf(each)) ?? []), each]);
      for (const question of questions) {
        const asked = askedAt(question.asked_at);
        const [current, outdated, future] = [
          question.current,
          question.outdated,
          question.future,
        ].map((ids) => ids.map((id) => held.get(id)!));
        assert.ok([...current!, ...outdated!, ...future!].every(Boolean), 'every id is a passage');
        assert.equal(
          new Set([...question.current, ...question.outdated, ...question.future]).size,
          current!.length + outdated!.length + future!.length,
          'no passage is two of them',
        );
        assert.ok(current!.length > 0 && current!.every(({ truth }) => !truth.perturbed));
        for (const { passage } of [...current!, ...outdated!])
          assert.ok(
            publishedAt(passage.published_at) <= asked,
            `${passage.published_at} for ${question.asked_at}`,
          );
        for (const { passage } of future!) assert.ok(publishedAt(passage.published_at) > asked);
        const values = ({ truth }: Text): string[] => Object.values(truth.values);
        const positive = held.get(question.positive)!;
        assert.ok(question.current.includes(question.positive));
        if (question.kind === 'explicit') {
          const all = versions.get(factOf(positive))!;
          const seen = all.filter(({ passage }) => publishedAt(passage.published_at) <= asked);
          const newest = Math.max(...seen.map(({ passage }) => publishedAt(passage.published_at)));
          for (const each of seen.filter(
            ({ passage }) => publishedAt(passage.published_at) === newest,
          ))
            assert.ok(sameValues(values(each), values(positive)));
          assert.deepEqual(
            [...question.current].sort(),
            seen
              .filter((each) => sameValues(values(each), values(positive)))
              .map(({ passage }) => passage.id)
              .sort(),
          );
          assert.deepEqual(
            [...question.outdated].sort(),
            seen
              .filter((each) => !sameValues(values(each), values(positive)))
              .map(({ passage }) => passage.id)
              .sort(),
          );
          assert.deepEqual(
            [...question.future].sort(),
            all
              .filter((each) => !seen.includes(each))
              .map(({ passage }) => passage.id)
              .sort(),
          );
        }
        assert.ok(question.answers.some((answer) => values(positive).includes(answer)));
      }
    });

    it(`makes negatives of ${name} that are wrong in one respect and exist`, async () => {
      const { questions, held } = await made(schema);
      const kinds = new Set<string>();
      for (const { positive, negatives, current, outdated, asked_at } of questions) {
        const right = held.get(positive)!;
        assert.equal(new Set(negatives.map(({ id }) => id)).size, negatives.length);
        for (const { id, kind } of negatives) {
          kinds.add(kind);
          const wrong = held.get(id);
          assert.ok(wrong, `${kind} ${id} exists`);
          assert.ok(!current.includes(id));
          const same = {
            entity: wrong.truth.entity === right.truth.entity,
            date: wrong.truth.date === right.truth.date,
            attribute:
              wrong.truth.attribute === right.truth.attribute &&
              Object.keys(wrong.truth.values).join() === Object.keys(right.truth.values).join(),
          };
          const expected = {
            time: { entity: true, date: false, attribute: true },
            entity: { entity: false, date: true, attribute: true },
            attribute: { entity: true, date: true, attribute: false },
          };
          if (kind === 'outdated') assert.ok(outdated.includes(id));
          else assert.deepEqual(same, expected[kind], kind);
          assert.ok(publishedAt(wrong.passage.published_at) <= askedAt(asked_at), 'could be seen');
        }
      }
      assert.ok(kinds.has('time') && kinds.has('entity'));
      assert.equal(kinds.has('attribute'), name !== 'scores');
      assert.equal(kinds.has('outdated'), name !== 'scores' && name !== 'generic');
    });

    it(`names a time in ${name} that only the right passages have`, async () => {
      const { questions, held } = await made(schema);
      for (const { query_time, kind, positive, negatives, text, asks } of questions) {
        assert.equal(query_time === null, kind === 'latest');
        if (!query_time) continue;
        assert.ok(
          text.toLowerCase().includes(asks.when!.toLowerCase()),
          `${text} has ${asks.when}`,
        );
        const covers = (date: string): boolean =>
          query_time.start_iso <= `${date}-01-01`.slice(0, 10) &&
          `${date}-12-31`.slice(0, 10) <= query_time.end_iso.replace(/-(?:28|29|30)$/, '-31');
        assert.ok(
          covers(held.get(positive)!.truth.date),
          `${JSON.stringify(query_time)} covers ${held.get(positive)!.truth.date}`,
        );
        for (const { id, kind: wrong } of negatives)
          if (wrong === 'time') assert.ok(!covers(held.get(id)!.truth.date));
      }
    });

    it(`keeps train, dev and test of ${name} apart`, async () => {
      const { benchmark, questions, held } = await made(schema);
      const shown = { train: new Set<string>(), dev: new Set<string>(), test: new Set<string>() };
      const entities = {
        train: new Set<string>(),
        dev: new Set<string>(),
        test: new Set<string>(),
      };
      for (const question of questions) {
        const ids = [...question.current, ...question.negatives.map(({ id }) => id)];
        for (const id of ids) {
          shown[question.split].add(id);
          const { entity, date } = held.get(id)!.truth;
          const of = benchmark.splits.of(
            benchmark.facts.entities.indexOf(entity),
            Date.parse(date) / 86_400_000,
          );
          assert.equal(of, question.split);
          if (question.unseen !== 'time') entities[question.split].add(entity);
          else assert.ok(benchmark.splits.isHeldOut(Date.parse(date) / 86_400_000));
        }
        assert.equal(question.unseen !== undefined, question.split === 'test');
      }
      const disjoint = (a: Set<string>, b: Set<string>): boolean =>
        [...a].every((each) => !b.has(each));
      for (const sets of [shown, entities])
        assert.ok(
          disjoint(sets.train, sets.dev) &&
            disjoint(sets.train, sets.test) &&
            disjoint(sets.dev, sets.test),
        );
      for (const split of ['train', 'test'] as const) assert.ok(shown[split].size > 0, split);
      assert.ok(
        questions.some(({ unseen }) => unseen === 'entity') &&
          questions.some(({ unseen }) => unseen === 'time'),
      );
    });
  }

  it('is deterministic by seed and independent of the order of the records', async () => {
    const all = async (seed: number, from = rows()): Promise<string> => {
      const benchmark = await benchmarkOf(weatherSchema, { seed }, from);
      return JSON.stringify([[...benchmark.texts()], [...benchmark.questions()]]);
    };
    const first = await all(3);
    assert.equal(await all(3, rows().reverse()), first);
    assert.equal(
      await all(3, [...rows(), ...rows().slice(0, 50)]),
      first,
      'records told twice count once',
    );
    assert.notEqual(await all(4), first);
  });

  it('states every value and the date in each passage, never the value in a question', async () => {
    for (const schema of [weatherSchema, countSchema, scoreSchema]) {
      const { benchmark, questions, held } = await made(schema);
      for (const { passage, truth } of held.values()) {
        for (const value of Object.values(truth.values))
          assert.ok(
            passage.text.replaceAll(',', '').toLowerCase().includes(value.toLowerCase()),
            `${value} in ${passage.text}`,
          );
        const who = schema === scoreSchema ? truth.entity.replace(' final', '') : truth.entity;
        assert.ok(passage.text.includes(who), `${who} in ${passage.text}`);
        assert.doesNotMatch(passage.text, /[{}<>]|undefined|\s\s/);
        assert.match(passage.text, /^[\p{Lu}\p{N}]/u);
      }
      for (const { text, asks } of questions) {
        assert.ok(text.includes(asks.entity));
        assert.doesNotMatch(text, /[{}<>]|undefined|\s\s/);
      }
      assert.ok(
        new Set(
          questions.map(({ text, asks }) =>
            text.replace(asks.entity, '').replace(asks.when ?? '', ''),
          ),
        ).size > 30,
        'questions vary',
      );
      assert.ok(benchmark.madeUp().length > 0);
    }
  });

  it('asks for the latest what the newest date or publication tells', async () => {
    for (const schema of [weatherSchema, countSchema]) {
      const { questions, held } = await made(schema, { latest: 1 });
      const real = [...held.values()].filter(({ truth }) => !truth.perturbed);
      assert.ok(
        questions.length > 100 &&
          questions.every(({ kind, query_time }) => kind === 'latest' && query_time === null),
      );
      for (const { positive, asked_at, current, future } of questions) {
        const { truth, passage } = held.get(positive)!;
        const names = Object.keys(truth.values).join();
        const seen = [...held.values()].filter(
          (each) =>
            each.truth.entity === truth.entity &&
            Object.keys(each.truth.values).join() === names &&
            publishedAt(each.passage.published_at) <= askedAt(asked_at),
        );
        if (schema === countSchema) assert.ok(seen.every((each) => each.truth.date <= truth.date));
        else
          assert.ok(
            seen.every(
              (each) => publishedAt(each.passage.published_at) <= publishedAt(passage.published_at),
            ),
          );
        assert.ok(
          current.length > 0 && future.every((id) => real.some((each) => each.passage.id === id)),
        );
      }
    }
  });

  it(
    'asks for two dates at once: two facts of one entity, each as the records judge it, ' +
      'and the other questions as they were',
    async () => {
      const single = new Map<string, Re2Question>();
      for (const [name, schema] of Object.entries(schemas)) {
        for (const question of (await made(schema)).questions)
          single.set(`${name} ${question.id}`, question);
        const { benchmark, questions, held } = await made(schema, { pairs: 0.5 });
        const versions = new Map<string, string[]>();
        for (const each of held.values()) {
          if (!each.truth.perturbed)
            versions.set(factOf(each), [...(versions.get(factOf(each)) ?? []), each.passage.id]);
        }
        const pairs = questions.filter(({ kind }) => kind === 'pair');
        const dated = questions.filter(({ kind }) => kind !== 'latest');
        assert.ok(
          pairs.length > 15 && pairs.length < 0.7 * dated.length,
          `${pairs.length} of ${dated.length} ${name}`,
        );
        for (const question of questions)
          if (question.kind !== 'pair')
            assert.deepEqual(question, single.get(`${name} ${question.id}`));
        for (const {
          facts,
          current,
          outdated,
          future,
          positive,
          negatives,
          answers,
          text,
          asked_at,
          split,
          query_time,
        } of pairs) {
          assert.equal(facts.length, 2);
          assert.deepEqual(facts.flat(), current);
          assert.deepEqual([positive, negatives, answers], [facts[0]![0], [], []]);
          const [first, second] = facts.map((ids) => ids.map((id) => held.get(id)!));
          for (const of of [first!, second!]) assert.equal(new Set(of.map(factOf)).size, 1);
          const [a, b] = [first![0]!.truth, second![0]!.truth];
          assert.deepEqual(
            [a.entity, a.attribute, Object.keys(a.values)],
            [b.entity, b.attribute, Object.keys(b.values)],
          );
          assert.ok(
            a.date < b.date && query_time!.start_iso.startsWith(a.date),
            `${a.date} and ${b.date}: ${text}`,
          );
          for (const { date } of [a, b])
            assert.equal(
              benchmark.splits.of(
                benchmark.facts.entities.indexOf(a.entity),
                Date.parse(date) / 86_400_000,
              ),
              split,
            );
          for (const id of [...current, ...outdated])
            assert.ok(publishedAt(held.get(id)!.passage.published_at) <= askedAt(asked_at));
          for (const id of future)
            assert.ok(publishedAt(held.get(id)!.passage.published_at) > askedAt(asked_at));
          const known = new Set([...current, ...outdated, ...future]);
          const said = [first![0]!, second![0]!].flatMap((of) => versions.get(factOf(of))!);
          assert.deepEqual([...known].sort(), said.sort(), 'every version of both is judged');
          assert.ok(
            text.includes(schema === scoreSchema ? a.entity.replace(' final', '') : a.entity),
          );
          assert.doesNotMatch(text, /[{}<>]|undefined|\s\s/);
        }
      }
    },
  );

  it('words two dates in many ways, both parseable where they are distinguished', async () => {
    const { questions } = await made(weatherSchema, { pairs: 1 });
    const pairs = questions.filter(({ kind }) => kind === 'pair');
    const bare = ({ text, asks }: Re2Question): string =>
      text.replace(asks.entity, '').replaceAll(/[\d/-]+|January|February|March|April|May/g, '');
    const wordings = new Set(pairs.map(bare));
    assert.ok(wordings.size > 60, `${wordings.size} wordings`);
    assert.ok(
      pairs.some(({ asks }) => /^\w+ \d+ and \d+, \d{4}$|^\d+ and \d+ \w+ \d{4}$/.test(asks.when!)),
      'some share a month',
    );
    const days = /^(\d{4}-\d\d-\d\d) and (\d{4}-\d\d-\d\d)$/;
    const both = pairs.filter(({ asks }) => days.test(asks.when!));
    assert.ok(both.length > 5);
    for (const { text, asked_at, asks } of both) {
      const [, first, second] = days.exec(asks.when!)!;
      const read = parseQuestion({ text, askedAt: asked_at }).constraints.flatMap(
        ({ interval }) => interval ?? [],
      );
      const covered = (day: string): boolean =>
        read.some(({ start, end }) => start <= Date.parse(day) && Date.parse(day) < end);
      assert.ok(covered(first!) && covered(second!), text);
    }
  });

  it('masks as many dates as it is told to, where that leaves them apart', async () => {
    const share = async (masked: number): Promise<number> => {
      const forms = [...(await benchmarkOf(weatherSchema, { masked })).texts()].map(
        ({ truth }) => truth.form,
      );
      return (
        forms.filter((form) =>
          ['yearless', 'weekday-only', 'counted', 'part-of-month', 'month', 'year'].includes(form),
        ).length / forms.length
      );
    };
    assert.equal(await share(0), 0);
    assert.ok((await share(1)) > 0.95);
    assert.ok(Math.abs((await share(0.3)) - 0.3) < 0.05);
  });

  it('makes as many questions as it is told to', async () => {
    const { questions } = await made(weatherSchema, { questions: 100 });
    assert.ok(questions.length > 90 && questions.length <= 100);
  });

  it('refuses schemas and options that are none, and records that are not there', async () => {
    const refused = async (schema: unknown, options = {}, from = rows(1, 3)): Promise<void> =>
      assert.rejects(async () => benchmarkOf(schema as Re2Schema, options, from), {
        code: 'ERR_INVALID_ARGUMENT',
      });
    await refused(undefined);
    await refused([]);
    await refused({ ...weatherSchema, entity: '' });
    await refused({ ...weatherSchema, style: 'poetry' });
    await refused({ ...weatherSchema, attributes: [] });
    await refused({ ...weatherSchema, attributes: [{ column: 'high' }] });
    await refused({ ...weatherSchema, attributes: [{ column: 'high', role: 'winner' }] });
    await refused({ ...weatherSchema, latest: 'now' });
    await refused({ ...weatherSchema, dates: 'day' });
    await refused(weatherSchema, { seed: 0.5 });
    await refused(weatherSchema, { masked: 2 });
    await refused(weatherSchema, { pairs: -0.1 });
    await refused(weatherSchema, { questions: 0 });
    await refused(weatherSchema, { splits: { test: 0.9 } });
    await refused(weatherSchema, {}, []);
    const stopped = AbortSignal.abort();
    await assert.rejects(benchmarkOf(weatherSchema, { signal: stopped }), { code: 'ERR_ABORTED' });
  });

  it('holds out entities from three on, and times from four units on', async () => {
    const two = await benchmarkOf(
      weatherSchema,
      {},
      rows().filter(({ place }) => place === places[0] || place === places[1]),
    );
    assert.deepEqual([two.splits.entities('test'), two.splits.unit], [[], 'year']);
    const short = await benchmarkOf(weatherSchema, {}, rows(1, 1));
    assert.equal(short.splits.unit, undefined);
    assert.ok([...short.questions()].length > 0);
  });
});
