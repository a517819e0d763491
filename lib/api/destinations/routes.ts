import { personOrKey } from '@/lib/api/callers';
import { RotateSecretBody } from '@/lib/delivery/schema';
import { created, noContent, ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import {
  createDestination,
  deleteDestination,
  endPreviousDestinationSecret,
  getDestination,
  listDestinations,
  removeDestinationSecret,
  revealDestinationSecret,
  rotateDestinationSecret,
  updateDestination,
} from '@/lib/incoming/destinations';
import { CreateDestinationBody, Destination, DestinationSecret, UpdateDestinationBody } from '@/lib/incoming/schema';
import { systemClock } from '@/lib/platform/clock';
import { listingOf, PageQuery } from '@/lib/platform/pagination';
import { listOutages as listOutagesOf } from '@/lib/stats/outages';
import { OutageList } from '@/lib/stats/schema';

const reads = personOrKey('destination.read', 'read');
const writes = personOrKey('destination.manage', 'write');
const handlesSecret = personOrKey('destination.secret', 'write');

const IN_SOURCE = ['projectId', 'sourceId'] as const;
const ONE = [...IN_SOURCE, 'destinationId'] as const;

export const list = route({
  summary: 'List the destinations of a source.',
  caller: reads,
  params: IN_SOURCE,
  query: PageQuery,
  response: { status: 200, schema: listingOf(Destination) },
  handler: async ({ caller, params, query }) => ok(await listDestinations(caller, params, query, systemClock())),
});

export const create = route({
  summary: 'Create a destination that a source forwards its events to.',
  caller: writes,
  params: IN_SOURCE,
  body: CreateDestinationBody,
  errors: ['limit_reached'],
  response: { status: 201, schema: Destination },
  handler: async ({ caller, params, body }) => created(await createDestination(caller, params, body, systemClock())),
});

export const get = route({
  summary: 'Get a destination.',
  caller: reads,
  params: ONE,
  response: { status: 200, schema: Destination },
  handler: async ({ params }) => ok(await getDestination(params, systemClock())),
});

export const update = route({
  summary: 'Change a destination.',
  caller: writes,
  params: ONE,
  body: UpdateDestinationBody,
  response: { status: 200, schema: Destination },
  handler: async ({ caller, params, body }) => ok(await updateDestination(caller, params, body, systemClock())),
});

export const remove = route({
  summary: 'Delete a destination, its credential and its secrets.',
  caller: writes,
  params: ONE,
  response: { status: 204 },
  handler: async ({ caller, params }) => {
    await deleteDestination(caller, params, systemClock());
    return noContent();
  },
});

export const getSecret = route({
  summary: 'Reveal the signing secret of a destination.',
  caller: handlesSecret,
  params: ONE,
  response: { status: 200, schema: DestinationSecret, sensitive: true },
  handler: async ({ caller, params }) => ok(await revealDestinationSecret(caller, params, systemClock())),
});

export const rotateSecret = route({
  summary: 'Create or rotate the signing secret of a destination; the old one stays valid for a grace period.',
  caller: handlesSecret,
  params: ONE,
  body: RotateSecretBody,
  bodyOptional: true,
  response: { status: 200, schema: DestinationSecret, sensitive: true },
  handler: async ({ caller, params, body }) => ok(await rotateDestinationSecret(caller, params, body, systemClock())),
});

export const endPreviousSecret = route({
  summary: 'End the previous signing secret of a destination before its grace period does.',
  caller: handlesSecret,
  params: ONE,
  response: { status: 204 },
  handler: async ({ caller, params }) => {
    await endPreviousDestinationSecret(caller, params);
    return noContent();
  },
});

export const removeSecret = route({
  summary: 'Stop signing deliveries to a destination.',
  caller: handlesSecret,
  params: ONE,
  response: { status: 204 },
  handler: async ({ caller, params }) => {
    await removeDestinationSecret(caller, params);
    return noContent();
  },
});

export const listOutages = route({
  summary: 'Get the newest outages of a destination, and how many deliveries of each have not arrived.',
  caller: personOrKey('delivery.read', 'read'),
  params: ONE,
  response: { status: 200, schema: OutageList },
  isHeavy: true,
  handler: async ({ params }) => {
    const destination = await getDestination(params, systemClock());
    return ok(await listOutagesOf('destinationId', destination, params.projectId, systemClock));
  },
});
