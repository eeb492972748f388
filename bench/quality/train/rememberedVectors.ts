// An encoder that remembers what it encoded, in a file: a bench that encodes the same passages for
// every split, and again the next time, pays once for a model that takes milliseconds a text. In
// every other respect, its id included, it is the encoder that it is given; it forgets nothing.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Encoder } from '../../../lib/index.js';

const keyBytes = 20;
const atOnce = 256;

/**
 * `file` holds a SHA-1 of kind and text and then the vector, again and again; it belongs to one
 * encoder.
 */
export function rememberedVectors(encoder: Encoder, file: string): Encoder {
  const { id, dimensions } = encoder;
  const known = new Map<string, Float32Array>();
  const recordBytes = keyBytes + dimensions * Float32Array.BYTES_PER_ELEMENT;
  const kept = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  for (let at = 0; at + recordBytes <= kept.length; at += recordBytes) {
    known.set(
      kept.toString('base64', at, at + keyBytes),
      new Float32Array(new Uint8Array(kept.subarray(at + keyBytes, at + recordBytes)).buffer),
    );
  }
  return {
    id,
    dimensions,
    async encode(texts, options) {
      const keys = texts.map((text) =>
        createHash('sha1').update(`${options.kind} ${text}`).digest('base64'),
      );
      const fresh = [...new Map(keys.map((key, at) => [key, texts[at]!]))].filter(
        ([key]) => !known.has(key),
      );
      for (let from = 0; from < fresh.length; from += atOnce) {
        const some = fresh.slice(from, from + atOnce);
        const vectors = await encoder.encode(
          some.map(([, text]) => text),
          options,
        );
        some.forEach(([key], i) =>
          known.set(key, vectors.slice(i * dimensions, (i + 1) * dimensions)),
        );
        appendFileSync(
          file,
          Buffer.concat(
            some.map(([key]) =>
              Buffer.concat([Buffer.from(key, 'base64'), Buffer.from(known.get(key)!.buffer)]),
            ),
          ),
        );
      }
      const result = new Float32Array(texts.length * dimensions);
      keys.forEach((key, at) => result.set(known.get(key)!, at * dimensions));
      return result;
    },
  };
}
