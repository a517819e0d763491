import { EVENT_DELIVERY_COLUMNS, type NamedDelivery } from '@/lib/cli/commands/deliveries/delivery-columns';
import { TargetNames } from '@/lib/cli/commands/deliveries/target-names';
import type { Context } from '@/lib/cli/context';
import { Details } from '@/lib/cli/output/details';
import { compactJson, indentJson } from '@/lib/cli/output/indent-json';
import { sanitize } from '@/lib/cli/output/sanitize';
import type { ProjectOptions } from '@/lib/client';
import type { EventDetail } from '@/lib/delivery/schema';
import { dataText, type EventText } from './event-text';

/** Writes an event with its deliveries, and with its data if `hasData`. */
export async function showEvent(
  context: Context,
  project: ProjectOptions,
  text: EventText,
  hasData: boolean,
): Promise<void> {
  const { out, terminal } = context;
  const { event, json } = text;
  if (out.isJson) return out.json(json);
  const names = new TargetNames(context, project);
  const deliveries: NamedDelivery[] = [];
  for (const delivery of event.deliveries) deliveries.push(await names.named(delivery));
  const details = new Details(terminal, out.style);
  details.fields(event, [
    { header: 'TYPE', value: ({ type }) => type },
    { header: 'ID', value: ({ id }) => id },
    { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
  ]);
  details.table('DELIVERIES', 'delivery', deliveries, EVENT_DELIVERY_COLUMNS);
  if (deliveries.length === 0) out.note(whyNone(event));
  const data = dataText(text);
  if (hasData) details.text('DATA', 'data', terminal.stdout.isTTY ? indentJson(data) : compactJson(data));
  const failed = deliveries.find(({ status }) => status === 'FAILED');
  if (failed !== undefined) out.hint(`See why: eds deliveries get ${failed.id}`);
}

function whyNone({ type, fanOutStatus }: EventDetail): string {
  if (fanOutStatus === 'PENDING') return 'The deliveries haven’t been created yet.';
  if (fanOutStatus === 'DEAD') return 'The service couldn’t create the deliveries. Give the operator the event’s ID.';
  return `No matching endpoint: none was subscribed to ${sanitize(type)}.`;
}
