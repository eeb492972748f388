// Retriever, vector store and embeddings over a corpus, by the classes of LlamaIndex.
import assert from 'node:assert/strict';
import { NodeRelationship, TextNode } from '@llamaindex/core/schema';
import { VectorStoreQueryMode, type MetadataFilters } from '@llamaindex/core/vector-store';
import { Corpus, hybrid, staticEncoder } from '../../../lib/index.js';
import { withCorpus } from '../../../test/corpus.js';
import { temporaryFolder } from '../../../test/store/fixtures.js';
import { AsOfEmbedding, AsOfVectorStore, llamaIndexRetriever } from '../lib/index.js';

const leader = (id: string, text: string, publishedAt: string, more: object = {}): TextNode =>
  new TextNode({
    id_: id,
    text,
    metadata: { publishedAt, country: 'UK', ...more },
    relationships: { [NodeRelationship.SOURCE]: { nodeId: `doc-${id}`, metadata: {} } },
  });
const nodes = [
  leader('may', 'Theresa May became UK prime minister on 13 July 2016.', '2016-07-14'),
  leader('johnson', 'Boris Johnson became UK prime minister on 24 July 2019.', '2019-07-25', {
    year: 2019,
    tags: ['a', 'b'],
  }),
  leader('sunak', 'Rishi Sunak became UK prime minister on 25 October 2022.', '2022-10-26', {
    year: 2022,
    tags: ['b'],
  }),
];
const fields = {
  ref_doc_id: 'keyword',
  country: 'keyword',
  tags: 'keyword[]',
  year: 'number',
} as const;
const mode = VectorStoreQueryMode.DEFAULT;

describe('the LlamaIndex vector store', () => {
  let corpus: Corpus;
  let store: AsOfVectorStore;
  const folder = temporaryFolder();
  withCorpus([], (made) => (corpus = made), { fields });

  before(async () => {
    store = new AsOfVectorStore({ corpus });
    assert.deepEqual(await store.add(nodes), ['may', 'johnson', 'sunak']);
  });

  const idsOf = async (query: Partial<Parameters<typeof store.query>[0]>): Promise<string[]> =>
    (await store.query({ similarityTopK: 3, mode, queryStr: 'prime minister', ...query })).ids;

  it('reads times of metadata, and returns nodes as they were', async () => {
    assert.equal(corpus.get('may')!.publishedAt, Date.parse('2016-07-14'));
    const queryStr = 'Who was UK prime minister as of 6 May 2021?';
    const result = await store.query({ queryStr, similarityTopK: 1, mode });
    assert.deepEqual(result.ids, ['johnson']);
    assert.ok(result.similarities[0]! > 0.5);
    const [node] = result.nodes as [TextNode];
    assert.ok(node instanceof TextNode);
    assert.deepEqual(node.metadata, nodes[1]!.metadata);
    assert.deepEqual([node.id_, node.text], ['johnson', nodes[1]!.text]);
    assert.equal(node.sourceNode!.nodeId, 'doc-johnson');
  });

  it('searches by a vector exactly, without what was published later', async () => {
    const text = 'Rishi Sunak became UK prime minister on 25 October 2022.';
    const queryEmbedding = await store.embedModel.getTextEmbedding(text);
    const all = await store.query({ queryEmbedding, similarityTopK: 3, mode });
    assert.deepEqual([all.ids[0], all.ids.length], ['sunak', 3]);
    assert.ok(Math.abs(all.similarities[0]! - 1) < 1e-4);
    const customParams = { askedAt: '2020-01-01' };
    const known = await store.query({ queryEmbedding, similarityTopK: 3, mode, customParams });
    assert.deepEqual(known.ids.sort(), ['johnson', 'may']);
    const dated = new AsOfVectorStore({ corpus, askedAt: '2017-01-01' });
    assert.deepEqual((await dated.query({ queryEmbedding, similarityTopK: 3, mode })).ids, ['may']);
  });

  for (const [filters, expected] of [
    [[{ key: 'year', operator: '==', value: 2019 }], ['johnson']],
    [[{ key: 'year', operator: '!=', value: 2019 }], ['may', 'sunak']],
    [[{ key: 'year', operator: '>', value: 2019 }], ['sunak']],
    [[{ key: 'year', operator: '>=', value: 2019 }], ['johnson', 'sunak']],
    [[{ key: 'year', operator: '<', value: 2022 }], ['johnson']],
    [[{ key: 'year', operator: '<=', value: 2022 }], ['johnson', 'sunak']],
    [[{ key: 'year', operator: 'in', value: [2019, 2022] }], ['johnson', 'sunak']],
    [[{ key: 'year', operator: 'nin', value: [2019] }], ['may', 'sunak']],
    [[{ key: 'year', operator: 'is_empty' }], ['may']],
    [[{ key: 'tags', operator: 'any', value: ['a', 'c'] }], ['johnson']],
    [[{ key: 'tags', operator: 'all', value: ['a', 'b'] }], ['johnson']],
    [[{ key: 'tags', operator: 'contains', value: 'b' }], ['johnson', 'sunak']],
  ] as [MetadataFilters['filters'], string[]][])
    it(`filters by ${filters[0]!.operator}`, async () =>
      assert.deepEqual((await idsOf({ filters: { filters } })).sort(), expected));

  it('filters by one of several, by documents, and by a filter of the corpus', async () => {
    const filters: MetadataFilters = {
      condition: 'or',
      filters: [
        { key: 'year', operator: '==', value: 2019 },
        { key: 'year', operator: 'is_empty' },
      ],
    };
    assert.deepEqual((await idsOf({ filters })).sort(), ['johnson', 'may']);
    assert.deepEqual(await idsOf({ docIds: ['doc-may'] }), ['may']);
    const where = { publishedAt: { lt: '2017' } };
    assert.deepEqual(await idsOf({ customParams: { where } }), ['may']);
  });

  it('replaces a node of the same id, and deletes those of a document', async () => {
    const [may] = nodes;
    assert.deepEqual(await store.add([may!]), ['may']);
    assert.equal(corpus.info().passages, 3);
    await store.delete('doc-may');
    assert.equal(corpus.has('may'), false);
    await store.add([may!]);
  });

  it('refuses what it does not have', async () => {
    const filters = { filters: [{ key: 'year', operator: 'text_match' as const, value: 'x' }] };
    await assert.rejects(idsOf({ filters }), /operator of filters.year.*text_match/);
    const value = {} as never;
    await assert.rejects(
      idsOf({ filters: { filters: [{ key: 'year', operator: '==', value }] } }),
      /filters.year.*a string or a number/,
    );
    await assert.rejects(
      idsOf({ filters: { filters: [{ key: 'year', operator: 'in', value: 1 }] } }),
      /filters.year.*a list/,
    );
    await assert.rejects(idsOf({ mode: VectorStoreQueryMode.MMR }), /mode.*default or hybrid/);
    await assert.rejects(store.query({ similarityTopK: 1, mode }), /queryEmbedding or a queryStr/);
    await assert.rejects(store.add([{} as never]), /nodes \{ id_, text, metadata \}/);
    assert.throws(() => new AsOfVectorStore({} as never), /a Corpus/);
    const embedModel = new AsOfEmbedding(corpus.encoder);
    assert.throws(() => new AsOfVectorStore({ corpus, embedModel }), /absent for a corpus that/);
  });

  it('needs the field of documents where it deletes by them', async () => {
    await using bare = await Corpus.open(folder.path('bare'));
    const own = new AsOfVectorStore({ corpus: bare });
    await assert.rejects(own.delete('doc'), /the field ref_doc_id/);
  });
});

describe('the LlamaIndex vector store of another model', () => {
  let corpus: Corpus;
  withCorpus([], (made) => (corpus = made), {
    fields,
    sentences: false,
    encoder: { id: 'theirs', dimensions: 2 },
  });

  it('keeps the embeddings of nodes', async () => {
    const embedModel = new AsOfEmbedding({
      id: 'theirs',
      dimensions: 2,
      encode: async (texts) => Float32Array.from(texts.flatMap(() => [1, 0])),
    });
    const store = new AsOfVectorStore({ corpus, embedModel });
    assert.equal(store.client(), corpus);
    const own = nodes.map((each) => each.clone() as TextNode);
    for (const [at, each] of own.entries()) each.embedding = [1, at];
    await store.add(own);
    const byVector = { queryEmbedding: [0, 1], similarityTopK: 1, mode };
    assert.deepEqual((await store.query(byVector)).ids, ['sunak']);
    const queryStr = 'Who was prime minister as of 2017?';
    assert.deepEqual((await store.query({ ...byVector, queryStr })).ids, ['may']);
  });
});

describe('the LlamaIndex retriever', () => {
  let corpus: Corpus;
  withCorpus(
    [
      {
        id: 'may',
        title: 'Downing Street',
        text: 'The UK prime minister is Theresa May.',
        validFrom: '2016-07-13',
        series: 'pm',
      },
      {
        id: 'johnson',
        text: 'The UK prime minister is Boris Johnson.',
        validFrom: '2019-07-24',
        metadata: { source: 'a' },
        series: 'pm',
      },
    ],
    (made) => (corpus = made),
    { fields: { source: 'keyword' } },
  );
  const question = 'Who is the UK prime minister?';

  it('has the evidence in the metadata, out of prompts', async () => {
    const system = hybrid({ corpus });
    const [first] = await llamaIndexRetriever(system, { k: 1 }).retrieve(`${question} In 2018?`);
    const { node, score } = first!;
    assert.equal(node.id_, 'may');
    const asof = node.metadata['asof'] as Record<string, unknown>;
    assert.deepEqual(
      [asof['rank'], asof['score'], asof['valid_from'], asof['valid_to']],
      [1, score, '2016-07-13', '2019-07-23'],
    );
    assert.equal(node.metadata['title'], 'Downing Street');
    assert.deepEqual(
      [node.excludedLlmMetadataKeys, node.excludedEmbedMetadataKeys],
      [['asof'], ['asof']],
    );
  });

  it('takes a time of asking, a filter, and only what holds', async () => {
    const ids = async (options: Parameters<typeof llamaIndexRetriever>[1]): Promise<string[]> => {
      const found = await llamaIndexRetriever(hybrid({ corpus }), options).retrieve(question);
      return found.map(({ node }) => node.id_);
    };
    assert.deepEqual(await ids({ only: 'current' }), ['johnson']);
    assert.deepEqual(await ids({ k: 1, askedAt: '2018-01-01' }), ['may']);
    assert.deepEqual(await ids({ where: { source: 'a' } }), ['johnson']);
    await assert.rejects(ids({ signal: AbortSignal.abort() }), { code: 'ERR_ABORTED' });
  });

  it('reads the text of a message, and the vector of a question', async () => {
    const retriever = llamaIndexRetriever(hybrid({ corpus }), { k: 1 });
    const query = [{ type: 'text' as const, text: question }];
    assert.equal((await retriever.retrieve({ query })).length, 1);
    await assert.rejects(retriever.retrieve({ query, embeddings: [1] }), /question.vector/);
  });

  it('refuses what is no system, and unknown options', () => {
    assert.throws(() => llamaIndexRetriever({} as never), /a System/);
    assert.throws(() => llamaIndexRetriever(hybrid({ corpus }), { k: 0 }), /1 to 10,000/);
    assert.throws(() => llamaIndexRetriever(hybrid({ corpus }), { n: 1 } as never), /options/);
  });
});

describe('the LlamaIndex embeddings', () => {
  it('are those of the encoder', async () => {
    const encoder = await staticEncoder();
    const model = new AsOfEmbedding(encoder);
    const [expected] = [await encoder.encode(['A mill.'], { kind: 'passage' })];
    assert.deepEqual(await model.getTextEmbedding('A mill.'), [...expected]);
    assert.deepEqual(await model.getTextEmbeddings(['A mill.', 'A mill.']), [
      [...expected],
      [...expected],
    ]);
    assert.deepEqual(await model.getQueryEmbedding({ type: 'text', text: 'A mill.' }), [
      ...expected,
    ]);
    const image = { type: 'image_url' as const, image_url: { url: 'a' } };
    assert.equal(await model.getQueryEmbedding(image), null);
  });
});
