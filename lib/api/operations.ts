import * as z from 'zod';
import { WORKER_COUNTERS } from '@/lib/delivery/worker-counters';
import { ok } from '@/lib/http/answer';
import { route } from '@/lib/http/route';
import { collectMetrics } from '@/lib/platform/collect-metrics';
import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { sharedCounters } from '@/lib/platform/shared-counters';
import { RETENTION_COUNTERS } from '@/lib/retention/figures/retention-counters';
import { RETENTION_COLLECTORS } from '@/lib/retention/figures/retention-metrics';
import { anyone } from './callers';

const Health = z.object({ status: z.literal('ok') });

export const getLive = route({
  summary: 'Tell that the process answers.',
  caller: anyone(),
  answers: { status: 200, schema: Health },
  lane: 'node',
  handler: async () => ok({ status: 'ok' }),
});

export const getReady = route({
  summary: 'Tell that the process can do its work: the database answers.',
  caller: anyone(),
  answers: { status: 200, schema: Health },
  lane: 'node',
  handler: async () => {
    await database()
      .query('SELECT 1')
      .catch(() => {
        throw new AppError('unavailable', 'The database does not answer.', { retryAfterSeconds: 1 });
      });
    return ok({ status: 'ok' });
  },
});

const COLLECTORS = [sharedCounters([...RETENTION_COUNTERS, ...WORKER_COUNTERS]), ...RETENTION_COLLECTORS];

export const getMetrics = route({
  summary: 'Metrics in the text format of Prometheus.',
  caller: anyone(),
  answers: { status: 200 },
  lane: 'node',
  handler: async ({ request }) => ({
    status: 200,
    raw: await collectMetrics(request.header('authorization'), COLLECTORS),
  }),
});
