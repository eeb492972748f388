// Pages of questions in a real Chromium, with everything that goes wrong in them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { chromiumPath, howToGet, startChromium } from '../eval/report/chromium.js';

export interface Shown {
  width?: number;
  scheme?: 'light' | 'dark';
}

export interface PageBrowser {
  open(address: string, shown?: Shown): Promise<Page>;
}

/**
 * A browser for a suite of tests, which fails where a page has errors, warnings of the console, or
 * requests beyond `isOwn`. Call it in a describe.
 */
export function withBrowser(
  isOwn: (address: string) => boolean,
  expected: RegExp = /^$/,
): PageBrowser {
  let browser: Browser | undefined;
  let faults: string[] = [];
  const opened: Page[] = [];
  before(async function () {
    const path = chromiumPath();
    if (path === undefined) {
      console.log(`      skipped: ${howToGet}`);
      return this.skip();
    }
    execFileSync(process.execPath, [
      fileURLToPath(new URL('../../scripts/build-pages.cjs', import.meta.url)),
    ]);
    browser = await startChromium(path);
  });
  afterEach(async () => {
    for (const page of opened.splice(0)) await page.context().close();
    const all = faults;
    faults = [];
    assert.deepEqual(all, []);
  });
  after(() => browser?.close());
  return {
    async open(address, { width = 1280, scheme = 'light' } = {}) {
      const context = await browser!.newContext({
        viewport: { width, height: 900 },
        colorScheme: scheme,
        reducedMotion: 'reduce',
      });
      context.setDefaultTimeout(15_000);
      const page = await context.newPage();
      const fault = (text: string): void => {
        if (!expected.test(text)) faults.push(text);
      };
      page.on('request', (request) => {
        const url = request.url();
        if (url !== address && !url.startsWith('data:') && !isOwn(url)) fault(`request ${url}`);
      });
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) fault(`console ${message.text()}`);
      });
      page.on('pageerror', (error) => fault(`error ${error.message}`));
      opened.push(page);
      await page.goto(address);
      return page;
    },
  };
}

export const drawn = (page: Page): Promise<unknown> => page.waitForSelector('#timeline svg.marks');

/**
 * Waits until an expression holds in the page; `waitForFunction` evaluates in the page's own
 * script, which the policy of the page forbids.
 */
export async function until(page: Page, expression: string): Promise<void> {
  for (const end = Date.now() + 15_000; !(await page.evaluate<boolean>(expression)); ) {
    assert.ok(Date.now() < end, `waited for ${expression}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

export const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Violations of accessibility rules, as `rule: element`. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => ' +
      'violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })))',
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

export interface Marks {
  /** Epoch milliseconds of the year that a tick names, and its place. */
  ticks: { at: number; x: number }[];
  asked: number;
  mask: { x: number; width: number } | null;
  rows: {
    id: string;
    faded: boolean;
    bar: { x: number; width: number; open: boolean } | null;
    dot: { x: number; hollow: boolean } | null;
    dates: number;
  }[];
}

/** The geometry of a figure as the browser laid it out, relative to the figure. */
export const marksOf = (page: Page, section: string): Promise<Marks> =>
  page.evaluate(`(() => {
    const svg = document.querySelector('${section} svg.marks');
    const left = svg.getBoundingClientRect().x;
    const box = (element) => {
      if (!element) return null;
      const { x, width } = element.getBoundingClientRect();
      return { x: x - left, width };
    };
    const middle = (element) => box(element).x + box(element).width / 2;
    const lines = [...svg.querySelectorAll('.grid line')];
    return {
      ticks: [...svg.querySelectorAll('.grid text')].map((text, nth) => ({
        at: Date.UTC(Number(text.textContent), 0),
        x: middle(lines[nth]),
      })),
      asked: middle(svg.querySelector('line.asked')),
      mask: box(svg.querySelector('rect.future')),
      rows: [...svg.querySelectorAll('g.row')].map((row) => {
        const bar = row.querySelector('.validity');
        const dot = row.querySelector('.publication');
        return {
          id: row.dataset.id,
          faded: row.classList.contains('faded'),
          bar: bar && { ...box(bar), open: bar.classList.contains('open') },
          dot: dot && { x: middle(dot), hollow: dot.classList.contains('hollow') },
          dates: row.querySelectorAll('.date:not(.span)').length,
        };
      }),
    };
  })()`);

/** Pixels of instants by the labels of the axis, not by the code that draws. */
export function placed({ ticks }: Marks): (instant: number) => number {
  const [first, last] = [ticks[0]!, ticks.at(-1)!];
  assert.ok(last.at > first.at, 'two years on the axis');
  const perMs = (last.x - first.x) / (last.at - first.at);
  return (instant) => first.x + (instant - first.at) * perMs;
}
