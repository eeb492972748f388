// The page of a report: reads the data beside it and draws its sections. It asks for nothing over a network and keeps nothing.
import type { ReportData } from '../reportData.js';
import { curvesSection } from './curves.js';
import { datesSection } from './dates.js';
import { h, select } from './dom.js';
import { header } from './header.js';
import { heatMapSection } from './heatMap.js';
import { overviewSection } from './overview.js';
import { papersSection } from './papers.js';
import { perturbationSection } from './perturbation.js';
import { questionsSection } from './questions/section.js';
import { tablesSection } from './tables.js';
import { View } from './view.js';

const view = new View(JSON.parse(document.getElementById('report-data')!.textContent!) as ReportData);
const sections = [
  overviewSection, tablesSection, curvesSection, heatMapSection, perturbationSection, datesSection, papersSection, questionsSection,
].map((make) => make(view));

const { metrics } = view.data.comparison;
const links = sections.map((each) => h('a', { href: `#${each.id}` }, each.dataset['short']));
const bar = h('nav', { 'aria-label': 'Sections' },
  h('div', { class: 'links' }, ...links), select('Measure', metrics.map((value) => ({ value })), view.metric, (metric) => view.choose(metric)));
document.getElementById('report')!.append(header(view), bar, h('main', {}, ...sections));

addEventListener('beforeprint', () => document.querySelectorAll<HTMLDetailsElement>('details.origin').forEach((each) => (each.open = true)));
if (location.hash.length > 1 && !location.hash.includes('=')) document.getElementById(location.hash.slice(1))?.scrollIntoView();
