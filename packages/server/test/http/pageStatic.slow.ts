// The static page of a question in Chromium: its marks are where the data say, the slider shows
// other results, and texts stay texts.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { hybrid, type Corpus } from '../../../../lib/index.js';
import type { QuestionPageData } from '../../lib/http/pageData.js';
import { mostMoments, questionMoments } from '../../lib/http/questionMoments.js';
import { questionPage } from '../../lib/http/questionPage.js';
import { withCorpus } from '../../../../test/corpus.js';
import { overflow, withBrowser, type Shown } from '../../../pages/test/chromium.js';
import { drawn, marksOf, placed, until, violations } from './pageBrowser.js';
import { ministers, passages } from './pagePassages.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';

const day = 86_400_000;
const near = (actual: number, expected: number, what: string): void =>
  assert.ok(Math.abs(actual - expected) <= 1, `${what}: ${actual}, expected ${expected}`);

describe('the static page of a question', () => {
  let corpus: Corpus;
  const work = temporaryFolder();
  withCorpus(passages, (opened) => (corpus = opened));
  const browser = withBrowser(() => false);

  async function dataOf(text: string, askedAt: string, k = 5): Promise<QuestionPageData> {
    const system = hybrid({ corpus });
    const options = { k };
    const result = await system.run({ text, askedAt }, options);
    const question = { text };
    return questionMoments({ corpus, name: 'tannau', system, question, options, result });
  }

  async function open(data: QuestionPageData, shown: Shown = {}): Promise<Page> {
    const file = work.path('page.html');
    writeFileSync(file, questionPage(data));
    const page = await browser.open(pathToFileURL(file).href, shown);
    await drawn(page);
    return page;
  }

  const question = 'Who is the prime minister of Tannau?';

  it('has results as of the times at which something changes, ascending', async () => {
    const data = await dataOf(question, '2020-06-01');
    const times = data.moments.map(({ result }) => result.asked_at);
    assert.deepEqual(times, [...times].sort());
    assert.ok(times.length > 3 && times.length <= mostMoments, `${times.length} times`);
    assert.equal(data.moments[data.first]!.result.answer, 'Bruno Hale');
    assert.equal(data.unlimited.answer, 'Dimas Orr');
    for (const { timeline } of data.moments) assert.ok(data.timelines[timeline]);
    const answers = new Set(data.moments.map(({ result }) => result.answer));
    const names = ministers.map(({ title }) => title!);
    for (const name of names) assert.ok(answers.has(name), name);
  });

  it('draws validity, publication and the hidden future where the data say', async () => {
    const data = await dataOf(question, '2020-06-01', passages.length);
    const page = await open(data);
    const folded = data.moments[data.first]!.result.evidence.filter(({ score }) => score < 0.01);
    assert.ok(folded.length > 0);
    assert.equal((await marksOf(page, '#timeline')).rows.length, passages.length - folded.length);
    await page.getByRole('button', { name: 'Show all 10', exact: true }).click();
    const marks = await marksOf(page, '#timeline');
    const x = placed(marks);
    const askedAt = Date.parse('2020-06-02') - 1;
    near(marks.asked, x(askedAt), 'asked');
    near(marks.mask!.x, marks.asked, 'mask');
    const { result } = data.moments[data.first]!;
    const later = ministers.filter(
      ({ id, publishedAt }) =>
        Date.parse(publishedAt as string) > askedAt &&
        data.unlimited.evidence.some((each) => each.id === id),
    );
    assert.equal(later.length, 2);
    assert.equal(marks.rows.length, result.evidence.length + later.length);
    let bars = 0;
    for (const { id, validFrom, validTo, publishedAt } of ministers) {
      const row = marks.rows.find((each) => each.id === id)!;
      near(row.dot!.x, x(Date.parse(publishedAt as string)), `publication of ${id}`);
      assert.equal(row.dot!.hollow, Date.parse(publishedAt as string) > askedAt, id);
      near(row.bar!.x, x(Date.parse(validFrom as string)), `validity of ${id}`);
      assert.equal(row.bar!.open, validTo === undefined);
      if (validTo === undefined) continue;
      bars += 1;
      const width = x(Date.parse(validTo as string) + day) - x(Date.parse(validFrom as string));
      near(row.bar!.width, Math.max(2, width), `length of ${id}`);
      assert.ok(row.dates > 0, `date of ${id}`);
    }
    assert.equal(bars, 3);
    const text = await page.locator('.labels').first().innerText();
    assert.equal(text.match(/not yet published/g)?.length, later.length);
  });

  it('shows what is superseded faded, by what, and leads there', async () => {
    const page = await open(
      await dataOf('How many ships does Tannau harbour handle?', '2021-01-01'),
    );
    const marks = await marksOf(page, '#timeline');
    const row = marks.rows.find(({ id }) => id === 'ships')!;
    assert.ok(row.faded && row.dot, 'a faded publication');
    assert.match(await page.locator('.labels li.faded small').first().innerText(), /superseded by/);
    const card = page.locator('.card[data-id="ships"]');
    assert.match(await card.innerText(), /Superseded by ships-revised, published 2012-06-02/);
    await card.getByRole('button', { name: 'Show what superseded it' }).click();
    const focused = await page.evaluate('document.activeElement.dataset.id');
    assert.equal(focused, 'ships-revised');
  });

  it('shows a passage that the next of its series closed as superseded by it', async () => {
    const data = await dataOf('What is the berth fee of Tannau harbour?', '2021-01-01', 10);
    const { result } = data.moments[data.first]!;
    const closed = result.evidence.filter((each) => each.superseded_by);
    const page = await open(data);
    const marks = await marksOf(page, '#timeline');
    const faded = marks.rows.filter((row) => row.faded).map(({ id }) => id);
    const dropped = (result.dropped ?? []).map(({ id }) => id);
    assert.deepEqual(faded, [...closed.map(({ id }) => id), ...dropped]);
    assert.ok(faded.includes('fee-0') && faded.includes('fee-1'), faded.join());
    assert.ok(!faded.includes('fee-2'));
  });

  it('goes through time by keyboard and by the buttons to the next change', async () => {
    const data = await dataOf(question, '2020-06-01');
    const page = await open(data);
    const slider = page.getByRole('slider', { name: 'Ask as of' });
    const answer = page.locator('.answer');
    assert.equal(await answer.innerText(), 'Bruno Hale');
    assert.equal(await slider.getAttribute('aria-valuetext'), '1 June 2020');
    await slider.focus();
    await page.keyboard.press('End');
    await page.getByText('Dimas Orr', { exact: true }).first().waitFor();
    await assertAnswer(page, data.moments.at(-1)!.result.answer!);
    await page.keyboard.press('Home');
    await assertAnswer(page, data.moments[0]!.result.answer ?? 'No answer');
    await page.keyboard.press('ArrowRight');
    await assertAnswer(page, data.moments[1]!.result.answer ?? 'No answer');
    const marks = await marksOf(page, '#timeline');
    near(marks.asked, placed(marks)(Date.parse(data.moments[1]!.result.asked_at)), 'asked');
    await page.getByRole('button', { name: 'To the next change' }).click();
    await assertAnswer(page, data.moments[2]!.result.answer ?? 'No answer');
    await page.getByRole('button', { name: 'To the change before' }).click();
    await assertAnswer(page, data.moments[1]!.result.answer ?? 'No answer');
    assert.match(await page.getByRole('status').innerText(), /as of/);
  });

  async function assertAnswer(page: Page, expected: string): Promise<void> {
    await until(
      page,
      `document.querySelector('.answer').innerText === ${JSON.stringify(expected)}`,
    );
  }

  it('has one stop for all rows, arrows between them, and Enter leads to the text', async () => {
    const page = await open(await dataOf(question, '2020-06-01'));
    const rows = page.locator('#timeline .labels button');
    assert.equal(await page.locator('#timeline .labels button[tabindex="0"]').count(), 1);
    await rows.first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    assert.equal(
      await page.evaluate('document.activeElement.innerText'),
      await rows.nth(1).innerText(),
    );
    await page.keyboard.press('Enter');
    const second = await page.evaluate('document.activeElement.dataset.id');
    assert.equal(second, (await marksOf(page, '#timeline')).rows[1]!.id);
    const scores = page.locator('.card details summary').first();
    await scores.focus();
    await page.keyboard.press('Enter');
    await page.locator('.card table').first().waitFor();
    assert.match(await page.locator('.card table').first().innerText(), /Cosine of the vectors/);
  });

  it('has the same as tables, and the stages', async () => {
    const data = await dataOf(question, '2020-06-01');
    const page = await open(data);
    await page.getByRole('button', { name: 'Show all 6', exact: true }).click();
    const { rows } = await marksOf(page, '#timeline');
    await page.getByText('Passages and times as a table').click();
    assert.equal(await page.locator('#timeline tbody tr').count(), rows.length);
    await page.getByText('How it was found').click();
    const { trace } = data.moments[data.first]!.result;
    assert.equal(await page.locator('.origin tbody tr').count(), trace.length);
    const entries = data.timelines[data.moments[data.first]!.timeline]!.entries;
    assert.equal(await page.locator('#series .labels li').count(), entries.length);
  });

  it('shows markup as text, at the width of a telephone too', async () => {
    for (const width of [1280, 360]) {
      const page = await open(await dataOf(question, '2020-06-01', 10), { width });
      await page.getByRole('button', { name: /^Show all \d+ passages$/ }).click();
      const card = page.locator('.card[data-id="markup"]');
      assert.match(await card.innerText(), /<img src=x onerror="window.hacked = 1">/);
      assert.equal(await page.evaluate('window.hacked'), undefined);
      assert.equal(await page.locator('img, iframe, #question script').count(), 0);
      assert.equal(await overflow(page), 0, `${width} px`);
    }
  });

  it('draws no ends of a date that lie beyond the axis', async () => {
    const data = await dataOf(question, '2020-06-01');
    const { result } = data.moments[data.first]!;
    const [first] = result.evidence;
    const year = { start_iso: '2019-01-01', end_iso: '2019-12-31', granularity: 'year' };
    const century = { start_iso: '1901-01-01', end_iso: '2100-12-31', granularity: 'year' };
    const evidence = [{ ...first!, dates: [year, century] }];
    const moment = { result: { ...result, evidence }, timeline: 0 };
    const page = await open({ ...data, moments: [moment], first: 0, unlimited: moment.result });
    const { rows, ticks } = await marksOf(page, '#timeline');
    assert.ok(ticks.at(-1)!.at < Date.UTC(2100, 0));
    assert.equal(rows[0]!.dates, 2, 'the two of the year');
    const width = await page.locator('#timeline svg.marks').evaluate((svg) => svg.clientWidth);
    const lines = await page
      .locator('.stretch line')
      .evaluateAll((each) =>
        each.map((line) =>
          [line.getAttribute('x1'), line.getAttribute('x2')].map((x) => Math.abs(Math.round(+x!))),
        ),
      );
    assert.deepEqual(lines[1], [0, width]);
  });

  it('compares the results as of two times, and says what changed', async () => {
    const page = await open(await dataOf(question, '2020-06-01'));
    await page.getByRole('button', { name: 'Compare with another time' }).click();
    assert.match(await page.locator('.comparison').innerText(), /Move the slider/);
    await page.getByRole('slider', { name: 'Ask as of' }).focus();
    await page.keyboard.press('End');
    await assertAnswer(page, 'Dimas Orr');
    const sides = await page.locator('.sides > div').allInnerTexts();
    assert.match(sides[0]!, /^As of 1 June 2020\s+Bruno Hale/);
    assert.match(sides[1]!, /^As of 25 October 2022\s+Dimas Orr/);
    const changes = await page.locator('.comparison tbody tr').allInnerTexts();
    const of = (name: string): string => changes.find((row) => row.startsWith(name))!;
    assert.match(of('Bruno Hale'), /no\. 1\s.*ended 5 September 2022/);
    assert.match(of('Dimas Orr'), /not yet published\s+no\. 1\s+published 25 October 2022/);
    assert.deepEqual(await violations(page), []);
    await page.getByRole('button', { name: 'Stop comparing with 1 June 2020' }).click();
    assert.equal(await page.locator('.comparison').innerText(), '');
  });

  it('stays usable with hundreds of passages', async () => {
    const data = await dataOf(question, '2020-06-01');
    const { result } = data.moments[data.first]!;
    const [first] = result.evidence;
    const many = Array.from({ length: 400 }, (_, nth) => ({
      ...first!,
      id: `p${nth}`,
      title: `Passage ${nth}`,
      rank: nth + 1,
    }));
    const moment = { result: { ...result, evidence: many }, timeline: 0 };
    const page = await open({ ...data, moments: [moment], first: 0, unlimited: moment.result });
    assert.equal((await marksOf(page, '#timeline')).rows.length, 12);
    assert.equal(await page.locator('.card').count(), 12);
    await page.getByRole('button', { name: 'Show all 400', exact: true }).click();
    assert.equal((await marksOf(page, '#timeline')).rows.length, 400);
    assert.equal(await page.locator('#timeline .labels button[tabindex="0"]').count(), 1);
    assert.match(await page.evaluate('document.activeElement.innerText'), /Passage 12/);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.dataset.id'), 'p399');
  });
});
