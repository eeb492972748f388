// The proleptic Gregorian calendar by counting days one at a time from 1970-01-01: slow, and shares
// nothing with lib/ or native/. Years are astronomical.
export interface OracleDate {
  year: number;
  month: number;
  day: number;
}

const leap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const lengths = (year: number) => [
  31,
  leap(year) ? 29 : 28,
  31,
  30,
  31,
  30,
  31,
  31,
  30,
  31,
  30,
  31,
];

/**
 * Every date from `firstDay` for `count` days, walking from the epoch. Keep |firstDay| + count
 * below some millions.
 */
export function* walk(
  firstDay: number,
  count: number,
): Generator<OracleDate & { days: number; weekday: number }> {
  let { year, month, day } = { year: 1970, month: 1, day: 1 };
  let days = 0;
  while (days > firstDay) {
    days -= 1;
    day -= 1;
    if (day === 0) {
      month -= 1;
      if (month === 0) {
        month = 12;
        year -= 1;
      }
      day = lengths(year)[month - 1]!;
    }
  }
  const end = firstDay + count;
  for (;;) {
    if (days >= firstDay) yield { year, month, day, days, weekday: (((days + 3) % 7) + 7) % 7 };
    days += 1;
    if (days >= end) return;
    day += 1;
    if (day > lengths(year)[month - 1]!) {
      day = 1;
      month += 1;
      if (month > 12) {
        month = 1;
        year += 1;
      }
    }
  }
}
