// A service over real change logs: those of the project's dependencies, asked over HTTP.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Corpus, hybrid } from 'asof';
import { readDocuments } from '@asof/documents';

const packages = ['acorn', 'mustache', 'yargs'];
const files = packages.map((name) => `node_modules/${name}/CHANGELOG.md`);

/** A change log seldom says whose it is: its path does. What has no day is no section. */
async function* dated(passages) {
  for await (const passage of passages) {
    const name = passage.chunk.parent.split('/')[1];
    const title = `${name} ${passage.title?.replace(/^change ?log: /i, '') ?? ''}`.trim();
    const day = /\d{4}-\d\d-\d\d|\d+ [A-Z][a-z]+ \d{4}/.exec(title)?.[0];
    if (!day) continue;
    const metadata = { package: name };
    yield { ...passage, title, metadata, publishedAt: new Date(`${day} UTC`) };
  }
}

const corpus = await Corpus.open('logs.asof', { fields: { package: 'keyword' } });
const { added } = await corpus.add(dated(readDocuments(files)));
console.log(`${added} passages`);
const system = hybrid({ corpus });

const server = createServer(async (request, response) => {
  const { searchParams } = new URL(request.url, 'http://localhost');
  const client = new AbortController();
  response.once('close', () => client.abort());
  const signal = AbortSignal.any([client.signal, AbortSignal.timeout(10_000)]);
  try {
    const askedAt = searchParams.get('asked_at') ?? undefined;
    const name = searchParams.get('package');
    const where = name === null ? undefined : { package: name };
    const question = { text: searchParams.get('q'), askedAt };
    const { evidence, answer } = await system.run(question, { k: 1, where, signal });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ answer: answer?.text, title: evidence[0]?.title }));
  } catch (error) {
    const status = error.code === 'ERR_INVALID_ARGUMENT' ? 400 : 500;
    response.writeHead(status).end(JSON.stringify({ error: error.code }));
  }
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
for (const query of [
  { q: 'Which version of acorn was the newest as of 1 March 2021?' },
  { q: 'Which release of mustache came first after 1 January 2021?' },
  { q: 'When did acorn add support for class static blocks?' },
  { q: 'Which is the newest release of acorn?', package: 'acorn', asked_at: '2020-06-01' },
  { q: '' },
]) {
  const url = `http://127.0.0.1:${server.address().port}/?${new URLSearchParams(query)}`;
  const response = await fetch(url);
  console.log(Object.values(query).join(', '), response.status, await response.text());
}
server.close();
await corpus.close();
