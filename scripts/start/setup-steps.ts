import { parseConfig } from '@/lib/platform/config/config';
import { type Part, REQUIRED_OF } from '@/lib/platform/config/parts';
import { prepareCluster } from '@/lib/platform/embedded-postgres/cluster';
import type { ServerOptions } from '@/lib/platform/embedded-postgres/server';
import { applyMigrations } from '@/lib/platform/migrate/apply-migrations';
import { privateNetworkWarning } from '@/lib/platform/net/private-network-warning';
import { tunnelOriginWarning } from '@/lib/tunnel/tunnel-origin-warning';
import { buildStale, PAGES, PROCESSES } from './build';
import { say } from './progress.mjs';
import { loadSecrets } from './secrets';

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
    const { databaseUrl, server } = await prepareCluster({ dataDir, onNotice: (line) => notices.push(line) });
    return { databaseUrl, server, notices };
  },
  async migrate(databaseUrl: string): Promise<string[]> {
    const { DATABASE_DIRECT_URL: directUrl } = parseConfig(process.env);
    const variable = directUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
    const pooledUrl = directUrl === undefined || directUrl === databaseUrl ? undefined : databaseUrl;
    return applyMigrations(directUrl ?? databaseUrl, { variable, pooledUrl, onNotice: (line) => say(`  ! ${line}`) });
  },
};
export type Steps = typeof STEPS;
