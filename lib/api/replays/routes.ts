import { personOrKey } from '@/lib/api/callers';
import { accepted, ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { cancelReplay, createReplay, getReplay, listReplays } from '@/lib/incoming/replays/replays';
import { CreateReplayBody, Replay } from '@/lib/incoming/schema';
import { admitIntake } from '@/lib/orgs/admit-intake';
import { systemClock } from '@/lib/platform/clock';
import { listingOf, PageQuery } from '@/lib/platform/pagination';

const reads = personOrKey('incoming_event.read', 'read');
const writes = personOrKey('incoming_event.replay', 'write');

export const list = route({
  summary: 'List the newest replays of a project.',
  caller: reads,
  params: ['projectId'],
  query: PageQuery,
  response: { status: 200, schema: listingOf(Replay) },
  handler: async ({ params, query }) => ok(await listReplays(params.projectId, query)),
});

export const create = route({
  summary: 'Replay a source’s incoming events from a time range, in the background.',
  caller: writes,
  params: ['projectId'],
  body: CreateReplayBody,
  errors: ['conflict', 'rate_limited'],
  response: { status: 202, schema: Replay },
  handler: async ({ caller, params, body }) => {
    // It stores a delivery for each incoming event and destination.
    admitIntake(params.projectId, 0);
    return accepted(await createReplay(caller, params.projectId, body, systemClock()));
  },
});

export const get = route({
  summary: 'Get a replay with its progress.',
  caller: reads,
  params: ['projectId', 'replayId'],
  response: { status: 200, schema: Replay },
  handler: async ({ params }) => ok(await getReplay(params.projectId, params.replayId)),
});

export const cancel = route({
  summary: 'Cancel a replay; deliveries already queued are still sent.',
  caller: writes,
  params: ['projectId', 'replayId'],
  response: { status: 200, schema: Replay },
  handler: async ({ caller, params }) => ok(await cancelReplay(caller, params.projectId, params.replayId)),
});
