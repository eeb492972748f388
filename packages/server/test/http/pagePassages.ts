// A small corpus with all that the page of a question draws: validity, publication, series, a
// restated figure, and texts that try to be code.
import type { Passage } from '../../../../lib/index.js';

const minister = (name: string, from: string, to?: string): Passage => ({
  id: name.slice(0, name.indexOf(' ')).toLowerCase(),
  title: name,
  text: `${name} became prime minister of Tannau on ${from}.`,
  publishedAt: from,
  validFrom: from,
  ...(to === undefined ? {} : { validTo: to }),
});

export const ministers: readonly Passage[] = [
  minister('Adela Moor', '2016-07-13', '2019-07-23'),
  minister('Bruno Hale', '2019-07-24', '2022-09-05'),
  minister('Clara Finch', '2022-09-06', '2022-10-24'),
  minister('Dimas Orr', '2022-10-25'),
];

export const passages: readonly Passage[] = [
  ...ministers,
  {
    id: 'markup',
    title: '<b onclick="window.hacked = 3">Prime minister</b>',
    text:
      '<img src=x onerror="window.hacked = 1"> The prime minister of Tannau has an office in the ' +
      'old mill since 2018. </script><script>window.hacked = 2</script>',
    publishedAt: '2018-03-01',
  },
  {
    id: 'ships',
    title: 'Tannau harbour',
    text: 'Tannau harbour handled 410 ships on 30 June 2011.',
    publishedAt: '2011-08-20',
  },
  {
    id: 'ships-revised',
    title: 'Tannau harbour',
    text: 'Tannau harbour handled 398 ships on 30 June 2011.',
    publishedAt: '2012-06-02',
  },
  ...['12', '15', '19'].map((crowns, nth) => ({
    id: `fee-${nth}`,
    title: 'Berth fee',
    text: `The berth fee of Tannau harbour is ${crowns} crowns a night.`,
    publishedAt: `${2018 + nth}-04-01`,
    series: 'berth-fee',
  })),
];
