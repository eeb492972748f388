// News items on consumer prices of the United States by item and region, with questions about
// figures and the state of knowledge on a day; provisional figures are invented.
import { numbered, type UnnumberedQuestion } from '../questions.js';
import type { FamilyDefinition, FamilyPassage } from '../family.js';
import { backgrounds } from './background.js';
import { seriesOf } from './data.js';
import { tell, type Fact } from './passages.js';
import { PriceQuestions } from './questions.js';
import { nouns, phrases } from './wordings.js';

const unknown = [
  'gasoline prices in the Midwest',
  'egg prices in the West',
  'rents in the Chicago area',
  'tea prices in the United States',
  'consumer prices in Canada',
  'wages in the Northeast',
  'electricity prices in the New York area',
  'shelter costs in the South',
  'consumer prices in the Houston area',
  'coffee prices in the Los Angeles area',
];

const unknownQuestions: UnnumberedQuestion[] = unknown.map((name, at) => {
  const operator = (['in', 'as_of', 'current', 'last_before'] as const)[at % 4]!;
  const month = `20${18 + (at % 7)}-0${1 + at}`.slice(0, 7);
  const time = operator === 'in' ? month : `${month}-20`;
  return {
    text: phrases[operator][at % 6]!(nouns.yearly[at % 4]!(name), time),
    class: operator,
    entity: name,
    answers: [],
    relevant: {},
    ...(operator === 'current' ? { asked_at: `${time}T09:30:00Z` } : {}),
  };
});

export const priceIndex: FamilyDefinition = {
  name: 'priceIndex',
  description: 'News items on consumer prices by item and region',
  sources: [{ registry: 'PyPI', package: 'cpi', version: '2.1.0', license: 'MIT' }],
  build(folders, random) {
    const series = seriesOf(folders[0]!);
    const passages: FamilyPassage[] = [];
    const facts: Fact[] = [];
    tell(series, random, ({ text, title, published }, stated) => {
      const id = `p-${passages.length + 1}`;
      const name = stated[0]?.series ?? series.find((each) => text.includes(each.name))?.name;
      passages.push({
        id,
        text,
        title,
        published_at: published,
        ...(name === undefined ? {} : { entities: [name] }),
      });
      facts.push(...stated.map((fact) => ({ ...fact, published, passage: id })));
    });
    const explained = backgrounds.flatMap(
      ({ text, answer, questions }, at): UnnumberedQuestion[] => {
        const id = `b-${at + 1}`;
        passages.push({ id, title: 'About the index', text });
        return questions.map((question) => ({
          text: question,
          class: 'undated',
          entity: 'consumer price index',
          answers: [answer],
          relevant: { [id]: 2 },
        }));
      },
    );
    const asked = new PriceQuestions(series, facts, random).questions();
    return { passages, questions: numbered([...asked, ...explained, ...unknownQuestions]) };
  },
};
