import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { presentExchange } from '@/lib/delivery/attempts/present-attempt';
import { presentRequest } from '@/lib/delivery/attempts/present-request';
import { openEndpointSecret } from '@/lib/delivery/endpoint-secret';
import { sendOnce } from '@/lib/delivery/engine/send-once';
import type { TestEndpointBody, TestResult } from '@/lib/delivery/schema';
import { unexpired } from '@/lib/platform/clock';
import { notFound } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { prisma } from '@/lib/platform/prisma/client';
import type { Endpoint as EndpointRow } from '@/lib/platform/prisma/generated/client';
import { limitTests } from './limit-tests';
import { getEndpointRow } from './queries';

const TEST_DATA = '{"message":"A test from the Event Delivery Service"}';

interface TestedEndpoint {
  projectId: string;
  endpointId: string;
}

/** What to send. */
export interface TestEvent extends Pick<TestEndpointBody, 'type'> {
  /** JSON text, sent without a change; null for a message of ours. */
  data: string | null;
}

/**
 * Sends a signed test event to an endpoint and returns the request and the response. Nothing is stored or retried. A disabled endpoint
 * is tested too, so that people can try it before they enable it. The client of the caller learns of the rate limit, and the test ends
 * when it disconnects.
 * @throws AppError not_found, rate_limited
 */
export async function testEndpoint(
  caller: PersonCaller | KeyCaller,
  { projectId, endpointId }: TestedEndpoint,
  { type, data }: TestEvent,
  at: Date,
): Promise<TestResult> {
  const { client } = caller;
  const row = await getEndpointRow(prisma(), projectId, endpointId);
  const receiver = { url: row.url, secrets: validSecrets(row, at) };
  const signal = client.disconnectSignal?.();
  const event = { type, data: data ?? TEST_DATA, id: newId(), timestamp: at.toISOString() };
  const { result, message } = await limitTests({ projectId, endpointId }, client, () =>
    sendOnce(receiver, event, { tenant: projectId, ...(signal === undefined ? {} : { signal }) }),
  );
  return {
    startedAt: result.startedAt.toISOString(),
    ...presentExchange(result),
    request: presentRequest({ url: row.url, ...result }, message, null),
  };
}

function validSecrets(row: EndpointRow, at: Date): string[] {
  if (row.secretEncrypted === null) throw notFound('endpoint');
  const hasPrevious = unexpired(row.previousSecretExpiresAt, at) !== null;
  const sealed = hasPrevious && row.previousSecretEncrypted !== null ? [row.previousSecretEncrypted] : [];
  return [row.secretEncrypted, ...sealed].map(openEndpointSecret);
}
