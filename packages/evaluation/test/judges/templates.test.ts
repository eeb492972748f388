// The prompts of judges, of TEMPO's annotations and answers and of Re2's texts as templates: the
// package's, and a researcher's in the papers' forms, sent to a server on loopback, with slots
// filled and answers read.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { openAiCompatible } from '../../../../lib/models/openAiCompatible.js';
import { withPrompts } from '../../../../lib/papers/index.js';
import type { TextModel } from '../../../../lib/index.js';
import {
  saying,
  startLoopback,
  type Loopback,
  type Reply,
} from '../../../../test/models/loopback.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';
import { modelJudge } from '../../lib/index.js';
import { modelAnnotator } from '../../lib/tempo/modelAnnotator.js';
import type { TempoQuery } from '../../lib/tempo/data.js';
import { scoreAnswers } from '../../lib/tempo/rag.js';
import { reformulate } from '../../lib/tempo/reformulate.js';
import { writeByModel } from '../../lib/re2/modelTexts.js';
import { benchmarkOf, rows, weatherSchema } from '../re2/records.js';
import { fares, faresQuestion } from './examples.js';

const intent = { temporal: true, focus: 'recency', keywords: ['now'] } as const;

/** A template of a researcher's, and what a model that it was written for says. */
const own: Record<string, [template: string, answer: string | ((prompt: string) => string)]> = {
  judgeIntent: [
    'json: temporal_focus = focus\njson: temporal_keywords = keywords\n---\n{question} ({asked})\n',
    '{"temporal_focus":"recency","temporal_keywords":["now"]}',
  ],
  judgeRelevance: [
    'tag: Reason = reason\ntag: Verdict = verdict\n---\n{question}|{focus}|{text}\n<Reason>\n',
    'Fares of 2010. </Reason> <Verdict> 1 </Verdict>',
  ],
  judgeEvidence: [
    'json: covered = periods\n---\n=== system\nOf {focus}.\n=== prompt\n{periods}\n{document}\n',
    '{"covered":[2],"verdict":1,"reason":"of 2023"}',
  ],
  judgeCoverage: [
    'tag: Reason = reason\ntag: Score = score\n---\n' +
      '{answer} for {reference}? {question}\n<Reason>\n',
    'half </Reason><Score>50</Score>',
  ],
  judgeQuality: [
    'json: quality = score\n---\n{shown}\n{plan}\n{documents}\n',
    '{"quality":86,"reason":"good"}',
  ],
  tempoIntent: [
    'Intent of "{question}"\n',
    '{"has_temporal_intent":true,"temporal_keywords":["now"],"temporal_focus":"recency"}',
  ],
  tempoRelevance: [
    'json: contribution = temporal_contribution\n---\n{question}/{focus}/{text}\n',
    '{"verdict":1,"reason":"r","contribution":"2010"}',
  ],
  tempoEvidence: [
    '{question}/{focus}: {baseline}, {comparison}: {text}\n',
    '{"verdict":1,"reason":"r","temporal_contribution":"t","covers_baseline":true,' +
      '"covers_comparison":false}',
  ],
  tempoQuery: ['Annotate {question}\n', 'nothing'],
  tempoPassage: ['Annotate {text} for {question}\n', 'nothing'],
  tempoAnswer: ['tag: Answer = text\n---\n{question}\n<Answer>\n', ' From memory. </Answer> more'],
  tempoGrounded: ['{passages}\n\n{question}\n', '40 crowns'],
  tempoReformulation: ['What is meant by {question}\n', 'fares of 2010'],
  re2Passages: [
    'json: index + 1 = record\n---\n{records}\n',
    (prompt) =>
      JSON.stringify(
        prompt.split('\n').map((line, index) => ({ index, text: line.replace(/^\d+\. /, '') })),
      ),
  ],
  re2Question: [
    'json: query = question\n---\nEntity: {entity} Date: {date} Metric: {metric} Value: {value}\n',
    (prompt) => {
      const [, entity, date] = /Entity: (.*) Date: (.*) Metric/.exec(prompt)!;
      return JSON.stringify({ query: `What about ${entity} ${date}?` });
    },
  ],
};

describe('templates of the prompts of evaluation', () => {
  const folder = temporaryFolder();
  let server: Loopback;
  let model: TextModel;
  before(async () => {
    server = await startLoopback();
    model = openAiCompatible({ baseURL: server.baseURL, model: 'm' });
    mkdirSync(folder.path('prompts'));
    for (const [name, [template]] of Object.entries(own))
      writeFileSync(folder.path(`prompts/${name}.txt`), template);
  });
  after(() => server.close());

  /** The text that the server is sent while `run` runs, its answers by name in turn. */
  async function sent(run: () => Promise<unknown>, ...names: string[]): Promise<string[]> {
    const textOf = ({ body }: { body: Record<string, unknown> }): string =>
      (body['messages'] as { content: string }[]).map(({ content }) => content).join('\n');
    const seen = server.plan(
      ...names.map((name) => (...[response, one]: Parameters<Reply>) => {
        const [, answer] = own[name]!;
        saying(typeof answer === 'string' ? answer : answer(textOf(one)))(response, one);
      }),
    );
    await run();
    assert.equal(seen.length, names.length);
    for (const request of seen) assert.doesNotMatch(textOf(request), /\{[a-z][A-Za-z]*\}/);
    return seen.map(textOf);
  }
  const tagged = (): TextModel => withPrompts(model, folder.path('prompts'));
  const document = fares['both']!;

  it('are read in tags and in JSON of other names by the judge', async () => {
    const judge = modelJudge(tagged());
    const [asked] = await sent(async () => {
      const found = await judge.intent(faresQuestion);
      assert.deepEqual(found, { temporal: true, focus: 'recency', keywords: ['now'] });
    }, 'judgeIntent');
    assert.equal(asked, `${faresQuestion.text} (2024-06-01)`);
    const of = { ...intent, keywords: ['now'] };
    const [relevance] = await sent(async () => {
      const found = await judge.relevance(faresQuestion, of, document);
      assert.deepEqual(found, { verdict: 1, reason: 'Fares of 2010.' });
    }, 'judgeRelevance');
    assert.equal(relevance, `${faresQuestion.text}|recency|${document.text}\n<Reason>`);
    const [evidence] = await sent(async () => {
      const found = await judge.evidence(faresQuestion, of, ['2010', '2023'], document);
      assert.deepEqual(found.periods, ['2023']);
    }, 'judgeEvidence');
    assert.match(evidence!, /^Of recency\.\nPeriod 1: 2010 \(2010-01-01 to 2010-12-31\)\nPeriod 2/);
    const [coverage] = await sent(async () => {
      const given = { question: 'q', answer: 'a', references: ['b', 'c'] };
      assert.equal((await judge.answerCoverage(given)).score, 50);
    }, 'judgeCoverage');
    assert.match(coverage!, /^a for b or c\? q/);
    const [quality] = await sent(async () => {
      const entry = { question: faresQuestion, plan: ['look'], documents: [document] };
      assert.equal((await judge.dataQuality(entry)).score, 86);
    }, 'judgeQuality');
    assert.match(quality!, /Asked on: 2024-06-01\n\n1\. look\nDocument:/);
  });

  it("are read by the judge of TEMPO's code, which asks once", async () => {
    const judge = modelJudge(tagged(), { tempo: 'code' });
    const of = { ...intent, keywords: ['now'] };
    await sent(
      async () => {
        assert.deepEqual(await judge.intent(faresQuestion), intent);
        assert.deepEqual(await judge.relevance(faresQuestion, of, document), {
          verdict: 1,
          reason: 'r',
        });
        const { periods } = await judge.evidence(faresQuestion, of, ['2010', '2023'], document);
        assert.deepEqual(periods, ['2010']);
      },
      ...['tempoIntent', 'tempoRelevance', 'tempoEvidence'],
    );
    await sent(async () => {
      assert.equal((await judge.relevance(faresQuestion, of, document)).verdict, 0);
    }, 'tempoQuery');
  });

  it('are those of annotations, answers and reformulations', async () => {
    const annotator = modelAnnotator(tagged());
    const query = { id: 'q', text: 'Why did it burn?' };
    const prompts = await sent(
      async () => {
        assert.equal((await annotator.query(query)).intent, 'none');
        await annotator.passage(query, document);
      },
      ...['tempoQuery', 'tempoQuery', 'tempoPassage', 'tempoPassage'],
    );
    assert.equal(prompts[0], 'Annotate Why did it burn?');
    assert.equal(prompts[2], `Annotate ${document.text} for Why did it burn?`);
    const [meant] = await sent(async () => {
      const texts = await reformulate(tagged(), [query], undefined);
      assert.equal(texts.get('q'), 'Why did it burn?\n\nfares of 2010');
    }, 'tempoReformulation');
    assert.equal(meant, 'What is meant by Why did it burn?');
    const asked = { ...query, answers: ['40 crowns'] } as unknown as TempoQuery;
    const judge = modelJudge(tagged());
    for (const [passages, name, em] of [
      [[], 'tempoAnswer', 0],
      [[{ id: document.id, text: document.text }], 'tempoGrounded', 1],
    ] as const) {
      const [answering] = await sent(
        async () => {
          const context = async () => Promise.resolve([...passages]);
          const { queries } = await scoreAnswers([asked], context, { judge, model: tagged() });
          const { answer_coverage: covered, em: exact } = queries[0]!.values;
          assert.deepEqual([covered, exact], [50, em]);
        },
        name,
        'judgeCoverage',
      );
      assert.equal(answering!.includes(document.text), passages.length > 0);
    }
  });

  it("are those of Re2's passages and questions", async () => {
    const few = rows(1, 3).filter(({ place }) => place! < 'E');
    const options = { seed: 2, questions: 1, latest: 0 };
    const benchmark = await benchmarkOf(weatherSchema, options, few);
    const [passages, question] = await sent(
      async () => {
        const texts = await writeByModel(benchmark, tagged(), { askedOnly: true });
        assert.deepEqual(texts.refused, {});
        assert.equal(texts.questions.size, 1);
        assert.ok(texts.passages.size > 1);
      },
      ...['re2Passages', 're2Question'],
    );
    assert.match(passages!, /^1\. name: .*\n2\. \(an/);
    assert.match(question!, /^Entity: .+ Date: .+ Metric: .+ Value: -?\d+$/);
  });
});
