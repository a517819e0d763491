import type { Terminal } from '@/lib/cli/terminal';
import { parseJson } from './parse-json';
import { readArgument } from './read-argument';
import { usageError } from './usage-error';

export interface JsonArgument {
  /** The option that it was given with, for errors. */
  option: string;
  /** What it is, such as "the data of the event". */
  what: string;
}

/**
 * Reads a JSON object that was given as text, as `@file`, or as `-` for standard input.
 * @throws CliError when it cannot be read, or is not a JSON object
 */
export async function readJsonArgument(
  terminal: Terminal,
  argument: string,
  { option, what }: JsonArgument,
): Promise<object> {
  const name = argument === '-' ? 'Standard input' : argument.startsWith('@') ? argument.slice(1) : option;
  const value = parseJson(await readArgument(terminal, argument, what), name);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw usageError(`${name} must be a JSON object.`, `Give an object, such as '{"id": 1}'.`);
}
