import { describe, expect, it } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import { IngestBatcher } from './ingest-batcher';
import type { IngestOutcome, IngestRow } from './ingest-sql';

setOnce('log', { warn() {} });

const row = (payload = '{}'): IngestRow => ({
  keyHash: Buffer.alloc(32),
  projectId: null,
  id: newId(),
  type: 'a',
  payload,
  idempotencyKey: null,
  bodyHash: null,
  createdAt: new Date(),
});
const stored: IngestOutcome = {
  keyId: 'k',
  keyProjectId: 'p',
  keyState: 'active',
  keyScope: 'READ_WRITE',
  stored: true,
};

describe('group commit', () => {
  it('stores events that arrive together in one statement', async () => {
    const sizes: number[] = [];
    const batcher = new IngestBatcher(async (rows) => {
      sizes.push(rows.length);
      return rows.map(() => stored);
    });
    await Promise.all(Array.from({ length: 40 }, () => batcher.add(row())));
    expect(sizes).toEqual([40]);
  });

  it('never puts more than 64 rows in a statement or has more than two under way', async () => {
    let [inFlight, mostInFlight, mostRows] = [0, 0, 0];
    const batcher = new IngestBatcher(async (rows) => {
      inFlight++;
      mostInFlight = Math.max(mostInFlight, inFlight);
      mostRows = Math.max(mostRows, rows.length);
      await new Promise((resolve) => setTimeout(resolve, 2));
      inFlight--;
      return rows.map(() => stored);
    });
    await Promise.all(Array.from({ length: 1000 }, () => batcher.add(row())));
    expect({ mostInFlight, mostRows }).toEqual({ mostInFlight: 2, mostRows: 64 });
  });

  it('gives each event its own outcome', async () => {
    const batcher = new IngestBatcher(async (rows) => rows.map(({ payload }) => ({ ...stored, keyId: payload })));
    const outcomes = await Promise.all(['1', '2', '3'].map((payload) => batcher.add(row(payload))));
    expect(outcomes.map(({ keyId }) => keyId)).toEqual(['1', '2', '3']);
  });

  it('refuses only the row that the database refuses', async () => {
    const batcher = new IngestBatcher(async (rows) => {
      if (rows.some(({ payload }) => payload === 'bad')) throw new Error('refused');
      return rows.map(() => stored);
    });
    const results = await Promise.allSettled(['good', 'bad', 'good'].map((payload) => batcher.add(row(payload))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('answers overloaded instead of growing without bound', async () => {
    const batcher = new IngestBatcher(() => new Promise(() => undefined));
    const adding = Array.from({ length: 5_200 }, () => batcher.add(row()));
    await expect(adding.at(-1)).rejects.toMatchObject({ code: 'overloaded' });
    for (const added of adding) added.catch(() => undefined);
  });
});
