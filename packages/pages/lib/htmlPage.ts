// Self-contained HTML pages: data, script and style inline, under a content security policy that
// permits these and nothing else.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AsOfError } from 'asof';

export interface HtmlPage {
  /** Name of its bundled script and style, in dist/page of the package that it is of. */
  asset: 'report' | 'question';
  /** `import.meta.url` of a module of that package. */
  module: string;
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
  const [script, style] = [`${page.asset}.js`, `${page.asset}.css`].map((name) =>
    readAsset(page.module, name),
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

/** Modules may be sources, or bundled anywhere below dist/. */
function readAsset(module: string, name: string): string {
  const path = fileURLToPath(module);
  const home = path.slice(
    0,
    Math.max(...['dist', 'lib'].map((each) => path.lastIndexOf(`${sep}${each}${sep}`))),
  );
  const file = join(home, 'dist', 'page', name);
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const message =
      `Expected a part of the page at ${file}, found none. ` +
      'Build the package with npm run build, or reinstall it.';
    throw new AsOfError('ERR_NOT_FOUND', message, { cause });
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
