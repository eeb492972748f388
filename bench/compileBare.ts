// Compiles a program of C++ against the very objects that the addon was linked of, for benches that
// want native code without Node. Where there are none (a prebuilt addon) it says so; it never
// builds the addon itself.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(fileURLToPath(import.meta.url), '../..');

/** The path of the program below `folder`, or why there is none. */
export function compileBare(source: string, folder: string): { program: string } | { why: string } {
  const objects = join(root, 'build', 'libasof_native.a');
  if (!existsSync(objects)) return { why: 'the addon was not built here: npm run build:native' };
  const program = join(folder, basename(source, '.cpp'));
  const level = process.arch === 'x64' ? ['-march=x86-64-v2'] : [];
  try {
    execFileSync(
      'c++',
      [
        '-std=c++20',
        '-O2',
        ...level,
        '-I',
        join(root, 'native'),
        join(root, source),
        objects,
        '-pthread',
        '-ldl',
        '-o',
        program,
      ],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
  } catch (error) {
    const said = String((error as { stderr?: Buffer }).stderr ?? (error as Error).message).split(
      '\n',
    );
    return { why: said.find((line) => /error|ENOENT/.test(line)) ?? 'the compiler failed' };
  }
  return { program };
}
