import type { EventListItem } from '@/lib/events/schema';

interface Sender {
  /** Null for browsers, whose address is not kept. */
  address: string | null;
  events: number;
  newestAt: string;
}

/** Groups events, newest first, by the address that sent them: the address of the newest event comes first. */
export function sendersOf(events: readonly Pick<EventListItem, 'clientAddress' | 'createdAt'>[]): Sender[] {
  const byAddress = new Map<string | null, Sender>();
  for (const { clientAddress: address, createdAt: newestAt } of events) {
    const sender = byAddress.get(address);
    if (sender === undefined) byAddress.set(address, { address, events: 1, newestAt });
    else sender.events += 1;
  }
  return [...byAddress.values()];
}
