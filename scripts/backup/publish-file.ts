import fs from 'node:fs';
import path from 'node:path';
import { flushFolder } from '@/lib/platform/private-file';
import { StartupError } from '@/scripts/start/startup-error.mjs';

/** A file system without hard links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/**
 * Gives a complete, flushed file its final name, unless that is taken. `rename` would replace what has it.
 * @throws StartupError when the name is taken
 */
export function publishFile(unfinished: string, file: string): void {
  try {
    fs.linkSync(unfinished, file);
    fs.rmSync(unfinished);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || (NO_LINKS.includes(code) && fs.existsSync(file))) {
      throw new StartupError(`${file} exists: name a new file.`);
    }
    if (!NO_LINKS.includes(code)) throw error;
    fs.renameSync(unfinished, file);
  }
  flushFolder(path.dirname(file));
}
