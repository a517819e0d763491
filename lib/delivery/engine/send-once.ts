import { keysOfEndpoint } from '@/lib/delivery/credentials';
import { type EndpointSignature, STANDARD } from '@/lib/delivery/endpoint-options-policy';
import { config } from '@/lib/platform/config/config';
import { isLoopbackHost } from '@/lib/platform/config/variable-types';
import { once, setOnce } from '@/lib/platform/globals';
import { addressPolicy, makeAddressPolicy } from '@/lib/platform/net/address-policy';
import { ConnectionTurns } from '@/lib/platform/net/connection-turns';
import { HttpPools } from '@/lib/platform/net/http-pools';
import { systemResolver } from '@/lib/platform/net/resolve-host';
import { type AttemptOptions, makeAttempt } from './make-attempt';
import { type EventContent, eventMessage } from './messages';
import { isOwnAddress, ownTunnels, ownUrlFault } from './own-service';
import { addressOf, inLowerCase } from './targets';
import type { AttemptResult, Message } from './types';

/** Where one event is sent, and how: by default as to an endpoint without options. */
interface Receiver {
  url: string;
  secrets: readonly string[];
  headers?: Readonly<Record<string, string>>;
  signature?: EndpointSignature;
  sendsData?: boolean;
  /** The customer of the endpoint; null for an endpoint of the project itself. */
  customerId?: string | null;
}

interface SentOnce {
  result: AttemptResult;
  message: Message;
}

/**
 * Sends one signed event at once, by the rules of all deliveries (docs/specification.md#deliveries), and stores nothing.
 *
 * @param receiver its URL, its decrypted secrets, the current one first, and what its requests have
 */
export async function sendOnce(
  receiver: Receiver,
  event: EventContent,
  options: AttemptOptions = {},
  pools: HttpPools = deliveryPools(),
): Promise<SentOnce> {
  const address = addressOf(receiver.url);
  const target = {
    id: event.id,
    kind: 'endpoint' as const,
    projectId: '',
    customerId: receiver.customerId ?? null,
    ...address,
    signingKeys: receiver.secrets.map((secret) => ({ ...keysOfEndpoint(secret), validUntilMs: Infinity })),
    headers: inLowerCase(receiver.headers ?? {}),
    signature: receiver.signature ?? STANDARD,
    sendsData: receiver.sendsData ?? false,
    filter: null,
    rateLimit: null,
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

/**
 * Makes connections to receivers, under the address policy of the deployment. Endpoints of customers are chosen by strangers, so they
 * reach public addresses only, whatever DELIVERY_ALLOWED_CIDRS says, unless the deployment is local. All that a process makes share its
 * turns and lookups.
 */
export function makeDeliveryPools(): HttpPools {
  const isOwn = (address: string, port: number) => isOwnAddress(address, port);
  const isLocal = isLoopbackHost(new URL(config().baseUrl).hostname);
  return new HttpPools({
    isAllowed: addressPolicy(),
    isPublic: isLocal ? undefined : makeAddressPolicy([]),
    isOwn,
    exemption: ownTunnels(),
    resolve: once('delivery-resolver', systemResolver),
    turns: once('delivery-connection-turns', () => new ConnectionTurns()),
  });
}

/** Closes the connections of this process to receivers. For shutdown and tests. */
export async function closeDeliveryPools(): Promise<void> {
  const pools = once<HttpPools | null>(NAME, () => null);
  setOnce(NAME, undefined);
  await pools?.destroy();
}
