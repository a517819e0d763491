import { personOrKey } from '@/lib/api/callers';
import {
  cancelEventReplay,
  createEventReplay,
  getEventReplay,
  listEventReplays,
} from '@/lib/delivery/event-replays/event-replays';
import { previewEventReplay } from '@/lib/delivery/event-replays/preview-event-replay';
import { CreateEventReplayBody, EventReplay, EventReplayPreview } from '@/lib/delivery/schema';
import { accepted, ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { admitIntake } from '@/lib/orgs/admit-intake';
import { listingOf, PageQuery } from '@/lib/platform/pagination';

const reads = personOrKey('delivery.read', 'read');
const writes = personOrKey('delivery.retry', 'write');

export const list = route({
  summary: 'List the newest event replays of a project.',
  caller: reads,
  params: ['projectId'],
  query: PageQuery,
  response: { status: 200, schema: listingOf(EventReplay) },
  handler: async ({ params, query }) => ok(await listEventReplays(params.projectId, query)),
});

export const create = route({
  summary: 'Send the events of a period to endpoints in the background, or count what would be sent.',
  caller: writes,
  params: ['projectId'],
  body: CreateEventReplayBody,
  errors: ['conflict', 'rate_limited'],
  response: { status: 202, schema: EventReplay, alternatives: [{ status: 200, schema: EventReplayPreview }] },
  handler: async ({ caller, params: { projectId }, body }) => {
    if (body.dryRun) return ok(await previewEventReplay(caller, projectId, body));
    // It stores a delivery for each event and endpoint.
    admitIntake(projectId, 0);
    return accepted(await createEventReplay(caller, projectId, body));
  },
});

export const get = route({
  summary: 'Get an event replay with its progress.',
  caller: reads,
  params: ['projectId', 'eventReplayId'],
  response: { status: 200, schema: EventReplay },
  handler: async ({ params }) => ok(await getEventReplay(params.projectId, params.eventReplayId)),
});

export const cancel = route({
  summary: 'Cancel an event replay; deliveries that it has made due are still sent.',
  caller: writes,
  params: ['projectId', 'eventReplayId'],
  response: { status: 200, schema: EventReplay },
  handler: async ({ caller, params }) => ok(await cancelEventReplay(caller, params.projectId, params.eventReplayId)),
});
