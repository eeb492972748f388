// A result with something in every section, out of the real one of the comparison's tests: what
// that has not is added here, and a question whose texts do all that texts should not be able to do
// to a page. It is data only.
import type { Comparison } from '../../lib/index.js';
import type { QuestionDetail, DateScore } from '../../lib/comparison/result.js';
import { sample } from '../comparison/sample.js';

export const hostileTexts = {
  markup: '<script>window.hacked = 1</script><img src=x onerror="window.hacked = 2">',
  ends: '</script><script>window.hacked = 3</script><!-- \u2028\u2029 --> ]]>',
  rightToLeft: '\u202eevil \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 1948',
  long: 'incomprehensibilities'.repeat(200),
  emoji: '\u{1f469}\u200d\u{1f680}\u{1f1ea}\u{1f1fa}'.repeat(150),
};

export function hostileQuestion(from: QuestionDetail): QuestionDetail {
  const { markup, ends, rightToLeft, long, emoji } = hostileTexts;
  const texts = [markup, ends, rightToLeft, long, emoji];
  const dates = [
    [{ start: '1948-01-01', end: '1948-12-31', granularity: 'year' }],
    [{ start: '-0043-03-15', end: '-0043-03-15', granularity: 'day' }],
    [{ start: null, end: '1950-06-30', granularity: 'day' }],
    [{ start: 'no date', end: 'at all', granularity: 'day' }],
    undefined,
  ];
  const top = texts.map((text, at) => ({
    id: `${text.slice(0, 300)} ${at}`,
    rank: at + 1,
    score: 1e9 / (at + 1),
    scores: { [markup]: -1e-9, lexical: at },
    title: text,
    sentence: text,
    ...(dates[at] ? { dates: dates[at] } : {}),
    ...(at === 2 ? { published_at: '1951-02-03' } : {}),
    relevant: at === 1,
  }));
  return {
    ...from,
    id: `hostile ${ends}`,
    text: `${markup} before 1950? ${ends} ${rightToLeft} ${long}`,
    answers: texts,
    relevant: texts,
    systems: from.systems.map((each) => ({ ...each, top })),
  };
}

const relations = ['before', 'after'];
const years = [1959, 1960, 1961, 1962, 1963];

function dateScores(systems: readonly string[]): DateScore[] {
  return systems.flatMap((system) =>
    relations.flatMap((relation) => [
      { system, relation, form: 'none' as const, year: null, holds: null, score: 0.2 },
      ...(['year', 'same day', 'another day'] as const).flatMap((form) =>
        years.map(
          (year): DateScore => ({
            system,
            relation,
            form,
            year,
            score: (year - 1958) / 6,
            holds: year === 1961 ? null : year < 1961 === (relation === 'before'),
          }),
        ),
      ),
    ]),
  );
}

export function fullResult(): Comparison {
  const result = sample();
  const systems = result.systems.map(({ name }) => name);
  const reasoning = { ordered: 0.75, exact: 1, holding: 0.6, failing: 0.3 };
  return {
    ...result,
    significance: result.significance.map((each) => ({
      ...each,
      ...(each.system === 'hybrid' ? { corrected: 0.01 } : {}),
    })),
    questions: [...result.questions!, hostileQuestion(result.questions![0]!)],
    date_scores: dateScores(systems),
    date_reasoning: systems.flatMap((system) =>
      relations.map((relation) => ({ system, relation, ...reasoning })),
    ),
  };
}
