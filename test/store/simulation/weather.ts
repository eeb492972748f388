// What goes wrong in an epoch of a simulation, with which probability a call.
import type { Random } from './random.js';

export interface Weather {
  /** A call fails with EIO. */
  io: number;
  /** EMFILE where a descriptor is needed. */
  descriptors: number;
  /** The disk becomes full, or free again. */
  space: number;
  /** Fewer bytes are read or written than asked for. */
  short: number;
  /** The process of the calling thread dies. */
  kill: number;
  /** Power fails, for all. */
  power: number;
  /** While a call waits: the signal fires, the corpus is closed, or it is read. */
  abort: number;
  close: number;
  read: number;
}

/** Nothing happens. */
export const calm: Weather = {
  io: 0,
  descriptors: 0,
  space: 0,
  short: 0,
  kill: 0,
  power: 0,
  abort: 0,
  close: 0,
  read: 0,
};

export function drawWeather(random: Random): Weather {
  if (random.chance(0.2)) return { ...calm, read: 0.02 };
  const rate = (most: number): number => (random.chance(0.5) ? most * random.next() : 0);
  return {
    io: rate(0.01),
    descriptors: rate(0.01),
    space: rate(0.01),
    short: rate(0.2),
    kill: rate(0.005),
    power: rate(0.002),
    abort: rate(0.02),
    close: rate(0.01),
    read: rate(0.3),
  };
}
