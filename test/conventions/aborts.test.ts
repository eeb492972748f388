// Aborted calls: every public function that takes a signal rejects with one error, of the name that
// frameworks look for, with the signal's reason as its cause.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import ts from 'typescript';
import * as evaluation from '../../lib/eval/index.js';
import {
  AsOfError,
  Corpus,
  VectorIndex,
  bm25,
  searchVectors,
  staticEncoder,
  timeline,
} from '../../lib/index.js';
import { langchainRetriever } from '../../lib/langchain/index.js';
import * as models from '../../lib/models/index.js';
import * as time from '../../lib/time/index.js';
import * as train from '../../lib/train/index.js';
import { domainOf } from '../eval/tempo/data.js';
import { entries, isPublic, publicApi } from '../publicApi.js';
import { hashEncoder, temporaryFolder } from '../store/fixtures.js';

type Call = (signal: AbortSignal) => unknown;

/** What the user gives, which rejects as the user likes. */
const implemented = [
  'TextModel.generate',
  'Encoder.encode',
  'Reranker.score',
  'TimeExtractor.extract',
  'EvaluableSystem.run',
  'ServerOptions.fetch',
  'HttpRerankerOptions.fetch',
  'OpenAiCompatibleOptions.fetch',
  'OpenAiCompatibleEncoderOptions.fetch',
];
/** Models that are opened in their own tests (test/models). */
const ofModels = ['OnnxEncoder.encode', 'OnnxReranker.score', 'GgufTextModel.generate'];

describe('an aborted call', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const encoder = hashEncoder(8);
  const metrics = evaluation.parseMetrics('hit@1');
  const question = { id: 'q', text: 'Who won in 2020?', answers: ['Ann'] };
  const queries = [question];
  const passages = [
    { id: 'a', text: 'Ann won in 2020. Bob lost in 2021.', publishedAt: '2021-01-01' },
    { id: 'b', text: 'Eve won in 2022.', publishedAt: '2023-01-01' },
  ];
  const unit = Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0);
  const qrels = new Map([['q', new Map([['a', 1]])]]);
  const server = { baseURL: 'http://127.0.0.1:1/v1', model: 'm', retries: 0 };
  const triplet = {
    kind: 'general',
    split: 'train',
    question: 'Who?',
    positive: { id: 'a', text: 'Ann.' },
    negative: { id: 'b', text: 'Eve.' },
    margin: 0.2,
  } as const;
  const file = (name: string): string => folder.path(name);
  let corpus: Corpus;
  let tempo: evaluation.TempoData;
  let domain: evaluation.TempoDomain;
  let times: train.TimeEncoder;
  let extractor: models.LearnedTimeExtractor;

  before(async () => {
    corpus = await Corpus.open(file('corpus.asof'), { encoder });
    await corpus.add(passages);
    writeFileSync(file('lines'), '');
    writeFileSync(file('lines.jsonl'), '{"_id":"q","text":"Who?"}\n');
    tempo = { folder: file(''), domains: [], reasonings: [] };
    domain = await domainOf('law');
    times = await train.timeEncoder(await staticEncoder());
    extractor = await models.learnedTimeExtractor();
  });
  after(async () => {
    await corpus.close();
    await extractor.close();
  });

  const judge = evaluation.ruleJudge();
  const intent = { temporal: true, focus: 'specific_time', keywords: [] } as const;
  const first = (items: AsyncIterable<unknown>): Promise<unknown> =>
    items[Symbol.asyncIterator]().next();
  const calls: Readonly<Record<string, Call>> = {
    'Corpus.open': (signal) => Corpus.open(file('other.asof'), { encoder, signal }),
    'Corpus.add': (signal) => corpus.add([{ id: 'c', text: 'Zoe won.' }], { signal }),
    'Corpus.delete': (signal) => corpus.delete(['none'], { signal }),
    'Corpus.compact': (signal) => corpus.compact({ signal }),
    'Corpus.verify': (signal) => corpus.verify({ signal }),
    'Corpus.backup': (signal) => corpus.backup(file(`copy-${Math.random()}`), { signal }),
    'Corpus.fuse': (signal) => corpus.fuse(times, { signal }),
    'Corpus.count': (signal) => corpus.count({ signal }),
    'Corpus.list': (signal) => corpus.list({ signal }),
    searchVectors: (signal) => searchVectors(corpus, unit, 1, { signal }),
    'VectorIndex.searchBatch': (signal) =>
      new VectorIndex({ dimensions: 8, vectors: unit }).searchBatch(unit, 1, { signal }),
    'System.run': (signal) => bm25({ corpus }).run(question, { signal }),
    timeline: (signal) => timeline(corpus, question, { signal }),
    'AsOfRetriever.invoke': (signal) =>
      langchainRetriever(bm25({ corpus })).invoke('Who?', { signal }),
    tagTimes: (signal) => time.tagTimes(['in 2020'], { signal }),
    timeTuples: (signal) => time.timeTuples(['in 2020'], { signal }),
    evaluate: (signal) =>
      evaluation.evaluate(bm25({ corpus }), queries, { metrics, qrels, signal }),
    readFacts: (signal) => evaluation.readFacts(file('lines'), { signal }),
    readQrels: (signal) => evaluation.readQrels(file('lines'), { signal }),
    readRun: (signal) => evaluation.readRun(file('lines'), { signal }),
    writeRun: (signal) => evaluation.writeRun(file('run'), new Map(), 'tag', { signal }),
    readBeir: (signal) => evaluation.readBeir(file(''), { signal }),
    writeBeir: (signal) =>
      evaluation.writeBeir(file('beir'), { queries, passages, qrels: { test: qrels } }, { signal }),
    readJudgements: (signal) => evaluation.readJudgements(file('lines'), { signal }),
    qrelsFromAnswers: (signal) => evaluation.qrelsFromAnswers(corpus, queries, { signal }),
    buildCandidatePool: (signal) =>
      first(evaluation.buildCandidatePool(bm25({ corpus }), queries, qrels, { signal })),
    compare: (signal) =>
      evaluation.compare(
        [
          {
            name: 's',
            queries,
            qrels,
            sha256: '0',
            open: () => Corpus.open(file('corpus.asof'), { encoder, readOnly: true }),
          },
        ],
        { systems: ['bm25', 'dense'], metrics, signal },
      ),
    readComparison: (signal) => evaluation.readComparison(file('lines.jsonl'), { signal }),
    judgeRun: (signal) =>
      evaluation.judgeRun(judge, queries, new Map([['q', []]]), () => undefined, { signal }),
    writeJudgements: (signal) => evaluation.writeJudgements(file('judged'), [], { signal }),
    'RelevanceJudge.intent': (signal) => judge.intent(question, signal),
    'RelevanceJudge.relevance': (signal) =>
      judge.relevance(question, { ...intent, keywords: [] }, passages[0]!, signal),
    'RelevanceJudge.evidence': (signal) =>
      judge.evidence(question, { ...intent, keywords: [] }, ['2020'], passages[0]!, signal),
    'RelevanceJudge.answerCoverage': (signal) =>
      judge.answerCoverage({ question: 'Who?', answer: 'Ann', reference: 'Ann' } as never, signal),
    'RelevanceJudge.dataQuality': (signal) =>
      judge.dataQuality({ id: 'i', query: 'Who?', plan: [], documents: [] } as never, signal),
    perturbQuestions: (signal) => evaluation.perturbQuestions(queries, { signal }),
    readTempo: (signal) => evaluation.readTempo(file(''), { signal }),
    'TempoDomain.documents': (signal) => first(domain.documents({ signal })),
    evaluateTempo: (signal) =>
      evaluation.evaluateTempo(tempo, {
        systems: ['bm25'],
        metrics,
        open: () => Promise.resolve(corpus),
        signal,
      }),
    writeAdapter: async (signal) => {
      const weights = await train.trainAdapter(encoder, [triplet], { epochs: 1, rank: 1 });
      return train.writeAdapter(file('adapter'), weights, { signal });
    },
    writeTimeEncoder: async (signal) =>
      train.writeTimeEncoder(file('times'), await train.readTimeEncoder(), { signal }),
    trainAdapter: (signal) =>
      train.trainAdapter(encoder, [triplet], { epochs: 1, rank: 1, signal }),
    mineGeneralTriplets: (signal) => first(train.mineGeneralTriplets(corpus, { signal })),
    mineTriplets: (signal) => first(train.mineTriplets(corpus, { signal })),
    readTriplets: (signal) => first(train.readTriplets(file('lines'), { signal })),
    readTimeTriplets: (signal) => first(train.readTimeTriplets(file('lines'), { signal })),
    rankingExamples: (signal) =>
      train.rankingExamples(corpus, [{ ...question, group: 'g', right: ['a'] }], { signal }),
    trainRanker: async (signal) => train.trainRanker(await examples(), { signal }),
    trainTimeEncoder: (signal) =>
      train.trainTimeEncoder(encoder, { triplets: [triplet] }, { epochs: 1, signal }),
    tuneOptions: (signal) =>
      train.tuneOptions(async () => [0, 1], { k: [1, 2] }, { folds: 2, signal }),
    'TimeEncoder.fuse': (signal) => times.fuse(new Float32Array(0), [], { signal }),
    learnedTimeExtractor: async (signal) => {
      const open = await models.learnedTimeExtractor({ signal });
      await open.close();
    },
    'LearnedTimeExtractor.extract': (signal) =>
      extractor.extract(['in 2020'], { kind: 'passage', references: [undefined], signal }),
    onnxEncoder: (signal) => models.onnxEncoder({ path: file('none'), signal }),
    onnxReranker: (signal) => models.onnxReranker({ path: file('none'), signal }),
    aiSdkEncoder: (signal) =>
      models.aiSdkEncoder(
        {
          specificationVersion: 'v2',
          provider: 'p',
          modelId: 'm',
          maxEmbeddingsPerCall: 8,
          supportsParallelCalls: false,
          doEmbed: async () => ({ embeddings: [[1, 0]] }),
        } as never,
        { signal },
      ),
    ggufTextModel: (signal) => models.ggufTextModel({ path: file('lines'), signal }),
    openAiCompatibleEncoder: (signal) =>
      models.openAiCompatibleEncoder({
        ...server,
        fetch: () => new Promise((resolve) => setTimeout(() => resolve(Response.json({})), 5)),
        signal,
      }),
    recordReplay: (signal) => models.recordReplay({ path: file('lines'), mode: 'replay', signal }),
    // Implementations of what others may implement too.
    'staticEncoder().encode': async (signal) =>
      (await staticEncoder()).encode(['a'], { kind: 'query', signal }),
    'httpReranker().score': (signal) => models.httpReranker(server).score('q', ['a'], { signal }),
    'openAiCompatible().generate': (signal) =>
      models.openAiCompatible(server).generate({ prompt: 'p', signal }),
    'grammarExtractor.extract': (signal) =>
      time.grammarExtractor.extract(['in 2020'], {
        kind: 'passage',
        references: [undefined],
        signal,
      }),
  };
  const examples = (): Promise<train.RankingExample[]> =>
    train.rankingExamples(corpus, [{ ...question, group: 'g', right: ['a'] }]);

  /** Whether it is the error of a call that was aborted for this reason. */
  function checkAbort(error: unknown, reason: unknown): void {
    assert.ok(AsOfError.is(error), String(error));
    assert.deepEqual([error.name, error.code], ['AbortError', 'ERR_ABORTED'], error.stack);
    assert.equal(error.cause, reason);
  }

  for (const [name, call] of Object.entries(calls)) {
    it(`rejects with the reason as cause: ${name}`, async () => {
      const reason = new Error('too late');
      await assert.rejects(
        async () => call(AbortSignal.abort(reason)),
        (error) => (checkAbort(error, reason), true),
      );
    });
  }

  for (const [name, call] of Object.entries(calls)) {
    it(`ends, or rejects likewise, if the signal fires later: ${name}`, async () => {
      const controller = new AbortController();
      const reason = new DOMException('The operation timed out.', 'TimeoutError');
      const running = (async () => call(controller.signal))();
      setImmediate(() => controller.abort(reason));
      const error: unknown = await running.then(
        () => undefined,
        (fault: unknown) => fault,
      );
      if (controller.signal.aborted && AsOfError.is(error) && error.name === 'AbortError')
        checkAbort(error, reason);
      else if (error !== undefined && AsOfError.is(error))
        assert.doesNotMatch(error.code, /CLOSED/);
    });
  }

  it('is covered of every public function that takes a signal', () => {
    const { checker, exportsOf } = publicApi();
    const takesSignal = (type: ts.Type): boolean =>
      checker
        .getNonNullableType(type)
        .getCallSignatures()
        .some(({ parameters }) =>
          parameters.some((parameter) => {
            const given = checker.getNonNullableType(checker.getTypeOfSymbol(parameter));
            const signal = given.getProperty('signal');
            return (
              checker.typeToString(given) === 'AbortSignal' ||
              (signal !== undefined && isPublic(signal)) ||
              (signal !== undefined && checker.typeToString(given).startsWith('RunnableConfig'))
            );
          }),
        );
    const found = new Set<string>();
    for (const { name, symbol } of entries.flatMap(({ file }) => exportsOf(file))) {
      if (takesSignal(checker.getTypeOfSymbol(symbol))) found.add(name);
      if (!(symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface))) continue;
      const members = [
        ...checker.getTypeOfSymbol(symbol).getProperties(),
        ...checker.getDeclaredTypeOfSymbol(symbol).getProperties(),
      ];
      for (const member of members)
        if (isPublic(member) && takesSignal(checker.getTypeOfSymbol(member)))
          found.add(`${name}.${member.name}`);
    }
    const others = new Set([...Object.keys(calls), ...implemented, ...ofModels]);
    assert.deepEqual(
      [...found].filter((name) => !others.has(name)),
      [],
    );
    assert.ok(found.size > 60, `${found.size} functions`);
  });
});
