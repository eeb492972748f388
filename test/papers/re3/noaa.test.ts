// The cases of forecasts that Re3 prints (figures 8 and 9): the day that a forecast is for against
// the day of its issue, and which of the retrieved are outdated.
import assert from 'node:assert/strict';
import { Corpus, type Passage } from '../../../lib/index.js';
import { re3 } from '../../../lib/papers/index.js';
import { passageTimes } from '../../../lib/store/writing/contentTimes.js';
import { temporaryFolder } from '../../store/fixtures.js';

// In our own words, with the dates as the paper has them.
const pontiac: Passage[] = [
  {
    id: 'october',
    text:
      'The weather forecast for Pontiac, issued on October 31, 2025, predicts conditions for ' +
      'November 5, 2025: a chance of light rain with an expected high of 58°F.',
    publishedAt: '2025-10-31',
  },
  {
    id: 'prior',
    text:
      'Issued just one day prior, on November 4, 2025, the updated forecast for Pontiac on ' +
      '11/05/2025 calls for a continued chance of light rain with a high of 60°F.',
    publishedAt: '2025-11-04',
  },
  {
    id: 'pocatello',
    text:
      'The weather forecast for Pocatello on November 5, 2025, predicts rain showers with a high ' +
      'of 63°F. This forecast was issued on November 3, 2025.',
    publishedAt: '2025-11-03',
  },
  {
    id: 'pawtucket',
    text:
      'Issued on November 3, 2025, the forecast indicates that Pawtucket will see mostly cloudy ' +
      'skies on 11/05/2025 with a high of 58°F.',
    publishedAt: '2025-11-03',
  },
];

describe("the forecasts of Re3's figures", () => {
  const folder = temporaryFolder();

  it('are of the day that they are for, not of their issue', async () => {
    const stored = pontiac.map((each) => ({
      ...each,
      publishedAt: Date.parse(String(each.publishedAt)),
    }));
    const days = (await passageTimes(stored as never)).map(
      ({ year, month, dayOfMonth }) => `${year}-${month}-${dayOfMonth}`,
    );
    assert.deepEqual(
      days,
      pontiac.map(() => '2025-11-5'),
    );
  });

  it('lose the outdated issue, and no other', async () => {
    const corpus = await Corpus.open(folder.path('noaa.asof'));
    try {
      await corpus.add(pontiac);
      const { evidence } = await re3({ corpus }).run(
        {
          text: 'On November 5, 2025, what will the weather be like in Pontiac?',
          askedAt: '2025-11-05',
        },
        { k: 4 },
      );
      const kept = evidence.map(({ id }) => id);
      assert.equal(kept[0], 'prior');
      assert.deepEqual([...kept].sort(), ['pawtucket', 'pocatello', 'prior']);
    } finally {
      await corpus.close();
    }
  });
});
