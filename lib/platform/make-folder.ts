import fs from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder and those above it, unless they exist. The `recursive` option of `fs.mkdirSync` never returns where the kernel answers
 * that the parent does not exist although it does, as below /proc.
 *
 * @param mode of each folder that is made
 * @throws NodeJS.ErrnoException when a folder cannot be made, or a file has its name
 */
export function makeFolder(folder: string, mode: number): void {
  if (fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent, mode);
  try {
    fs.mkdirSync(folder, { mode });
  } catch (error) {
    // Another process has made it meanwhile.
    const isMade = (error as NodeJS.ErrnoException).code === 'EEXIST' && fs.statSync(folder).isDirectory();
    if (!isMade) throw error;
  }
}
