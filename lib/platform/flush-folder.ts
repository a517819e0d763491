import fs from 'node:fs';

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
