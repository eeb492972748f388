// Tool update: times, metadata and series of passages, of a server that may write.
import { AsOfError } from 'asof';
import { agentSchema } from 'asof/kit';
import { choiceOf, patchOf, patchSchema } from '../../http/patches.js';
import { count, listOf, open, text } from '../schemas.js';
import type { Tool, ToolWords } from '../tool.js';
import { inToolWords } from './add.js';

const mostIds = 1000;

interface UpdateArguments {
  ids?: string[];
  where?: object;
  patch: Record<string, unknown>;
}

/** Without lists of types, which some providers of models do not read. */
const patched = Object.fromEntries(
  Object.entries(patchSchema.properties).map(([name, { type, ...schema }]) => [
    name,
    Array.isArray(type) ? schema : { type, ...schema },
  ]),
);

export function updateTool({ where }: ToolWords): Tool<UpdateArguments> {
  const schema = agentSchema(
    { where },
    {
      ids: listOf(text, { minItems: 1, maxItems: mostIds, description: 'Ids of passages.' }),
      patch: { ...patchSchema, properties: patched, description: 'What changes; the rest stays.' },
    },
  );
  return {
    name: 'update',
    title: 'Change passages',
    description:
      'Changes when passages were published and hold, their metadata and series, by their ids or ' +
      'by a filter: all of them or, where one is refused or unknown, none. For another text add ' +
      'the passage again. If a fact has ended because of another one, add that with its series.',
    writes: true,
    input: { ...schema, required: ['patch'] },
    output: open({ updated: count(), unchanged: count() }),
    async run({ patch, ...which }, { corpus, signal }) {
      const choice = choiceOf(which);
      if (!choice)
        throw new AsOfError(
          'ERR_INVALID_ARGUMENT',
          `Expected ids or where, received ${which.ids ? 'both' : 'neither'}. Give one of them.`,
        );
      try {
        const counts = await corpus.update(choice, patchOf(patch), { signal });
        const { updated, unchanged } = counts;
        return { structured: counts, text: `${updated} updated, ${unchanged} unchanged.` };
      } catch (fault) {
        throw inToolWords(fault);
      }
    },
  };
}
