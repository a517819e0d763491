import type { ProjectCaller } from '@/lib/audit/caller';
import { presentExchange, presentRequest } from '@/lib/delivery/attempts/attempts';
import { openEndpointHeaders, openEndpointSecret } from '@/lib/delivery/credentials';
import { sendOnce } from '@/lib/delivery/engine/send-once';
import type { TestEndpointBody, TestResult } from '@/lib/delivery/schema';
import { ownerOfProject } from '@/lib/orgs/tenant';
import type { ClientInfo } from '@/lib/platform/client-info';
import { unexpired } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { AppError, notFound } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import { RESPONSE_TIMEOUT_MS } from '@/lib/platform/net/failure-reason';
import { prisma } from '@/lib/platform/prisma/client';
import type { Endpoint as EndpointRow } from '@/lib/platform/prisma/generated/client';
import { consumeRateLimit } from '@/lib/platform/rate-limit';
import { getEndpointRow, signatureOf } from './endpoints';

const TEST_DATA = '{"message":"A test from the Event Delivery Service"}';

interface TestedEndpoint {
  projectId: string;
  endpointId: string;
}

/** What to send. */
interface TestEvent extends Pick<TestEndpointBody, 'type'> {
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
  caller: ProjectCaller,
  { projectId, endpointId }: TestedEndpoint,
  { type, data }: TestEvent,
  at: Date,
): Promise<TestResult> {
  const { client } = caller;
  const row = await getEndpointRow(prisma(), { projectId, endpointId });
  const { url, headersEncrypted } = row;
  const receiver = {
    url,
    secrets: validSecrets(row, at),
    headers: headersEncrypted === null ? {} : openEndpointHeaders(headersEncrypted),
    signature: signatureOf(row),
    sendsData: row.bodyFormat === 'DATA',
    customerId: row.customerId,
  };
  const signal = client.disconnectSignal?.();
  const event = { type, data: data ?? TEST_DATA, id: newId(), timestamp: at.toISOString() };
  const { result, message } = await limitTests(caller, { projectId, endpointId }, (tenant) =>
    sendOnce(receiver, event, { tenant, ...(signal === undefined ? {} : { signal }) }),
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

/**
 * The most tests that run at once in a process. A receiver may keep the connection of each open for 20 s. A test with the largest data
 * takes about a MiB.
 */
const AT_ONCE = { endpoint: 3, project: 5, owner: 10, process: 100 };
/** Places of the process that only an owner without a running test may take, so that a few owners cannot lock out the others. */
const KEPT = 50;
/** Those from portals: no customer uses up what its company or another customer may do. */
const OF_PORTALS = { customer: 2, owner: 10 };
/** After this time the tests in flight have ended. */
const RETRY_AFTER_SECONDS = RESPONSE_TIMEOUT_MS / 1000;

/**
 * Runs a test of an endpoint if a slot is free, and counts it against the tests that its project may send in a minute. A test
 * without a slot does not count (docs/decisions/008-where-deliveries-may-connect.md). Those from a portal have been counted for their
 * customer (lib/portal/rates.ts).
 * @throws AppError rate_limited
 */
async function limitTests<T>(
  caller: ProjectCaller,
  { projectId, endpointId }: TestedEndpoint,
  test: (ownerId: string) => Promise<T>,
): Promise<T> {
  const ownerId = await ownerOfProject(projectId);
  const isPortal = caller.type === 'portal';
  const ofOwner = isPortal
    ? { key: `portals of ${ownerId}`, limit: OF_PORTALS.owner, detail: 'Too many tests are running.' }
    : { key: `owner ${ownerId}`, limit: AT_ONCE.owner, detail: 'Too many tests of this account are running.' };
  const ofCaller = isPortal
    ? [{ key: caller.customerId, limit: OF_PORTALS.customer, detail: 'Too many tests of this portal are running.' }]
    : [
        { key: endpointId, limit: AT_ONCE.endpoint, detail: 'Too many tests of this endpoint are running.' },
        { key: projectId, limit: AT_ONCE.project, detail: 'Too many tests of this project are running.' },
      ];
  const limit = runningTests(ofOwner.key) === 0 ? AT_ONCE.process : AT_ONCE.process - KEPT;
  const ofProcess = { key: 'process', limit, detail: 'Too many tests are running.' };
  const release = acquireSlots([...ofCaller, ofOwner, ofProcess]);
  try {
    if (!isPortal) await countToMinute(projectId, caller.client);
    return await test(ownerId);
  } finally {
    release();
  }
}

const inFlight = () => once('endpoint-tests', () => new Map<string, number>());
const runningTests = (key: string) => inFlight().get(key) ?? 0;

/** Acquires one slot of each kind, or none. @returns a function that releases them */
function acquireSlots(slots: { key: string; limit: number; detail: string }[]): () => void {
  for (const { key, limit, detail } of slots) {
    if (runningTests(key) < limit) continue;
    const message = `${detail} Try again when one of them has ended.`;
    throw new AppError('rate_limited', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
  for (const { key } of slots) inFlight().set(key, runningTests(key) + 1);
  return () => {
    for (const { key } of slots) {
      const left = runningTests(key) - 1;
      if (left > 0) inFlight().set(key, left);
      else inFlight().delete(key);
    }
  };
}

async function countToMinute(projectId: string, client: ClientInfo): Promise<void> {
  const points = config().PROJECT_ENDPOINT_TESTS_PER_MINUTE;
  const limit = { name: 'endpoint-test', key: projectId, points, windowSeconds: 60 };
  const verdict = await consumeRateLimit(limit, client);
  if (verdict.allowed) return;
  const { retryAfterSeconds } = verdict;
  const detail = `A project may send ${points} tests in a minute. Try again in ${retryAfterSeconds} s.`;
  throw new AppError('rate_limited', detail, { retryAfterSeconds });
}
