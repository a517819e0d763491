import * as z from 'zod';
import { ok } from '@/lib/http/answer';
import { route } from '@/lib/http/route';
import { collectMetrics } from '@/lib/platform/collect-metrics';
import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
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

export const getMetrics = route({
  summary: 'Metrics in the text format of Prometheus.',
  caller: anyone(),
  answers: { status: 200 },
  lane: 'node',
  handler: async ({ request }) => ({ status: 200, raw: await collectMetrics(request.header('authorization')) }),
});
