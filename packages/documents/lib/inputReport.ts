// What became of the files that are read.
import type { StoredCorpus } from 'asof';
import { yieldToEventLoop } from 'asof/kit';
import { dateSources, type DateSource } from './dates.js';

/** How many chunks a document has, and where its date is from. */
export interface DocumentReport {
  chunks: number;
  date: DateSource;
}

/** Counts of the input so far. */
export class InputReport {
  passages = 0;
  bytes = 0;
  /** By id. */
  readonly documents = new Map<string, DocumentReport>();
  readonly dates = Object.fromEntries(dateSources.map((each) => [each, 0])) as Record<
    DateSource,
    number
  >;
  /** Files of folders and globs that are of no known format, by their endings. */
  readonly skipped = new Map<string, number>();

  /** Counts a file that is not read. */
  skip(name: string): void {
    const ending = /\.([a-z\d]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
    this.skipped.set(ending, (this.skipped.get(ending) ?? 0) + 1);
  }

  /** Ids of the chunks that its documents had more of before: they are numbered without gaps. */
  async leftovers(corpus: Pick<StoredCorpus, 'get'>): Promise<string[]> {
    const ids: string[] = [];
    for (const [id, { chunks }] of this.documents) {
      const turn = yieldToEventLoop();
      if (turn) await turn;
      for (let n = chunks; ; n += 1) {
        const passage = await corpus.get(`${id}#${n}`);
        if (passage?.chunk?.parent !== id) break;
        ids.push(passage.id);
      }
    }
    return ids;
  }
}
