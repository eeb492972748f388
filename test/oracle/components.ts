// Calendar components through JavaScript's own Date, and Re3's cyclic features from equation 5.
// Imports nothing.

export interface Components {
  year: number;
  month: number;
  day: number;
  dayOfYear: number;
}

/** All components of an instant in UTC; undefined where Date knows none. */
export function components(instant: number): Components | undefined {
  const date = new Date(Math.floor(instant));
  if (!(Math.abs(instant) <= 8.64e15) || Number.isNaN(date.getTime())) return undefined;
  const year = date.getUTCFullYear();
  let dayOfYear = date.getUTCDate();
  for (let month = 0; month < date.getUTCMonth(); month += 1) {
    // 400 years on, the calendar repeats
    dayOfYear += new Date(Date.UTC(2000 + (((year % 400) + 400) % 400), month + 1, 0)).getUTCDate();
  }
  return { year, month: date.getUTCMonth() + 1, day: date.getUTCDate(), dayOfYear };
}

/** phi(x, T) of equation 5. */
export function cyclic(x: number, period: number): [number, number] {
  return [Math.sin((2 * Math.PI * x) / period), Math.cos((2 * Math.PI * x) / period)];
}
