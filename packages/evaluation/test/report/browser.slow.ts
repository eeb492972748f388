// A report as a browser shows it: nothing is fetched, nothing fails, every section draws what its
// data has, and people can use it by mouse and keyboard, in light and dark, on paper and on a
// telephone. ASOF_SCREENSHOTS names a folder to keep what it looked like.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { comparisonReport, type Comparison } from '../../lib/index.js';
import { overflow, withBrowser, type Shown } from '../../../pages/test/chromium.js';
import { sample } from '../comparison/sample.js';
import { fullResult, hostileTexts } from './fullResult.js';

const sections = ['overview', 'tables', 'recall', 'groups', 'perturbation', 'dates', 'questions'];

describe('a report in Chromium', function () {
  this.timeout(120_000);
  const full = fullResult();
  let file: string;
  const browser = withBrowser((address) => address === pathToFileURL(file).href);
  before(() => {
    file = join(mkdtempSync(join(tmpdir(), 'asof-report-')), 'report.html');
  });
  after(() => file && rmSync(dirname(file), { recursive: true, force: true }));

  async function open(
    result: Comparison,
    { width = 1440, hash = '', ...shown }: Shown & { hash?: string } = {},
  ): Promise<Page> {
    writeFileSync(file, comparisonReport(result));
    const page = await browser.open(`${pathToFileURL(file).href}${hash}`, { width, ...shown });
    await page.waitForSelector('#overview svg circle');
    return page;
  }

  const count = (page: Page, selector: string): Promise<number> => page.locator(selector).count();

  async function shot(page: Page, name: string): Promise<Buffer> {
    const image = await page.screenshot();
    const folder = process.env['ASOF_SCREENSHOTS'];
    if (folder !== undefined) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${name}.png`), image);
    }
    return image;
  }

  it('draws in every section what the data has', async () => {
    const page = await open(full);
    const systems = full.systems.length;
    assert.deepEqual(
      await page.locator('main > section').evaluateAll((all) => all.map(({ id }) => id)),
      sections,
    );
    assert.equal(await count(page, '#overview figure'), full.sets.length);
    assert.equal(
      await count(page, '#overview svg [aria-label="dot"] circle'),
      systems * full.sets.length,
    );
    assert.equal(await count(page, '#tables .measures tbody tr'), full.cells.length);
    assert.equal(
      await count(page, '#tables .measures .mark.better, #tables .measures .mark.worse'),
      full.significance.filter(({ corrected, pair }) => corrected < 0.05 && pair === 'baseline')
        .length,
    );
    assert.equal(await count(page, '#recall svg [aria-label="line"] path'), systems);
    assert.equal(
      await count(page, '#recall svg [aria-label="dot"] circle'),
      full.cells.flatMap((cell) => cell.curves!.recall).length,
    );
    assert.equal(
      await count(page, '#groups .heat tbody tr'),
      Object.keys(full.sets[0]!.groups!['relation']!).length,
    );
    const points = full.perturbation!.filter(({ metric }) => metric === full.metrics[0]);
    assert.equal(
      await count(page, '#perturbation figure'),
      new Set(full.perturbation!.map(({ kind }) => kind)).size,
    );
    assert.equal(await count(page, '#perturbation svg [aria-label="dot"] circle'), points.length);
    assert.equal(await count(page, '#dates tbody tr'), systems);
    assert.equal(
      await count(page, '#dates svg [aria-label="dot"] path, #dates svg [aria-label="dot"] circle'),
      full.date_scores!.filter(({ relation, year }) => relation === 'before' && year !== null)
        .length,
    );
    assert.equal(await count(page, '#questions .list button'), full.questions!.length);
    assert.equal(await count(page, '#questions .results tbody tr'), 10);
    assert.ok(
      (await count(page, '#questions .timeline [aria-label="link"] path')) > 5,
      'bars of dates',
    );
    assert.ok(
      (await count(page, '#questions .timeline [aria-label="dot"] circle')) > 5,
      'dates on the spline',
    );
    assert.ok((await count(page, '#questions .timeline rect')) > 0, 'the asked stretch');
    assert.equal(
      await count(page, 'main svg:not([role=img] *):not([role=img]):not([aria-hidden])'),
      0,
      'every figure has words',
    );
    const image = await shot(page, 'overview');
    assert.ok(image.length > 20_000, `${image.length} bytes of picture`);
  });

  it('says what is missing where a result has little', async () => {
    const { questions: _, perturbation: _points, ...result } = sample();
    const cells = result.cells.map(({ groups: _groups, curves: _curves, ...cell }) => cell);
    const page = await open({
      ...result,
      significance: [],
      cells,
      sets: result.sets.map(({ groups: _all, ...set }) => set),
    });
    for (const id of ['recall', 'groups', 'perturbation', 'dates', 'questions']) {
      assert.match(await page.locator(`#${id} .empty`).innerText(), /\S/, id);
    }
  });

  it('draws the rest where a part of a result is not as it should be', async () => {
    const { machine: _, ...headless } = fullResult();
    const page = await open({ ...headless, date_scores: [null] } as unknown as Comparison);
    assert.match(await page.locator('header .empty').innerText(), /could not be drawn/);
    assert.match(await page.locator('#dates .empty').innerText(), /could not be drawn/);
    assert.ok((await count(page, '#questions .timeline svg')) > 0);
  });

  it('works by mouse: a metric, hidden systems, a sorted table, a question, a system', async () => {
    const page = await open(full);
    await page.locator('nav select').selectOption('mrr@10');
    assert.match(await page.locator('#overview .lead').innerText(), /^mrr@10/);
    await page.locator('#overview .legend button').first().click();
    assert.equal(
      await count(page, '#recall svg [aria-label="line"] path'),
      full.systems.length - 1,
    );
    await page.locator('#tables thead button', { hasText: 'p50' }).click();
    const times = full.cells.map(({ latency_ms: { p50 } }) => p50).sort((a, b) => a - b);
    const fastest = full.cells.find(({ latency_ms: { p50 } }) => p50 === times[0])!.system;
    assert.match(
      await page.locator('#tables .measures tbody th').first().innerText(),
      new RegExp(`^${fastest}`),
    );
    await page.locator('#questions .list button').nth(1).click();
    assert.equal(await page.locator('#questions .question').innerText(), full.questions![1]!.text);
    await page.locator('#questions .choose button', { hasText: 'bm25' }).click();
    assert.equal(await page.locator('#questions h4').innerText(), 'Results of bm25');
    await page.locator('#questions').getByLabel('Where').selectOption('hybrid');
    await page.locator('#questions').getByLabel('does better than').selectOption('bm25');
    const better = full.questions!.filter(({ systems }) => {
      const [hybrid, bm25] = ['hybrid', 'bm25'].map(
        (name) => systems.find(({ system }) => system === name)!.metrics['mrr@10']!,
      );
      return hybrid! > bm25!;
    });
    assert.equal(await count(page, '#questions .list button'), better.length);
    await page.locator('#tables summary').first().click();
    // a browser tells of opened details in a task of its own
    await page.locator('#tables details tbody tr').first().waitFor();
    assert.equal(await count(page, '#tables details tbody tr'), full.significance.length);
  });

  it('is used by keyboard, and a question has an address', async () => {
    const page = await open(full);
    await page.locator('#tables thead button').first().focus();
    await page.keyboard.press('Enter');
    assert.equal(
      await page.locator('#tables thead th[aria-sort]').getAttribute('aria-sort'),
      'descending',
    );
    await page.keyboard.press('Enter');
    assert.equal(
      await page.locator('#tables thead th[aria-sort]').getAttribute('aria-sort'),
      'ascending',
    );
    await page.locator('#questions .list button').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.locator('#questions .question').innerText(), full.questions![2]!.text);
    assert.equal(await page.locator('#questions .list [aria-current]').count(), 1);
    const address = new URL(page.url()).hash;
    const other = await open(full, { hash: address });
    assert.equal(await other.locator('#questions .question').innerText(), full.questions![2]!.text);
  });

  it('shows hostile texts as texts', async () => {
    const page = await open(full, { width: 375 });
    await page.locator('#questions .list button').last().click();
    assert.ok(
      (await page.locator('#questions .question').innerText()).startsWith(hostileTexts.markup),
    );
    await page.locator('#questions .choose button').first().click();
    assert.equal(await page.evaluate('window.hacked'), undefined);
    assert.equal(await count(page, 'img, iframe, #report script'), 0);
    assert.equal(await overflow(page), 0);
    await shot(page, 'hostile');
  });

  it('fits a telephone and a wide screen, light and dark', async () => {
    const images = [];
    for (const [width, scheme] of [
      [375, 'light'],
      [375, 'dark'],
      [1440, 'dark'],
    ] as const) {
      const page = await open(full, { width, scheme });
      assert.equal(await overflow(page), 0, `${width} ${scheme}`);
      const style = 'getComputedStyle(document.body)';
      const colours = await page.evaluate<[string, string]>(
        `[${style}.color, ${style}.backgroundColor]`,
      );
      const [ink, paper] = colours.map((colour) => Number(/\d+/.exec(colour)![0]));
      assert.ok(
        scheme === 'dark' ? ink! > paper! + 100 : paper! > ink! + 100,
        `${scheme}: ${colours.join(' on ')}`,
      );
      images.push(await shot(page, `${scheme}-${width}`));
    }
    assert.ok(!images[0]!.equals(images[1]!));
  });

  it('prints: without controls, with what it depends on, no wider than the paper', async () => {
    const page = await open(full, { width: 794 });
    await page.emulateMedia({ media: 'print', colorScheme: 'light' });
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    for (const hidden of ['nav', '#questions .side', '#questions .controls'])
      assert.ok(!(await page.locator(hidden).isVisible()), hidden);
    assert.ok(await page.locator('.origin .facts').isVisible());
    assert.ok(await page.locator('#questions .results').isVisible());
    const paper = await page.pdf({
      format: 'A4',
      margin: { left: '12mm', right: '12mm', top: '12mm', bottom: '12mm' },
    });
    assert.equal(paper.subarray(0, 5).toString(), '%PDF-');
    assert.ok(paper.toString('latin1').match(/\/Type\s*\/Page\b/g)!.length >= 3);
    const folder = process.env['ASOF_SCREENSHOTS'];
    if (folder !== undefined) writeFileSync(join(folder, 'print.pdf'), paper);
  });
});
