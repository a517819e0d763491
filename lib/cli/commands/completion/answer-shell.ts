import { configFolder } from '@/lib/cli/config/paths';
import { readSettings } from '@/lib/cli/config/settings';
import { GLOBAL_OPTIONS } from '@/lib/cli/global-options';
import { flag } from '@/lib/cli/options';
import { sanitize } from '@/lib/cli/output/sanitize';
import type { Terminal } from '@/lib/cli/terminal';
import { type Candidate, complete, type Grammar } from './complete';

/** Answers `eds __complete`, which the scripts of shells ask: a line for each candidate. It never fails and says nothing else. */
export function answerShell(terminal: Terminal, words: readonly string[], commands: Grammar['commands']): void {
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
