// Benchmarks whose texts a model writes: what it is asked, which of its texts are taken, and that a
// recording gives the same again.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordReplay } from '../../lib/index.js';
import { budgetedModel } from '../../lib/judges/budget.js';
import { writeByModel, type ModelTexts } from '../../lib/re2/modelTexts.js';
import { writeRe2 } from '../../lib/re2/write.js';
import type { GenerateRequest, TextModel } from '../../../../lib/index.js';
import { benchmarkOf, countSchema, rows, weatherSchema } from './records.js';

const few = rows(1, 3).filter(({ place }) => place! < 'E');

/**
 * Copies the facts of its prompt into sentences; it omits the date of every seventh record, and
 * every eleventh record altogether.
 */
function copying(): { model: TextModel; requests: GenerateRequest[] } {
  const requests: GenerateRequest[] = [];
  let told = 0;
  const generate = async (request: GenerateRequest): Promise<{ text: string }> => {
    requests.push(request);
    if (request.prompt.startsWith('About:')) {
      const [, entity, wanted, date] = /About: (.*)\nWanted: (.*)(?:\nDate: (.*))?\nJSON/.exec(
        request.prompt,
      )!;
      return {
        text: JSON.stringify({
          question: `Tell me, what were the ${wanted} of ${entity}${date === undefined ? ' lately' : ` for ${date}`}?`,
        }),
      };
    }
    const passages = request.prompt
      .split('\n')
      .slice(0, -1)
      .flatMap((line) => {
        const [, record, cells] = /^(\d+)\. (.*)$/.exec(line)!;
        told += 1;
        if (told % 11 === 0) return [];
        return [
          {
            record: Number(record),
            text: `A notice. ${told % 7 === 0 ? cells!.replace(/date: [^;]*; /, '') : cells}.`,
          },
        ];
      });
    return { text: `Here you are:\n${JSON.stringify({ passages })}` };
  };
  return { model: { id: 'copying', generate }, requests };
}

describe('benchmarks written by a model', () => {
  let folder: string;
  before(() => void (folder = mkdtempSync(join(tmpdir(), 'asof-re2-model-'))));
  after(() => rmSync(folder, { recursive: true }));

  it('writes of some questions their passages alone', async () => {
    const benchmark = await benchmarkOf(weatherSchema, { seed: 2, questions: 3 }, few);
    const sent = async (askedOnly: boolean): Promise<number> => {
      const { model, requests } = copying();
      await writeByModel(benchmark, model, { askedOnly });
      return requests.length;
    };
    const [some, all] = [await sent(true), await sent(false)];
    assert.ok(some <= 2 * 3 && all > some, `${some} of ${all}`);
  });

  it('takes texts that keep who, when and what, and leaves the others to the grammar', async () => {
    const benchmark = await benchmarkOf(weatherSchema, { seed: 2 }, few);
    const { model, requests } = copying();
    const texts = await writeByModel(benchmark, model);
    const all = [...benchmark.texts()];
    const questions = [...benchmark.questions()];
    assert.equal(texts.questions.size, questions.length);
    assert.deepEqual(Object.keys(texts.refused).sort(), ['date left out', 'missing']);
    assert.equal(
      texts.passages.size,
      all.length - texts.refused['missing']! - texts.refused['date left out']!,
    );
    for (const { passage, truth } of all) {
      const text = texts.passages.get(passage.id);
      if (text !== undefined)
        for (const value of [truth.entity, ...Object.values(truth.values)])
          assert.ok(text.includes(value));
    }
    for (const { id, asks } of questions)
      assert.ok(
        texts.questions.get(id)!.includes(asks.entity) &&
          texts.questions.get(id)!.includes(asks.when ?? 'lately'),
      );
    assert.ok(
      requests.every(
        ({ jsonSchema, temperature }) => jsonSchema !== undefined && temperature === 0,
      ),
    );
    const out = join(folder, 'out');
    const statistics = await writeRe2(out, benchmark, { texts });
    assert.deepEqual(statistics.written, {
      model: texts.passages.size + questions.length,
      rules: all.length - texts.passages.size,
    });
    const written = readFileSync(join(out, 'passages.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; text: string });
    for (const { id, text } of written)
      assert.equal(
        text,
        texts.passages.get(id) ?? all.find(({ passage }) => passage.id === id)!.passage.text,
      );
  });

  it("shows a question's positive and its negatives together, each passage once", async () => {
    const benchmark = await benchmarkOf(weatherSchema, { seed: 2 }, few);
    const { model, requests } = copying();
    await writeByModel(benchmark, model);
    const batches = requests
      .filter(({ prompt }) => /^1\. /.test(prompt))
      .map(({ prompt }) => prompt.split('\n').slice(0, -1));
    const rows = batches.flat().map((row) => row.replace(/^\d+\. (?:\(.*?\) )?/, ''));
    assert.equal(rows.length, [...benchmark.texts()].length);
    const part = (row: string, name: string): string | undefined =>
      new RegExp(`(?:^|[ ;])${name}: ([^;]*)`).exec(row)?.[1];
    const marks = {
      'another date': 0,
      'another name': 0,
      'another measure': 0,
      'an earlier issue': 0,
    };
    for (const [first, ...others] of batches)
      for (const row of others) {
        const [, mark] = /^\d+\. \((.*?)\)/.exec(row) ?? [];
        if (mark === undefined) continue;
        marks[mark as keyof typeof marks] += 1;
        const same = part(row, 'name') === part(first!, 'name');
        assert.equal(same, mark !== 'another name', `${first}\n${row}`);
        if (mark === 'an earlier issue')
          assert.ok(part(row, 'issued')! <= part(first!, 'issued')!, `${first}\n${row}`);
      }
    assert.ok(
      Object.values(marks).every((count) => count > 0),
      JSON.stringify(marks),
    );
    assert.ok(batches.every((batch) => batch.length <= 8));
  });

  it('refuses questions that give the answer away or name nobody', async () => {
    const benchmark = await benchmarkOf(countSchema, { seed: 2, latest: 0 }, few);
    const asked = [...benchmark.questions()];
    const model: TextModel = {
      id: 'blunt',
      async generate({ prompt }) {
        const [, entity, , date] = /About: (.*)\nWanted: (.*)\nDate: (.*)\nJSON/.exec(prompt) ?? [];
        if (entity === undefined) return { text: '{"passages":[]}' };
        const { answers } = asked.find(({ asks }) => asks.entity === entity && asks.when === date)!;
        return {
          text: JSON.stringify({
            question:
              entity < 'B' ? 'How many?' : `Were there ${answers[0]} in ${entity} on ${date}?`,
          }),
        };
      },
    };
    const { questions, passages, refused } = await writeByModel(benchmark, model);
    assert.equal(passages.size, 0);
    assert.ok(refused['entity left out']! > 0 && refused['answer given away']! > 0);
    assert.ok(questions.size < asked.length / 4);
  });

  it('leaves what is beyond a budget to the grammar, and goes on from the recording', async () => {
    const path = join(folder, 'budget.jsonl');
    const benchmark = await benchmarkOf(weatherSchema, { seed: 2, questions: 3 }, few);
    const { model, requests } = copying();
    const write = async (calls: number): Promise<ModelTexts> => {
      const mode = 'replayOrRecord';
      const budgeted = budgetedModel(model, calls);
      const recorded = await recordReplay({ path, mode, model: budgeted });
      return writeByModel(benchmark, recorded, { askedOnly: true });
    };
    const first = await write(2);
    assert.equal(requests.length, 2);
    assert.ok(first.left > 0 && first.questions.size === 0 && first.passages.size > 0);
    const rest = await write(100);
    assert.equal(rest.left, 0);
    assert.ok(rest.questions.size > 0);
    for (const [id, text] of first.passages) assert.equal(rest.passages.get(id), text);
    assert.equal(new Set(requests.map(({ prompt }) => prompt)).size, requests.length);
  });

  it('is the same from a recording, and stops when told to', async () => {
    const path = join(folder, 'answers.jsonl');
    const benchmark = await benchmarkOf(weatherSchema, { seed: 2, questions: 4 }, few.slice(0, 9));
    const first = await writeByModel(
      benchmark,
      await recordReplay({ path, mode: 'record', model: copying().model }),
    );
    const again = await writeByModel(benchmark, await recordReplay({ path, mode: 'replay' }));
    assert.deepEqual(again, first);
    assert.ok(first.passages.size > 0);
    await assert.rejects(
      writeByModel(benchmark, copying().model, { signal: AbortSignal.abort() }),
      { code: 'ERR_ABORTED' },
    );
    await assert.rejects(
      writeRe2(join(folder, 'stopped'), await benchmarkOf(weatherSchema, {}, rows(1, 40)), {
        signal: AbortSignal.abort(),
      }),
      {
        code: 'ERR_ABORTED',
      },
    );
  });
});
