// What each service answers with: hybrid over one corpus, blocks of Markdown (a dependency that is
// loaded when needed), a report with its page's script (a file of the package), what `@asof/server`
// answers over HTTP, and the time of a text by the shipped model in a worker thread (another file,
// and an optional peer).
import { Corpus, hybrid } from 'asof';
import { chunk } from '@asof/documents';
import { compare, comparisonReport, parseMetrics } from '@asof/evaluation';
import { learnedTimeExtractor } from 'asof/models';
import { corpusServer } from '@asof/server';

const passages = [
  {
    id: 'may',
    text: 'Theresa May became prime minister of the United Kingdom on 13 July 2016.',
  },
  {
    id: 'johnson',
    text: 'Boris Johnson became prime minister of the United Kingdom on 24 July 2019.',
  },
  {
    id: 'sunak',
    text: 'Rishi Sunak became prime minister of the United Kingdom on 25 October 2022.',
  },
];
const question = { id: 'q', text: 'Who was UK prime minister as of 6 May 2021?' };

export async function answers(folder) {
  const corpus = await Corpus.open(folder);
  await corpus.add(passages);
  const { evidence } = await hybrid({ corpus }).run(question);
  corpus.close();
  const comparison = await compare(
    [
      {
        name: 'ministers',
        queries: [question],
        qrels: new Map([['q', new Map([['johnson', 1]])]]),
        sha256: '',
        open: () => Corpus.open(folder),
      },
    ],
    { systems: ['bm25', 'hybrid'], metrics: parseMetrics('hit@1'), rounds: 100 },
  );
  return {
    first: evidence[0].id,
    headings: chunk(
      { id: 'page', text: '# May\n\nBecame.\n\n# Johnson\n\nBecame.' },
      { by: 'markdown' },
    ).length,
    reportHasPage: /<script[^>]*>[^]{10000,}<\/script>/.test(comparisonReport(comparison)),
    served: await servedFrom(folder),
    time: await yearOf('The mill shut in 1949.'),
  };
}

/** The first passage that a server's answer has, and whether it has its page. */
async function servedFrom(folder) {
  const server = await corpusServer({ corpora: { ministers: folder } });
  const page = await server.fetch(new Request('http://localhost/'));
  const answer = await server.fetch(
    new Request('http://localhost/v1/corpora/ministers/ask', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ question: question.text }),
    }),
  );
  const { evidence } = await answer.json();
  const hasPage = /<script[^>]*>[^]{10000,}<\/script>/.test(await page.text());
  await server.close();
  return { first: evidence[0].id, hasPage };
}

/** Year that the model reads, or why it does not. */
async function yearOf(text) {
  try {
    const extractor = await learnedTimeExtractor();
    const [tuple] = await extractor.extract([text], { kind: 'passage', references: [] });
    await extractor.close();
    return tuple;
  } catch (error) {
    return error.message;
  }
}
