import { expect, it, onTestFinished } from 'vitest';
import { database, madePools } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { waitFor } from '@/tests/http/receiver';
import { scrapeNow } from './exposition';

useDatabase();

/** There is a pool of ten for each cell that was asked for something, and one for what is in none. */
const max = () => 10 * madePools().general.length;

/** Reads the figures of the pool that all requests share, as a scrape shows them. */
async function scrapePool() {
  const metrics = await scrapeNow();
  const read = (name: string) => metrics.get(name)?.samples[`${name}{part="web",pool="general"}`];
  return {
    max: read('database_pool_connections_max'),
    inUse: read('database_pool_connections_in_use'),
    waiting: read('database_pool_waiting'),
  };
}

it('a scrape of an idle web process shows no connection in use, however many figures it reads itself', async () => {
  await scrapePool();
  for (let scrape = 0; scrape < 3; scrape++) expect(await scrapePool()).toEqual({ max: max(), inUse: 0, waiting: 0 });
});

it('a scrape shows an exhausted pool, though it gets no connection itself', async () => {
  await scrapePool();
  const holders = await Promise.all(Array.from({ length: 10 }, () => database().connect()));
  const waiting = database().query('SELECT 1');
  let isReleased = false;
  const release = async () => {
    if (isReleased) return;
    isReleased = true;
    for (const holder of holders) holder.release();
    await waiting;
  };
  onTestFinished(release);
  expect(await scrapePool()).toEqual({ max: max(), inUse: 10, waiting: 1 });
  await release();
  await waitFor('the figures of an idle pool', async () => (await scrapePool()).inUse === 0);
});
