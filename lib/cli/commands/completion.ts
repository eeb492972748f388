// `asof completion`: the completion of commands and options in a shell, made of their declarations.
import { AsOfError } from '../../errors.js';
import {
  commonOptions,
  UsageError,
  type Command,
  type CommandModule,
  type Invocation,
} from '../command.js';

const shells = ['bash', 'zsh', 'fish'] as const;

const command: Command = {
  name: 'completion',
  summary: 'Prints a script by which a shell completes commands, options and files.',
  positionals: ['SHELL'],
  options: {},
  details:
    'SHELL is bash, zsh or fish. For the running shell: source <(asof completion bash), ' +
    'source <(asof completion zsh), asof completion fish | source; for all of them, put that ' +
    'into ~/.bashrc, ~/.zshrc (after compinit) or ~/.config/fish/config.fish. Commands of ' +
    'packages that are not installed are completed without their options.',
  example: 'asof completion bash > ~/.local/share/bash-completion/completions/asof',
};

/** A command, its options and their descriptions, for a script. */
interface Completed {
  name: string;
  summary: string;
  options: { name: string; help: string; takesValue: boolean }[];
}

/** A command that is completed. */
interface Entry {
  name: string;
  summary: string;
  load(): Promise<CommandModule>;
}

/** The command, which knows of the others by the registry. */
export const completion = (entries: readonly Entry[]): CommandModule => ({
  command,
  async run({ positionals: [shell], terminal }: Invocation): Promise<void> {
    const known = shells.find((each) => each === shell);
    if (!known)
      throw new UsageError(
        `SHELL must be one of ${shells.join(', ')}, received ${JSON.stringify(shell)}.`,
      );
    await terminal.print(scripts[known](await Promise.all(entries.map(completedOf))));
  },
});

async function completedOf({ name, summary, load }: Entry): Promise<Completed> {
  const options = await load().then(
    (loaded) => ({ ...loaded.command.options, ...commonOptions }),
    (fault: unknown) => {
      if (AsOfError.is(fault) && fault.code === 'ERR_NATIVE_UNAVAILABLE') return commonOptions;
      throw fault;
    },
  );
  return {
    name,
    summary,
    options: Object.entries(options).map(([option, { help, value }]) => ({
      name: option,
      help,
      takesValue: value !== undefined,
    })),
  };
}

const dashed = (name: string): string => `${name.length === 1 ? '-' : '--'}${name}`;
/** First words, and of those that have others behind them these. */
const wordsAfter = (commands: readonly Completed[], first?: string): string[] => [
  ...new Set(
    commands
      .map(({ name }) => name.split(' '))
      .filter((words) => first === undefined || (words[0] === first && words.length > 1))
      .map((words) => words[first === undefined ? 0 : 1]!),
  ),
];

/** Cases of the words before the cursor, each with a blank behind: options, or further words. */
function cases(
  commands: readonly Completed[],
  optionsCase: (options: string) => string,
  wordsCase: (words: string) => string,
): string {
  const groups = wordsAfter(commands).filter((first) => wordsAfter(commands, first).length > 0);
  return [
    ...commands.map(
      ({ name, options }) =>
        `    "${name} "*) ${optionsCase(options.map((each) => dashed(each.name)).join(' '))} ;;`,
    ),
    ...groups.map(
      (each) => `    "${each} ") ${wordsCase(wordsAfter(commands, each).join(' '))} ;;`,
    ),
    `    *) ${wordsCase(wordsAfter(commands).join(' '))} ;;`,
  ].join('\n');
}

const scripts: Record<(typeof shells)[number], (commands: readonly Completed[]) => string> = {
  bash: (commands) => `_asof() {
  local cur=\${COMP_WORDS[COMP_CWORD]} before options
  printf -v before '%s ' "\${COMP_WORDS[@]:1:COMP_CWORD-1}"
  case "$before" in
${cases(
  commands,
  (options) => `options="${options}"`,
  (words) => `COMPREPLY=($(compgen -W "${words}" -- "$cur")); return`,
)}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  fi
}
complete -o filenames -F _asof asof
`,
  zsh: (commands) => `#compdef asof
_asof() {
  local before="\${(j: :)words[2,CURRENT-1]} "
  local -a options
  case "$before" in
${cases(
  commands,
  (options) => `options=(${options})`,
  (words) => `compadd ${words}; return`,
)}
  esac
  if [[ $PREFIX == -* ]]; then compadd -- $options; else _files; fi
}
compdef _asof asof
`,
  fish: (commands) => {
    const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
    const groups = wordsAfter(commands).filter((first) => wordsAfter(commands, first).length > 0);
    const summaryOf = (name: string): string =>
      commands.find((each) => each.name === name)?.summary ?? '';
    const word = (after: string, name: string): string => {
      const summary = summaryOf(`${after} ${name}`.trim());
      const description = summary === '' ? '' : ` -d ${quoted(summary)}`;
      return `complete -c asof -f -n ${quoted(`__asof_after ${quoted(after)}`)} -a ${name}${description}`;
    };
    return `${[
      'function __asof_after',
      '  set -l before (commandline -opc)[2..]',
      '  test "$before" = "$argv"',
      'end',
      'function __asof_in',
      '  set -l before (commandline -opc)[2..]',
      '  string match -q -- "$argv *" "$before "',
      'end',
      ...wordsAfter(commands).map((name) => word('', name)),
      ...groups.flatMap((first) => wordsAfter(commands, first).map((name) => word(first, name))),
      ...commands.flatMap(({ name, options }) =>
        options.map(({ name: option, help, takesValue }) => {
          const kind = option.length === 1 ? '-s' : '-l';
          const value = takesValue ? ' -r' : '';
          const condition = quoted(`__asof_in ${name}`);
          return `complete -c asof -n ${condition} ${kind} ${option}${value} -d ${quoted(help)}`;
        }),
      ),
    ].join('\n')}\n`;
  },
};
