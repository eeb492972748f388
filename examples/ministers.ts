// Three dated passages that the examples index.
import type { Passage } from 'asof';

export const passages: readonly Passage[] = [
  {
    id: 'may',
    text: 'Theresa May became prime minister of the United Kingdom on 13 July 2016.',
    publishedAt: '2016-07-14',
  },
  {
    id: 'johnson',
    text: 'Boris Johnson became prime minister of the United Kingdom on 24 July 2019.',
    publishedAt: '2019-07-25',
  },
  {
    id: 'sunak',
    text: 'Rishi Sunak became prime minister of the United Kingdom on 25 October 2022.',
    publishedAt: '2022-10-26',
  },
];
