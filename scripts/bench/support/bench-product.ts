import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { launchProduct, type Product } from '@/e2e/support/launch-product';
import { parseConfig } from '@/lib/platform/config/config';
import { setOnce } from '@/lib/platform/globals';

/** A running `npm start` that a benchmark can seed with SQL: this process shares its secrets and its database. */
export interface BenchProduct extends Product {
  pid: number;
  port: number;
  logFile: string;
}

/** @param databaseUrl the URL that this process uses; by default that of the product */
export async function launchBenchProduct(
  variables: Record<string, string> = {},
  databaseUrl?: string,
): Promise<BenchProduct> {
  const secrets = { AUTH_SECRET: randomBytes(32).toString('hex'), ENCRYPTION_KEY: randomBytes(32).toString('base64') };
  const logFile = path.join(mkdtempSync(path.join(tmpdir(), 'bench-log-')), 'product.log');
  const product = await launchProduct(logFile, { ...secrets, ...variables });
  setOnce('config', parseConfig({ ...secrets, DATABASE_URL: databaseUrl ?? product.databaseUrl }));
  return { ...product, pid: product.process.pid ?? 0, port: Number(new URL(product.url).port), logFile };
}
