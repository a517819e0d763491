import { EVENT_DELIVERY_COLUMNS, type NamedDelivery, TargetNames } from '@/lib/cli/commands/deliveries/delivery-rows';
import type { Context } from '@/lib/cli/context';
import { columns } from '@/lib/cli/output/column';
import { compactJson, indentJson } from '@/lib/cli/output/format-body';
import { MAX_RESPONSE_BYTES, readText } from '@/lib/client/read-response';
import type { EventDetail } from '@/lib/delivery/schema';
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

/** Writes an event with its deliveries, and with its data if `hasData`. */
export async function showEvent(context: Context, text: EventText, hasData: boolean): Promise<void> {
  const { out, terminal } = context;
  const { event, json } = text;
  if (out.isJson) return out.json(json);
  const names = new TargetNames(context);
  const deliveries: NamedDelivery[] = [];
  for (const delivery of event.deliveries) deliveries.push(await names.named(delivery));
  out.fields(event, columns<EventDetail>('type', 'id', 'createdAt'));
  out.table('DELIVERIES', 'delivery', deliveries, EVENT_DELIVERY_COLUMNS);
  if (deliveries.length === 0) out.note(whyNone(event));
  const data = dataText(text);
  if (hasData) out.block('DATA', 'data', terminal.stdout.isTTY ? indentJson(data) : compactJson(data));
  const failed = deliveries.find(({ status }) => status === 'FAILED');
  if (failed !== undefined) out.hint(`See why: eds deliveries get ${failed.id}`);
}

function whyNone({ type, fanOutStatus }: EventDetail): string {
  if (fanOutStatus === 'PENDING') return 'The deliveries haven’t been created yet.';
  if (fanOutStatus === 'DEAD') return 'The service couldn’t create the deliveries. Give the operator the event’s ID.';
  return `No delivery: no endpoint that was enabled then was subscribed to ${type}.`;
}
