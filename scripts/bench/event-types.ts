import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { readArguments } from './support/bench-arguments';
import { checkFigure, ratiosOf, reportFigure, say } from './support/figures';
import { httpRequest, loadHttp } from './support/http-load';
import { cpuMsByPart, differenceByPart } from './support/process-cost';
import { seedProject } from './support/seed';
import { withStack } from './support/stack';

const FULL = { rounds: 7, warmUpMs: 3_000, roundMs: 6_000 };
const QUICK = { rounds: 2, warmUpMs: 1_000, roundMs: 2_000 };
const TYPES = 1_000;
const CONNECTIONS = 64;

const ITEM = {
  type: 'object',
  properties: {
    sku: { type: 'string', maxLength: 64 },
    name: { type: 'string' },
    quantity: { type: 'integer', minimum: 1 },
    price: { $ref: '#/$defs/money' },
  },
  required: ['sku', 'quantity', 'price'],
  additionalProperties: false,
};
const ADDRESS = {
  type: 'object',
  properties: {
    line1: { type: 'string' },
    line2: { type: ['string', 'null'] },
    city: { type: 'string' },
    postalCode: { type: 'string', maxLength: 12 },
    country: { type: 'string', minLength: 2, maxLength: 2 },
  },
  required: ['line1', 'city', 'country'],
};
const SCHEMA = {
  type: 'object',
  description: 'An order was paid in full.',
  properties: {
    orderId: { type: 'string', maxLength: 64 },
    status: { enum: ['open', 'paid', 'sent', 'returned'] },
    total: { $ref: '#/$defs/money' },
    customer: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        email: { type: 'string', format: 'email' },
        tier: { enum: ['gold', 'none'] },
      },
      required: ['id'],
    },
    items: { type: 'array', items: ITEM, minItems: 1, maxItems: 100 },
    shipTo: ADDRESS,
    metadata: { type: 'object', additionalProperties: { type: 'string' } },
    paidAt: { type: 'string', format: 'date-time' },
  },
  required: ['orderId', 'status', 'total', 'items', 'paidAt'],
  $defs: {
    money: {
      type: 'object',
      properties: { amount: { type: 'integer', minimum: 0 }, currency: { enum: ['EUR', 'USD', 'GBP', 'CHF'] } },
      required: ['amount', 'currency'],
    },
  },
};
const DATA = {
  orderId: 'ord_8f2c1',
  status: 'paid',
  total: { amount: 12_900, currency: 'EUR' },
  customer: { id: 'c19', email: 'ada@example.com', tier: 'gold' },
  items: ['lamp', 'desk', 'chair'].map((name, nth) => ({
    sku: `sku-${nth}`,
    name,
    quantity: nth + 1,
    price: { amount: 2_150, currency: 'EUR' },
  })),
  shipTo: { line1: '1 Main Street', line2: null, city: 'Zurich', postalCode: '8001', country: 'CH' },
  metadata: { channel: 'web', campaign: 'autumn' },
  paidAt: '2026-01-31T09:30:00.000Z',
};
const DIFFERS = { ...DATA, total: { amount: '12900', currency: 'EUR' } };

/** What a project defines, what it does with events that differ, and what it is sent. */
interface Variant {
  types: number;
  policy: 'OPEN' | 'REPORT' | 'STRICT';
  data: object;
  status: '202' | '400';
}
const VARIANTS: Record<string, Variant> = {
  'no types': { types: 0, policy: 'OPEN', data: DATA, status: '202' },
  'OPEN, 1,000 types': { types: TYPES, policy: 'OPEN', data: DATA, status: '202' },
  'REPORT, 1,000 types': { types: TYPES, policy: 'REPORT', data: DATA, status: '202' },
  'REPORT, all events differ': { types: TYPES, policy: 'REPORT', data: DIFFERS, status: '202' },
  'STRICT, 1,000 types': { types: TYPES, policy: 'STRICT', data: DATA, status: '202' },
  'STRICT, all events differ': { types: TYPES, policy: 'STRICT', data: DIFFERS, status: '400' },
};

/**
 * What the catalogue of event types costs an event, as a ratio to a project without one: events per second at full speed, and the CPU of
 * web and database for each. `--only TEXT` selects the variants whose names contain TEXT.
 */
export function main(args: string[]): Promise<void> {
  const { isQuick, only } = readArguments(args);
  const { rounds, warmUpMs, roundMs } = isQuick ? QUICK : FULL;
  const variants = Object.entries(VARIANTS).filter(([name]) => name.includes(only));
  return withStack(async (stack) => {
    const loads = [];
    for (const [name, variant] of variants) {
      loads.push({ name, ...variant, request: await seed(variant), perSecond: [] as number[], cpuMs: [] as number[] });
    }
    const { port } = await stack.startWeb();
    for (const { request } of loads) await loadHttp(port, request, CONNECTIONS, warmUpMs);
    for (let round = 1; round <= rounds; round++) {
      say(`round ${round} of ${rounds}`);
      // In turns, so that none always follows the same other one.
      for (const { request, status, perSecond, cpuMs } of round % 2 === 0 ? loads.toReversed() : loads) {
        const before = cpuMsByPart(process.pid);
        const result = await loadHttp(port, request, CONNECTIONS, roundMs);
        const { web, postgres } = differenceByPart(before, cpuMsByPart(process.pid));
        const count = result.statuses[status] ?? 0;
        if (count !== result.latenciesMs.length)
          throw new Error(`not only ${status}: ${JSON.stringify(result.statuses)}`);
        perSecond.push(result.perSecond);
        cpuMs.push((web + postgres) / count);
        await database().query('TRUNCATE outbox');
      }
    }
    for (const { name, perSecond, cpuMs } of loads) {
      reportFigure(`events/s, ${name}`, perSecond);
      reportFigure('  CPU of web and database per event', cpuMs, ' ms');
    }
    const [none, ...others] = loads;
    if (none?.types !== 0) return;
    for (const { name, policy, perSecond, cpuMs } of others) {
      const [speed, cost] = [ratiosOf(perSecond, none.perSecond), ratiosOf(cpuMs, none.cpuMs)];
      if (policy === 'OPEN') {
        checkFigure(`RATIO events/s ${name} ÷ no types`, speed, { atLeast: 0.9 });
        checkFigure('  RATIO CPU per event', cost, { atMost: 1.1 });
      } else {
        reportFigure(`RATIO events/s ${name} ÷ no types`, speed);
        reportFigure('  RATIO CPU per event', cost);
      }
    }
  });
}

/** Makes a project with types, and returns the request that sends it one event. */
async function seed({ types, policy, data }: Variant): Promise<Buffer> {
  const { projectId, key } = await seedProject();
  if (types > 0) {
    const ids = Array.from({ length: types }, newId);
    const names = ids.map((_, nth) => (nth === 0 ? 'order.paid' : `order.step${nth}`));
    await database().query(
      `WITH p AS (UPDATE projects SET event_type_policy = $2 WHERE id = $1)
       INSERT INTO event_types (id, project_id, name, schema)
       SELECT id, $1, name, $5 FROM unnest($3::uuid[], $4::text[]) t (id, name)`,
      [projectId, policy, ids, names, JSON.stringify(SCHEMA)],
    );
  }
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': key };
  return httpRequest('POST', '/api/v1/events', headers, JSON.stringify({ type: 'order.paid', data }));
}
