// TEMPO's retrieval tasks: rankings without excluded documents, steps by three strategies with both
// averages, variants, and the measures of time.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseMetrics, ruleJudge, type RelevanceJudge } from '../../lib/index.js';
import { excludedIds, scoreDocuments, scoreSteps } from '../../lib/tempo/retrieval.js';
import { stepTexts, tempoVariant } from '../../lib/tempo/queries.js';
import { tempoTable, type TempoQueryScores } from '../../lib/tempo/tables.js';
import type { QueryAnnotation } from '../../lib/tempo/annotation.js';
import { domain, domainOf, query, rankingBy } from './data.js';

const annotation: QueryAnnotation = {
  isTemporal: true,
  intent: 'when',
  signals: ['since 2017', '2017', 'today'],
  events: ['Treaty of Varn'],
  summary: '',
  primaryClass: '',
  secondaryClasses: [],
  reasoning: '',
  plan: [],
  anchors: ['2017', 'today'],
  granularity: 'year',
  checks: [],
};
const close = (value: number | undefined, expected: number): void =>
  assert.ok(Math.abs(value! - expected) < 1e-12, `${value} is not ${expected}`);

describe("TEMPO's retrieval tasks", () => {
  describe('query -> documents', () => {
    it(
      'takes excluded documents out of a ranking before it is scored, and asks for more in ' +
        'their place',
      async () => {
        const system = rankingBy(() => ['x', 'y', 'a', 'b']);
        const queries = [query('1', { excluded: ['x', 'y'] }), query('2', { negatives: ['x'] })];
        const metrics = parseMetrics(['mrr@2', 'recall@2']);
        const { queries: scores, run } = await scoreDocuments(system, domain(queries), { metrics });
        assert.deepEqual(
          scores.map(({ values }) => values['mrr@2']),
          [1, 0],
        );
        assert.deepEqual(
          [...run.values()].map((ranked) => ranked.map(({ id }) => id)),
          [
            ['a', 'b'],
            ['x', 'y'],
          ],
        );
        assert.deepEqual(
          system.asked.map(({ k }) => k),
          [4, 2],
        );
        const scored = async (excluded: 'negatives' | 'none') =>
          (await scoreDocuments(system, domain(queries), { metrics, excluded })).queries.map(
            ({ values }) => values['mrr@2'],
          );
        assert.deepEqual(
          [await scored('negatives'), await scored('none')],
          [
            [1, 0.5],
            [0, 0],
          ],
        );
        assert.throws(() => excludedIds(query('1'), 'some' as 'none'), {
          code: 'ERR_INVALID_ARGUMENT',
        });
      },
    );

    it('is the same as scoring a ranking that never had them, whatever is excluded', async () => {
      const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
      const ranking = fc.shuffledSubarray(ids, { minLength: 3 });
      await fc.assert(
        fc.asyncProperty(
          ranking,
          fc.subarray(ids),
          fc.subarray(ids, { minLength: 1 }),
          async (ranked, excluded, relevant) => {
            const metrics = parseMetrics(['ndcg@3', 'map@3', 'mrr', 'recall@2']);
            const of = async (order: string[], without: string[]) =>
              (
                await scoreDocuments(
                  rankingBy(() => order),
                  domain([query('1', { relevant, excluded: without })]),
                  { metrics },
                )
              ).queries;
            assert.deepEqual(
              await of(ranked, excluded),
              await of(
                ranked.filter((id) => !excluded.includes(id)),
                [],
              ),
            );
          },
        ),
      );
    });

    it('scores a query that a variant leaves no word of as one without results', async () => {
      const system = rankingBy(() => ['a']);
      const queries = [
        query('1', { annotation: { ...annotation, events: [], anchors: [] } }),
        query('2', { annotation }),
      ];
      const metrics = parseMetrics(['hit@1']);
      const { queries: scores, empty } = await scoreDocuments(system, domain(queries), {
        metrics,
        variant: 'temporal-only',
        askedAt: '2020-01-01',
      });
      assert.deepEqual([scores.map(({ values }) => values['hit@1']), empty], [[0, 1], 1]);
      assert.deepEqual(system.asked, [
        { text: 'Treaty of Varn 2017 today', k: 1, askedAt: '2020-01-01' },
      ]);
    });

    it("has a judge's verdicts of time in the measures, by the queries as they are", async () => {
      const law = await domainOf('law');
      const documents = new Map<string, { id: string; text: string }>();
      for await (const each of law.documents()) documents.set(each.id, each);
      const system = rankingBy(() => ['law/rent1955.txt', 'law/rent_form.txt', 'law/rent2019.txt']);
      const rents = { ...law, queries: law.queries.slice(0, 1) };
      const metrics = parseMetrics(['ndcg@3', 'tp@3', 'tr@3', 'tc@3', 'ndcg_fc@3']);
      const asked: string[] = [];
      const judge: RelevanceJudge = {
        ...ruleJudge(),
        evidence: async ({ text }, _, periods, { id }) => {
          asked.push(text);
          return {
            verdict: /\d/.test(id) ? 1 : 0,
            periods: periods.filter((period) => id.includes(period)),
            reason: '',
          };
        },
      };
      const judging = { judge, documents: (id: string) => documents.get(id) };
      const {
        queries: [scores],
      } = await scoreDocuments(system, rents, {
        metrics,
        judge: judging,
        variant: 'strip',
        askedAt: '2024-01-01',
      });
      close(scores!.values['tp@3'], (1 + 2 / 3) / 2);
      close(scores!.values['tr@3'], 2 / 3);
      assert.equal(scores!.values['tc@3'], 1);
      assert.equal(scores!.values['ndcg_fc@3'], scores!.values['ndcg@3']);
      assert.deepEqual([...new Set(asked)], [rents.queries[0]!.text]);
      assert.deepEqual(Object.keys(scores!.values), [
        'ndcg@3',
        'tp@3',
        'tr@3',
        'tc@3',
        'ndcg_fc@3',
      ]);
      await assert.rejects(scoreDocuments(system, rents, { metrics }), {
        code: 'ERR_INVALID_ARGUMENT',
        message: /a judge of documents, which tp@3/,
      });
    });
  });

  describe('query -> step -> documents', () => {
    const steps = [
      { id: 's1', text: 'Find the first', relevant: ['a'] },
      { id: 's2', text: 'Find the second', relevant: ['b'] },
      { id: 's3', text: 'Find both', relevant: ['a', 'b'] },
    ];
    const one = query('1', { steps, excluded: ['x'] });
    const two = query('2', { steps: [{ id: 't1', text: 'Find it', relevant: ['b'] }] });

    it('asks a step alone, the query with a step, and the query with all of them', () => {
      assert.deepEqual(stepTexts('Why?', steps, 'step-only'), [
        'Find the first',
        'Find the second',
        'Find both',
      ]);
      assert.equal(stepTexts('Why?', steps, 'query+step')[1], 'Why?\n\nStep: Find the second');
      const all = stepTexts('Why?', steps, 'query+all');
      assert.deepEqual(
        [new Set(all).size, all[0]],
        [1, 'Why?\n\nStep: Find the first\n\nStep: Find the second\n\nStep: Find both'],
      );
      assert.throws(() => stepTexts('Why?', steps, 'query' as 'step-only'), {
        code: 'ERR_INVALID_ARGUMENT',
      });
    });

    it('averages over the steps of a query first, and over all steps', async () => {
      const metrics = parseMetrics(['hit@1', 'recall@1']);
      const system = rankingBy(() => ['x', 'a', 'b']);
      const { queries, steps: each } = await scoreSteps(
        system,
        domain([one, two, query('3')]),
        'step-only',
        { metrics },
      );
      // Step by step: 1, 0, 1 of the first query, whose x is excluded, and 0 of the second; a query
      // without steps is none.
      assert.deepEqual(
        each.map(({ id, query: of, values }) => [id, of, values['hit@1']]),
        [
          ['s1', '1', 1],
          ['s2', '1', 0],
          ['s3', '1', 1],
          ['t1', '2', 0],
        ],
      );
      assert.deepEqual(
        queries.map(({ id }) => id),
        ['1', '2'],
      );
      close(queries[0]!.values['hit@1'], 2 / 3);
      close(queries[0]!.values['recall@1'], 0.5);
      assert.equal(system.asked.length, 4);
    });

    it('retrieves once with all steps and scores that ranking against each', async () => {
      const system = rankingBy(() => ['a', 'b']);
      const metrics = parseMetrics(['mrr']);
      const { steps: each } = await scoreSteps(system, domain([one, two]), 'query+all', {
        metrics,
      });
      assert.deepEqual(
        [system.asked.length, each.map(({ values }) => values['mrr'])],
        [2, [1, 0.5, 1, 0.5]],
      );
      await assert.rejects(
        scoreSteps(system, domain([one]), 'step-only', { metrics: parseMetrics(['tp@1']) }),
        { message: /relevance judgements/ },
      );
      assert.deepEqual(
        (await scoreSteps(system, domain([query('3')]), 'step-only', { metrics })).queries,
        [],
      );
    });

    it('asks as a model reworded the queries', async () => {
      const system = rankingBy(() => []);
      await scoreSteps(system, domain([two]), 'query+step', {
        metrics: parseMetrics(['mrr']),
        texts: new Map([['2', 'Reworded']]),
      });
      assert.deepEqual(
        system.asked.map(({ text }) => text),
        ['Reworded\n\nStep: Find it'],
      );
    });
  });

  describe('query variants', () => {
    const text =
      'How have rents changed since 2017? I know 2017 well, and today even better than Today2.';

    it('are made by the annotation, as in the paper', () => {
      const of = (variant: 'baseline' | 'strip' | 'temporal-only' | 'normalized') =>
        tempoVariant({ text, annotation }, variant);
      assert.equal(of('baseline'), text);
      assert.equal(
        of('strip'),
        'How have rents changed? I know well, and even better than Today2.',
      );
      assert.equal(of('temporal-only'), 'Treaty of Varn 2017 today');
      assert.equal(of('normalized'), `${text} TEMPORAL_INTENT=when; ANCHORS=[2017, today]`);
    });

    it('are made by rules where that is asked for, and where there is no annotation', () => {
      const byRules = tempoVariant({ text, annotation }, 'temporal-only', 'rules');
      assert.match(byRules, /since 2017/);
      assert.equal(tempoVariant({ text }, 'temporal-only'), byRules);
      assert.throws(() => tempoVariant({ text }, 'other' as 'strip'), {
        code: 'ERR_INVALID_ARGUMENT',
      });
      assert.throws(() => tempoVariant({ text }, 'strip', 'chance' as 'rules'), {
        code: 'ERR_INVALID_ARGUMENT',
      });
    });

    it('take out annotated words wherever they stand, and nothing else', () => {
      const some = fc.array(fc.constantFrom('rent', 'since', '2017', 'law', 'C++', '(a)', 'today'));
      fc.assert(
        fc.property(some, fc.subarray(['2017', 'today', 'C++', '(a)']), (words, signals) => {
          const stripped = tempoVariant(
            { text: words.join(' '), annotation: { ...annotation, signals } },
            'strip',
          );
          const left = stripped.split(' ').filter((word) => word !== '');
          assert.ok(
            signals.every((signal) => !left.includes(signal)),
            stripped,
          );
          const kept = words.filter((word) => !signals.includes(word) && word !== 'since');
          assert.deepEqual(
            left.filter((word) => word !== 'since'),
            kept,
          );
        }),
      );
    });
  });

  it('has means by domain and class, over domains and over queries', () => {
    const scored = (
      [
        ['law', 'EAL', 1],
        ['law', 'TCP', 0],
        ['law', 'EAL', 1],
        ['travel', 'HAC', 0],
        ['travel', 'EAL', undefined],
      ] as const
    ).map(
      ([of, name, value], at): TempoQueryScores => ({
        id: String(at % 2),
        domain: of,
        class: name,
        values: value === undefined ? {} : { m: value },
      }),
    );
    const table = tempoTable(scored, [{ name: 'm' }]);
    assert.deepEqual(
      [table.macro['m'], table.micro['m']],
      [
        { mean: 1 / 3, n: 4 },
        { mean: 0.5, n: 4 },
      ],
    );
    assert.deepEqual(table.domains, {
      law: { m: { mean: 2 / 3, n: 3 } },
      travel: { m: { mean: 0, n: 1 } },
    });
    // In the order of the paper's tables.
    assert.deepEqual(Object.keys(table.classes), ['EAL', 'TCP', 'HAC']);
    assert.deepEqual(
      [table.classes['EAL']!['m'], table.class_macro['m']],
      [
        { mean: 1, n: 2 },
        { mean: 1 / 3, n: 4 },
      ],
    );
  });
});
