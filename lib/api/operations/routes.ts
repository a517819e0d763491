import * as z from 'zod';
import { anyone } from '@/lib/api/callers';
import { CHANGE_STREAMS } from '@/lib/changes/stream-counts';
import { DELIVERY_HISTOGRAMS, WORKER_COUNTERS } from '@/lib/delivery/worker-counters';
import { DELIVERY_QUEUE } from '@/lib/delivery/workers/queue-metrics';
import { WORKER_LIVENESS } from '@/lib/delivery/workers/worker-liveness';
import { ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { INTAKE_REFUSALS } from '@/lib/orgs/admit-intake';
import { collectMetrics } from '@/lib/platform/collect-metrics';
import { PROCESS_FIGURES, STORAGE_ROOM } from '@/lib/platform/process-metrics';
import { sharedCounters } from '@/lib/platform/shared-counters';
import { RETENTION_COLLECTORS, RETENTION_COUNTERS } from '@/lib/retention/figures/retention-metrics';
import { checkReadiness } from './check-readiness';

const Health = z.object({ status: z.literal('ok').meta({ description: 'Always `ok`' }) });

const Readiness = z.object({
  /** degraded: this process can serve, but another part needs attention. */
  status: z.enum(['ok', 'degraded']).meta({ description: '`degraded`: it can serve, but a part needs attention' }),
  parts: z
    .object({
      database: z.literal('ok').meta({ description: 'Whether the database responds' }),
      ingest: z.literal('ok').meta({ description: 'Whether events are stored' }),
      worker: z
        .enum(['ok', 'missing', 'stale'])
        .meta({ description: '`stale`: no worker was seen in the last 30 seconds. `missing`: no worker is known' }),
      storage: z
        .enum(['ok', 'nearly_full'])
        .meta({ description: '`nearly_full`: events and requests to sources get 503' }),
    })
    .meta({ description: 'The state of each part' }),
});

export const live = route({
  summary: 'Check that the process responds.',
  caller: anyone(),
  response: { status: 200, schema: Health },
  servedBy: 'node',
  handler: async () => ok({ status: 'ok' as const }),
});

export const ready = route({
  summary:
    'Check that the process can serve: the database responds and events are stored. The response names every part that needs attention.',
  caller: anyone(),
  response: { status: 200, schema: Readiness },
  servedBy: 'node',
  handler: async () => ok(await checkReadiness()),
});

const COLLECTORS = [
  sharedCounters([...RETENTION_COUNTERS, ...WORKER_COUNTERS], DELIVERY_HISTOGRAMS),
  WORKER_LIVENESS,
  DELIVERY_QUEUE,
  PROCESS_FIGURES,
  CHANGE_STREAMS,
  STORAGE_ROOM,
  INTAKE_REFUSALS,
  ...RETENTION_COLLECTORS,
];

export const metrics = route({
  summary: 'Get metrics in the Prometheus text format.',
  caller: anyone(),
  errors: ['unauthenticated'],
  response: { status: 200, contentType: 'text/plain' },
  servedBy: 'node',
  handler: async ({ request }) => ({
    status: 200,
    raw: await collectMetrics(request.header('authorization'), COLLECTORS),
  }),
});
