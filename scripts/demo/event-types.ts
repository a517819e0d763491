import { hex, pick, type Random } from './random';

const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF'];
const id = (random: Random, prefix: string) => `${prefix}_${hex(random, 12)}`;
const cents = (random: Random) => 500 + Math.floor(random() * 40_000);

interface EventType {
  /** How often it occurs, relative to the others. */
  weight: number;
  /** What the catalogue says of it; without one it is only seen. */
  defined?: { description: string; group: string; status?: 'DEPRECATED'; schema?: object };
  makeData(random: Random): object;
}

const TEXT = { type: 'string' };
const CURRENCY = { enum: CURRENCIES };
const AMOUNT = { type: 'integer', minimum: 0, description: 'In cents' };

/** Makes the schema of an object that has all of these members. */
const objectOf = (properties: Record<string, object>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

/** What the shop of the demo sends. */
export const EVENT_TYPES: Readonly<Record<string, EventType>> = {
  'order.created': {
    weight: 30,
    defined: {
      description: 'A customer has placed an order, which is not paid yet.',
      group: 'Orders',
      schema: objectOf({ orderId: TEXT, customerId: TEXT, total: AMOUNT, currency: CURRENCY }),
    },
    makeData: (random) => ({
      orderId: id(random, 'ord'),
      customerId: id(random, 'cus'),
      total: cents(random),
      currency: pick(random, CURRENCIES),
    }),
  },
  'order.paid': {
    weight: 26,
    defined: {
      description: 'The payment of an order has succeeded. Ship it now.',
      group: 'Orders',
      schema: objectOf({ orderId: TEXT, paymentId: TEXT, amount: AMOUNT, currency: CURRENCY }),
    },
    makeData: (random) => ({
      orderId: id(random, 'ord'),
      paymentId: id(random, 'pay'),
      amount: cents(random),
      currency: pick(random, CURRENCIES),
    }),
  },
  'order.shipped': {
    weight: 20,
    defined: {
      description: 'All parcels of an order are with the carrier.',
      group: 'Orders',
      schema: objectOf({ orderId: TEXT, carrier: TEXT, parcels: { type: 'integer', minimum: 1 } }),
    },
    makeData: (random) => ({
      orderId: id(random, 'ord'),
      carrier: pick(random, ['DHL', 'UPS', 'La Poste']),
      parcels: 1 + Math.floor(random() * 3),
    }),
  },
  'order.item.returned': {
    weight: 4,
    makeData: (random) => ({
      orderId: id(random, 'ord'),
      sku: id(random, 'sku'),
      reason: pick(random, ['size', 'damaged', 'changed mind']),
    }),
  },
  'customer.created': {
    weight: 9,
    defined: { description: 'A person or company has signed up.', group: 'Customers' },
    makeData: (random) => ({ customerId: id(random, 'cus'), plan: pick(random, ['free', 'team', 'business']) }),
  },
  'customer.plan.changed': {
    weight: 3,
    defined: {
      description: 'Use customer.updated, which has the whole customer.',
      group: 'Customers',
      status: 'DEPRECATED',
    },
    makeData: (random) => ({ customerId: id(random, 'cus'), from: 'team', to: pick(random, ['business', 'free']) }),
  },
  'invoice.finalized': {
    weight: 8,
    defined: {
      description: 'An invoice cannot change any more, and is due.',
      group: 'Billing',
      schema: objectOf({ invoiceId: TEXT, amount: AMOUNT, currency: CURRENCY }),
    },
    makeData: (random) => ({
      invoiceId: id(random, 'inv'),
      amount: cents(random),
      currency: pick(random, CURRENCIES),
    }),
  },
};

const WEIGHTED = Object.entries(EVENT_TYPES).flatMap(([name, { weight }]) => Array<string>(weight).fill(name));

/** Returns a type, each as often as its weight says. */
export function pickType(random: Random): string {
  return pick(random, WEIGHTED);
}

/** Whether a subscription to a pattern gets events of a type. */
export function matchesPattern(pattern: string, type: string): boolean {
  return pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)));
}
