import type { Context } from '@/lib/cli/context';
import type { ProjectOptions } from '@/lib/client';
import { readText } from '@/lib/client/read-body';
import { MAX_RESPONSE_BYTES } from '@/lib/client/read-response';
import type { EventDetail } from '@/lib/delivery/schema';
import { memberText } from '@/lib/events/member-text';

/** An event and the JSON that the server wrote for it. */
export interface EventText {
  event: EventDetail;
  json: string;
}

/** Gets an event with its text: JSON.parse rounds the large numbers of its data, and drops the zeros of 1.0. */
export async function getEventText(context: Context, id: string, project: ProjectOptions): Promise<EventText> {
  let text: Promise<string | null> = Promise.resolve(null);
  const client = context.clientThatReports((response) => {
    text = readText(response, MAX_RESPONSE_BYTES);
    // A broken connection is the client's to report.
    text.catch(() => undefined);
  });
  const event = await client.events.get(id, project);
  return { event, json: (await text) ?? JSON.stringify(event) };
}

/** Returns the data of an event as the sender wrote it. */
export function dataText({ event, json }: EventText): string {
  return memberText(json, 'data') ?? JSON.stringify(event.data);
}
