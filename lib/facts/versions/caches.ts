// Caches of version arbitration, owned by a corpus or by one call: time mentions, capitalised names
// and statements of texts, weighed by their approximate bytes.
import type { CacheSpec } from '../../runtime/cacheRegistry.js';
import { GenerationalCache } from '../../runtime/generationalCache.js';
import type { Mention } from '../../time/mention.js';
import type { StatementCaches } from './statement.js';

export class VersionCaches implements StatementCaches {
  /** By publication and text. */
  readonly mentions = new GenerationalCache<readonly Mention[]>({ capacity: 4 << 20 });
  readonly names: StatementCaches['names'] = new GenerationalCache({ capacity: 2 << 20 });
  readonly statements: StatementCaches['statements'] = new GenerationalCache({
    capacity: 16 << 20,
  });
}

export const versionCaches: CacheSpec<VersionCaches> = {
  name: 'version arbitration',
  create: () => new VersionCaches(),
};
