// A service of several tenants over one corpus, with Hono: each writes, deletes, lists and asks
// about passages of its own. SIGTERM ends it once running requests have ended.
//
// node --import tsx examples/tenants.ts FOLDER [PORT]
import { serve } from '@hono/node-server';
import { AsOfError, Corpus, hybrid, type Passage } from 'asof';
import { Hono } from 'hono';

const [folder = 'tenants.asof', wanted = '0'] = process.argv.slice(2);
const corpus = await Corpus.open(folder, { fields: { tenant: 'keyword' } });
const system = hybrid({ corpus });

/** Ids are within a tenant, so that none replaces another's passage. */
const own = (tenant: string, id: string): string => `${encodeURIComponent(tenant)}/${id}`;

const app = new Hono();

let isEnding = false;
app.use(async (c, next) => {
  await next();
  if (isEnding) c.header('connection', 'close'); // or a busy client would keep it open
});

app.put('/:tenant/passages', async (c) => {
  const { tenant } = c.req.param();
  const given = await c.req.json<Passage[]>();
  const passages = given.map((each) => ({
    ...each,
    id: own(tenant, each.id),
    metadata: { ...each.metadata, tenant },
  }));
  return c.json(await corpus.add(passages));
});

app.delete('/:tenant/passages/:id', async (c) => {
  const { tenant, id } = c.req.param();
  return c.json({ deleted: await corpus.delete([own(tenant, id)]) });
});

app.delete('/:tenant', async (c) =>
  c.json({ deleted: await corpus.delete({ where: { tenant: c.req.param('tenant') } }) }),
);

app.get('/:tenant/passages', async (c) => {
  const after = c.req.query('after');
  const where = { tenant: c.req.param('tenant') };
  return c.json(await corpus.list({ where, ...(after === undefined ? {} : { after }) }));
});

app.get('/:tenant/ask', async (c) => {
  const { q: text = '', at } = c.req.query();
  const question = at === undefined ? { text } : { text, askedAt: at };
  const where = { tenant: c.req.param('tenant') };
  return c.json(await system.run(question, { k: 3, where, signal: c.req.raw.signal }));
});

app.onError((error, c) => {
  const isCallers = AsOfError.is(error) && error.code === 'ERR_INVALID_ARGUMENT';
  return c.json({ error: error.message }, isCallers ? 400 : 500);
});

const options = { fetch: app.fetch, hostname: '127.0.0.1', port: Number(wanted) };
const server = serve(options, ({ port }) => console.log(`listening on ${port}`));
process.once('SIGTERM', () => {
  isEnding = true;
  server.close(() => void corpus.close());
});
