import fs from 'node:fs';
import path from 'node:path';
import { CliError } from '@/lib/cli/cli-error';
import { makeFolder } from '@/lib/platform/make-folder';

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
  throw new CliError(`${file} is damaged.`, 'damaged_file', {
    next: 'Correct the file, or delete it and sign in again: eds login',
  });
}

/**
 * Replaces a file that only its owner may read. A process that is killed at any point leaves the old file or the new one. The
 * caller holds the lock of the configuration.
 * @throws CliError when the file cannot be written
 */
export function writeJsonFile(file: string, value: object): void {
  try {
    const target = followLinks(file);
    removeLeftovers(target);
    const temporary = temporaryName(target, 'tmp');
    try {
      fs.writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { flag: 'wx', mode: 0o600, flush: true });
      fs.renameSync(temporary, target);
    } finally {
      fs.rmSync(temporary, { force: true });
    }
    syncFolder(path.dirname(target));
  } catch (error) {
    throw notWritable(path.dirname(file), error);
  }
}

/** Returns the name of a file that is not there yet, next to another one. Not by node:crypto, which is slow to load. */
export function temporaryName(file: string, extension: string): string {
  return `${file}.${Buffer.from(crypto.getRandomValues(new Uint8Array(4))).toString('hex')}.${extension}`;
}

/** Returns the file that a symbolic link names, which need not exist: people keep their configuration in a repository. */
function followLinks(file: string, depth = 0): string {
  const isLink = fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (!isLink || depth > 40) return file;
  return followLinks(path.resolve(path.dirname(file), fs.readlinkSync(file)), depth + 1);
}

/** Removes what a killed process has left: it may hold tokens. */
function removeLeftovers(target: string): void {
  const folder = path.dirname(target);
  const prefix = `${path.basename(target)}.`;
  const isLeftover = (name: string) => name.startsWith(prefix) && /^[0-9a-f]{8}\.tmp$/.test(name.slice(prefix.length));
  for (const name of fs.readdirSync(folder).filter(isLeftover)) fs.rmSync(path.join(folder, name), { force: true });
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
  return new CliError(message, codeOf(error) ?? 'file_error', { reason, next });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

/** What commands keep in the folder of the configuration. */
const OURS = /^((config|credentials|keys)\.json(\.[0-9a-f]{8}\.tmp)?|lock\..+)$/;

/** Creates the folder, which only its owner may enter, and checks that it can be written. @throws CliError when it cannot */
export function prepareFolder(folder: string): void {
  try {
    makeFolder(folder, 0o700);
    fs.accessSync(folder, fs.constants.W_OK);
    closeToOthers(folder);
  } catch (error) {
    throw notWritable(folder, error);
  }
}

/** Only a folder that holds nothing else: EDS_CONFIG_DIR may be /tmp, or a folder that others use. */
function closeToOthers(folder: string): void {
  const { mode, uid } = fs.statSync(folder);
  const isOpen = (mode & 0o077) !== 0 && uid === process.getuid?.();
  if (isOpen && (mode & 0o1000) === 0 && fs.readdirSync(folder).every((name) => OURS.test(name))) {
    fs.chmodSync(folder, 0o700);
  }
}
