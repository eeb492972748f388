// The route that takes documents, which @asof/documents cuts into passages.
import type { InputFile } from '@asof/documents';
import { askSchema, buildInfo, importPeer } from 'asof/kit';
import { bodyBytes, bodyType } from '../body.js';
import { unsupported } from '../errors.js';
import { json, type Route } from '../route.js';
import { count, iso, object, text } from '../schemas/common.js';

const formats: Readonly<Record<string, InputFile['format']>> = {
  'text/markdown': 'markdown',
  'text/html': 'html',
  'text/plain': 'text',
  'application/pdf': 'pdf',
};
const types = Object.keys(formats);

const add: Route = {
  method: 'POST',
  path: '/v1/corpora/{corpus}/documents/{id}',
  id: 'addDocument',
  summary:
    'Cuts a document into passages, which replace all that it had. In the id a slash is ' +
    'written as %2F, and a date counts where the document has none.',
  writes: true,
  query: askSchema({}, { published_at: text('The date of the document, before any of its own.') }),
  bytesBody: types,
  responses: {
    200: json(
      'Numbers of passages, and where the date of the document is from.',
      object({
        added: count,
        replaced: count,
        unchanged: count,
        removed: count,
        passages: count,
        date: iso,
      }),
    ),
  },
  async handle({ served, params, query, request, options, scope }) {
    const corpus = served.writableNamed(params['corpus']!);
    const id = params['id']!;
    const type = bodyType(request);
    const format = type === null ? undefined : formats[type];
    if (!format) throw unsupported(types.join(', '), type);
    const { InputReport, readDocuments } = await importPeer<typeof import('@asof/documents')>(
      '@asof/documents',
      'to read documents',
      `Do: npm install @asof/documents@${buildInfo().version}`,
    );
    const content = await bodyBytes(request, options.limits, scope);
    const { published_at: publishedAt } = query as { published_at?: string };
    const file = { path: id, id, format, content, bytes: content.length, publishedAt };
    const report = new InputReport();
    const { signal } = scope;
    const reading = { report, signal, rules: corpus.passageRules };
    const counts = await corpus.add(readDocuments([file], reading), { signal });
    const leftovers = await report.leftovers(corpus);
    const removed = leftovers.length === 0 ? 0 : await corpus.delete(leftovers, { signal });
    const { chunks: passages, date } = report.documents.get(id)!;
    return { json: { ...counts, removed, passages, date } };
  },
};

export const documentRoutes: readonly Route[] = [add];
