import fs from 'node:fs';
import path from 'node:path';
import { StartupError } from './startup-error.mjs';

/** The folder in DATA_DIR that exists while a restore is under way. */
export const RESTORING = 'restoring';

/** @throws StartupError when a restore into DATA_DIR was interrupted: its database may be incomplete */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (!fs.existsSync(path.join(dataDir, RESTORING))) return;
  throw new StartupError(`DATA_DIR: a restore into ${dataDir} did not finish: repeat npm run restore -- FILE.`);
}
