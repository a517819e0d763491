import { setTimeout as sleep } from 'node:timers/promises';
import { closeDatabase } from '@/lib/platform/db';

const CLOSING_MS = 500;

/** Closes the pool, and waits no longer for a batch that was given up: the database rolls it back when we have gone. */
export async function closeConnections(): Promise<void> {
  await Promise.race([closeDatabase(), sleep(CLOSING_MS)]);
}
