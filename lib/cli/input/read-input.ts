import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CliError, EXIT, usageError } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import type { Terminal } from '@/lib/cli/terminal';

const STRINGS_AND_NUMBERS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** More than the largest body that the API takes. */
export const MAX_INPUT_BYTES = 1024 * 1024;

/** Said in the help of each option that asks for a secret: a secret in a flag would be in the history of the shell. */
export const FROM_WHERE = 'read from `EDS_SECRET` or standard input';

/**
 * Reads a secret: EDS_SECRET, else standard input without its final line break, else a prompt that does not show it.
 * @param what completes "Enter …"
 * @throws CliError when it is empty
 */
export async function readSecret({ terminal, signal }: Context, what: string): Promise<string> {
  const { EDS_SECRET } = terminal.env;
  const given =
    EDS_SECRET || (terminal.stdin.isTTY ? await prompt(terminal, what, signal) : await piped(terminal, what));
  if (given !== '') return given;
  throw new CliError(`${what.charAt(0).toUpperCase()}${what.slice(1)} is empty.`, 'usage', {
    exitCode: EXIT.usage,
    next: 'Pipe it to standard input, or set EDS_SECRET.',
  });
}

async function piped(terminal: Terminal, what: string): Promise<string> {
  return (await readStdin(terminal, what)).replace(/\r?\n$/, '');
}

async function prompt({ stdin, stderr }: Terminal, what: string, signal: AbortSignal): Promise<string> {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: hidden, terminal: true });
  // In raw mode, Ctrl-C is a key.
  lines.on('SIGINT', () => process.emit('SIGINT'));
  stderr.write(`Enter ${what}: `);
  try {
    return await lines.question('', { signal });
  } finally {
    stderr.write('\n');
    lines.close();
  }
}

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
export async function readJsonArgument(terminal: Terminal, argument: string, described: JsonArgument): Promise<object> {
  const name = nameOf(argument, described);
  return asObject(parseJson(await readArgument(terminal, argument, described), name), name);
}

/**
 * Reads the text of a JSON object, given as for `readJsonArgument`. Large numbers keep their digits.
 * @throws CliError when it cannot be read, or is not a JSON object
 */
export async function readObjectText(terminal: Terminal, argument: string, described: JsonArgument): Promise<string> {
  const name = nameOf(argument, described);
  const text = await readArgument(terminal, argument, described);
  asObject(parseRounded(text, name), name);
  return text;
}

function nameOf(argument: string, { option }: JsonArgument): string {
  return argument === '-' ? 'Standard input' : argument.startsWith('@') ? argument.slice(1) : option;
}

function asObject(value: unknown, name: string): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw usageError(`${name} must be a JSON object.`, `Give an object, such as '{"id": 1}'.`);
}

/**
 * Parses JSON that is sent to the API.
 * @param name how an error calls it, such as "--data"
 * @throws CliError when it is not JSON, or has a number that would be sent as another one
 */
export function parseJson(text: string, name: string): unknown {
  const value = parseRounded(text, name);
  const rounded = text.match(STRINGS_AND_NUMBERS)?.find((token) => !token.startsWith('"') && isRounded(token));
  if (rounded === undefined) return value;
  throw usageError(`${name} has the number ${rounded}, which would be rounded.`, 'Send it as a string.');
}

/** Parses JSON; large numbers are rounded. @throws CliError when it is not JSON */
export function parseRounded(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The message quotes a part of the text, which may be long or of several lines.
    const fault = (error as Error).message.replace(/, ("|\.{3}).*/s, '').replaceAll('\n', ' ');
    throw usageError(`${name} is not JSON: ${fault}.`, `Put it in single quotes, such as '{"id": 1}'.`);
  }
}

/** Integers above 2^53 are rounded; the digits after a point may always be. */
function isRounded(token: string): boolean {
  const number = Number(token);
  if (!Number.isFinite(number)) return true;
  return /^-?\d+$/.test(token) && BigInt(token) !== BigInt(number);
}

/**
 * Returns the text of an argument: `-` is standard input, `@file` a file, all else the text itself.
 * @throws CliError when it cannot be read, is longer than 1 MiB, or is not UTF-8
 */
async function readArgument(terminal: Terminal, argument: string, described: JsonArgument): Promise<string> {
  return decodeUtf8(await readBytes(terminal, argument, described.what), nameOf(argument, described));
}

/** Returns what `readArgument` reads, byte for byte. */
export async function readBytes(terminal: Terminal, argument: string, what: string): Promise<Buffer> {
  if (argument === '-') return await bytesOfStdin(terminal, what);
  if (!argument.startsWith('@')) return Buffer.from(argument);
  const path = argument.slice(1);
  return await collect(createReadStream(path), path).catch((error: unknown) => {
    const code = (error as NodeJS.ErrnoException).code;
    throw code === undefined || !/^E[A-Z]+$/.test(code) ? error : usageError(`We couldn’t read ${path}: ${code}.`);
  });
}

/** Reads standard input to its end. @throws CliError when it is a terminal, longer than 1 MiB, or not UTF-8 */
export async function readStdin(terminal: Terminal, what: string): Promise<string> {
  return decodeUtf8(await bytesOfStdin(terminal, what), 'Standard input');
}

/** Decodes text. @param name how its error calls it @throws CliError when it is not UTF-8: its characters would be replaced */
export function decodeUtf8(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw usageError(`${name} is not UTF-8.`, 'Convert it to UTF-8.');
  }
}

async function bytesOfStdin({ stdin }: Terminal, what: string): Promise<Buffer> {
  if (stdin.isTTY) throw usageError(`Pipe ${what} to standard input.`);
  return await collect(stdin, 'Standard input');
}

/** Reads a stream to its end. @param name how its error calls it @throws CliError when it is longer than 1 MiB */
async function collect(stream: AsyncIterable<Buffer | string>, name: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Buffer);
    size += bytes.length;
    if (size > MAX_INPUT_BYTES) throw usageError(`${name} is longer than 1 MiB.`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
