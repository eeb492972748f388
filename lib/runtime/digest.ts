// Digests and random numbers of Node, loaded with their first use: an import of its crypto module
// makes Web Crypto too, which takes a tenth of the time in which asof loads.
import type * as Crypto from 'node:crypto';

const crypto = (): typeof Crypto => process.getBuiltinModule('crypto');

export const createHash = (algorithm: 'sha256' | 'sha1'): Crypto.Hash =>
  crypto().createHash(algorithm);

/** In hexadecimal digits. */
export const randomId = (bytes: number): string => crypto().randomBytes(bytes).toString('hex');
