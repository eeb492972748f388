// What the page of a question shows in a real Chromium.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

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
      if (!element || element.hidden) return null;
      const { x, width } = element.getBoundingClientRect();
      return { x: x - left, width };
    };
    const middle = (element) => box(element).x + box(element).width / 2;
    const lines = [...svg.querySelectorAll('.grid line')];
    const labels = [...svg.querySelectorAll('[aria-label="x-axis tick label"] text')];
    const frame = svg.parentElement;
    return {
      ticks: labels.map((text, nth) => ({
        at: Date.UTC(Number(text.textContent), 0),
        x: middle(lines[nth]),
      })),
      asked: middle(frame.querySelector('.asked')),
      mask: box(frame.querySelector('.future')),
      rows: [...document.querySelectorAll('${section} .labels li')].map((row) => {
        const of = (kind) => svg.querySelectorAll('.' + kind + ' > [data-id="' + row.dataset.id + '"]');
        const [bar] = of('validity');
        const [dot] = of('publication');
        return {
          id: row.dataset.id,
          faded: row.classList.contains('faded'),
          bar: bar ? { ...box(bar), open: bar.classList.contains('open') } : null,
          dot: dot ? { x: middle(dot), hollow: dot.classList.contains('hollow') } : null,
          dates: of('date').length,
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
