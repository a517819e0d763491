import { EVENT_DELIVERY_COLUMNS, type NamedDelivery, TargetNames } from '@/lib/cli/commands/deliveries/delivery-rows';
import type { Context } from '@/lib/cli/context';
import { type Column, CUSTOMER, columns } from '@/lib/cli/output/column';
import { compactJson, indentJson } from '@/lib/cli/output/format-body';
import { MAX_RESPONSE_BYTES, readText } from '@/lib/client/read-response';
import type { Attempt, EventDetail } from '@/lib/delivery/schema';
import { memberText } from '@/lib/events/member-text';

/** An event and the JSON that the server wrote for it. */
export interface EventText {
  event: EventDetail;
  json: string;
}

/** Gets an event with its text: JSON.parse rounds the large numbers of its data, and drops the zeros of 1.0. */
export async function getEventText(context: Context, id: string, signal?: AbortSignal): Promise<EventText> {
  let text: Promise<string | null> = Promise.resolve(null);
  const client = context.clientThatReports((response) => {
    text = readText(response, MAX_RESPONSE_BYTES);
    // A broken connection is the client's to report.
    text.catch(() => undefined);
  });
  const event = await client.events.get(id, signal && { signal });
  return { event, json: (await text) ?? JSON.stringify(event) };
}

/** Returns the data of an event as the sender wrote it. */
export function dataText({ event, json }: EventText): string {
  return memberText(json, 'data') ?? JSON.stringify(event.data);
}

/** Writes an event with its deliveries, and with its sender, attempts and data if `hasData`. */
export async function showEvent(context: Context, text: EventText, hasData: boolean): Promise<void> {
  const { out, terminal } = context;
  const { event, json } = text;
  if (out.isJson) return out.json(json);
  const names = new TargetNames(context);
  const deliveries: NamedDelivery[] = [];
  for (const delivery of event.deliveries) deliveries.push(await names.named(delivery));
  out.fields(event, [
    ...columns<EventDetail>('type', 'id', CUSTOMER, 'createdAt'),
    ...(hasData ? await senderOf(context, event) : []),
  ]);
  out.table('DELIVERIES', 'delivery', deliveries, EVENT_DELIVERY_COLUMNS);
  if (deliveries.length === 0) out.note(whyNone(event));
  if (hasData) await showAttemptsOf(context, deliveries);
  const data = dataText(text);
  if (hasData) out.block('DATA', 'data', terminal.stdout.isTTY ? indentJson(data) : compactJson(data));
  const failed = deliveries.find(({ status }) => status === 'FAILED');
  if (failed !== undefined) out.hint(`See why: eds deliveries get ${failed.id}`);
}

/** Returns with which key, from where and with which idempotency key an event was sent. */
async function senderOf({ access, client }: Context, { apiKeyId }: EventDetail): Promise<Column<EventDetail>[]> {
  // A key may not read the name of another.
  const mayName = apiKeyId !== null && access.kind === 'session';
  const key = mayName ? await client.apiKeys.get(apiKeyId).catch(() => null) : null;
  return [
    { header: 'KEY', value: () => (key === null ? apiKeyId : `${key.name} (${key.id})`) },
    { header: 'SENT FROM', value: ({ clientAddress }) => clientAddress },
    { header: 'IDEMPOTENCY KEY', value: ({ idempotencyKey }) => idempotencyKey },
  ];
}

/** Deliveries whose attempts are shown, and attempts of each. Each delivery costs a request. */
const MAX_DELIVERIES = 20;
const MAX_ATTEMPTS = 20;

type TargetedAttempt = Attempt & { target: string };

const ATTEMPT_COLUMNS = columns<TargetedAttempt>(
  { header: 'STARTED', value: ({ startedAt }) => startedAt },
  { header: 'RESULT', value: ({ responseStatus, error }) => responseStatus ?? error, kind: 'state' },
  { header: 'DURATION', value: ({ durationMs }) => durationMs, kind: 'duration' },
  { header: 'ATTEMPT', value: ({ attemptNumber }) => attemptNumber, spare: 1 },
  { header: 'TARGET', value: ({ target }) => target, kind: 'url' },
);

async function showAttemptsOf({ client, out }: Context, deliveries: readonly NamedDelivery[]): Promise<void> {
  const attempts: TargetedAttempt[] = [];
  for (const { id, target, attemptCount } of deliveries.slice(0, MAX_DELIVERIES)) {
    if (attemptCount === 0) continue;
    const { data } = await client.deliveries.listAttempts(id, { limit: MAX_ATTEMPTS });
    attempts.push(...data.map((attempt) => ({ ...attempt, target })));
  }
  if (attempts.length === 0) return;
  out.table('ATTEMPTS', 'attempt', attempts, ATTEMPT_COLUMNS);
  if (deliveries.length > MAX_DELIVERIES) out.note(`These are the attempts of the first ${MAX_DELIVERIES} deliveries.`);
}

function whyNone({ id, fanOutStatus }: EventDetail): string {
  if (fanOutStatus === 'PENDING') return 'The deliveries haven’t been created yet.';
  if (fanOutStatus === 'DEAD') return 'The service couldn’t create the deliveries. Give the operator the event’s ID.';
  return `No delivery. See why: eds events explain ${id}`;
}
