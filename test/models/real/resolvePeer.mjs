// Loaded before the tests of real models: node-llama-cpp is found in the folder that ASOF_REAL_MODELS names, since as an optional peer of
// several hundred megabytes it is no development dependency.
import { register } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = process.env.ASOF_REAL_MODELS;
if (folder) {
  const url = pathToFileURL(
    join(folder, 'npm', 'node_modules', 'node-llama-cpp', 'dist', 'index.js'),
  ).href;
  const hook = `export const resolve = (name, context, next) => name === 'node-llama-cpp' ? { url: ${JSON.stringify(url)}, shortCircuit: true } : next(name, context);`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}
