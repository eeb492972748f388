// Element construction; text is inserted as text nodes and never as markup.
export type Child = Node | string | number | false | null | undefined | readonly Child[];
type Listener = (event: Event) => void;
export type Attributes = Readonly<Record<string, string | number | boolean | undefined | Listener>>;

/**
 * An element: functions are listeners (`onclick`), true is an attribute without a value, false and
 * undefined are none.
 */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== undefined && value !== false) element.setAttribute(key, String(value));
  }
  append(element, children);
  return element;
}

function append(parent: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child === false || child === null || child === undefined) continue;
    if (child instanceof Node) parent.appendChild(child);
    else if (typeof child === 'object') append(parent, child);
    else parent.appendChild(document.createTextNode(String(child)));
  }
}

/** Text for screen readers only. */
export const spoken = (text: string): HTMLElement => h('span', { class: 'spoken' }, text);

/** Text of users, isolated from the direction of its surroundings. */
export const quoted = (text: string): HTMLElement => h('bdi', {}, text);

export interface Heading {
  id: string;
  title: string;
  /** Short title for the navigation. */
  short: string;
}

export function section({ id, title, short }: Heading, ...children: Child[]): HTMLElement {
  return h(
    'section',
    { id, 'data-short': short, 'aria-labelledby': `${id}-title` },
    h('h2', { id: `${id}-title` }, title),
    ...children,
  );
}

/** Message of a section without data. */
export const emptyState = (...text: Child[]): HTMLElement => h('p', { class: 'empty' }, ...text);

/** Scrollable container of a wide table, accessible by keyboard. */
export function scrolling(label: string, table: HTMLElement): HTMLElement {
  return h('div', { class: 'scrolling', tabindex: 0, role: 'region', 'aria-label': label }, table);
}

/** Alignment of a column: right-aligned digits, wrapped prose, or default. */
export type Alignment = 'number' | 'prose' | undefined;

type Column = readonly [head: Child, alignment?: Alignment];

export interface Table {
  /** Label for screen readers. */
  label: string;
  class?: string;
  caption?: Child;
  columns: readonly Column[];
  /** The cells of each row, the first of which is its header; a `td` is used as it is. */
  rows: readonly (readonly Child[])[];
  /** The class of a row. */
  rowClass?: (at: number) => string | undefined;
}

export function table({ label, caption, columns, rows, rowClass, ...of }: Table): HTMLElement {
  return scrolling(
    label,
    h(
      'table',
      of,
      caption && h('caption', {}, caption),
      h('thead', {}, h('tr', {}, ...columns.map(columnHead))),
      h('tbody', {}, ...rows.map((cells, at) => tableRow(columns, cells, rowClass?.(at)))),
    ),
  );
}

const columnHead = ([name, alignment]: Column): HTMLElement =>
  h('th', { scope: 'col', class: alignment }, name);

export const tableRow = (
  columns: readonly Column[],
  cells: readonly Child[],
  rowClass?: string,
): HTMLElement =>
  h(
    'tr',
    { class: rowClass },
    ...cells.map((cell, at) => {
      if (cell instanceof HTMLTableCellElement) return cell;
      return at === 0
        ? h('th', { scope: 'row' }, cell)
        : h('td', { class: columns[at]?.[1] }, cell);
    }),
  );

let fields = 0;

export interface Choice {
  value: string;
  /** Default: the value. */
  label?: string;
}

export function select(
  label: string,
  options: readonly Choice[],
  value: string,
  changed: (value: string) => void,
): HTMLElement {
  const id = `field-${(fields += 1)}`;
  const field = h('select', {
    id,
    onchange: (event) => changed((event.target as HTMLSelectElement).value),
  });
  for (const option of options)
    field.append(
      h(
        'option',
        { value: option.value, selected: option.value === value },
        option.label ?? option.value,
      ),
    );
  return h('span', { class: 'field' }, h('label', { for: id }, label), field);
}
