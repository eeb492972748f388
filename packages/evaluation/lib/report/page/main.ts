// Entry of the report's page: draws the sections from the embedded data; a section that fails is
// replaced by its error. No network access.
import type { ReportData } from '../reportData.js';
import { curvesSection } from './curves.js';
import { datesSection } from './dates.js';
import { emptyState, h, section, select } from '@asof/pages/dom';
import { header } from './header.js';
import { heatMapSection } from './heatMap.js';
import { overviewSection } from './overview.js';
import { perturbationSection } from './perturbation.js';
import { questionsSection } from './questions/section.js';
import { tablesSection } from './tables.js';
import { View } from './view.js';

const makers: Readonly<Record<string, (view: View) => HTMLElement>> = {
  Overview: overviewSection,
  Tables: tablesSection,
  Recall: curvesSection,
  Groups: heatMapSection,
  Perturbation: perturbationSection,
  Dates: datesSection,
  Questions: questionsSection,
};

const view = new View(JSON.parse(document.getElementById('page-data')!.textContent) as ReportData);
const parts = Object.entries(makers).map(([name, make]) =>
  drawn(
    () => make(view),
    (why) => section({ id: name.toLowerCase(), title: name, short: name }, why),
  ),
);
const head = drawn(
  () => header(view),
  (why) => h('header', {}, h('h1', {}, view.data.title), why),
);
const { metrics } = view.data.comparison;
const links = parts.map((each) => h('a', { href: `#${each.id}` }, each.dataset['short']));
const bar = h(
  'nav',
  { 'aria-label': 'Sections' },
  h('div', { class: 'links' }, ...links),
  select(
    'Measure',
    metrics.map((value) => ({ value })),
    view.metric,
    (metric) => view.choose(metric),
  ),
);
document.getElementById('report')!.append(head, bar, h('main', {}, ...parts));

addEventListener('beforeprint', () =>
  document
    .querySelectorAll<HTMLDetailsElement>('details.origin')
    .forEach((each) => (each.open = true)),
);
if (location.hash.length > 1 && !location.hash.includes('='))
  document.getElementById(location.hash.slice(1))?.scrollIntoView();

/** Draws a part, or its error for an incomplete result. */
function drawn(make: () => HTMLElement, instead: (why: HTMLElement) => HTMLElement): HTMLElement {
  try {
    return make();
  } catch (fault) {
    const why = fault instanceof Error ? fault.message : String(fault);
    return instead(emptyState(`This part of the result could not be drawn: ${why}`));
  }
}
