// The options of a bench: Node's parseArgs, and --help, which prints what the bench's own file
// opens with. A wrong option is one line and exit code 2. It knows no option but --help.
import { readFileSync } from 'node:fs';
import { parseArgs as parse, type ParseArgsConfig } from 'node:util';

export function parseArgs<T extends ParseArgsConfig>(config: T): ReturnType<typeof parse<T>> {
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    console.log(openingComment(readFileSync(process.argv[1]!, 'utf8')));
    process.exit(0);
  }
  try {
    return parse(config);
  } catch (fault) {
    console.error(`${(fault as Error).message.replace(/\.?$/, '.')} See --help.`);
    process.exit(2);
  }
}

/** The lines of comment that a file opens with, without their slashes. */
function openingComment(source: string): string {
  const lines = source.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^\/\/ ?/, ''))
    .join('\n');
}
