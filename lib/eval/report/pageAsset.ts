// Bundled script and style of the report's page.
import { readFileSync } from 'node:fs';
import { AsOfError } from '../../errors.js';

export interface PageAsset {
  script: string;
  style: string;
}

/** The same place from lib/ and from dist/. */
const folder = new URL('../../../dist/report/', import.meta.url);

/** Errors: ERR_NOT_FOUND where the package was not built whole. */
export function pageAsset(): PageAsset {
  return { script: read('page.js'), style: read('page.css') };
}

function read(name: string): string {
  try {
    return readFileSync(new URL(name, folder), 'utf8');
  } catch (cause) {
    const message = `Expected the page of reports at dist/report/${name}, found none. Build the package with npm run build, or install it anew.`;
    throw new AsOfError('ERR_NOT_FOUND', message, { cause });
  }
}
