// Pairs of one subject, day and measure in different sentence frames, fields in list form among
// them ("High 72, low 50"), and pairs that only look so. Written before any of them was run; no
// rule was mended by them. Laid out as tuned.ts.
import type { Pair } from './pair.js';

export const framedPairs: readonly Pair[] = [
  // The newer statement says otherwise.
  [
    'fields',
    'How warm will Ostrand be on 14 March 2025?',
    'Ostrand, 14 March 2025. Fair. High 72, low 50.',
    'Forecasters now look for a high near 66 degrees in Ostrand on 14 March 2025.',
    'conflict',
  ],
  [
    'fields',
    'What low is expected in Lunden on 12 March 2025?',
    'For 12 March 2025 the outlook for Lunden is a low of -3°C.',
    'Lunden, 12 March 2025: snow, low -7.',
    'conflict',
  ],
  [
    'frames',
    'How warm will Halvard be on 15 March 2025?',
    'The thermometer in Halvard should reach 18°C on 15 March 2025.',
    '15 March 2025, Halvard: rain, up to 14C.',
    'conflict',
  ],
  [
    'frames',
    'How warm will Kessel get on 15 March 2025?',
    'Kessel can expect sun and 61 degrees on 15 March 2025.',
    'Kessel on 15 March 2025: sun, maximum 64°F.',
    'conflict',
  ],
  [
    'frames',
    'How many people in Torland had caught measles by 1 March 2025?',
    'Confirmed measles cases in Torland numbered 4,120 as of 1 March 2025.',
    'By 1 March 2025, Torland had counted 4,377 cases of measles.',
    'conflict',
  ],
  [
    'fields',
    'What was unemployment in Norvia in January 2025?',
    'Norvia, January 2025: unemployment 5.1, inflation 2.4.',
    'In January 2025 unemployment in Norvia stood at 4.8 percent.',
    'conflict',
  ],
  [
    'frames',
    'How warm will Vesterby be on 16 March 2025?',
    'The bulletin of 10 March 2025 gives Vesterby a high of 9 degrees for 16 March 2025.',
    'Vesterby forecast, 16 March 2025. Overcast. High 12.',
    'conflict',
  ],
  // Another measure, day or place, or the same in other words.
  [
    'other field',
    'How warm will Ostrand be on 14 March 2025?',
    'Ostrand, 14 March 2025. Fair. Low 50.',
    'Forecasters now look for a high near 66 degrees in Ostrand on 14 March 2025.',
    'none',
  ],
  [
    'same',
    'How warm will Halvard be on 15 March 2025?',
    'Halvard forecast, 15 March 2025. Rain. High 57.',
    'According to the weather office, 15 March 2025 brings rain to Halvard and 57 degrees at most.',
    'none',
  ],
  [
    'same',
    'How warm will Kessel be on 15 March 2025?',
    'It should reach 61°F in Kessel on 15 March 2025.',
    'Kessel, 15 March 2025: clear, top temperature 61 degrees.',
    'none',
  ],
  [
    'other day',
    'How warm will Lunden be on 14 March 2025?',
    'Lunden forecast, 14 March 2025. Showers. High 48.',
    'The outlook for 15 March 2025 in Lunden is showers; it should reach 52°F in the afternoon.',
    'none',
  ],
  [
    'other unit',
    'How strong will the wind be in Vesterby on 16 March 2025?',
    'Vesterby, 16 March 2025: wind 40, high 12.',
    'On 16 March 2025 Vesterby has 11 hours and 50 minutes of daylight.',
    'none',
  ],
  [
    'other place',
    'How warm will North Halvard be on 15 March 2025?',
    'North Halvard, 15 March 2025. Clear. High 55.',
    'The high in Halvard should be 59 degrees on 15 March 2025.',
    'none',
  ],
];
