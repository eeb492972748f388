// Numbers of a seed, for corpora that benches make.

/** Numbers from 0 to 1 from a seed. */
export function* uniform(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state + 0x9e3779b9) | 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    yield ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  }
}
