// The passages in full: text with the winning sentence marked, times, why it ranks there, and every
// score.
import { emptyState, h, quoted, spoken, table, type Child } from '@asof/pages/dom';
import { decimals, score } from '@asof/pages/format';
import type { EvidenceRecord, ResultRecord } from '../../http/pageData.js';
import { askedWords, dateWords, timeWords, validWords } from '../dates.js';
import { askedAtOf, type Row } from '../rows.js';
import { columns, shareWords } from '../scoreWords.js';
import { whyOf } from '../why.js';

/** Cards that are drawn at first. */
const most = 12;

export class Cards {
  readonly element = h('div', { class: 'cards' });
  #rows: readonly Row[] = [];
  #result: ResultRecord | undefined;
  #isWhole = false;
  /** Ids of the passages whose scores are open, kept from one result to the next. */
  readonly #open = new Set<string>();

  draw(rows: readonly Row[], result: ResultRecord): void {
    this.#rows = rows;
    this.#result = result;
    const strong = rows.filter(({ weak }) => !weak).length;
    const shown = this.#isWhole ? rows : rows.slice(0, Math.min(most, strong));
    const more = h(
      'button',
      { type: 'button', class: 'more', onclick: () => this.#showAll() },
      `Show all ${rows.length} passages`,
    );
    this.element.replaceChildren(
      ...(rows.length === 0 ? [emptyState('No passage of the corpus fits, as of that time.')] : []),
      ...shown.map((row) => this.#card(row, result)),
      ...(shown.length < rows.length ? [more] : []),
    );
  }

  reset(): void {
    this.#isWhole = false;
    this.#open.clear();
  }

  /** Moves the focus to a passage. */
  show(id: string): void {
    const at = this.#rows.findIndex((row) => row.id === id);
    if (at < 0) return;
    if (at >= this.element.querySelectorAll('article').length) this.#showAll();
    const card = this.element.children[at] as HTMLElement;
    card.focus({ preventScroll: true });
    card.scrollIntoView({ block: 'nearest' });
  }

  #showAll(): void {
    this.#isWhole = true;
    const before = this.element.querySelectorAll('article').length;
    this.draw(this.#rows, this.#result!);
    (this.element.children[before] as HTMLElement | undefined)?.focus();
  }

  #card(row: Row, result: ResultRecord): HTMLElement {
    const { evidence } = row;
    const heading = h(
      'h3',
      {},
      row.rank !== undefined && h('b', { class: 'rank' }, spoken('Rank '), row.rank),
      quoted(row.title),
    );
    return h(
      'article',
      { class: `card ${row.state}${row.faded ? ' faded' : ''}`, tabindex: -1, 'data-id': row.id },
      heading,
      this.#standing(row, result),
      evidence && h('p', { class: 'text', dir: 'auto' }, ...marked(evidence)),
      times(row),
      row.state === 'evidence' && why(row, result),
      evidence && row.state === 'evidence' && this.#scores(evidence),
    );
  }

  /** What superseded it, or why it is hidden. */
  #standing(row: Row, result: ResultRecord): Child {
    const asked = askedWords(askedAtOf(result), result.time_zone);
    if (row.state === 'later')
      return h(
        'p',
        { class: 'standing' },
        `Not yet published on ${asked}: hidden from the answer.`,
      );
    if (!row.faded) return undefined;
    const { newer, because } = row;
    const isHere = newer !== undefined && this.#rows.some(({ id }) => id === newer);
    const what = because ?? 'superseded';
    return h(
      'p',
      { class: 'standing' },
      `${what.charAt(0).toUpperCase()}${what.slice(1)}. `,
      isHere &&
        h(
          'button',
          { type: 'button', class: 'link', onclick: () => this.show(newer) },
          'Show what superseded it',
        ),
    );
  }

  #scores(evidence: EvidenceRecord): HTMLElement {
    const { id, shares = {} } = evidence;
    const details = h('details', {}, h('summary', {}, 'Every score in words'));
    const fill = (): void => {
      if (!details.open) {
        this.#open.delete(id);
        return;
      }
      this.#open.add(id);
      if (details.children.length > 1) return;
      details.append(scoreTable(evidence));
      if (Object.keys(shares).length > 0) details.append(shareList(evidence));
    };
    details.addEventListener('toggle', fill);
    details.open = this.#open.has(id);
    return details;
  }
}

function why(row: Row, result: ResultRecord): HTMLElement {
  const [standing, clauses] = whyOf(row, result);
  return h('p', { class: 'why' }, h('b', {}, standing), ': ', `${clauses.join('; ')}.`);
}

function times(row: Row): HTMLElement | false {
  const { publishedText, valid, dates, evidence } = row;
  const shown = dates.slice(0, 4).map((each) => dateWords(each, evidence?.time_zone));
  const more = dates.length > 4 ? ` and ${dates.length - 4} more` : '';
  const parts: [kind: string, words: string][] = [
    ...(publishedText === undefined
      ? []
      : [['publication', `published ${timeWords(publishedText)}`] as [string, string]]),
    ...(valid ? [['validity', validWords(valid)] as [string, string]] : []),
    ...(shown.length > 0
      ? [['date', `speaks of ${shown.join('; ')}${more}`] as [string, string]]
      : []),
  ];
  if (parts.length === 0) return h('p', { class: 'times' }, 'No time of its own.');
  return h(
    'p',
    { class: 'times' },
    ...parts.map(([kind, words]) =>
      h('span', {}, h('i', { class: `sign ${kind}`, 'aria-hidden': 'true' }), words),
    ),
  );
}

/** The text with its winning sentence marked. */
function marked({ text, sentence }: EvidenceRecord): Child[] {
  const at = sentence === undefined ? -1 : text.indexOf(sentence);
  if (at < 0 || sentence === undefined) return [text];
  return [text.slice(0, at), h('mark', {}, sentence), text.slice(at + sentence.length)];
}

const scoreTable = ({ rank, scores }: EvidenceRecord): HTMLElement =>
  table({
    label: `Scores of passage ${rank}`,
    columns: [['score'], ['value', 'number'], ['what it is', 'prose']],
    rows: Object.entries(scores).map(([name, value]) => [
      columns[name] ? [columns[name].name, ' ', h('code', {}, name)] : h('code', {}, name),
      score(value),
      columns[name]?.meaning ?? 'A column of this system.',
    ]),
  });

/** What raised the rank and what lowered it, as bars around a middle. */
function shareList({ rank, shares = {} }: EvidenceRecord): HTMLElement {
  const all = Object.entries(shares).filter(([, value]) => Math.abs(value) >= 0.005);
  const greatest = Math.max(...all.map(([, value]) => Math.abs(value)), 1e-9);
  const rows = all.map(([name, value]): Child[] => {
    const bar = h('i', { class: value < 0 ? 'share lowers' : 'share raises' });
    bar.style.setProperty('width', `${((50 * Math.abs(value)) / greatest).toFixed(1)}%`);
    const sign = value < 0 ? '' : '+';
    return [
      shareWords[name] ?? name,
      h('td', { class: 'bars', 'aria-hidden': 'true' }, bar),
      `${sign}${decimals(value, 2)}`,
    ];
  });
  return table({
    label: `What raised and lowered the score of passage ${rank}`,
    class: 'shares',
    caption: 'What raised (+) and lowered (−) the logarithm of its score',
    columns: [['what'], [spoken('bar')], ['share', 'number']],
    rows,
  });
}
