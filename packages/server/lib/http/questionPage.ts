// The page of a question as one self-contained HTML file: static with its results, or live.
import { join } from 'node:path';
import { htmlPage } from '@asof/pages/htmlPage';
import type { QuestionPageData } from './pageData.js';

/**
 * The page as HTML. With data it shows them and asks nobody, from a file too; without, it asks the
 * API of the server that it came from. Errors: ERR_NOT_FOUND for an incomplete build.
 */
export function questionPage(data?: QuestionPageData): string {
  return htmlPage({
    asset: 'question',
    package: '@asof/server',
    folders: pageFolders(),
    title: data ? `${data.unlimited.question} – asof` : 'asof',
    generator: data ? 'asof ask' : 'asof serve',
    data: data ?? null,
    connects: data === undefined,
    styleAttributes: true, // Plot's
  });
}

/** Next to this module, its bundle or its source; tracers of files read it. */
function pageFolders(): string[] {
  const here = import.meta.dirname as string | undefined;
  if (here === undefined) return [];
  return [join(here, 'page'), join(here, '../page'), join(here, '../../dist/page')];
}
