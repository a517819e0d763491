// Type-checked as a user's program, against the installed package. Nothing runs it.
import {
  ApiError,
  type ApiErrorCode,
  type CreateEndpointBody,
  type Delivery,
  EventDeliveryClient,
  type EventDetail,
  isApiError,
  type ListRequest,
  NetworkError,
  type NewEvent,
  type Page,
  SignatureError,
  TimeoutError,
  type VerifiedWebhook,
  verifySignature,
} from 'event-delivery-client';

/** Compiles only if both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_isSame: Same<A, B>): void {}

const client = new EventDeliveryClient({
  baseUrl: 'https://events.example.com',
  apiKey: 'key',
  projectId: 'project',
  timeoutMs: 5_000,
  maxRetries: 1,
  headers: { 'x-trace': '1' },
  fetch: (input, init) => fetch(input, init),
});
const person: EventDeliveryClient = new EventDeliveryClient({ baseUrl: '', accessToken: async () => 'token' });

interface Order {
  total: number;
}

export async function useEvents(order: Order, signal: AbortSignal): Promise<string> {
  const event: NewEvent = { type: 'order.paid', data: order };
  const { id, createdAt } = await client.events.send(event, { idempotencyKey: 'a', signal, timeoutMs: 1 });
  const detail: EventDetail = await client.events.get(id, { projectId: 'other' });
  same<(typeof detail.deliveries)[number], Delivery>(true);
  same<Delivery['status'], 'PENDING' | 'SUCCEEDED' | 'FAILED'>(true);
  same<Delivery['lastResponseStatus'], number | null>(true);
  const filter = { type: 'order.paid', from: new Date(0), to: '2026-01-01T00:00:00Z', limit: 10 };
  for await (const item of client.events.list(filter)) {
    same<(typeof item.deliveries)['succeeded' | 'failed' | 'pending'], number>(true);
  }
  return `${id}${createdAt}`;
}

export async function useLists(): Promise<number> {
  const list: ListRequest<Delivery> = client.deliveries.list({ status: 'FAILED' });
  const page: Page<Delivery> = await list;
  let pages = page.data.length;
  for await (const { data, nextCursor } of list.pages()) pages += data.length + (nextCursor?.length ?? 0);
  for await (const attempt of client.deliveries.listAttempts('delivery')) pages += attempt.durationMs;
  return pages;
}

export async function useResources(): Promise<void> {
  const body: CreateEndpointBody = { url: 'https://receiver.example', retrySeconds: [5, 60] };
  const endpoint = await client.endpoints.create(body);
  await client.endpoints.update(endpoint.id, { enabled: false, description: null });
  const { succeeded, responseStatus } = await client.endpoints.test(endpoint.id);
  same<[typeof succeeded, typeof responseStatus], [boolean, number | null]>(true);
  same<Awaited<ReturnType<typeof client.endpoints.remove>>, void>(true);
  await client.subscriptions.create({ endpointId: endpoint.id, eventType: 'order.*' });
  const customer = await client.customers.create({ uid: 'cus_8f2c1', metadata: { plan: 'pro' } });
  same<[typeof customer.name, typeof customer.endpointCount], [string | null, number]>(true);
  await client.endpoints.create({ url: 'https://receiver.example', customer: customer.uid });
  const { customerUid } = await client.events.get('event');
  same<typeof customerUid, string | null>(true);
  for await (const { uid } of client.customers.list({ q: 'acme' })) uid.length;
  await client.events.send({ type: 'order.paid', data: {}, customer: customer.uid });
  const source = await client.sources.create({ name: 'Stripe', provider: 'STRIPE', secret: 's' });
  await client.destinations.create(source.id, {
    url: 'https://a.example',
    auth: { type: 'BASIC', username: 'a', password: 'b' },
  });
  const { headers, verified } = await client.incomingEvents.get('id');
  same<[typeof headers, typeof verified], [[string, string][], boolean | null]>(true);
  const tunnel = await client.tunnels.create();
  for await (const request of client.tunnels.listRequests(tunnel.id, { status: '4xx' })) request.path.slice(1);
  const key = await person.apiKeys.create({ name: 'ci', scope: 'READ_ONLY', expiresAt: '2027-01-01' });
  same<typeof key.key, string>(true);
  await person.apiKeys.rotate(key.id, { gracePeriodHours: 0 });
  await person.sessions.closeAll({ keepCurrent: true });
  const { user, organizations } = await person.account.get();
  same<
    [typeof user.name, (typeof organizations)[0]['role']],
    [string | null, 'VIEWER' | 'DEVELOPER' | 'ADMIN' | 'OWNER']
  >(true);
  const document: Response = await person.organizationExport.download('organization');
  await document.text();
  const { accessToken, refreshToken } = await person.device.exchange({ deviceCode: 'code' });
  same<[typeof accessToken, typeof refreshToken], [string, string | undefined]>(true);
  for await (const { action } of person.auditLog.list('organization', { action: 'api_key.created' })) action.length;
}

export function useErrors(error: unknown): ApiErrorCode | null {
  if (isApiError(error, 'validation_failed')) {
    same<typeof error.code, 'validation_failed'>(true);
    for (const { path, message } of error.errors) path.concat(message);
  }
  if (error instanceof ApiError) return error.retryAfterSeconds === null ? error.code : null;
  if (error instanceof TimeoutError || error instanceof NetworkError) error.faultCode?.slice(1);
  return null;
}

export function useSignatures(request: Request, body: Uint8Array): VerifiedWebhook | null {
  try {
    verifySignature('text', { 'webhook-id': ['a'], host: undefined }, 'secret');
    return verifySignature(body, request.headers, 'secret');
  } catch (error) {
    if (error instanceof SignatureError) return null;
    throw error;
  }
}
