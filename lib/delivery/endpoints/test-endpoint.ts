import { openEndpointSecret } from '@/lib/delivery/endpoint-secret';
import { sendOnce } from '@/lib/delivery/engine/send-once';
import type { TestResult } from '@/lib/delivery/schema';
import type { ClientInfo } from '@/lib/platform/client-info';
import { unexpired } from '@/lib/platform/clock';
import { notFound } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { prisma } from '@/lib/platform/prisma/client';
import type { Endpoint as EndpointRow } from '@/lib/platform/prisma/generated/client';
import { limitTests } from './limit-tests';
import { getEndpointRow } from './queries';

const TEST_EVENT = { type: 'endpoint.test', data: '{"message":"A test from the Event Delivery Service"}' };

/**
 * Sends a signed test event to an endpoint and returns the result. Nothing is stored or retried. A disabled endpoint is tested
 * too, so that people can try it before they enable it.
 * @param client learns of the rate limit; the test ends when it disconnects
 * @throws AppError not_found, rate_limited
 */
export async function testEndpoint(
  projectId: string,
  endpointId: string,
  at: Date,
  client: ClientInfo,
): Promise<TestResult> {
  const row = await getEndpointRow(prisma(), projectId, endpointId);
  const receiver = { url: row.url, secrets: validSecrets(row, at) };
  const signal = client.disconnectSignal?.();
  const event = { ...TEST_EVENT, id: newId(), timestamp: at.toISOString() };
  return limitTests({ projectId, endpointId }, client, () =>
    sendOnce(receiver, event, { tenant: projectId, ...(signal === undefined ? {} : { signal }) }),
  );
}

function validSecrets(row: EndpointRow, at: Date): string[] {
  if (row.secretEncrypted === null) throw notFound('endpoint');
  const hasPrevious = unexpired(row.previousSecretExpiresAt, at) !== null;
  const sealed = hasPrevious && row.previousSecretEncrypted !== null ? [row.previousSecretEncrypted] : [];
  return [row.secretEncrypted, ...sealed].map(openEndpointSecret);
}
