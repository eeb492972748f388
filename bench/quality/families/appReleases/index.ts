// Releases of Electron by line and channel, with the versions of Chromium, Node.js and V8 in each:
// notes, changes, round-ups and states of several lines supported at once.
import { addDays, anyDate, british } from '../dates.js';
import type { Family, FamilyDefinition, Random } from '../family.js';
import { Asker, type Draft } from './ask.js';
import { readFixes, readReleases, type Release } from './data.js';
import { allSeries, Judge, type Measure, type Series } from './judging.js';
import * as text from './text.js';

const quarterEnds = [2019, 2020, 2021, 2022]
  .flatMap((year) => ['03-31', '06-30', '09-30', '12-31'].map((day) => `${year}-${day}`))
  .filter((day) => day < '2022-10-01');

function write(releases: Release[], folder: string, random: Random): text.ReleasePassage[] {
  const stable = releases.filter(({ channel }) => channel === 'stable');
  const lines = [...new Set(stable.map(({ line }) => line))].map((line) =>
    stable.filter((release) => release.line === line),
  );
  const drafts = [
    ...text.tellReleases(releases, random),
    ...text.tellChanges(
      lines.filter(([first]) => Number(first!.line) >= 4),
      random,
    ),
    ...text.tellMonths(stable),
    ...text.tellQuarters(lines, quarterEnds),
    ...text.tellBackground(
      random.sample(stable, 240),
      random.sample(readFixes(folder), 380),
      random,
    ),
  ];
  return random
    .sample(drafts, drafts.length)
    .map((draft, index) => ({ id: `e-${index}`, ...draft }));
}

/** Questions of one class about series drawn at random from pools drawn at random. */
function draw(
  count: number,
  random: Random,
  pools: Series[][],
  ask: (series: Series) => Draft[],
): Draft[] {
  const drafts = new Map<string, Draft>();
  for (let tries = 0; drafts.size < count && tries < count * 40; tries++)
    for (const draft of ask(random.pick(random.pick(pools)))) drafts.set(draft.text, draft);
  return [...drafts.values()];
}

/** Questions that no passage answers: absent lines, channels and components, times too early. */
function unanswerable(asker: Asker, series: Series[], random: Random): Draft[] {
  const none = (
    kind: Exclude<Draft['class'], 'undated'>,
    about: { entity: string; measure: Measure },
    time = '',
    asked?: string,
  ): Draft => ({
    text: asker.word(kind, about, time),
    class: kind,
    entity: about.entity,
    answers: [],
    relevant: {},
    ...(asked === undefined ? {} : { asked_at: asked }),
  });
  const release = (entity: string): { entity: string; measure: Measure } => ({
    entity,
    measure: 'release',
  });
  const early = random
    .sample(
      series.filter(({ measure, events }) => measure !== 'major' && events[0]!.date > '2019-06'),
      5,
    )
    .map((each) => {
      const day = addDays(each.events[0]!.date, -150 - random.below(400));
      return none('as_of', each, `as of ${anyDate(day, random)}`);
    });
  return [
    ...early,
    none('current', release('Electron 24'), '', '2022-10-10'),
    none('current', release('Electron 9 alpha'), '', '2020-03-15'),
    none('current', { entity: 'Electron 25', measure: 'Chromium' }, '', '2022-09-01'),
    none('latest', release('Electron 12 alpha'), '', '2021-06-01'),
    none('latest', { entity: 'Electron 23', measure: 'V8' }, '', '2022-10-15'),
    none('first', release('Electron 10 alpha')),
    none('first', { entity: 'Electron 26', measure: 'Node.js' }),
    none('last_before', release('Electron 14'), `before ${british('2021-03-04')}`),
    none('last_before', release('Electron 19 beta'), 'before 2022'),
    none('first_after', release('Electron 9'), 'after September 2021'),
    none('first_after', release('Electron 7 beta'), 'following May 5, 2020'),
    none('in', release('Electron 11'), 'in 2018'),
    none('between', release('Electron 16'), 'between 3 March 2020 and 9 June 2020'),
    none('before_date', release('Electron 15'), 'a year before 17 December 2021'),
    none('since', release('Electron 5'), 'since April 2021', '2021-08-08'),
    none('when', release('Electron 8'), '8.9.0'),
    none('when', { entity: 'Electron 12', measure: 'Chromium' }, '93.0.4577.82'),
    ...['OpenSSL', 'Python'].map((part, index) => ({
      text: [
        `Which ${part} is linked into Electron 13.1.2?`,
        `electron 11 ${part} version in 2021`,
      ][index]!,
      class: index === 0 ? ('undated' as const) : ('in' as const),
      entity: ['Electron 13', 'Electron 11'][index]!,
      answers: [],
      relevant: {},
    })),
  ];
}

function ask(releases: Release[], passages: text.ReleasePassage[], random: Random): Draft[] {
  const asker = new Asker(new Judge(passages), random);
  const series = allSeries(releases);
  const whole = series.filter(({ measure }) => measure === 'release');
  const major = series.filter(({ measure }) => measure === 'major');
  const parts = series.filter(({ measure }) => measure !== 'release' && measure !== 'major');
  const stable = releases.filter(({ channel }) => channel === 'stable');
  const majors = major[0]!.releases;
  const mixed = [whole, whole, whole, parts, parts, major];
  const events = [whole, whole, whole, whole, major];
  return [
    ...draw(16, random, mixed, (each) => asker.asOf(each)),
    ...draw(6, random, [whole, parts], (each) => asker.asOfRelease(each, random.pick(majors))),
    ...draw(20, random, mixed, (each) => asker.current(each)),
    ...draw(12, random, mixed, (each) => asker.latest(each)),
    ...draw(12, random, [whole, parts], (each) => asker.first(each)),
    ...draw(14, random, events, (each) => asker.lastBefore(each)),
    ...draw(14, random, events, (each) => asker.firstAfter(each)),
    ...draw(14, random, events, (each) => asker.in(each)),
    ...draw(12, random, events, (each) => asker.between(each)),
    ...draw(12, random, mixed, (each) => asker.beforeDate(each)),
    ...draw(8, random, [whole], (each) => asker.since(each)),
    ...draw(16, random, [whole, whole, parts], (each) => asker.when(each)),
    ...draw(14, random, [whole], () => asker.undated(random.pick(stable))),
    ...unanswerable(asker, series, random),
  ];
}

export const appReleases: FamilyDefinition = {
  name: 'appReleases',
  description: 'Releases of Electron by line and channel, and the components bundled in each.',
  sources: [{ registry: 'npm', package: 'electron-releases', version: '3.1171.0', license: 'MIT' }],
  build(folders, random): Family {
    const releases = readReleases(folders[0]!);
    const written = write(releases, folders[0]!, random);
    const questions = ask(releases, written, random);
    return {
      passages: written.map(({ states: _, ...passage }) => passage),
      questions: questions.map((question, index) => ({ id: `eq-${index}`, ...question })),
    };
  },
};
