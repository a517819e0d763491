import { isDeepStrictEqual } from 'node:util';
import type { Customer } from '@/lib/customers/schema';
import type { Endpoint } from '@/lib/delivery/schema';
import type { EndpointFields, PlannedCustomer } from './plan';

/** An endpoint as it is here, with what comes from other calls. */
export interface Present {
  endpoint: Endpoint;
  /** Its subscriptions that are enabled. */
  eventTypes: readonly string[];
  /** Null when it cannot be read. */
  secret: string | null;
}

/** Names the fields of a customer that are not as planned. */
export function customerDifferences({ name, metadata }: PlannedCustomer, here: Customer): string[] {
  return namesOf({
    name: name === here.name,
    metadata: isDeepStrictEqual({ ...metadata }, { ...here.metadata }),
  });
}

/**
 * Names the fields of an endpoint that are not as planned. Whether it is enabled is none of them: resuming it is the next step.
 * @param hidden headers whose values are not known
 */
export function endpointDifferences(
  planned: EndpointFields,
  { endpoint, eventTypes, secret }: Present,
  hidden: readonly string[],
): string[] {
  return namesOf({
    url: planned.url === endpoint.url,
    description: planned.description === endpoint.description,
    secret: secret === null || planned.secret === secret,
    headers: isDeepStrictEqual(byLowerName(planned.headers, hidden), byLowerName(endpoint.headers, hidden)),
    'event types': isDeepStrictEqual([...planned.eventTypes].sort(), [...eventTypes].sort()),
    filter: isDeepStrictEqual(planned.filter, endpoint.filter),
    signature: isDeepStrictEqual(planned.signature, endpoint.signature),
    'body format': endpoint.bodyFormat === 'DATA',
    'rate limit': isDeepStrictEqual(planned.rateLimit, endpoint.rateLimit),
    metadata: isDeepStrictEqual({ ...planned.metadata }, { ...endpoint.metadata }),
  });
}

function byLowerName(headers: Readonly<Record<string, string>>, hidden: readonly string[]): Record<string, string> {
  const left = new Set(hidden.map((name) => name.toLowerCase()));
  const named = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  return Object.fromEntries(named.filter(([name]) => !left.has(name)));
}

const namesOf = (sameness: Record<string, boolean>) =>
  Object.entries(sameness).flatMap(([name, isSame]) => (isSame ? [] : [name]));
