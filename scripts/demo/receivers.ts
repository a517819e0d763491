import type * as z from 'zod';
import type { CreateEndpointBody } from '@/lib/delivery/schema';
import { DAY_MS, HOUR_MS } from '@/lib/platform/clock';
import { type Random, skewed } from './random';

/** How a receiver answers a request. A status of null: it does not answer in time. */
export interface Answer {
  status: number | null;
  durationMs: number;
}

type EndpointOptions = Partial<
  Pick<
    z.input<typeof CreateEndpointBody>,
    'uid' | 'metadata' | 'headers' | 'signature' | 'bodyFormat' | 'filter' | 'rateLimit' | 'receivesCustomerEvents'
  >
>;

export interface Receiver {
  /** Names its endpoint; shown in the dashboard. */
  description: string;
  path: string;
  types: readonly string[];
  /** The state of its endpoint in the demo. */
  health: 'healthy' | 'flaky' | 'slow' | 'failing' | 'disabled' | 'paused';
  retrySeconds: number[];
  /** Since when it failed, was disabled or paused, in milliseconds before the end of the history. */
  changedMsAgo: number;
  /** The uid of the customer whose endpoint it is; without one, it is the shop's own. */
  customer?: string;
  /** More of its endpoint, as the API takes it. */
  options?: EndpointOptions;
  answer(random: Random, msAgo: number): Answer;
}

/** Returns a success. Most take little longer than `from` milliseconds. */
export const ok = (random: Random, from = 18, to = 240): Answer => ({
  status: 200,
  durationMs: skewed(random, from, to),
});
export const RETRIES = [30, 120, 600, 3600];

/** The receivers of the shop's events, of every health. */
export const RECEIVERS: readonly Receiver[] = [
  {
    description: 'Billing',
    path: '/billing',
    health: 'healthy',
    changedMsAgo: 0,
    types: ['invoice.*', 'order.paid'],
    retrySeconds: RETRIES,
    options: { uid: 'billing', metadata: { team: 'Finance', channel: '#billing' } },
    answer: (random) => (random() < 0.002 ? { status: 502, durationMs: 31 } : ok(random)),
  },
  {
    description: 'Warehouse',
    path: '/warehouse',
    health: 'healthy',
    changedMsAgo: 0,
    types: ['order.*'],
    retrySeconds: RETRIES,
    options: { headers: { 'X-Api-Version': '2026-01' }, rateLimit: { requests: 600, seconds: 60 } },
    answer: (random) => (random() < 0.004 ? { status: 500, durationMs: 45 } : ok(random, 25, 400)),
  },
  {
    description: 'CRM sync',
    path: '/crm',
    health: 'flaky',
    changedMsAgo: 0,
    types: ['customer.*', 'order.paid'],
    retrySeconds: RETRIES,
    answer: (random) => {
      if (random() < 0.14) return { status: 503, durationMs: skewed(random, 10, 90) };
      return random() < 0.02 ? { status: 429, durationMs: 12 } : ok(random, 40, 900);
    },
  },
  {
    description: 'Analytics',
    path: '/analytics',
    health: 'slow',
    changedMsAgo: 0,
    types: ['*'],
    retrySeconds: RETRIES,
    options: { receivesCustomerEvents: true },
    answer: (random) => {
      if (random() < 0.006) return { status: null, durationMs: 15_000 };
      return ok(random, 1_200, 6_500);
    },
  },
  {
    description: 'Fraud review',
    path: '/fraud-review',
    health: 'healthy',
    changedMsAgo: 0,
    types: ['order.paid'],
    retrySeconds: RETRIES,
    options: { filter: { path: 'data.amount', op: 'gte', value: 30_000 } },
    answer: (random) => ok(random, 90, 600),
  },
  {
    description: 'Legacy ERP',
    path: '/legacy-erp',
    health: 'failing',
    types: ['invoice.*'],
    retrySeconds: RETRIES,
    changedMsAgo: 2.3 * DAY_MS,
    answer: (random, msAgo) => {
      if (msAgo > 2.3 * DAY_MS) return ok(random, 60, 700);
      return random() < 0.3
        ? { status: null, durationMs: 15_000 }
        : { status: 500, durationMs: skewed(random, 80, 600) };
    },
  },
  {
    description: 'Partner feed',
    path: '/partner-feed',
    health: 'disabled',
    types: ['order.shipped'],
    retrySeconds: RETRIES,
    changedMsAgo: 9 * DAY_MS,
    answer: (random, msAgo) => (msAgo < 9 * DAY_MS + HOUR_MS ? { status: 410, durationMs: 22 } : ok(random)),
  },
  {
    description: 'Staging',
    path: '/staging',
    health: 'paused',
    types: ['order.created', 'order.shipped'],
    retrySeconds: RETRIES,
    changedMsAgo: 2 * DAY_MS,
    answer: (random) => (random() < 0.03 ? { status: 500, durationMs: 40 } : ok(random, 30, 500)),
  },
];

/** Why the staging endpoint is paused. */
export const PAUSE_REASON = 'The staging database is down for a rebuild until Friday.';
