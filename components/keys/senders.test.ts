import { expect, it } from 'vitest';
import { sendersOf } from './senders';

it('the addresses that send with a key are counted, the one of the newest event first', () => {
  const sent = (clientAddress: string | null, second: number) => ({
    clientAddress,
    createdAt: `2026-01-01T00:00:0${second}Z`,
  });
  expect(sendersOf([sent('::1', 5), sent('10.0.0.1', 4), sent('::1', 3), sent(null, 2)])).toEqual([
    { address: '::1', events: 2, newestAt: '2026-01-01T00:00:05Z' },
    { address: '10.0.0.1', events: 1, newestAt: '2026-01-01T00:00:04Z' },
    { address: null, events: 1, newestAt: '2026-01-01T00:00:02Z' },
  ]);
});
