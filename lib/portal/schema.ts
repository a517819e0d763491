import * as z from 'zod';
import {
  CreateEndpointBody,
  CreateEventReplayBody,
  CreateSubscriptionBody,
  Delivery,
  Endpoint,
  EndpointListItem,
  EventReplay,
  ListDeliveriesQuery,
  RoutingItem,
  UpdateEndpointBody,
} from '@/lib/delivery/schema';
import { EventSummary, EventTypePattern, ListEventTypesQuery } from '@/lib/events/schema';
import { field } from '@/lib/platform/field';
import { Id } from '@/lib/platform/ids';
import { Time } from '@/lib/platform/instant';
import { PageQuery } from '@/lib/platform/pagination';

export const PortalPermissions = z.enum(['READ', 'MANAGE']);
export type PortalPermissions = z.infer<typeof PortalPermissions>;

const PERMISSIONS = '`READ`: sees everything but secrets. `MANAGE`: also changes, tests and retries';
const EXAMPLE_LINK = 'plink_AZjA3nsafD2OTxorPE1ebw3q2-7wfZkM0cPq9n4bTtYy1sVxUe8aLhJdRgKoWiNmE';
const EXAMPLE_TOKEN = 'ptok_AZjA3nsafD2OTxorPE1ebwZk3n0cPq9n4bTtYy1sVxUe8aLhJdRgKoWiNmE3q2-7w';

export const CreatePortalLinkBody = z.strictObject({
  permissions: field(PortalPermissions.default('MANAGE'), PERMISSIONS, 'MANAGE'),
  sessionSeconds: field(
    z.int().min(300).max(86_400).default(3_600),
    'How long the session lasts that the link opens',
    3_600,
  ),
});
export type CreatePortalLinkBody = z.infer<typeof CreatePortalLinkBody>;

export const PortalLink = z.object({
  url: field(
    z.string(),
    'The page of the portal. It opens one session, for whoever is first',
    `https://events.example.com/portal/019b0d4c-7a2e-7c61-9f55-3e0a6f1d2b84#${EXAMPLE_LINK}`,
  ),
  expiresAt: field(Time, 'Until when the link can be opened'),
});
export type PortalLink = z.infer<typeof PortalLink>;

export const OpenPortalSessionBody = z.strictObject({
  link: field(z.string().max(200), 'The fragment of the URL of a link', EXAMPLE_LINK),
  projectId: field(Id.optional(), 'The project in the URL of the link; a link of another project is refused'),
});
export type OpenPortalSessionBody = z.infer<typeof OpenPortalSessionBody>;

/** How the portal of a project looks. */
export const PortalTheme = z.object({
  name: field(z.string(), 'The name of the company, by default that of the project', 'Analytical Engines'),
  accentColor: field(z.string().nullable(), 'Its color, as `#rrggbb`; null for that of the service', '#7c3aed'),
  logoUrl: field(z.string().nullable(), 'The path of its logo on this service; null without one', null),
});
export type PortalTheme = z.infer<typeof PortalTheme>;

export const PortalSession = z.object({
  expiresAt: field(Time, 'When the session expires'),
  permissions: field(PortalPermissions, PERMISSIONS, 'MANAGE'),
  customer: field(
    z.object({
      uid: field(z.string(), 'The company’s own id of the customer', 'cus_8f2c1'),
      name: field(z.string().nullable(), 'What people call the customer', 'Acme Inc.'),
    }),
    'Whose portal it is',
  ),
  portal: field(PortalTheme, 'How it looks'),
});
export type PortalSession = z.infer<typeof PortalSession>;

export const OpenedPortalSession = PortalSession.extend({
  token: field(z.string(), 'The credential of the session: `Authorization: Bearer …`', EXAMPLE_TOKEN),
});
export type OpenedPortalSession = z.infer<typeof OpenedPortalSession>;

/** What a customer sees of an endpoint. A further field is the company's until it is listed here. */
const OF_ENDPOINT = {
  id: true,
  url: true,
  description: true,
  enabled: true,
  disabledReason: true,
  disabledAt: true,
  pauseReason: true,
  failingSince: true,
  retrySeconds: true,
  createdAt: true,
  updatedAt: true,
} as const;

export const PortalEndpoint = Endpoint.pick(OF_ENDPOINT);
export type PortalEndpoint = z.infer<typeof PortalEndpoint>;

export const PortalEndpointListItem = EndpointListItem.pick({
  ...OF_ENDPOINT,
  eventTypes: true,
  eventTypeCount: true,
  lastDeliveryAt: true,
});
export type PortalEndpointListItem = z.infer<typeof PortalEndpointListItem>;

export const CreatePortalEndpointBody = CreateEndpointBody.pick({
  url: true,
  description: true,
  enabled: true,
  retrySeconds: true,
  secret: true,
  eventTypes: true,
}).meta({
  examples: [{ url: 'https://example.com/webhooks', description: 'Billing', eventTypes: ['order.*', 'user.created'] }],
});
export type CreatePortalEndpointBody = z.infer<typeof CreatePortalEndpointBody>;

export const UpdatePortalEndpointBody = UpdateEndpointBody.pick({
  url: true,
  description: true,
  enabled: true,
  pauseReason: true,
  retrySeconds: true,
}).meta({ examples: [{ description: 'Billing', enabled: true }] });
export type UpdatePortalEndpointBody = z.infer<typeof UpdatePortalEndpointBody>;

export const CreatePortalSubscriptionBody = CreateSubscriptionBody.omit({ endpointId: true });
export type CreatePortalSubscriptionBody = z.infer<typeof CreatePortalSubscriptionBody>;

/** What only forwards of incoming events have. */
const OF_FORWARDS = { incomingEventId: true, destinationId: true } as const;

export const PortalDelivery = Delivery.omit({ ...OF_FORWARDS, sourceId: true });
export type PortalDelivery = z.infer<typeof PortalDelivery>;

export const ListPortalDeliveriesQuery = ListDeliveriesQuery.omit({ ...OF_FORWARDS, customer: true });
export type ListPortalDeliveriesQuery = z.infer<typeof ListPortalDeliveriesQuery>;

/** Without its data, of which an endpoint gets what its company chooses. */
export const PortalEvent = EventSummary.extend({
  deliveryCount: field(z.int(), 'How many endpoints of the customer it was sent to', 1),
});
export type PortalEvent = z.infer<typeof PortalEvent>;

export const ListPortalEventsQuery = PageQuery.extend({
  type: field(EventTypePattern.optional(), 'Only events of this type or pattern'),
});
export type ListPortalEventsQuery = z.infer<typeof ListPortalEventsQuery>;

/** Whose an endpoint is, the customer knows. */
export const PortalRoutingItem = RoutingItem.omit({ customerId: true });
export type PortalRoutingItem = z.infer<typeof PortalRoutingItem>;
export const CreatePortalReplayBody = z.strictObject({
  from: CreateEventReplayBody.shape.from,
  dryRun: CreateEventReplayBody.shape.dryRun,
});
export type CreatePortalReplayBody = z.infer<typeof CreatePortalReplayBody>;

/** What a customer sees of an event replay. */
export const PortalReplay = EventReplay.pick({
  id: true,
  status: true,
  from: true,
  to: true,
  total: true,
  checked: true,
  sent: true,
  createdAt: true,
  completedAt: true,
});
export type PortalReplay = z.infer<typeof PortalReplay>;

export const ListPortalEventTypesQuery = ListEventTypesQuery.pick({ limit: true, cursor: true, q: true });
export type ListPortalEventTypesQuery = z.infer<typeof ListPortalEventTypesQuery>;
