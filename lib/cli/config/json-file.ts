import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { CliError } from '@/lib/cli/cli-error';
import { EXIT } from '@/lib/cli/exit-codes';

/** Reads an object from a file; an empty one when the file is missing. @throws CliError when it cannot be read */
export function readJsonFile(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return {};
    throw fileError(`We couldn’t read ${file}.`, error, 'Check the permissions of the file.');
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // The message of JSON.parse quotes the text, which may be a secret.
  }
  throw new CliError({
    message: `${file} is damaged.`,
    code: 'damaged_file',
    exitCode: EXIT.failure,
    next: 'Delete the file and sign in again: eds login',
  });
}

/**
 * Replaces a file that only its owner may read. A process that is killed at any point leaves the old file or the new one.
 * @throws CliError when the folder cannot be written
 */
export function writeJsonFile(file: string, value: object): void {
  try {
    const target = fs.existsSync(file) ? fs.realpathSync(file) : file;
    const temporary = `${target}.${randomBytes(4).toString('hex')}.tmp`;
    try {
      const handle = fs.openSync(temporary, 'wx', 0o600);
      fs.writeSync(handle, `${JSON.stringify(value, null, 2)}\n`);
      fs.fsyncSync(handle);
      fs.closeSync(handle);
      fs.renameSync(temporary, target);
    } finally {
      fs.rmSync(temporary, { force: true });
    }
    syncFolder(path.dirname(target));
  } catch (error) {
    throw notWritable(path.dirname(file), error);
  }
}

/** Creates the folder, which only its owner may enter, and checks that it can be written. @throws CliError when it cannot */
export function prepareFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.accessSync(folder, fs.constants.W_OK);
  } catch (error) {
    throw notWritable(folder, error);
  }
}

/** Makes the rename durable. Windows cannot open a folder, and needs it less. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = fs.openSync(folder, 'r');
  fs.fsyncSync(handle);
  fs.closeSync(handle);
}

export function notWritable(folder: string, error: unknown): CliError {
  return fileError(
    `We couldn’t write to ${folder}.`,
    error,
    'Set EDS_CONFIG_DIR to a folder that you can write, or set EDS_API_KEY instead of signing in.',
  );
}

function fileError(message: string, error: unknown, next: string): CliError {
  const reason = error instanceof Error ? error.message : undefined;
  return new CliError({ message, reason, next, code: codeOf(error) ?? 'file_error', exitCode: EXIT.failure });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}
