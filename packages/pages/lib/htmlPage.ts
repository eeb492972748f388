// Self-contained HTML pages: data, script and style inline, under a content security policy that
// permits these and nothing else.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AsOfError } from 'asof';

export interface HtmlPage {
  /** Name of its bundled script and style, in dist/page of the package that it is of. */
  asset: 'report' | 'question';
  /** That package. */
  package: string;
  /** Where dist/page may be; elsewhere, as in a bundle, the installed package has it. */
  folders: readonly string[];
  title: string;
  /** The command that made it. */
  generator: string;
  /** Plain JSON that the script reads from `page-data`. */
  data: unknown;
  /** Whether the script may ask the server that the page came from. Default false. */
  connects?: boolean | undefined;
  /** Whether libraries in the script set style attributes. Default false. */
  styleAttributes?: boolean | undefined;
}

/** The page as text. Errors: ERR_NOT_FOUND for an incomplete build. */
export function htmlPage(page: HtmlPage): string {
  const [script, style] = ['js', 'css'].map((ending) =>
    readAsset(page, `${page.asset}.${ending}`),
  ) as [string, string];
  const policy = [
    "default-src 'none'",
    'img-src data:',
    ...(page.connects ? ["connect-src 'self'"] : []),
    `style-src ${page.styleAttributes ? "'unsafe-inline'" : `'sha256-${sha256(style)}'`}`,
    `script-src 'sha256-${sha256(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<meta name="generator" content="${page.generator}">`,
    `<title>${escapeHtml(page.title)}</title>`,
    '<link rel="icon" href="data:,">',
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<noscript><p>This page draws its tables and figures with an embedded script; allow ' +
      'scripts for it.</p></noscript>',
    `<div id="${page.asset}"></div>`,
    `<script type="application/json" id="page-data">${jsonForScript(page.data)}</script>`,
    `<script>${script}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function readAsset({ package: owner, folders }: HtmlPage, name: string): string {
  const places = [...folders, installedFolder(owner)].filter((each) => each !== undefined);
  for (const place of places)
    if (existsSync(join(place, name))) return readFileSync(join(place, name), 'utf8');
  throw new AsOfError(
    'ERR_NOT_FOUND',
    `Expected a part of the page at dist/page/${name} of ${owner}, found none. ` +
      'Build the package with npm run build, or reinstall it.',
  );
}

/** Its dist/page, found from the working folder; undefined where it is not installed. */
function installedFolder(owner: string): string | undefined {
  const { createRequire } = process.getBuiltinModule('module');
  try {
    const manifest = createRequire(join(process.cwd(), 'index.js')).resolve(
      `${owner}/package.json`,
    );
    return join(dirname(manifest), 'dist', 'page');
  } catch {
    return undefined;
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');

/** JSON that is safe inside a script element, for any string. */
export function jsonForScript(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function escapeHtml(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => names[character]!);
}
