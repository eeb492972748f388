// An invented table in the published form of New York's motor vehicle collisions: streets, dates
// and counts of our own.
import { seededRandom } from 'asof/kit';

const columns = [
  'CRASH DATE',
  'CRASH TIME',
  'BOROUGH',
  'ZIP CODE',
  'LATITUDE',
  'LONGITUDE',
  'LOCATION',
  'ON STREET NAME',
  'CROSS STREET NAME',
  'OFF STREET NAME',
  ...['PERSONS', 'PEDESTRIANS', 'CYCLIST', 'MOTORIST'].flatMap((who) =>
    ['INJURED', 'KILLED'].map((how) => `NUMBER OF ${who} ${how}`),
  ),
  'CONTRIBUTING FACTOR VEHICLE 1',
  'COLLISION_ID',
  'VEHICLE TYPE CODE 1',
];
const corners = [
  ['BROOKLYN', 'TANNER   STREET', 'QUINCE AVENUE'],
  ['BROOKLYN', 'TANNER STREET', 'EAST 41 STREET'],
  ['QUEENS', '3RD AVENUE', "O'HARA PLACE"],
  ['QUEENS', 'MILL LANE', 'QUINCE AVENUE'],
  ['BRONX', 'FERRY ROAD', 'HOLLIN STREET'],
  ['', 'FERRY ROAD', 'OLD PIER DRIVE'],
] as const;

/** Entries of each corner, by column, as the portal's CSV export has them. */
export function inventedCrashes(perCorner = 24, seed = 1): Record<string, string>[] {
  const { below } = seededRandom(seed);
  return corners.flatMap(([borough, street, cross], corner) =>
    Array.from({ length: perCorner }, (_, at) => {
      const day = new Date(Date.UTC(2021, 0, 3 + at * 47 + (corner % 2)));
      const [iso, hurt] = [day.toISOString(), below(4)];
      const walking = below(hurt + 1);
      return {
        ...Object.fromEntries(columns.map((name) => [name, ''])),
        'CRASH DATE': `${iso.slice(5, 7)}/${iso.slice(8, 10)}/${iso.slice(0, 4)}`,
        'CRASH TIME': `${below(24)}:${10 + below(49)}`,
        BOROUGH: borough,
        LOCATION: borough === '' ? '' : '(40.6, -73.9)',
        'ON STREET NAME': street,
        'CROSS STREET NAME': cross,
        'NUMBER OF PERSONS INJURED': String(hurt),
        'NUMBER OF PERSONS KILLED': below(9) === 0 ? '1' : '0',
        'NUMBER OF PEDESTRIANS INJURED': String(walking),
        'NUMBER OF MOTORIST INJURED': String(hurt - walking),
        'CONTRIBUTING FACTOR VEHICLE 1': 'Unspecified',
        COLLISION_ID: String(9_000_000 + corner * 1000 + at),
      };
    }),
  );
}
