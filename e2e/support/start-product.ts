import fs from 'node:fs';
import { launchProduct } from './launch-product';
import { ADMIN_TOKEN } from './operator';

/**
 * Starts the product with an embedded database in a temporary DATA_DIR. Sets E2E_BASE_URL, E2E_DATA_DIR and
 * E2E_DATABASE_URL for the tests. Returns the function that stops the product.
 */
export default async function startProduct(): Promise<() => Promise<void>> {
  fs.mkdirSync('.build', { recursive: true });
  // The default allows no body that a page shows only in part.
  const variables = { PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN, SOURCE_MAX_BODY_BYTES: String(2 * 1024 * 1024) };
  const { url, databaseUrl, dataDir, stop } = await launchProduct('.build/e2e-product.log', variables);
  Object.assign(process.env, { E2E_BASE_URL: url, E2E_DATA_DIR: dataDir, E2E_DATABASE_URL: databaseUrl });
  return stop;
}
