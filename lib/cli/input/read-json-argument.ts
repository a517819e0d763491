import { readFileSync } from 'node:fs';
import { CliError } from '@/lib/cli/cli-error';
import { EXIT } from '@/lib/cli/exit-codes';
import type { Terminal } from '@/lib/cli/terminal';
import { readStdin } from './read-stdin';

/**
 * Reads a JSON object from an argument: JSON text, `@file`, or `-` for standard input.
 * @throws CliError when the file cannot be read, or the text is not a JSON object
 */
export async function readJsonArgument(terminal: Terminal, argument: string, what: string): Promise<object> {
  return parseObject(await readText(terminal, argument, what), what);
}

async function readText(terminal: Terminal, argument: string, what: string): Promise<string> {
  if (argument === '-') return await readStdin(terminal, what);
  if (!argument.startsWith('@')) return argument;
  try {
    return readFileSync(argument.slice(1), 'utf8');
  } catch (error) {
    throw usage(`We couldn’t read ${argument.slice(1)}.`, error instanceof Error ? error.message : undefined);
  }
}

function parseObject(text: string, what: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw usage(`${what} is not JSON.`, error instanceof Error ? error.message : undefined);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw usage(`${what} must be a JSON object.`);
}

function usage(message: string, reason?: string): CliError {
  return new CliError({
    message,
    reason,
    code: 'usage',
    exitCode: EXIT.usage,
    next: 'Give JSON text in single quotes, @file, or - for standard input.',
  });
}
