// Tools get, list and delete: passages by their ids, or a page of those that pass a filter.
import { agentSchema, cut, toJson } from 'asof/kit';
import type { StoredPassage, Where } from 'asof';
import { orderFields, orderOf, type OrderRequest } from '../../http/schemas/listOrder.js';
import { whole } from '../../http/schemas/common.js';
import { passageFields } from '../../http/schemas/results.js';
import { count, isCut, listOf, object, open, text } from '../schemas.js';
import { bounded } from '../text.js';
import type { Tool, ToolWords } from '../tool.js';

const mostGotten = 20;
const mostListed = 100;
const mostDeleted = 1000;
/** UTF-16 units of a text in a list. */
const listedUnits = 300;

const ids = (most: number): ReturnType<typeof listOf> =>
  listOf({ ...text, minLength: 1 }, { minItems: 1, maxItems: most });

const passage = object({ ...passageFields, 'cut?': isCut });

export const getTool: Tool<{ ids: string[] }> = {
  name: 'get',
  title: 'Get passages',
  description: 'Whole passages by their ids, with all that is stored of them.',
  input: object({ ids: ids(mostGotten) }),
  output: open({
    passages: listOf(passage),
    unknown: listOf(text, { description: 'Ids that no passage has.' }),
  }),
  async run({ ids }, { corpus }) {
    const found = await corpus.getMany(ids);
    const passages = found.filter((each) => each !== undefined);
    const unknown = ids.filter((_, at) => found[at] === undefined);
    const missing = unknown.length > 0 ? ` No passage has: ${unknown.join(', ')}.` : '';
    return {
      structured: {
        passages: passages.map((each) => toJson.passage(each, corpus.timeZone)),
        unknown,
      },
      text: bounded(
        `Passages: ${passages.length}.${missing}`,
        passages.map((each) => `[${each.id}]\n${each.text}`),
        'passages',
      ),
    };
  },
};

interface ListArguments extends OrderRequest {
  where?: Where | undefined;
  limit?: number | undefined;
  after?: string | undefined;
}

export function listTool({ where }: ToolWords): Tool<ListArguments> {
  return {
    name: 'list',
    title: 'List passages',
    description:
      'A page of the passages that pass a filter, in an order, with the beginnings of their ' +
      'texts: what a corpus holds, or what was published last. To answer a question use search.',
    input: agentSchema(
      { where },
      {
        ...orderFields,
        limit: whole('Passages of a page, default 20.', 1, mostListed),
        after: { ...text, description: 'next of the page before.' },
      },
    ),
    output: open({
      passages: listOf(passage),
      total: count('Passages that pass.'),
      'next?': { ...text, description: 'Pass it as after; absent on the last page.' },
    }),
    async run({ where, limit = 20, after, ...order }, { corpus, signal }) {
      const orderBy = orderOf(order);
      const { passages, next } = await corpus.list({ where, orderBy, limit, after, signal });
      const total = await corpus.count({ where, signal });
      const heading = ({ id, publishedAt }: StoredPassage): string =>
        publishedAt === undefined ? `[${id}]` : `[${id}] ${new Date(publishedAt).toISOString()}`;
      return {
        structured: {
          passages: passages.map((each) => ({
            ...toJson.passage(each, corpus.timeZone),
            text: cut(each.text, listedUnits),
            ...(each.text.length > listedUnits ? { cut: true } : {}),
          })),
          total,
          ...(next === undefined ? {} : { next }),
        },
        text: bounded(
          `${passages.length} of ${total} passages${next === undefined ? '' : `; next: ${next}`}`,
          passages.map((each) => `${heading(each)} ${cut(each.text, listedUnits)}`),
          'passages',
        ),
      };
    },
  };
}

export const deleteTool: Tool<{ ids: string[] }> = {
  name: 'delete',
  title: 'Delete passages',
  description:
    'Deletes passages by their ids, for good and in one commit. To correct a passage, add it ' +
    'again with its id.',
  writes: true,
  input: object({ ids: ids(mostDeleted) }),
  output: open({ deleted: count(), unknown: count('Ids that no passage had.') }),
  async run({ ids }, { corpus, signal }) {
    const distinct = new Set(ids);
    const deleted = await corpus.delete(distinct, { signal });
    const unknown = distinct.size - deleted;
    return { structured: { deleted, unknown }, text: `${deleted} deleted, ${unknown} unknown.` };
  },
};
