// Contents of a document: text, blocks, and what it states of itself.
import type { Block } from './blocks.js';
import type { DateSource } from './dates.js';
import type { DocumentFields } from './frontMatter.js';

export interface Content {
  text: string;
  blocks: Block[];
  fields: DocumentFields;
  /** Of `fields.publishedAt`. */
  dateSource: DateSource;
}

/** Without a date of publication, that of the last change takes its place. */
export function markupFields(
  stated: {
    title?: string | undefined;
    published?: number | undefined;
    updated?: number | undefined;
  },
  source: DateSource,
): Pick<Content, 'fields' | 'dateSource'> {
  const { title, published, updated } = stated;
  const publishedAt = published ?? updated;
  const isChanged = published !== undefined && updated !== undefined;
  return {
    fields: {
      ...(title === undefined ? {} : { title }),
      ...(publishedAt === undefined ? {} : { publishedAt }),
      ...(isChanged ? { metadata: { updated_at: updated } } : {}),
    },
    dateSource: publishedAt === undefined ? 'none' : source,
  };
}
