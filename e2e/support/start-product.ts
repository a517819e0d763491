import fs from 'node:fs';
import { launchProduct } from './launch-product';

/**
 * Starts the product as a user does, with an embedded database of its own in a temporary DATA_DIR, and tells the tests by
 * E2E_BASE_URL, E2E_DATA_DIR and E2E_DATABASE_URL where it is. What is returned stops it.
 */
export default async function startProduct(): Promise<() => Promise<void>> {
  fs.mkdirSync('.build', { recursive: true });
  const { url, databaseUrl, dataDir, stop } = await launchProduct('.build/e2e-product.log');
  Object.assign(process.env, { E2E_BASE_URL: url, E2E_DATA_DIR: dataDir, E2E_DATABASE_URL: databaseUrl });
  return stop;
}
