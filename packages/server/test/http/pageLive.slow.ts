// The live page in Chromium against the API of a small corpus: asking, moving through time, links,
// errors in words, tokens.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Corpus } from '../../../../lib/index.js';
import { needsReranker } from '../../../../lib/papers/registry.js';
import { withCorpus } from '../../../../test/corpus.js';
import { overflow, withBrowser } from '../../../pages/test/chromium.js';
import { drawn, marksOf, placed, until, violations } from './pageBrowser.js';
import { passages } from './pagePassages.js';
import { servePage, type PageServer } from './pageServer.js';

const question = 'Who is the prime minister of Tannau?';

describe('the live page of a question', () => {
  let corpus: Corpus;
  let server: PageServer;
  withCorpus(passages, (opened) => (corpus = opened));
  before(async () => (server = await servePage(corpus, ['tannau', 'another'])));
  after(() => server.close());
  beforeEach(() => Object.assign(server, { asked: [], delay: 0, aborted: 0, token: undefined }));
  // A browser writes failed requests to its console, which the page shows in words.
  const browser = withBrowser(
    (address) => address.startsWith(server.address),
    /^console Failed to load resource/,
  );

  async function ask(page: Page, words: string, askedAt?: string): Promise<void> {
    await page.getByLabel('Question', { exact: true }).fill(words);
    if (askedAt !== undefined) await page.getByLabel('Date').fill(askedAt);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
  }

  const answered = (page: Page, expected: string): Promise<unknown> =>
    until(
      page,
      `document.querySelector('.answer')?.innerText === ${JSON.stringify(expected)} && ` +
        `document.querySelector('.result').getAttribute('aria-busy') === 'false'`,
    );

  it('asks as of a date, and once more without the limit for later publications', async () => {
    const page = await browser.open(server.address);
    await ask(page, question, '2020-06-01');
    await drawn(page);
    await answered(page, 'Bruno Hale');
    assert.deepEqual(
      server.asked.map(({ corpus: name, asked_at: at }) => [name, at]),
      [
        ['tannau', '2020-06-01'],
        ['tannau', '2022-10-25'],
      ],
    );
    const { rows } = await marksOf(page, '#timeline');
    const later = rows.filter(({ dot }) => dot?.hollow).map(({ id }) => id);
    assert.deepEqual(later, ['clara', 'dimas']);
    assert.match(await page.getByRole('status').innerText(), /2 not yet published/);
    assert.equal(await page.title(), `${question} – asof`);
  });

  it('asks again where the slider comes to rest, and aborts what is in flight', async () => {
    const page = await browser.open(server.address);
    await ask(page, question, '2020-06-01');
    await answered(page, 'Bruno Hale');
    server.delay = 500;
    const asked = server.asked.length;
    const slider = page.getByRole('slider', { name: 'Ask as of' });
    await slider.focus();
    await page.keyboard.press('PageUp');
    await page.keyboard.press('PageUp');
    await until(page, `document.querySelector('.bubble').textContent !== '1 June 2020'`);
    await page.waitForRequest(/\/ask$/);
    await page.keyboard.press('End');
    await answered(page, 'Dimas Orr');
    assert.equal(server.asked.length, asked + 2, 'one for each rest');
    assert.equal(server.aborted, 1);
    const { rows } = await marksOf(page, '#timeline');
    assert.ok(rows.every(({ dot }) => !dot?.hollow));
    await page.getByRole('button', { name: 'To the change before' }).click();
    await answered(page, 'Dimas Orr');
    assert.match(await page.locator('.bubble').innerText(), /25 October 2022/);
  });

  it('keeps question, corpus and time in the address, so that a link shows the same', async () => {
    const page = await browser.open(server.address);
    await page.getByLabel('Corpus').selectOption('another');
    await ask(page, question, '2018-06-01');
    await answered(page, 'Adela Moor');
    const link = page.url();
    await ask(page, question, '2022-09-30');
    await answered(page, 'Clara Finch');
    await page.goBack();
    await answered(page, 'Adela Moor');
    const other = await browser.open(link);
    await answered(other, 'Adela Moor');
    assert.equal(server.asked.at(-1)!.corpus, 'another');
    assert.equal(await other.getByLabel('Date').inputValue(), '2018-06-01');
    assert.equal(await other.getByLabel('Corpus').inputValue(), 'another');
    await other.getByRole('slider', { name: 'Ask as of' }).focus();
    await other.keyboard.press('End');
    await until(other, `!location.hash.includes('asked=2018-06-01')`);
  });

  it('starts with the corpora, and says while it searches for the first time', async () => {
    const page = await browser.open(server.address);
    const start = page.getByRole('region', { name: 'Corpora' });
    await start.waitFor();
    assert.match(
      await start.innerText(),
      /tannau: \d+ passages, published .* to 25 October 2022\.\s+another: /,
    );
    server.delay = 500;
    await ask(page, question, '2020-06-01');
    await page.getByText('Searching …').waitFor();
    await answered(page, 'Bruno Hale');
    assert.equal(await page.getByText('Searching …').isVisible(), false);
    assert.equal(await start.isVisible(), false);
  });

  it('asks an example of the titles and dates of the corpus', async () => {
    const page = await browser.open(server.address);
    const examples = page.locator('.examples button');
    await examples.first().waitFor();
    const words = await examples.allInnerTexts();
    assert.equal(words.length, 3);
    assert.match(words[0]!, /^What is the latest on .+\?$/);
    assert.match(words[1]!, /^What was known of .+ in 20\d\d\?$/);
    assert.match(words[2]!, /^What was reported in [A-Z][a-z]+ 20\d\d\?$/);
    assert.deepEqual(await violations(page), []);
    await examples.first().click();
    await drawn(page);
    assert.equal(server.asked[0]!.question, words[0]);
  });

  it('asks by another system for other many passages, which a link keeps', async () => {
    const page = await browser.open(server.address);
    const systems = await page.getByLabel('System').locator('option').allInnerTexts();
    assert.equal(systems[0], 'hybrid');
    const lacking = systems.filter((name) => needsReranker(name));
    assert.deepEqual(lacking, [], 'without its reranker');
    await page.getByLabel('System').selectOption('bm25');
    await page.getByRole('spinbutton', { name: 'Passages' }).fill('2');
    await ask(page, question, '2020-06-01');
    await drawn(page);
    const { system, k } = server.asked[0]!;
    assert.deepEqual([system, k], ['bm25', 2]);
    const other = await browser.open(page.url());
    await drawn(other);
    assert.equal(await other.getByLabel('System').inputValue(), 'bm25');
    assert.equal(await other.getByRole('spinbutton', { name: 'Passages' }).inputValue(), '2');
  });

  it('has a link that shows the same later, compared with the same time', async () => {
    const page = await browser.open(server.address);
    await ask(page, question);
    await answered(page, 'Dimas Orr');
    assert.equal(server.asked[0]!.asked_at, undefined);
    await page.getByRole('button', { name: 'Compare with another time' }).click();
    await ask(page, question, '2020-06-01');
    await answered(page, 'Bruno Hale');
    const link = await page.getByRole('link', { name: 'Permanent link' }).getAttribute('href');
    const given = new URLSearchParams(link!.slice(1));
    assert.match(given.get('asked')!, /^2020-06-01T/);
    const other = await browser.open(server.address + link!);
    await answered(other, 'Bruno Hale');
    assert.deepEqual(await other.locator('.sides .answer').allInnerTexts(), [
      'Bruno Hale',
      'Dimas Orr',
    ]);
  });

  it('says which corpora there are where a link names another', async () => {
    const page = await browser.open(`${server.address}#question=${question}&corpus=none`);
    await page.getByRole('alert').locator('p').waitFor();
    assert.equal(
      await page.getByRole('alert').innerText(),
      'The server has no corpus “none”. It has tannau, another.',
    );
    assert.equal(server.asked.length, 0);
  });

  it('shows errors in words, and the next answer without them', async () => {
    const page = await browser.open(`${server.address}#question=${question}&asked=20000-99`);
    await page.getByRole('alert').locator('p').waitFor();
    assert.match(await page.getByRole('alert').innerText(), /^Expected /);
    await ask(page, question, '2020-06-01');
    await answered(page, 'Bruno Hale');
    assert.equal(await page.getByRole('alert').innerText(), '');
  });

  it('asks for a token where the server wants one, and keeps it for the session', async () => {
    server.token = 'a-token-of-the-tests';
    const page = await browser.open(server.address);
    assert.match(await page.getByRole('alert').innerText(), /Expected a token of this server/);
    await page.getByLabel(/^Token/).fill('a-token-of-the-tests');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    await ask(page, question, '2020-06-01');
    await answered(page, 'Bruno Hale');
    await page.reload();
    await answered(page, 'Bruno Hale');
    const shown = await page.evaluate<string>('document.body.innerText');
    assert.ok(!shown.includes('a-token-of-the-tests'));
  });

  it('says that the server is gone, without losing what it shows', async () => {
    const page = await browser.open(server.address);
    await ask(page, question, '2020-06-01');
    await answered(page, 'Bruno Hale');
    await page.route('**/v1/**', (route) => route.abort());
    await ask(page, question, '2018-06-01');
    await page.getByRole('alert').locator('p').waitFor();
    assert.match(await page.getByRole('alert').innerText(), /cannot be reached/);
    assert.equal(await page.locator('.answer').innerText(), 'Bruno Hale');
  });

  it('covers the whole corpus on demand, and fits a telephone', async () => {
    const page = await browser.open(server.address, { width: 360, scheme: 'dark' });
    await ask(page, question, '2020-06-01');
    await answered(page, 'Bruno Hale');
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await violations(page), []);
    const top = async (label: string): Promise<number> =>
      (await page.getByLabel(label).boundingBox())!.y;
    assert.equal(await top('Corpus'), await top('Date'), 'corpus and date in one row');
    await page.getByLabel('Axis', { exact: true }).selectOption('corpus');
    const marks = await marksOf(page, '#timeline');
    const x = placed(marks);
    const [first, last] = corpus.info().spans.published!;
    const width = await page.locator('#timeline svg.marks').evaluate((svg) => svg.clientWidth);
    assert.ok(x(first!) > 0 && x(first!) < 40, `the first publication at ${x(first!)}`);
    assert.ok(x(last!) > width - 40 && x(last!) < width, `the last one at ${x(last!)} of ${width}`);
  });
});
