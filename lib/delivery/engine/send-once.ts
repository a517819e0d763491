import { signingKey } from '@/lib/delivery/signature-schemes-policy';
import { once, setOnce } from '@/lib/platform/globals';
import { addressPolicy } from '@/lib/platform/net/address-policy';
import { HttpPools } from '@/lib/platform/net/http-pools';
import { systemResolver } from '@/lib/platform/net/resolve-host';
import { type AttemptOptions, makeAttempt } from './make-attempt';
import { type EventContent, eventMessage } from './messages';
import { isOwnAddress, ownTunnels, ownUrlFault } from './own-service';
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

const NAME = 'delivery-pools';

/** Returns the connections of this process to receivers, under the address policy of the deployment. */
export function deliveryPools(): HttpPools {
  return once(NAME, makeDeliveryPools);
}

/** Makes connections to receivers, under the address policy of the deployment. */
export function makeDeliveryPools(): HttpPools {
  const isOwn = (address: string, port: number) => isOwnAddress(address, port);
  return new HttpPools({ isAllowed: addressPolicy(), isOwn, exemption: ownTunnels(), resolve: systemResolver() });
}

/** Closes the connections of this process to receivers. For shutdown and tests. */
export async function closeDeliveryPools(): Promise<void> {
  const pools = once<HttpPools | null>(NAME, () => null);
  setOnce(NAME, undefined);
  await pools?.destroy();
}
