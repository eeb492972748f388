// The judge by rules: intents, and documents that help, have an irrelevant date or none, or are
// about another subject.
import assert from 'node:assert/strict';
import { ruleJudge, type JudgeDocument } from '../../lib/index.js';
import type { TemporalFocus } from '../../lib/judges/judgement.js';
import { fares, faresQuestion } from './examples.js';

const judge = ruleJudge();

describe('the judge by rules', () => {
  const intents: [string, TemporalFocus][] = [
    ['How long did the ferry take to cross?', 'duration'],
    ['How has the price of herring changed since 1950?', 'change_over_time'],
    ['Did dockers earn more in 1900, in 1925 or in 1950?', 'change_over_time'],
    ['What are the latest rules for drones?', 'recency'],
    ['When was the mill built?', 'specific_time'],
    ['Who owned the mill before the fire of 1902?', 'specific_time'],
    ['What is a sluice gate?', 'none'],
    ['How do I clean a lamp?', 'none'],
  ];
  for (const [text, focus] of intents) {
    it(`reads ${focus} from: ${text}`, async () => {
      const { focus: found, temporal } = await judge.intent({ id: 'q', text });
      assert.deepEqual([found, temporal], [focus, focus !== 'none']);
    });
  }

  const verdict = async (
    text: string,
    document: Omit<JudgeDocument, 'id'>,
    askedAt = '2024-06-01',
  ): Promise<0 | 1> => {
    const question = { id: 'q', text, askedAt };
    return (await judge.relevance(question, await judge.intent(question), { id: 'd', ...document }))
      .verdict;
  };

  it('wants a date within what is asked, of what is asked', async () => {
    const asked = 'Who was president of Norland in 1920?';
    assert.equal(
      await verdict(asked, { text: 'Ole Brand was president of Norland from 1918 to 1922.' }),
      1,
    );
    assert.equal(
      await verdict(asked, { text: 'Ada Holm was president of Norland from 1930 to 1934.' }),
      0,
    );
    assert.equal(await verdict(asked, { text: 'The president of Norland lives in a palace.' }), 0);
    assert.equal(
      await verdict(asked, { text: 'In 1920 a storm destroyed the harbour of Stenby.' }),
      0,
    );
    assert.equal(
      await verdict(asked, {
        text: 'Ole Brand is president of Norland.',
        validFrom: '1918',
        validTo: '1922',
      }),
      1,
    );
  });

  it('judges a post by its title, and what is no title by all of it', async () => {
    const story =
      'My aunt saw a map of 1760 in the tower of Stenby, where she had gone to look for a ' +
      'lamp that her neighbour had lost.';
    const mill = { text: 'The mill of Ostrel was built in 1790.' };
    assert.equal(await verdict(`When was the mill of Ostrel built?\n${story}`, mill), 1);
    assert.equal(await verdict(`Dear all,\n${story} Was it there in 1760?`, mill), 0);
    assert.equal(
      await verdict(`When was the mill of Ostrel built?\n${story}`, {
        text: 'The tower of Stenby has a map of 1760.',
      }),
      0,
    );
  });

  it('wants a length for how long, something new for recency, any date for when', async () => {
    assert.equal(
      await verdict('How long did the ferry to Stenby take?', {
        text: 'The ferry to Stenby took four hours.',
      }),
      1,
    );
    assert.equal(
      await verdict('How long did the ferry to Stenby take?', {
        text: 'The ferry to Stenby was painted white.',
      }),
      0,
    );
    const rules = 'What are the latest rules for drones?';
    assert.equal(
      await verdict(rules, { text: 'The rules for drones changed in February 2024.' }),
      1,
    );
    assert.equal(
      await verdict(rules, {
        text: 'The current rules for drones are strict.',
        publishedAt: '2011-01-01',
      }),
      0,
    );
    assert.equal(
      await verdict('When was the mill built?', { text: 'The mill was built in 1790.' }),
      1,
    );
    assert.equal(
      await verdict('When was the mill built?', {
        title: 'The mill',
        text: 'It was built in 1790.',
      }),
      1,
    );
  });

  it('finds the periods that a document covers, of any number', async () => {
    const covered = async (name: keyof typeof fares): Promise<string[]> =>
      (
        await judge.evidence(
          faresQuestion,
          await judge.intent(faresQuestion),
          ['2010', 'later / recent period'],
          fares[name]!,
        )
      ).periods;
    assert.deepEqual(await covered('baseline'), ['2010']);
    assert.deepEqual(await covered('comparison'), ['later / recent period']);
    assert.deepEqual(await covered('both'), ['2010', 'later / recent period']);
    assert.deepEqual(await covered('undated'), []);
    assert.deepEqual(await covered('elsewhere'), []);
    const question = {
      id: 'q',
      text: 'How did the population of Stenby in 1900, 1950 and 2000 compare?',
    };
    const document = {
      id: 'd',
      text: 'Stenby had a population of 1,200 in 1900 and of 30,000 in 2000.',
    };
    const judged = await judge.evidence(
      question,
      await judge.intent(question),
      ['1900', '1950', '2000'],
      document,
    );
    assert.deepEqual([judged.verdict, judged.periods], [1, ['1900', '2000']]);
  });

  it('covers a period without a date where its words are said', async () => {
    const document = { id: 'd', text: 'Rail fares in Norland fell during the great strike.' };
    const judged = await judge.evidence(
      faresQuestion,
      await judge.intent(faresQuestion),
      ['the great strike', 'the war'],
      document,
    );
    assert.deepEqual(judged.periods, ['the great strike']);
  });

  it('scores answers by the best covered reference, and instances by four criteria', async () => {
    const references = ['Built in 1790 by Anders Holt', 'unknown'];
    const score = async (answer: string): Promise<number> =>
      (await judge.answerCoverage({ question: 'q', answer, references })).score;
    assert.deepEqual(
      await Promise.all([
        score(''),
        score('Anders Holt built it in 1790'),
        score('It was built in 1790'),
      ]),
      [0, 100, 50],
    );
    const plan = ['find rail fares of 2010', 'find current rail fares'];
    const entry = async (documents: JudgeDocument[]): Promise<number> =>
      (await judge.dataQuality({ question: faresQuestion, plan, documents })).score;
    const [whole, half, none] = await Promise.all([
      entry([fares['both']!]),
      entry([fares['baseline']!, fares['elsewhere']!]),
      entry([]),
    ]);
    assert.ok(whole > half && half > none && none === 0, `${whole} ${half} ${none}`);
  });

  it('says the same of the same, and stops at an aborted signal', async () => {
    const twice = await Promise.all(
      [0, 1].map(async () =>
        judge.relevance(faresQuestion, await judge.intent(faresQuestion), fares['both']!),
      ),
    );
    assert.deepEqual(twice[0], twice[1]);
    await assert.rejects(judge.intent(faresQuestion, AbortSignal.abort()), { code: 'ERR_ABORTED' });
  });
});
