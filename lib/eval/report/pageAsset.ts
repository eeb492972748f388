// Bundled script and style of the report's page.
import { readFileSync } from 'node:fs';
import { AsOfError } from '../../errors.js';
import { installedFile } from '../../runtime/installation.js';

export interface PageAsset {
  script: string;
  style: string;
}

/** Errors: ERR_NOT_FOUND for an incomplete build. */
export function pageAsset(): PageAsset {
  return { script: read('page.js'), style: read('page.css') };
}

function read(name: string): string {
  try {
    return readFileSync(installedFile(`dist/report/${name}`), 'utf8');
  } catch (cause) {
    const message = `Expected the page of reports at dist/report/${name}, found none. Build the package with npm run build, or reinstall it.`;
    throw new AsOfError('ERR_NOT_FOUND', message, { cause });
  }
}
