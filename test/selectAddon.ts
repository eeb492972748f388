// Selection of the test addon: loaded by mocha, and imported first by benchmarks, before
// lib/binding.ts loads an addon. ASOF_BINDING names another build, such as the sanitizers'.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const built = fileURLToPath(new URL('../build/test/asof_test.node', import.meta.url));
if (process.env['ASOF_BINDING'] === undefined && existsSync(built))
  process.env['ASOF_BINDING'] = built;

/** The environment without the test addon: processes started with it load the shipped one. */
export function shippedEnvironment(): NodeJS.ProcessEnv {
  const environment = { ...process.env };
  if (environment['ASOF_BINDING'] === built) delete environment['ASOF_BINDING'];
  return environment;
}
