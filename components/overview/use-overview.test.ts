import { expect, it } from 'vitest';
import { deliveriesPath } from './use-overview';

it('links to deliveries of the period of the statistics, and of nothing else in them', () => {
  const stats = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', totals: { events: 3 } };
  expect(deliveriesPath('p', stats, { status: 'FAILED' })).toBe(
    '/projects/p/deliveries?from=2026-01-01T00%3A00%3A00Z&to=2026-01-02T00%3A00%3A00Z&status=FAILED',
  );
});
