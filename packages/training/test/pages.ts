// A small library of dated pages, in our own words, for the tests of mining and training. Each page
// has one statement a period, and some that name no time.
import type { Passage } from '../../../lib/index.js';

const keepers = ['Ada Brook', 'Tom Pell', 'Ines Carrow', 'Josef Hald', 'Mary Quill', 'Otto Brand'];
const places = [
  'Harbour Light',
  'Marsh Mill',
  'Kern Bridge',
  'Sallow Hall',
  'Brant School',
  'Old Ferry',
  'Tarn Quarry',
  'Weir House',
  'Moor Chapel',
  'Pike Inn',
];

/** `pages` pages of eight passages each. */
export function datedPages(pages = places.length): Passage[] {
  return Array.from({ length: pages }, (_, p) => {
    const title = `${places[p % places.length]}${p < places.length ? '' : ` ${Math.floor(p / places.length) + 1}`}`;
    const first = 1850 + p * 3;
    const served = keepers.map((keeper, k): Passage => {
      const [from, to] = [first + k * 12, first + k * 12 + 11];
      return {
        id: `p${p}-${k}`,
        title,
        text: `${keeper} served as keeper of the house from ${from} to ${to}. The wage was paid by the council of the town.`,
      };
    });
    const timeless = [
      'The walls are of grey stone and the roof is of slate.',
      'Visitors reach it by the lane that leads down to the water.',
    ];
    return [...served, ...timeless.map((text, t): Passage => ({ id: `p${p}-t${t}`, title, text }))];
  }).flat();
}
