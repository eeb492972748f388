// Questions in flight: a bounded number of each corpus, in order; signals, closing, and questions
// that a question asks.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { Corpus, hybrid, type System } from '../../lib/index.js';
import { timeline } from '../../lib/systems/timeline.js';
import type { TextModel } from '../../lib/text/textModel.js';
import { fails, temporaryFolder } from './fixtures.js';
import { assertEach } from '../assertEach.js';

const question = { text: 'Who was mayor of Tannau in 1940?', askedAt: '2020-01-01' };
const passages = [
  { id: 'wirth', text: 'Anna Wirth became mayor of Tannau in 1936.' },
  { id: 'rau', text: 'Karl Rau became mayor of Tannau in 1950.' },
];

/** A model that answers when it is let. */
class HeldModel implements TextModel {
  readonly id = 'held';
  prompts = 0;
  prompt = (): void => {};
  release = (): void => {};
  /** Resolves at the first prompt. */
  readonly prompted = new Promise<void>((resolve) => (this.prompt = resolve));
  private readonly held = new Promise<void>((resolve) => (this.release = resolve));

  constructor(private readonly before: () => Promise<unknown> = () => this.held) {}

  async generate() {
    this.prompts += 1;
    this.prompt();
    await this.before();
    return { text: '{"answer":"Anna Wirth"}', finishReason: 'stop' as const };
  }
}

const reading = (corpus: Corpus, model: TextModel): System =>
  hybrid({ corpus, model, read: { mode: 'concatenated' } });

describe('questions in flight', () => {
  const folder = temporaryFolder();
  const opened = async (name: string, concurrency: number): Promise<Corpus> => {
    const corpus = await Corpus.open(folder.path(name), { concurrency });
    await corpus.add(passages);
    return corpus;
  };

  it('are as many as the corpus admits, of all of its systems', async () => {
    const corpus = await opened('admits', 2);
    const models = [new HeldModel(), new HeldModel()];
    const systems = models.map((model) => reading(corpus, model));
    const answers = [0, 1, 0, 1, 0].map((which) => systems[which]!.run(question));
    const entries = timeline(corpus, { text: 'mayor of Tannau' });
    await Promise.all(models.map(({ prompted }) => prompted));
    // Time for the third, if it were admitted.
    await delay(100);
    assertEach(models, ({ prompts }) => prompts, [1, 1]);
    for (const model of models) model.release();
    for (const each of await Promise.all(answers)) assert.equal(each.answer?.text, 'Anna Wirth');
    assert.equal((await entries).length, 2);
    assertEach(models, ({ prompts }) => prompts, [3, 2]);
    await corpus.close();
  });

  it('reject at once while they wait, by their signals and deadlines', async () => {
    const corpus = await opened('signals', 1);
    const model = new HeldModel();
    const system = reading(corpus, model);
    const first = system.run(question);
    const stop = new AbortController();
    const stopped = assert.rejects(
      system.run(question, { signal: stop.signal }),
      fails('ERR_ABORTED', /aborted/),
    );
    stop.abort();
    await stopped;
    await assert.rejects(
      system.run(question, { signal: AbortSignal.timeout(5) }),
      fails('ERR_ABORTED', /aborted/),
    );
    model.release();
    assert.equal((await first).answer?.text, 'Anna Wirth');
    assert.equal(model.prompts, 1);
    await corpus.close();
  });

  it('reject when the corpus closes, running and waiting ones', async () => {
    const corpus = await opened('closes', 1);
    const model = new HeldModel();
    const system = reading(corpus, model);
    const asked = [1, 2, 3].map(() =>
      assert.rejects(system.run(question), fails('ERR_CLOSED', /Open it again/)),
    );
    await model.prompted;
    await corpus.close();
    await Promise.all(asked.slice(1));
    model.release();
    await asked[0];
    await assert.rejects(system.run(question), fails('ERR_CLOSED', /Open it again/));
  });

  it('free their place where they fail', async () => {
    const corpus = await opened('fails', 1);
    const failing = new HeldModel(() => Promise.reject(new Error('no answer')));
    for (const _ of [1, 2])
      await assert.rejects(
        reading(corpus, failing).run(question),
        fails('ERR_MODEL_FAILED', /no answer/),
      );
    const { evidence } = await hybrid({ corpus }).run(question);
    assert.equal(evidence[0]!.id, 'wirth');
    await corpus.close();
  });

  it('need no place of their own where another question asks them', async () => {
    const [one, other] = [await opened('one', 1), await opened('other', 1)];
    const asking = (corpus: Corpus): HeldModel =>
      new HeldModel(() => hybrid({ corpus }).run(question));
    // Each of both corpora has one place, which is taken by a question that asks the other.
    const answers = [
      reading(one, asking(one)),
      reading(one, asking(other)),
      reading(other, asking(one)),
    ].map((system) => system.run(question));
    for (const { answer } of await Promise.all(answers)) assert.equal(answer?.text, 'Anna Wirth');
    await Promise.all([one.close(), other.close()]);
  });

  it('wait where a question only left them behind', async () => {
    const corpus = await opened('left', 1);
    const [held, noting] = [new HeldModel(), new HeldModel(async () => {})];
    let later: Promise<unknown> | undefined;
    const leaving = new HeldModel(async () => {
      later = held.prompted.then(() => reading(corpus, noting).run(question));
    });
    await reading(corpus, leaving).run(question);
    const first = reading(corpus, held).run(question);
    await held.prompted;
    await Promise.race([noting.prompted, delay(100)]);
    assert.equal(noting.prompts, 0);
    held.release();
    await Promise.all([first, later]);
    assert.equal(noting.prompts, 1);
    await corpus.close();
  });

  it('refuse a number that is none', async () => {
    for (const concurrency of [0, 1.5, NaN, '2'])
      await assert.rejects(
        Corpus.open(folder.path('none'), { concurrency } as never),
        fails('ERR_INVALID_ARGUMENT', /concurrency to be a whole number from 1/),
      );
  });
});
