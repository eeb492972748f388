// Calls of every public function that takes options, over a small corpus, for tests of what all of
// them have in common. Each call hands on the options that it is given.
import * as documents from '../../packages/documents/lib/index.js';
import { writeFileSync } from 'node:fs';
import * as ai from '../../packages/ai-sdk/lib/index.js';
import * as evaluation from '../../packages/evaluation/lib/index.js';
import {
  Corpus,
  VectorIndex,
  bm25,
  conflicts,
  dense,
  hybrid,
  searchVectors,
  staticEncoder,
  timeline,
  type Question,
} from '../../lib/index.js';
import { AsOfVectorStore, langchainRetriever } from '../../packages/langchain/lib/index.js';
import { llamaIndexRetriever } from '../../packages/llamaindex/lib/index.js';
import { mcpHandler, mcpServer } from '../../packages/server/lib/mcp/index.js';
import * as models from '../../lib/models/index.js';
import * as papers from '../../lib/papers/index.js';
import * as time from '../../lib/time/index.js';
import * as train from '../../packages/training/lib/index.js';
import { corpusServer } from '../../packages/server/lib/index.js';
import { withCorpus } from '../corpus.js';
import { domainOf } from '../../packages/evaluation/test/tempo/data.js';
import { hashEncoder, temporaryFolder } from '../store/fixtures.js';

export type Call = (options: { signal?: AbortSignal }) => unknown;

/** Opens what the calls need before the tests of a suite. Call it in a describe. */
export function callsWithSignal(): Readonly<Record<string, Call>> {
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
  let times: models.TimeEncoder;
  let extractor: models.LearnedTimeExtractor;

  before(async () => {
    corpus = await Corpus.open(file('corpus.asof'), { encoder });
    await corpus.add(passages);
    writeFileSync(file('lines'), '');
    writeFileSync(file('lines.jsonl'), '{"_id":"q","text":"Who?"}\n');
    tempo = { folder: file(''), domains: [], reasonings: [] };
    domain = await domainOf('law');
    times = await models.timeEncoder(await staticEncoder());
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
  const examples = (): Promise<train.RankingExample[]> =>
    train.rankingExamples(corpus, [{ ...question, group: 'g', right: ['a'] }]);
  return {
    'Corpus.open': (options) => Corpus.open(file('other.asof'), { ...options, encoder }),
    'Corpus.add': (options) => corpus.add([{ id: 'c', text: 'Zoe won.' }], options),
    'Corpus.delete': (options) => corpus.delete(['none'], options),
    'Corpus.update': (options) => corpus.update({ where: {} }, { validFrom: '2000' }, options),
    'Corpus.alterFields': (options) =>
      corpus.alterFields({ add: { [`field.${Math.random()}`]: 'number' } }, options),
    'Corpus.compact': (options) => corpus.compact(options),
    'Corpus.verify': (options) => corpus.verify(options),
    'Corpus.backup': (options) => corpus.backup(file(`copy-${Math.random()}`), options),
    'Corpus.restore': (options) => Corpus.restore(file('restored'), corpus.path, options),
    'Corpus.fuse': (options) => corpus.fuse(times, options),
    'Corpus.count': (options) => corpus.count(options),
    'Corpus.list': (options) => corpus.list(options),
    searchVectors: (options) => searchVectors(corpus, unit, 1, options),
    'VectorIndex.searchBatch': (options) =>
      new VectorIndex({ dimensions: 8, vectors: unit }).searchBatch(unit, 1, options),
    'System.run': (options) => bm25({ corpus }).run(question, options),
    timeline: (options) => timeline(corpus, question, options),
    conflicts: (options) => conflicts(corpus, [{ id: 'c', text: 'Zoe won.' }], options),
    'AsOfRetriever.invoke': (options) =>
      langchainRetriever(bm25({ corpus })).invoke('Who?', options),
    llamaIndexRetriever: (options) =>
      llamaIndexRetriever(bm25({ corpus }), options).retrieve('Who?'),
    'AsOfEmbeddingModel.doEmbed': ({ signal, ...options }) =>
      ai.asofEmbedding(encoder).doEmbed({ values: ['a'], abortSignal: signal, ...options }),
    'AsOfRerankingModel.doRerank': ({ signal, ...options }) =>
      ai.asofReranking().doRerank({
        documents: { type: 'text', values: ['Ann won in 2020.'] },
        query: 'Who won?',
        abortSignal: signal,
        ...options,
      }),
    'AsOfTool.execute': ({ signal, ...options }) =>
      ai.asofTool(corpus).execute({ question: 'Who won?' }, { abortSignal: signal, ...options }),
    'AsOfVectorStore.addDocuments': (options) =>
      new AsOfVectorStore(undefined, { corpus }).addDocuments([], options),
    'AsOfVectorStore.addVectors': (options) =>
      new AsOfVectorStore(undefined, { corpus }).addVectors([], [], options),
    'AsOfVectorStore.delete': (options) =>
      new AsOfVectorStore(undefined, { corpus }).delete({ ...options, ids: [] }),
    tagTimes: (options) => time.tagTimes(['in 2020'], options),
    timeTuples: (options) => time.timeTuples(['in 2020'], options),
    evaluate: (options) =>
      evaluation.evaluate(bm25({ corpus }), queries, { metrics, qrels, ...options }),
    readFacts: (options) => evaluation.readFacts(file('lines'), options),
    inputFiles: (options) => documents.inputFiles([file('')], options),
    readDocuments: (options) =>
      first(
        documents.readDocuments(
          [{ path: file('lines.jsonl'), format: 'beir', id: 'l', bytes: 1 }],
          options,
        ),
      ),
    readCsv: (options) => first(documents.readCsv(file('lines'), (row) => row, options)),
    parquetRows: (options) =>
      first(documents.parquetRows(file('lines'), { needed: [], ...options })),
    readQueries: (options) => evaluation.readQueries(file('lines.jsonl'), { limit: 1, ...options }),
    readQrels: (options) => evaluation.readQrels(file('lines'), options),
    readRun: (options) => evaluation.readRun(file('lines'), options),
    writeRun: (options) => evaluation.writeRun(file('run'), new Map(), 'tag', options),
    readBeir: (options) => evaluation.readBeir(file(''), options),
    writeBeir: (options) =>
      evaluation.writeBeir(file('beir'), { queries, passages, qrels: { test: qrels } }, options),
    readJudgements: (options) => evaluation.readJudgements(file('lines'), options),
    qrelsFromAnswers: (options) => evaluation.qrelsFromAnswers(corpus, queries, options),
    buildCandidatePool: (options) =>
      first(evaluation.buildCandidatePool(bm25({ corpus }), queries, qrels, options)),
    compare: (options) =>
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
        { systems: ['bm25', 'dense'], metrics, ...options },
      ),
    readComparison: (options) => evaluation.readComparison(file('lines.jsonl'), options),
    judgeRun: (options) =>
      evaluation.judgeRun(judge, queries, new Map([['q', []]]), () => undefined, options),
    writeJudgements: (options) => evaluation.writeJudgements(file('judged'), [], options),
    'RelevanceJudge.intent': (options) => judge.intent(question, options.signal),
    'RelevanceJudge.relevance': (options) =>
      judge.relevance(question, { ...intent, keywords: [] }, passages[0]!, options.signal),
    'RelevanceJudge.evidence': (options) =>
      judge.evidence(question, { ...intent, keywords: [] }, ['2020'], passages[0]!, options.signal),
    'RelevanceJudge.answerCoverage': (options) =>
      judge.answerCoverage(
        { question: 'Who?', answer: 'Ann', reference: 'Ann' } as never,
        options.signal,
      ),
    'RelevanceJudge.dataQuality': (options) =>
      judge.dataQuality(
        { id: 'i', query: 'Who?', plan: [], documents: [] } as never,
        options.signal,
      ),
    perturbQuestions: (options) => evaluation.perturbQuestions(queries, options),
    readTempo: (options) => evaluation.readTempo(file(''), options),
    'TempoDomain.documents': (options) => first(domain.documents(options)),
    evaluateTempo: (options) =>
      evaluation.evaluateTempo(tempo, {
        systems: ['bm25'],
        metrics,
        open: () => Promise.resolve(corpus),
        ...options,
      }),
    writeAdapter: async (options) => {
      const weights = await train.trainAdapter(encoder, [triplet], { epochs: 1, rank: 1 });
      return models.writeAdapter(file('adapter'), weights, options);
    },
    writeTimeEncoder: async (options) =>
      models.writeTimeEncoder(file('times'), await models.readTimeEncoder(), options),
    trainAdapter: (options) =>
      train.trainAdapter(encoder, [triplet], { epochs: 1, rank: 1, ...options }),
    mineGeneralTriplets: (options) => first(train.mineGeneralTriplets(corpus, options)),
    mineTriplets: (options) => first(train.mineTriplets(corpus, options)),
    readTriplets: (options) => first(train.readTriplets(file('lines'), options)),
    readTimeTriplets: (options) => first(train.readTimeTriplets(file('lines'), options)),
    rankingExamples: (options) =>
      train.rankingExamples(corpus, [{ ...question, group: 'g', right: ['a'] }], options),
    trainRanker: async (options) => train.trainRanker(await examples(), options),
    trainTimeEncoder: (options) =>
      train.trainTimeEncoder(encoder, { triplets: [triplet] }, { epochs: 1, ...options }),
    tuneOptions: (options) =>
      train.tuneOptions(async () => [0, 1], { k: [1, 2] }, { ...options, folds: 2 }),
    'TimeEncoder.fuse': (options) => times.fuse(new Float32Array(0), [], options),
    learnedTimeExtractor: async (options) => {
      const open = await models.learnedTimeExtractor(options);
      await open.close();
    },
    'LearnedTimeExtractor.extract': (options) =>
      extractor.extract(['in 2020'], { kind: 'passage', references: [undefined], ...options }),
    onnxEncoder: (options) => models.onnxEncoder({ ...options, path: file('none') }),
    onnxReader: (options) => models.onnxReader({ ...options, path: file('none') }),
    onnxReranker: (options) => models.onnxReranker({ ...options, path: file('none') }),
    aiSdkEncoder: (options) =>
      models.aiSdkEncoder(
        {
          specificationVersion: 'v2',
          provider: 'p',
          modelId: 'm',
          maxEmbeddingsPerCall: 8,
          supportsParallelCalls: false,
          doEmbed: async () => ({ embeddings: [[1, 0]] }),
        } as never,
        options,
      ),
    openAiCompatibleEncoder: (options) =>
      models.openAiCompatibleEncoder({
        ...server,
        fetch: () => new Promise((resolve) => setTimeout(() => resolve(Response.json({})), 5)),
        ...options,
      }),
    recordReplay: (options) =>
      evaluation.recordReplay({ path: file('lines'), mode: 'replay', ...options }),
    // Implementations of what others may implement too.
    'staticEncoder().encode': async (options) =>
      (await staticEncoder()).encode(['a'], { kind: 'query', ...options }),
    'httpReranker().score': (options) => models.httpReranker(server).score('q', ['a'], options),
    'openAiCompatible().generate': (options) =>
      models.openAiCompatible(server).generate({ prompt: 'p', ...options }),
    'grammarExtractor.extract': (options) =>
      time.grammarExtractor.extract(['in 2020'], {
        kind: 'passage',
        references: [undefined],
        ...options,
      }),
  };
}

/** Functions that take options without a signal. */
export function callsWithOptions(): Readonly<Record<string, (options: object) => unknown>> {
  const model = { id: 'm', generate: async () => ({ text: '' }) };
  const server = { baseURL: 'http://127.0.0.1:1/v1', model: 'm' };
  const sdkModel = { specificationVersion: 'v2', provider: 'p', modelId: 'm', doGenerate: () => 0 };
  const run = new Map([['q', [{ id: 'a', score: 1 }]]]);
  const qrels = new Map([['q', new Map([['a', 1]])]]);
  const question = { id: 'q', text: 'Who won in 2020?', validFrom: '2020', validTo: '2020' };
  const scores = [{ id: 'q', values: { mrr: 1 } }];
  let corpus: Corpus;
  withCorpus([{ id: 'a', text: 'Ann won in 2020.' }], (made) => (corpus = made));
  const asked = (system: { run(question: Question): unknown }): unknown => system.run(question);
  return {
    staticEncoder: (options) => staticEncoder(options),
    'Corpus.get': (options) => corpus.get('a', options),
    'Corpus.getMany': (options) => corpus.getMany(['a'], options),
    chunk: (options) => documents.chunk({ id: 'a', text: 'Ann won. Bob lost.' }, options),
    bm25: (options) => asked(bm25({ corpus, ...options })),
    dense: (options) => asked(dense({ corpus, ...options })),
    hybrid: (options) => asked(hybrid({ corpus, ...options })),
    mrag: (options) => asked(papers.mrag({ corpus, ...options })),
    re3: (options) => asked(papers.re3({ corpus, ...options })),
    reimplementation: (options) => asked(papers.reimplementation({ corpus, ...options })),
    tempralm: (options) => asked(papers.tempralm({ corpus, ...options })),
    createSystem: (options) => asked(papers.createSystem('hybrid', { corpus, ...options })),
    systemUses: (options) => papers.systemUses('hybrid', options),
    parseQuestion: (options) => time.parseQuestion(question, options),
    tagText: (options) => time.tagText('in 2020', options),
    timeTuple: (options) => time.timeTuple('in 2020', options),
    parseMetrics: (options) => evaluation.parseMetrics('hit@1', options),
    scoreRun: (options) =>
      evaluation.scoreRun(run, qrels, evaluation.parseMetrics('hit@1'), options),
    pairedDifference: (options) =>
      evaluation.pairedDifference(scores, scores, 'mrr', { rounds: 100, ...options }),
    comparisonReport: (options) => evaluation.comparisonReport({} as never, options),
    modelJudge: (options) => evaluation.modelJudge(model, options),
    perturbQuestion: (options) => evaluation.perturbQuestion(question, options),
    aiSdkTextModel: (options) => models.aiSdkTextModel(sdkModel as never, options),
    httpReranker: (options) => models.httpReranker({ ...server, ...options }),
    openAiCompatible: (options) => models.openAiCompatible({ ...server, ...options }),
    mcpServer: (options) => mcpServer(corpus, options),
    mcpHandler: (options) => mcpHandler(corpus, options),
    asofReranking: (options) =>
      ai.asofReranking(options).doRerank({
        documents: { type: 'text', values: ['Ann won in 2020.'] },
        query: 'Who won?',
      }),
    asofTool: (options) => ai.asofTool(corpus, options).execute({ question: 'Who won?' }, {}),
    langchainRetriever: (options) => langchainRetriever(bm25({ corpus }), options).invoke('Who?'),
    'AsOfVectorStore.fromTexts': (options) =>
      AsOfVectorStore.fromTexts(['Eve.'], {}, undefined, { corpus, ...options }),
    'AsOfVectorStore.fromDocuments': (options) =>
      AsOfVectorStore.fromDocuments([], undefined, { corpus, ...options }),
    corpusServer: async (options) =>
      (await corpusServer({ ...options, corpora: { a: corpus } })).close(),
    'CorpusServer.listen': async (options) => {
      await using server = await corpusServer({ corpora: { a: corpus } });
      await server.listen({ ...options, port: 0 });
    },
  };
}

/** Records that public functions take, by their types. */
export function callsWithRecords(): Readonly<Record<string, (fields: object) => unknown>> {
  const vectors = Float32Array.of(1, 0);
  const metrics = evaluation.parseMetrics('hit@1');
  const qrels = new Map([['q', new Map([['a', 1]])]]);
  const passage = { id: 'a', text: 'Ann won in 2020.', metadata: { from: 'x' } };
  let corpus: Corpus;
  withCorpus([passage], (made) => (corpus = made));
  const question = { id: 'q', text: 'Who won in 2020?' };
  const ask = (options: object): unknown => hybrid({ corpus, ...options }).run(question);
  const triplet = {
    kind: 'general',
    split: 'train',
    question: 'Who?',
    positive: passage,
    negative: { id: 'b', text: 'Eve.' },
    margin: 0.2,
  } as const;
  const judge = evaluation.ruleJudge();
  return {
    Passage: (fields) => corpus.add([{ ...passage, ...fields }]),
    Question: (fields) => hybrid({ corpus }).run({ ...question, ...fields }),
    readTemporalQuery: (fields) => time.readTemporalQuery({ ...question, ...fields }),
    PassageDates: (fields) => time.deriveValidity(fields),
    VectorRows: (fields) => new VectorIndex({ dimensions: 2, vectors, ...fields }),
    Decay: (fields) => ask({ decay: { shape: 'linear', halfLife: '30d', ...fields } }),
    StateDecayOptions: (stateDecay) => ask({ stateDecay }),
    ExpansionOptions: (expansion) => ask({ expansion }),
    Relevance: (fields) => ask({ relevance: { semantic: 1, lexical: 1, ...fields } }),
    ReadOptions: (read) => ask({ read }),
    Credibility: (fields) => ask({ credibility: { field: 'from', of: { x: 0.5 }, ...fields } }),
    SplineOptions: (spline) => papers.mrag({ corpus, spline }).run({ text: 'Who won in 2020?' }),
    VersionOptions: (versions) =>
      papers.re3({ corpus, versions }).run({ text: 'Who won in 2020?' }),
    MetadataOptions: (metadata) =>
      papers.reimplementation({ corpus, metadata }).run({ text: 'Who won?' }),
    EvaluationQuery: (fields) =>
      evaluation.evaluate(bm25({ corpus }), [{ ...question, ...fields }], {
        metrics,
        qrels,
      }),
    DatedQuestion: (fields) => evaluation.perturbQuestion({ ...question, ...fields }),
    JudgeQuestion: (fields) => judge.intent({ ...question, ...fields }),
    JudgeDocument: (fields) =>
      judge.relevance(
        question,
        { temporal: true, focus: 'specific_time', keywords: [] },
        { ...passage, ...fields },
      ),
    JudgedQuestion: (fields) =>
      train.rankingExamples(corpus, [{ ...question, group: 'g', right: ['a'], ...fields }]),
    Triplet: (fields) => train.toTripletRecord({ ...triplet, ...fields }),
    TripletPassage: (fields) =>
      train.toTripletRecord({ ...triplet, negative: { id: 'b', text: 'Eve.', ...fields } }),
    TimeTrainingData: (fields) =>
      train.trainTimeEncoder(hashEncoder(8), { triplets: [triplet], ...fields }, { epochs: 1 }),
  };
}
