import { signingKey } from '@/lib/delivery/endpoint-secret';
import type { HttpPools } from '@/lib/platform/net/http-pools';
import { deliveryPools } from './delivery-pools';
import { type AttemptOptions, makeAttempt } from './make-attempt';
import { type EventContent, eventMessage } from './messages';
import { ownUrlFault } from './own-service';
import { addressOf } from './targets';
import type { AttemptResult, Message } from './types';

interface SentOnce {
  result: AttemptResult;
  message: Message;
}

/**
 * Sends one signed event at once, by the rules of all deliveries (docs/specification.md#deliveries), and stores nothing.
 *
 * @param receiver its URL and its decrypted secrets (`whsec_…`), the current one first
 */
export async function sendOnce(
  receiver: { url: string; secrets: readonly string[] },
  event: EventContent,
  options: AttemptOptions = {},
  pools: HttpPools = deliveryPools(),
): Promise<SentOnce> {
  const address = addressOf(receiver.url);
  const target = {
    id: event.id,
    kind: 'endpoint' as const,
    projectId: '',
    ...address,
    signingKeys: receiver.secrets.map((secret) => ({ key: signingKey(secret), validUntilMs: Infinity })),
    headers: {},
    scheduleSeconds: [],
    failingSinceMs: null,
    version: '',
    fault: ownUrlFault(address),
  };
  const message = eventMessage(event);
  return { result: await makeAttempt(pools, target, message, options), message };
}
