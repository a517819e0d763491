import { DAY_MS } from '@/lib/platform/clock';
import { pick, type Random, skewed } from './random';
import { ok, RETRIES, type Receiver } from './receivers';

/** A merchant that sells on the shop's platform. */
interface DemoCustomer {
  uid: string;
  name: string | null;
  metadata: Record<string, string>;
  /** How many events are its, relative to the others. */
  weight: number;
}

/** It has just signed up, and has no endpoint yet. */
export const NEW_CUSTOMER = 'cus_paper_lantern';

/** The customers of the shop. */
export const CUSTOMERS: readonly DemoCustomer[] = [
  {
    uid: 'cus_harbor_books',
    name: 'Harbor Books',
    metadata: { plan: 'business', region: 'eu', accountManager: 'Margaret' },
    weight: 8,
  },
  { uid: 'cus_alpine', name: 'Alpine Outfitters', metadata: { plan: 'enterprise', region: 'eu' }, weight: 12 },
  { uid: 'cus_nimbus', name: 'Nimbus Electronics', metadata: { plan: 'enterprise', region: 'us' }, weight: 9 },
  { uid: 'cus_tinker', name: 'Tinker & Co.', metadata: { plan: 'team', region: 'us' }, weight: 4 },
  { uid: 'cus_luna', name: 'Luna Coffee Roasters', metadata: { plan: 'team', region: 'eu' }, weight: 5 },
  { uid: 'cus_verde', name: 'Verde Garden', metadata: { plan: 'free', region: 'eu' }, weight: 2 },
  { uid: 'merchant-1043', name: null, metadata: {}, weight: 1 },
  { uid: NEW_CUSTOMER, name: 'Paper Lantern', metadata: { plan: 'free', region: 'eu' }, weight: 0 },
];

/** The receivers of the customers' events. */
export const CUSTOMER_RECEIVERS: readonly Receiver[] = [
  {
    customer: 'cus_harbor_books',
    description: 'Harbor Books orders',
    path: '/customers/harbor-books/orders',
    health: 'healthy',
    changedMsAgo: 0,
    types: ['order.*'],
    retrySeconds: RETRIES,
    // It came from another service, whose signatures its server still checks.
    options: { uid: 'harbor-books-orders', signature: { profile: 'SVIX' } },
    answer: (random) => (random() < 0.003 ? { status: 502, durationMs: 40 } : ok(random)),
  },
  {
    customer: 'cus_harbor_books',
    description: 'Harbor Books accounting',
    path: '/customers/harbor-books/accounting',
    health: 'healthy',
    changedMsAgo: 0,
    types: ['invoice.*'],
    retrySeconds: RETRIES,
    answer: (random) => ok(random, 40, 300),
  },
  {
    customer: 'cus_alpine',
    description: 'Alpine warehouse',
    path: '/customers/alpine/warehouse',
    health: 'healthy',
    changedMsAgo: 0,
    types: ['order.paid', 'order.shipped', 'order.item.returned'],
    retrySeconds: RETRIES,
    options: { headers: { 'X-Api-Version': '2026-01' }, rateLimit: { requests: 120, seconds: 60 } },
    answer: (random) => ok(random, 30, 350),
  },
  {
    customer: 'cus_alpine',
    description: 'Alpine support desk',
    path: '/customers/alpine/support',
    health: 'healthy',
    changedMsAgo: 0,
    types: ['order.item.returned', 'customer.*'],
    retrySeconds: RETRIES,
    answer: (random) => ok(random),
  },
  {
    customer: 'cus_nimbus',
    description: 'Nimbus European orders',
    path: '/customers/nimbus/eu',
    health: 'healthy',
    changedMsAgo: 0,
    types: ['order.created', 'order.paid'],
    retrySeconds: RETRIES,
    options: { filter: { path: 'data.currency', op: 'in', value: ['EUR', 'CHF'] } },
    answer: (random) => ok(random, 90, 700),
  },
  {
    customer: 'cus_nimbus',
    description: 'Nimbus data lake',
    path: '/customers/nimbus/lake',
    health: 'healthy',
    changedMsAgo: 0,
    types: ['*'],
    retrySeconds: RETRIES,
    options: { bodyFormat: 'DATA' },
    answer: (random) => ok(random),
  },
  {
    customer: 'cus_tinker',
    description: 'Tinker shop',
    path: '/customers/tinker/shop',
    health: 'failing',
    changedMsAgo: 1.2 * DAY_MS,
    types: ['order.*'],
    retrySeconds: RETRIES,
    answer: (random, msAgo) =>
      msAgo > 1.2 * DAY_MS ? ok(random, 50, 400) : { status: 500, durationMs: skewed(random, 60, 300) },
  },
  {
    customer: 'cus_luna',
    description: 'Luna point of sale',
    path: '/customers/luna/pos',
    health: 'flaky',
    changedMsAgo: 0,
    types: ['order.created', 'order.paid'],
    retrySeconds: RETRIES,
    answer: (random) => (random() < 0.1 ? { status: 503, durationMs: skewed(random, 10, 60) } : ok(random, 60, 800)),
  },
  {
    customer: 'cus_verde',
    description: 'Verde newsletter',
    path: '/customers/verde/newsletter',
    health: 'healthy',
    changedMsAgo: 0,
    types: ['customer.created'],
    retrySeconds: RETRIES,
    answer: (random) => ok(random),
  },
  {
    customer: 'merchant-1043',
    description: 'Merchant 1043',
    path: '/customers/1043',
    health: 'healthy',
    changedMsAgo: 0,
    types: ['*'],
    retrySeconds: RETRIES,
    answer: (random) => ok(random),
  },
];

const WEIGHTED = CUSTOMERS.flatMap(({ uid, weight }) => Array<string>(weight).fill(uid));

/** Returns the uid of a customer, each as often as its weight says. */
export function pickCustomer(random: Random): string {
  return pick(random, WEIGHTED);
}
