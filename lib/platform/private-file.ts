import fs from 'node:fs';

/**
 * Writes JSON that only this user may read. Writes a temporary file, flushes it and renames it: after a crash, the
 * file is the old one or the new one, never a partial one.
 */
export function writePrivateJson(file: string, value: unknown): void {
  fs.rmSync(`${file}.new`, { force: true });
  fs.writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
  fs.renameSync(`${file}.new`, file);
}

/** Writes the names in a folder to the disk, so that a renamed file keeps its name after a power failure. */
export function flushFolder(folder: string): void {
  // Windows cannot open folders, and keeps its own journal of names.
  if (process.platform === 'win32') return;
  const handle = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}
