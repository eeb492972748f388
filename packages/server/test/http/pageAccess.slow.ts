// Accessibility of the page of a question: axe-core finds no violation, in light and dark, at the
// width of a telephone and of a desk, static and live.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { hybrid, type Corpus } from '../../../../lib/index.js';
import { questionMoments } from '../../lib/http/questionMoments.js';
import { questionPage } from '../../lib/http/questionPage.js';
import { withCorpus } from '../../../../test/corpus.js';
import { overflow, withBrowser } from '../../../pages/test/chromium.js';
import { drawn, violations } from './pageBrowser.js';
import { passages } from './pagePassages.js';
import { servePage, type PageServer } from './pageServer.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';

describe('the page of a question is accessible', () => {
  let corpus: Corpus;
  const work = temporaryFolder();
  let server: PageServer;
  let file: string;
  withCorpus(passages, (opened) => (corpus = opened));
  before(async () => {
    server = await servePage(corpus, ['tannau', 'another']);
  });
  after(() => server.close());
  const browser = withBrowser(
    (address) => address.startsWith(server.address),
    /^console Failed to load resource/,
  );
  before(async () => {
    const system = hybrid({ corpus });
    const options = { k: passages.length };
    const question = { text: 'How many ships does Tannau harbour handle?' };
    const result = await system.run({ ...question, askedAt: '2019-06-01' }, options);
    const asked = { corpus, name: 'tannau', system, question, options, result };
    file = work.path('page.html');
    writeFileSync(file, questionPage(await questionMoments(asked)));
  });

  for (const scheme of ['light', 'dark'] as const)
    for (const width of [360, 1280]) {
      it(`static, ${scheme}, ${width} px, with everything open`, async () => {
        const page = await browser.open(pathToFileURL(file).href, { scheme, width });
        await drawn(page);
        for (const kind of ['evidence', 'superseded', 'later'])
          assert.ok((await page.locator(`.card.${kind}`).count()) > 0, kind);
        for (const summary of await page.locator('summary').all()) await summary.click();
        await page.locator('.shares').first().waitFor();
        assert.deepEqual(await violations(page), []);
        assert.equal(await overflow(page), 0);
      });

      it(`live, ${scheme}, ${width} px: empty, answered, refused`, async () => {
        const page = await browser.open(server.address, { scheme, width });
        await page.getByRole('button', { name: 'Ask', exact: true }).waitFor();
        assert.deepEqual(await violations(page), []);
        await page
          .getByLabel('Question', { exact: true })
          .fill('Who is the prime minister of Tannau?');
        await page.keyboard.press('Enter');
        await drawn(page);
        assert.deepEqual(await violations(page), []);
        server.token = 'a-token-of-the-tests';
        await page.getByRole('button', { name: 'Ask', exact: true }).click();
        await page.getByLabel(/^Token/).waitFor();
        assert.deepEqual(await violations(page), []);
        server.token = undefined;
      });
    }
});
