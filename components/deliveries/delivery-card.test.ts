import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { TooltipProvider } from '@/components/ui/tooltip';
import type { Delivery } from '@/lib/delivery/schema';
import { DeliveryCards } from './delivery-card';

const deliveriesOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: `d${n}`,
    status: 'PENDING',
    targetUrl: 'https://a.example/',
    attemptCount: 0,
    createdAt: '2026-01-31T09:30:00.000Z',
  })) as Delivery[];

const pageOf = (count: number) => {
  const props = { deliveries: deliveriesOf(count), receivedAt: '2026-01-31T09:30:00.000Z', onChanged: () => {} };
  return renderToString(createElement(TooltipProvider, null, createElement(DeliveryCards, props)));
};

it('shows the first twenty deliveries of an event, and a button for the others', () => {
  for (const [count, shown] of [
    [1, 1],
    [20, 20],
    [1000, 20],
  ] as const) {
    const page = pageOf(count);
    expect(page.match(/<article/g)).toHaveLength(shown);
    expect(page.includes('Show more')).toBe(count > shown);
  }
});
