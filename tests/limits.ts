import { expect } from 'vitest';
import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import type { LimitVariable } from '@/lib/platform/limits';
import type { Problem, TestResponse } from './api-request';
import { countLockWaits } from './lock-waits';

/** Changes a limit, as a restart with another environment does. */
export function setLimit(variable: LimitVariable, value: number): void {
  setOnce('config', { ...config(), [variable]: value });
}

/** Asserts that a limit rejected the request, and that the message names the limit. */
export function expectLimitReached({ json }: TestResponse<unknown>, variable: LimitVariable): void {
  expect(json).toMatchObject({ status: 409, code: 'limit_reached', type: expect.stringMatching(/#limit_reached$/) });
  expect((json as Problem).detail).toContain(`(${variable})`);
}

/**
 * Runs requests that race for a row: the row that each of them must lock, or reference, stays locked until all of them wait
 * for it. At most eight, which leaves pool connections for the holder and for the query that counts who waits.
 */
export async function raceAtRow<T>(
  table: 'users' | 'organizations' | 'projects',
  id: string,
  requests: (() => Promise<T>)[],
): Promise<T[]> {
  const client = await database().connect();
  try {
    await client.query('BEGIN');
    await client.query(`SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, [id]);
    const started = requests.map((request) => request());
    await expect.poll(countLockWaits).toBe(requests.length);
    await client.query('COMMIT');
    return await Promise.all(started);
  } finally {
    client.release();
  }
}
