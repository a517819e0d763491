import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildProgram } from './build-program';
import { EXIT } from './cli-error';
import { COMMANDS } from './commands';
import { describeCommands } from './describe-commands';
import { ENVIRONMENT, EXIT_MEANINGS } from './options';
import type { CommandSpec, GroupSpec } from './spec';

const described = describeCommands(COMMANDS).flatMap(({ commands }) => commands);
const texts = { out: () => undefined, err: () => undefined };

/** The guides with a command of `eds` in a block of code. */
function guidesWithCommands(): string[] {
  const files = readdirSync('docs/guides').map((name) => `docs/guides/${name}`);
  return files.filter((file) => /^```sh\n(?:(?!^```)[\s\S])*?^(?:npx )?eds /m.test(readFileSync(file, 'utf8')));
}

/** The commands that run for a line. */
async function commandsOf(line: string): Promise<CommandSpec[]> {
  const ran: CommandSpec[] = [];
  const program = buildProgram(COMMANDS, (spec) => ran.push(spec), texts);
  await program.parseAsync(wordsOf(line), { from: 'user' });
  return ran;
}

function specOf(name: string) {
  return name.split(' ').reduce<unknown>(
    (found, word) => {
      return ('commands' in (found as GroupSpec) ? (found as GroupSpec).commands : {})[word];
    },
    { commands: COMMANDS },
  );
}

describe('the reference of the commands', () => {
  it('describes each command with a sentence and an example that parses', async () => {
    for (const { name, summary, examples } of described) {
      expect(summary, name).toMatch(/^[A-Z].*\.$/);
      expect(examples.length, `${name} has an example`).toBeGreaterThan(0);
      for (const { line, does } of examples) {
        expect(does, line).toMatch(/^[A-Z].*\.$/);
        expect(await commandsOf(line), line).toEqual([specOf(name)]);
      }
    }
  });

  it.each(['README.md', 'lib/client/README.md', ...guidesWithCommands()])('parses the commands of %s', async (file) => {
    const blocks = [...readFileSync(file, 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
    const lines = blocks.flatMap((code) =>
      [...code.matchAll(/^(?:npx )?eds ([^#\n]+)/gm)].map(([, line = '']) => line.trim()),
    );
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(await commandsOf(line), line).toHaveLength(1);
    }
  });

  it('has no two commands of one name', () => {
    const names = described.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });

  it('lists every exit code and every variable in the help', () => {
    expect(EXIT_MEANINGS.map(({ code }) => code)).toEqual(Object.values(EXIT));
    const help: string[] = [];
    const program = buildProgram(COMMANDS, () => undefined, { out: (text) => help.push(text), err: texts.err });
    program.outputHelp();
    for (const { name } of ENVIRONMENT) expect(help.join('')).toContain(name);
  });
});

/** Splits as a shell does, for the simple quotes that examples use; redirections and pipes are left out. */
function wordsOf(line: string): string[] {
  const [own = ''] = line.split(/ (?:<|>|\|) /);
  return [...own.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}
