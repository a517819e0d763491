import { setTimeout as sleep } from 'node:timers/promises';
import { closeDatabase } from '@/lib/platform/db';

const CLOSING_MS = 500;

/** Closes the pool without a long wait for an abandoned batch: the database rolls it back when the process has ended. */
export async function closeConnections(): Promise<void> {
  await Promise.race([closeDatabase(), sleep(CLOSING_MS)]);
}
