/** Names a cache and creates it for an owner. The object itself is the key. */
export interface CacheSpec<Cache, Owner = unknown> {
    /** For diagnostics. */
    readonly name: string;
    readonly create: (owner: Owner) => Cache;
}
/** Opens something with the first call and keeps it; after a failure the next call tries again. */
export declare function lazily<T>(open: () => Promise<T>): () => Promise<T>;
/** Caches by their specs, each created at its first use. */
export declare class CacheRegistry<Owner = unknown> {
    private readonly owner;
    private caches;
    private released;
    constructor(owner: Owner);
    /**
     * The owner's cache of this spec. After `release()` every call creates a cache of its own, which
     * the registry does not retain: a search that outlives its corpus ends without leaking.
     */
    get<Cache>(spec: CacheSpec<Cache, Owner>): Cache;
    /** Caches that the registry holds. */
    get size(): number;
    /** Drops all caches; later ones are not retained. */
    release(): void;
}
