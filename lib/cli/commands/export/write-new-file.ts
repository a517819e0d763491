import fs from 'node:fs';
import path from 'node:path';
import { CliError } from '@/lib/cli/cli-error';
import { temporaryName } from '@/lib/cli/config/json-file';

/** Checks before the download that the file can be written. @throws CliError when it exists, or its folder does not */
export function checkTarget(file: string, mayReplace: boolean): void {
  const stats = fs.statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() === false) {
    throw new CliError(`${file} is not a file.`, 'not_a_file', { next: 'Give the path of a file.' });
  }
  if (stats !== undefined && !mayReplace) throw exists(file);
  try {
    fs.accessSync(path.dirname(file), fs.constants.W_OK);
  } catch (error) {
    throw notWritten(file, error);
  }
}

/**
 * Writes a file that appears once it is complete, and that only its owner may read. A failure leaves nothing behind.
 * @returns its size in bytes
 * @throws CliError when it exists, unless `mayReplace`, or cannot be written
 */
export async function writeNewFile(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  mayReplace: boolean,
): Promise<number> {
  const temporary = temporaryName(file, 'part');
  const handle = openNew(file, temporary);
  try {
    let bytes = 0;
    for await (const chunk of chunks) {
      storing(file, () => fs.writeFileSync(handle, chunk));
      bytes += chunk.length;
    }
    storing(file, () => {
      fs.fsyncSync(handle);
      if (mayReplace) fs.renameSync(temporary, file);
      // Unlike a rename, a link fails when another process has created the file meanwhile.
      else linkNew(temporary, file);
    });
    return bytes;
  } finally {
    fs.closeSync(handle);
    fs.rmSync(temporary, { force: true });
  }
}

function openNew(file: string, temporary: string): number {
  return storing(file, () => fs.openSync(temporary, 'wx', 0o600));
}

function linkNew(temporary: string, file: string): void {
  try {
    fs.linkSync(temporary, file);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw exists(file);
    // A file system without links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error;
    if (fs.existsSync(file)) throw exists(file);
    fs.renameSync(temporary, file);
  }
}

function storing<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof CliError ? error : notWritten(file, error);
  }
}

function exists(file: string): CliError {
  const next = 'Choose another file, or add --force to replace it.';
  return new CliError(`${file} already exists.`, 'file_exists', { next });
}

function notWritten(file: string, error: unknown): CliError {
  const { message, code = 'file_error' } = error as NodeJS.ErrnoException;
  return new CliError(`We couldn’t write ${file}.`, code, { reason: message });
}
