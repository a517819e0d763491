import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { parseConfig } from '@/lib/platform/config/config';
import { type Part, REQUIRED_OF } from '@/lib/platform/config/parts';
import { prepareCluster } from '@/lib/platform/embedded-postgres/cluster';
import type { ServerOptions } from '@/lib/platform/embedded-postgres/server';
import { applyMigrations } from '@/lib/platform/migrate/apply-migrations';
import { privateNetworkWarning } from '@/lib/platform/net/address-policy';
import { writePrivateJson } from '@/lib/platform/private-file';
import { tunnelOriginWarning } from '@/lib/tunnel/tunnel-origin-warning';
import { buildStale, PAGES, PROCESSES } from './build';
import { say } from './progress.mjs';
import { StartupError } from './startup-error.mjs';

/** Generates each secret that the environment does not set. */
const MAKERS = {
  AUTH_SECRET: () => randomBytes(48).toString('base64url'),
  ENCRYPTION_KEY: () => randomBytes(32).toString('base64'),
};

type Name = keyof typeof MAKERS;

const NAMES = Object.keys(MAKERS) as Name[];

const Kept = z.partialRecord(z.enum(NAMES), z.string());

export { showProgressOn } from './progress.mjs';

/** The configuration that a start needs. */
export interface StartConfig {
  dataDir: string;
  port: number;
  /** Undefined: use the embedded database. */
  databaseUrl?: string;
  baseUrl: string;
  isBaseUrlSet: boolean;
  isMailSent: boolean;
  /** Warnings for the operator. */
  warnings: string[];
}

const PRODUCTS = { processes: PROCESSES, pages: PAGES };

/**
 * The steps of a start that need libraries. They run in a process that ends before the service is ready, so the process that
 * stays loads no libraries. Inputs and results are plain data.
 */
export const STEPS = {
  /** @throws ConfigError */
  async readConfig(_: null): Promise<StartConfig> {
    const config = parseConfig(process.env);
    return {
      dataDir: config.DATA_DIR,
      port: config.PORT,
      databaseUrl: config.DATABASE_URL,
      baseUrl: config.baseUrl,
      isBaseUrlSet: config.APP_BASE_URL !== undefined,
      isMailSent: config.MAIL_URL !== undefined,
      warnings: [privateNetworkWarning(config), tunnelOriginWarning(config)].filter((warning) => warning !== null),
    };
  },
  /** @throws ConfigError */
  async checkConfigOfPart(part: Part): Promise<void> {
    parseConfig(process.env, REQUIRED_OF[part]);
  },
  async loadSecrets(dataDir: string): Promise<Record<string, string>> {
    return loadSecrets(dataDir, process.env);
  },
  async build(names: (keyof typeof PRODUCTS)[], signal: AbortSignal): Promise<void> {
    const products = names.flatMap((name) => PRODUCTS[name]);
    await buildStale(products, signal);
  },
  async prepareDatabase(dataDir: string): Promise<{ databaseUrl: string; server: ServerOptions; notices: string[] }> {
    const notices: string[] = [];
    const { localUrl, server } = await prepareCluster({ dataDir, onNotice: (line) => notices.push(line) });
    return { databaseUrl: localUrl, server, notices };
  },
  async migrate(databaseUrl: string): Promise<string[]> {
    const { DATABASE_DIRECT_URL: directUrl } = parseConfig(process.env);
    const variable = directUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
    const pooledUrl = directUrl === undefined || directUrl === databaseUrl ? undefined : databaseUrl;
    return applyMigrations(directUrl ?? databaseUrl, { variable, pooledUrl, onNotice: (line) => say(`  ! ${line}`) });
  },
};
export type Steps = typeof STEPS;

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
