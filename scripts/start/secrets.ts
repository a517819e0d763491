import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { writePrivateJson } from '@/lib/platform/private-file';
import { StartupError } from './startup-error.mjs';

/** Generates each secret that the environment does not set. */
const MAKERS = {
  AUTH_SECRET: () => randomBytes(48).toString('base64url'),
  ENCRYPTION_KEY: () => randomBytes(32).toString('base64'),
};
type Name = keyof typeof MAKERS;
const NAMES = Object.keys(MAKERS) as Name[];

const Kept = z.partialRecord(z.enum(NAMES), z.string());

/**
 * Returns the secrets that the environment does not set: those of DATA_DIR/secrets.json, or new ones, which it stores there.
 * A damaged file is an error and is never replaced: without the key everything encrypted is lost.
 *
 * @throws StartupError
 */
export function loadSecrets(
  dataDir: string,
  environment: Record<string, string | undefined>,
): Partial<Record<Name, string>> {
  const unset = NAMES.filter((name) => (environment[name] ?? '').trim() === '');
  if (unset.length === 0) return {};
  const file = path.join(dataDir, 'secrets.json');
  const kept = read(file);
  const unmade = unset.filter((name) => kept[name] === undefined);
  const made = Object.fromEntries(unmade.map((name) => [name, MAKERS[name]()]));
  if (unmade.length > 0) writePrivateJson(file, { ...kept, ...made });
  return Object.fromEntries(unset.map((name) => [name, kept[name] ?? made[name]]));
}

function read(file: string): z.infer<typeof Kept> {
  try {
    return Kept.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new StartupError(
      `DATA_DIR: ${file} cannot be read or is damaged: restore it, or set AUTH_SECRET and ENCRYPTION_KEY.`,
    );
  }
}
