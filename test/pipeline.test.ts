// Compositions: order, optional stages, the trace, and the signal between stages.
import assert from 'node:assert/strict';
import { pipeline, stage } from '../lib/pipeline.js';

const add = (n: number) => stage<number, number>(`add(${n})`, (value) => value + n);

describe('a composition', () => {
  it('runs its stages in order, prints them, and traces their notes', async () => {
    const noting = stage<number, string>(
      'write',
      (value, { note }) => (note('seen', value), String(value)),
    );
    const composition = pipeline<number>('sum').then(add(1)).then(add(2)).then(noting).done();
    assert.equal(composition.toString(), 'add(1) -> add(2) -> write');
    const { output, trace } = await composition.run(4);
    assert.equal(output, '7');
    assert.deepEqual(
      trace.map(({ stage: name, notes }) => [name, notes]),
      [
        ['add(1)', undefined],
        ['add(2)', undefined],
        ['write', { seen: 7 }],
      ],
    );
  });

  it('omits a stage whose option is false, undefined or 0, and no other', () => {
    for (const option of [false, undefined, 0] as const)
      assert.equal(pipeline<number>('sum').thenIf(option, add).done().toString(), '');
    // What a stage refuses must reach it, or a wrong option would look like one that leaves it out.
    for (const option of [1, NaN, -1])
      assert.equal(pipeline<number>('sum').thenIf(option, add).done().toString(), `add(${option})`);
    assert.equal(
      pipeline<number>('sum')
        .then(add(1))
        .thenIf({}, () => add(2))
        .then(add(3))
        .done()
        .toString(),
      'add(1) -> add(2) -> add(3)',
    );
  });

  it('starts no stage once the signal is aborted', async () => {
    const controller = new AbortController();
    const started: string[] = [];
    const first = stage<number, number>(
      'first',
      (value) => (started.push('first'), controller.abort(), value),
    );
    const second = stage<number, number>('second', (value) => (started.push('second'), value));
    await assert.rejects(
      pipeline<number>('two').then(first).then(second).done().run(1, { signal: controller.signal }),
      { code: 'ERR_ABORTED' },
    );
    assert.deepEqual(started, ['first']);
  });
});
