import { configFolder, readSettings } from '@/lib/cli/config/settings';
import { flag, GLOBAL_OPTIONS } from '@/lib/cli/options';
import {
  type ArgumentSpec,
  type CommandSpec,
  type Commands,
  command,
  type OptionSpec,
  plainHelp,
  visible,
} from '@/lib/cli/spec';
import type { Terminal } from '@/lib/cli/terminal';
import { sanitize } from '@/lib/platform/terminal/sanitize';

// Each script asks `eds __complete`, so that it fits every version of the program. A line of its answer is a candidate, or a
// candidate, a tab and a description. Without candidates the shell completes files.

const BASH = `# bash completion for eds
_eds() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <("$1" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  # A candidate that ends with "=" waits for its value.
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o default -F _eds eds
`;

const ZSH = `#compdef eds
# zsh completion for eds
_eds() {
  local line
  local -a found
  for line in "\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -z $line ]] && continue
    # _describe separates a candidate from its description by a colon.
    if [[ $line == *$'\\t'* ]]; then
      found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    else
      found+=("\${line//:/\\\\:}")
    fi
  done
  if (( \${#found} )); then _describe 'eds' found; else _files; fi
}
if [[ $funcstack[1] == _eds ]]; then _eds "$@"; else compdef _eds eds; fi
`;

const FISH = `# fish completion for eds
function __eds_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  command eds __complete $words[2..-1] "$current" 2>/dev/null
end
complete -c eds -f -a '(__eds_complete)'
complete -c eds -n 'test -z "$(__eds_complete)"' -F
`;

/** The script of each shell. */
const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH };

export const completion = command({
  summary: 'Write a shell completion script.',
  args: { shell: { description: 'shell', choices: Object.keys(SCRIPTS) } },
  examples: {
    'completion bash > ~/.local/share/bash-completion/completions/eds': 'Complete commands in bash.',
    'completion zsh > ~/.zsh/_eds': 'Complete commands in zsh. The folder must be in fpath.',
    'completion fish > ~/.config/fish/completions/eds.fish': 'Complete commands in fish.',
  },
  run: ({ out }, { args: { shell } }) => {
    const script = SCRIPTS[shell as keyof typeof SCRIPTS];
    if (out.isJson) out.value({ shell, script }, '');
    else out.text(script);
  },
});

/** Answers `eds __complete`, which the scripts of shells ask: a line for each candidate. It never fails and says nothing else. */
export function answerShell(terminal: Terminal, words: readonly string[], commands: Commands): void {
  const help = flag('--help', 'show help');
  const profiles = () => profileNames(terminal);
  for (const candidate of complete(words, { commands, globals: [...GLOBAL_OPTIONS, help], profiles })) {
    terminal.stdout.write(`${toLine(candidate)}\n`);
  }
}

function toLine({ text, description }: Candidate): string {
  return description === undefined ? sanitize(text) : `${sanitize(text)}\t${sanitize(description)}`;
}

function profileNames({ env, platform }: Terminal): string[] {
  try {
    return Object.keys(readSettings(configFolder(env, platform)).profiles);
  } catch {
    return [];
  }
}

type AnyOption = Pick<OptionSpec<unknown>, 'flags' | 'description' | 'kind' | 'choices' | 'completes'>;
type Completes = Pick<ArgumentSpec, 'choices' | 'completes'>;

/** A word that completes a command line. */
interface Candidate {
  text: string;
  description?: string;
}

/** What a command line consists of. */
interface Grammar {
  commands: Commands;
  globals: readonly AnyOption[];
  profiles(): string[];
}

/** The words before the one to complete, as far as they matter for it. */
interface Position {
  /** The commands to choose from; empty inside a command. */
  commands: Commands;
  command: CommandSpec | null;
  /** The command that runs when none is named. */
  fallback?: CommandSpec | undefined;
  /** Arguments given so far. */
  count: number;
  /** The option whose value comes next. */
  pending: AnyOption | null;
  hasEnded: boolean;
}

/**
 * Returns the words that may complete the last of `words`, which may be empty.
 * @param words those after the name of the program, as bash, zsh or fish splits them: bash makes three of `--a=b`
 */
export function complete(words: readonly string[], grammar: Grammar): Candidate[] {
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? '';
  const position = before.reduce((position, word) => advance(position, word, grammar), startOf(grammar));
  const { pending, command, count, hasEnded } = position;
  if (pending !== null) return startingWith(last === '=' ? '' : last, valuesOf(pending, grammar));
  const [name = '', value] = last.split(/=(.*)/s);
  if (!hasEnded && value !== undefined && name.startsWith('-')) {
    const option = optionsOf(position, grammar).find(({ flags }) => namesOf(flags).includes(name));
    return startingWith(last, option === undefined ? [] : prefixed(`${name}=`, valuesOf(option, grammar)));
  }
  if (!hasEnded && last.startsWith('-')) return startingWith(last, optionsOf(position, grammar).flatMap(toCandidates));
  if (command === null) return startingWith(last, namedBy(position.commands));
  const argument = Object.values(command.args ?? {})[count];
  return startingWith(last, argument === undefined ? [] : valuesOf(argument, grammar));
}

function startOf({ commands }: Grammar): Position {
  return { commands, command: null, count: 0, pending: null, hasEnded: false };
}

function advance(position: Position, word: string, grammar: Grammar): Position {
  // bash splits `--option=value` at the equals sign.
  if (position.pending !== null) return word === '=' ? position : { ...position, pending: null };
  if (word === '--') return { ...position, hasEnded: true };
  if (word.startsWith('-') && !position.hasEnded) return afterOption(position, word, grammar);
  if (position.command !== null) return { ...position, count: position.count + 1 };
  return enter(position, word);
}

function afterOption(position: Position, word: string, grammar: Grammar): Position {
  const option = optionsOf(position, grammar).find(({ flags }) => namesOf(flags).includes(word));
  return option === undefined || option.kind === 'flag' ? position : { ...position, pending: option };
}

function enter(position: Position, word: string): Position {
  const found = Object.hasOwn(position.commands, word) ? position.commands[word] : undefined;
  if (found === undefined) return { ...position, commands: {} };
  if ('commands' in found) {
    const fallback = found.commands[found.defaultCommand ?? ''];
    return { ...position, commands: found.commands, fallback: fallback as CommandSpec | undefined };
  }
  return { ...position, command: found, commands: {} };
}

function optionsOf({ command, fallback }: Position, { globals }: Grammar): AnyOption[] {
  return [...visible((command ?? fallback)?.options ?? {}), ...globals];
}

/** `-t, --type <type>` has the names `-t` and `--type`. */
function namesOf(flags: string): string[] {
  return flags.split(/[ ,|]+/).filter((part) => part.startsWith('-'));
}

function valuesOf({ choices, completes }: Completes, { profiles }: Grammar): Candidate[] {
  if (completes === 'profile') return profiles().map((text) => ({ text }));
  return (choices ?? []).map((text) => ({ text }));
}

function toCandidates({ flags, description }: AnyOption): Candidate[] {
  return namesOf(flags)
    .filter((name) => name.startsWith('--'))
    .map((text) => ({ text, description: plainHelp(description) }));
}

function namedBy(commands: Commands): Candidate[] {
  return Object.entries(commands).map(([text, { summary }]) => ({ text, description: plainHelp(summary) }));
}

function prefixed(prefix: string, candidates: Candidate[]): Candidate[] {
  return candidates.map(({ text, ...rest }) => ({ text: `${prefix}${text}`, ...rest }));
}

function startingWith(prefix: string, candidates: Candidate[]): Candidate[] {
  return candidates.filter(({ text }) => text.startsWith(prefix));
}
