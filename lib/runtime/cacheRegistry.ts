// Owner of the caches of one corpus or one segment. Modules declare a CacheSpec as a constant and
// look their cache up in the registry of what they read; releasing the registry frees all of them.

/** Names a cache and creates it for an owner. The object itself is the key. */
export interface CacheSpec<Cache, Owner = unknown> {
  /** For diagnostics. */
  readonly name: string;
  readonly create: (owner: Owner) => Cache;
}

/** Opens something with the first call and keeps it; after a failure the next call tries again. */
export function lazily<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= open();
    opened.catch(() => (opened = undefined));
    return opened;
  };
}

/** Caches by their specs, each created at its first use. */
export class CacheRegistry<Owner = unknown> {
  private caches = new Map<CacheSpec<unknown, Owner>, unknown>();
  private released = false;

  constructor(private readonly owner: Owner) {}

  /**
   * The owner's cache of this spec. After `release()` every call creates a cache of its own, which
   * the registry does not retain: a search that outlives its corpus ends without leaking.
   */
  get<Cache>(spec: CacheSpec<Cache, Owner>): Cache {
    let cache = this.caches.get(spec) as Cache | undefined;
    if (cache === undefined) {
      cache = spec.create(this.owner);
      if (!this.released) this.caches.set(spec, cache);
    }
    return cache;
  }

  /** Caches that the registry holds. */
  get size(): number {
    return this.caches.size;
  }

  /** Drops all caches; later ones are not retained. */
  release(): void {
    this.released = true;
    this.caches = new Map();
  }
}
