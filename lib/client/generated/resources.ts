// Made from the routes: npx vitest run --project unit tests/package/client --update
import type { Api } from '@/lib/client/api';
import type { ListRequest } from '@/lib/client/list-request';
import type { CallOptions, ProjectOptions, SendOptions } from '@/lib/client/options';
import type { Health, NewEvent, Readiness } from '@/lib/client/own-types';
import type { Body, Query } from '@/lib/client/query';
import type { Identity, UpdateMeBody } from '@/lib/accounts/schema';
import type { ListAllAuditQuery, ListAllOrganizationsQuery, OrganizationDetail, OrganizationOverview, RetentionState, RunRetentionBody, SearchUsersQuery, Stats, UserRecord } from '@/lib/admin/schema';
import type { Alert, AlertMessage, CreateAlertBody, CreatedAlert, UpdateAlertBody } from '@/lib/alerts/schema';
import type { AuditLogEntry, OrganizationAuditQuery } from '@/lib/audit/schema';
import type { CloseSessionsQuery, DeviceCodes, DeviceTokenBody, Me, RefreshBody, Session, SignedIn, StartDeviceBody, SwitchOrganizationBody } from '@/lib/auth/schema';
import type { CreateCustomerBody, Customer, ListCustomersQuery, UpdateCustomerBody } from '@/lib/customers/schema';
import type { Attempt, AttemptDetail, BulkRetry, CountDeliveriesQuery, CreateBulkRetryBody, CreateEndpointBody, CreateEventReplayBody, CreateSubscriptionBody, Delivery, DeliveryCount, DeliveryTargetList, Endpoint, EndpointListItem, EndpointSecret, EventDetail, EventReplay, EventReplayPreview, FilterPreview, FilterTest, ListDeliveriesQuery, ListEndpointsQuery, ListRoutingQuery, ListSubscriptionsQuery, ListTargetsQuery, PreviewFilterBody, RotateEndpointSecretBody, RotateSecretBody, RoutingItem, SendToEndpointBody, SignatureCheck, Subscription, TestEndpointBody, TestFilterBody, TestResult, UpdateEndpointBody, UpdateSubscriptionBody, VerifySignatureBody } from '@/lib/delivery/schema';
import type { CatalogueType, CreateEventTypeBody, EventListItem, EventSummary, EventTypeDocument, EventTypeImport, EventTypeSummary, ExportEventTypesQuery, ImportEventTypesBody, InferredSchema, ListEventTypesQuery, ListEventsQuery, UpdateEventTypeBody } from '@/lib/events/schema';
import type { CreateDestinationBody, CreateReplayBody, CreateSourceBody, Destination, DestinationSecret, IncomingEventDetail, IncomingEventListItem, IncomingEventTypes, ListIncomingEventsQuery, Replay, ReplayIncomingEventBody, ReplayedIncomingEvent, RotateSourceSecretBody, RotateSourceUrlBody, Source, SourceSecret, UpdateDestinationBody, UpdateSourceBody } from '@/lib/incoming/schema';
import type { Job } from '@/lib/jobs/schema';
import type { ApiKey, CreateKeyBody, CreatedApiKey, OwnKey, RotateKeyBody } from '@/lib/keys/schema';
import type { ErasurePreview } from '@/lib/lifecycle/schema';
import type { CreateInvitationBody, CreateOrganizationBody, CreateProjectBody, CreatedInvitation, Invitation, InvitationLink, ListedProject, Member, Organization, Project, UpdateMemberBody, UpdateOrganizationBody, UpdateProjectBody } from '@/lib/orgs/schema';
import type { PageQuery } from '@/lib/platform/pagination';
import type { CreatePortalEndpointBody, CreatePortalLinkBody, CreatePortalReplayBody, CreatePortalSubscriptionBody, ListPortalDeliveriesQuery, ListPortalEventTypesQuery, ListPortalEventsQuery, OpenPortalSessionBody, OpenedPortalSession, PortalDelivery, PortalEndpoint, PortalEndpointListItem, PortalEvent, PortalLink, PortalReplay, PortalRoutingItem, PortalSession, UpdatePortalEndpointBody } from '@/lib/portal/schema';
import type { OrganizationRetention } from '@/lib/retention/schema';
import type { SearchQuery, SearchResults } from '@/lib/search/schema';
import type { EndpointHealthList, EndpointHealthQuery, OutageList, ProjectStats, StatsQuery } from '@/lib/stats/schema';
import type { CreateTunnelBody, ListTunnelRequestsQuery, ReplayedTunnelRequest, Tunnel, TunnelRequest, TunnelRequestDetail, UpdateTunnelBody } from '@/lib/tunnel/schema';
import type { OrganizationLimits, ProjectLimits } from '@/lib/usage/schema';

/** Every resource of the API, by the name that it has on the client. */
export type Resources = Readonly<ReturnType<typeof createResources>>;

/** Returns the methods of every resource. */
export function createResources(api: Api) {
  return {
    admin: {
      /** List all organizations of the deployment. */
      listOrganizations: (query?: Query<typeof ListAllOrganizationsQuery>, options?: CallOptions): ListRequest<OrganizationOverview> =>
        api.list('/api/v1/admin/orgs', { query }, options),
      /** Get any organization with its members, projects and stored data. */
      getOrganization: (orgId: string, options?: CallOptions): Promise<OrganizationDetail> =>
        api.call('GET', '/api/v1/admin/orgs/{orgId}', { ids: { orgId } }, options),
      /** Erase any organization with all its data; the audit log is kept. */
      eraseOrganization: (orgId: string, options?: CallOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/admin/orgs/{orgId}', { ids: { orgId } }, options),
      /** Find people by email address, or the start of one. */
      searchUsers: (query?: Query<typeof SearchUsersQuery>, options?: CallOptions): ListRequest<UserRecord> =>
        api.list('/api/v1/admin/users', { query }, options),
      /** End a person’s lockout and clear their failed sign-ins. */
      unlockUser: (userId: string, options?: CallOptions): Promise<void> =>
        api.run('POST', '/api/v1/admin/users/{userId}/unlock', { ids: { userId } }, options),
      /** Close all of a person’s sessions and notify them by email. */
      closeUserSessions: (userId: string, options?: CallOptions): Promise<void> =>
        api.run('POST', '/api/v1/admin/users/{userId}/close-sessions', { ids: { userId } }, options),
      /** List the audit log of all organizations, including deleted ones. */
      listAuditLog: (query?: Query<typeof ListAllAuditQuery>, options?: CallOptions): ListRequest<AuditLogEntry> =>
        api.list('/api/v1/admin/audit-log', { query }, options),
      /** Get deployment statistics. */
      getStats: (options?: CallOptions): Promise<Stats> =>
        api.call('GET', '/api/v1/admin/stats', {}, options),
      /** Get the retention rules, tables, partitions and schedules, and the last run of each job. */
      getRetention: (options?: CallOptions): Promise<RetentionState> =>
        api.call('GET', '/api/v1/admin/retention', {}, options),
      /** Run a retention job now, and wait for up to 25 seconds. */
      runRetention: (body: Body<typeof RunRetentionBody>, options?: CallOptions): Promise<void> =>
        api.run('POST', '/api/v1/admin/retention/run', { body }, options),
    },
    account: {
      /** Get your profile and organizations. */
      get: (options?: CallOptions): Promise<Me> =>
        api.call('GET', '/api/v1/auth/me', {}, options),
      /** Change your profile. */
      update: (body: Body<typeof UpdateMeBody>, options?: CallOptions): Promise<Me> =>
        api.call('PATCH', '/api/v1/auth/me', { body }, options),
      /** Switch your session to another organization. */
      switchOrganization: (body: Body<typeof SwitchOrganizationBody>, options?: CallOptions): Promise<SignedIn> =>
        api.call('POST', '/api/v1/auth/switch-organization', { body, needs: ['accessToken'] }, options),
      /** Erase your account, immediately and permanently. */
      erase: (options?: CallOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/auth/me', {}, options),
      /** Preview what erasing your account does to each of your organizations. */
      previewErasure: (options?: CallOptions): Promise<ErasurePreview> =>
        api.call('GET', '/api/v1/auth/me/erasure', {}, options),
      /** List the identity providers linked to your account. */
      listIdentities: (options?: CallOptions): Promise<{ data: Identity[] }> =>
        api.call('GET', '/api/v1/auth/identities', {}, options),
    },
    alerts: {
      /** List the alerts of a project, newest first. */
      list: (query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<Alert> =>
        api.list('/api/v1/projects/{projectId}/alerts', { query }, options),
      /** Create an alert, which tells by email, a signed webhook or Slack what a project needs. */
      create: (body: Body<typeof CreateAlertBody>, options?: ProjectOptions): Promise<CreatedAlert> =>
        api.call('POST', '/api/v1/projects/{projectId}/alerts', { body }, options),
      /** Get an alert. */
      get: (alertId: string, options?: ProjectOptions): Promise<Alert> =>
        api.call('GET', '/api/v1/projects/{projectId}/alerts/{alertId}', { ids: { alertId } }, options),
      /** Change an alert. */
      update: (alertId: string, body: Body<typeof UpdateAlertBody>, options?: ProjectOptions): Promise<Alert> =>
        api.call('PATCH', '/api/v1/projects/{projectId}/alerts/{alertId}', { ids: { alertId }, body }, options),
      /** Delete an alert with its messages. */
      remove: (alertId: string, options?: ProjectOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/projects/{projectId}/alerts/{alertId}', { ids: { alertId } }, options),
      /** Reveal the signing secret of an alert that is a webhook. */
      getSecret: (alertId: string, options?: ProjectOptions): Promise<EndpointSecret> =>
        api.call('GET', '/api/v1/projects/{projectId}/alerts/{alertId}/secret', { ids: { alertId } }, options),
      /** Replace the signing secret of an alert; the old one stays valid for a grace period. */
      rotateSecret: (alertId: string, body?: Body<typeof RotateSecretBody>, options?: ProjectOptions): Promise<EndpointSecret> =>
        api.call('POST', '/api/v1/projects/{projectId}/alerts/{alertId}/rotate-secret', { ids: { alertId }, body }, options),
      /** Send a test of an alert; its message shows the result. */
      test: (alertId: string, options?: ProjectOptions): Promise<AlertMessage> =>
        api.call('POST', '/api/v1/projects/{projectId}/alerts/{alertId}/test', { ids: { alertId } }, options),
      /** List what an alert said lately, newest first. */
      listMessages: (alertId: string, query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<AlertMessage> =>
        api.list('/api/v1/projects/{projectId}/alerts/{alertId}/messages', { ids: { alertId }, query }, options),
    },
    apiKeys: {
      /** Get the API key of this request: its project, scope and expiry. */
      getOwn: (options?: CallOptions): Promise<OwnKey> =>
        api.call('GET', '/api/v1/key', {}, options),
      /** Create an API key; only this response contains its plaintext. */
      create: (body: Body<typeof CreateKeyBody>, options?: ProjectOptions): Promise<CreatedApiKey> =>
        api.call('POST', '/api/v1/projects/{projectId}/api-keys', { body, needs: ['id', 'key'] }, options),
      /** List the API keys of a project. */
      list: (query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<ApiKey> =>
        api.list('/api/v1/projects/{projectId}/api-keys', { query }, options),
      /** Get an API key, without its plaintext. */
      get: (apiKeyId: string, options?: ProjectOptions): Promise<ApiKey> =>
        api.call('GET', '/api/v1/projects/{projectId}/api-keys/{apiKeyId}', { ids: { apiKeyId } }, options),
      /** Revoke an API key immediately. */
      revoke: (apiKeyId: string, options?: ProjectOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/projects/{projectId}/api-keys/{apiKeyId}', { ids: { apiKeyId } }, options),
      /** Replace an API key; the old key works for a grace period, and only this response contains the new plaintext. */
      rotate: (apiKeyId: string, body?: Body<typeof RotateKeyBody>, options?: ProjectOptions): Promise<CreatedApiKey> =>
        api.call('POST', '/api/v1/projects/{projectId}/api-keys/{apiKeyId}/rotate', { ids: { apiKeyId }, body, needs: ['id', 'key'] }, options),
    },
    auditLog: {
      /** List the audit log of an organization, newest first. */
      list: (orgId: string, query?: Query<typeof OrganizationAuditQuery>, options?: CallOptions): ListRequest<AuditLogEntry> =>
        api.list('/api/v1/orgs/{orgId}/audit-log', { ids: { orgId }, query }, options),
    },
    auth: {
      /** Exchange a refresh token, from the cookie or else the body, for new tokens. */
      refresh: (body: Required<Body<typeof RefreshBody>>, options?: CallOptions): Promise<SignedIn> =>
        api.call('POST', '/api/v1/auth/refresh', { body, isAnonymous: true, needs: ['accessToken', 'refreshToken'] }, options),
      /** Sign out: end the session of the access token, the refresh token, or both. */
      logOut: (body: Required<Body<typeof RefreshBody>>, options?: CallOptions): Promise<void> =>
        api.run('POST', '/api/v1/auth/logout', { body, isAnonymous: true }, options),
    },
    bulkRetries: {
      /** List the newest bulk retries of a project. */
      list: (query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<BulkRetry> =>
        api.list('/api/v1/projects/{projectId}/bulk-retries', { query }, options),
      /** Retry all matching deliveries in the background. */
      create: (body?: Body<typeof CreateBulkRetryBody>, options?: ProjectOptions): Promise<BulkRetry> =>
        api.call('POST', '/api/v1/projects/{projectId}/bulk-retries', { body: body ?? {} }, options),
      /** Get a bulk retry with its progress. */
      get: (bulkRetryId: string, options?: ProjectOptions): Promise<BulkRetry> =>
        api.call('GET', '/api/v1/projects/{projectId}/bulk-retries/{bulkRetryId}', { ids: { bulkRetryId } }, options),
      /** Cancel a bulk retry; deliveries that it has made due are still sent. */
      cancel: (bulkRetryId: string, options?: ProjectOptions): Promise<BulkRetry> =>
        api.call('POST', '/api/v1/projects/{projectId}/bulk-retries/{bulkRetryId}/cancel', { ids: { bulkRetryId } }, options),
    },
    customers: {
      /** List the customers of a project. */
      list: (query?: Query<typeof ListCustomersQuery>, options?: ProjectOptions): ListRequest<Customer> =>
        api.list('/api/v1/projects/{projectId}/customers', { query }, options),
      /** Create a customer, unless there is one with this uid: that one is the answer, unchanged, with 200. */
      create: (body: Body<typeof CreateCustomerBody>, options?: ProjectOptions): Promise<Customer> =>
        api.call('POST', '/api/v1/projects/{projectId}/customers', { body }, options),
      /** Get a customer. */
      get: (customer: string, options?: ProjectOptions): Promise<Customer> =>
        api.call('GET', '/api/v1/projects/{projectId}/customers/{customer}', { ids: { customer } }, options),
      /** Change a customer. */
      update: (customer: string, body: Body<typeof UpdateCustomerBody>, options?: ProjectOptions): Promise<Customer> =>
        api.call('PATCH', '/api/v1/projects/{projectId}/customers/{customer}', { ids: { customer }, body }, options),
      /** Delete a customer with its endpoints; its events and deliveries are removed within minutes. */
      remove: (customer: string, options?: ProjectOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/projects/{projectId}/customers/{customer}', { ids: { customer } }, options),
      /** Make a link to the portal of a customer, which opens one session within five minutes. */
      createPortalLink: (customer: string, body?: Body<typeof CreatePortalLinkBody>, options?: ProjectOptions): Promise<PortalLink> =>
        api.call('POST', '/api/v1/projects/{projectId}/customers/{customer}/portal-links', { ids: { customer }, body }, options),
      /** End the portal links and sessions of a customer at once. */
      endPortalSessions: (customer: string, options?: ProjectOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/projects/{projectId}/customers/{customer}/portal-sessions', { ids: { customer } }, options),
    },
    deliveries: {
      /** List the deliveries of a project. */
      list: (query?: Query<typeof ListDeliveriesQuery>, options?: ProjectOptions): ListRequest<Delivery> =>
        api.list('/api/v1/projects/{projectId}/deliveries', { query }, options),
      /** Count a project’s matching deliveries, up to 100,000. */
      count: (query?: Query<typeof CountDeliveriesQuery>, options?: ProjectOptions): Promise<DeliveryCount> =>
        api.call('GET', '/api/v1/projects/{projectId}/delivery-count', { query }, options),
      /** Get a delivery. */
      get: (deliveryId: string, options?: ProjectOptions): Promise<Delivery> =>
        api.call('GET', '/api/v1/projects/{projectId}/deliveries/{deliveryId}', { ids: { deliveryId } }, options),
      /** List the stored attempts of a delivery. */
      listAttempts: (deliveryId: string, query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<Attempt> =>
        api.list('/api/v1/projects/{projectId}/deliveries/{deliveryId}/attempts', { ids: { deliveryId }, query }, options),
      /** Get an attempt, including its request as it was sent. */
      getAttempt: (deliveryId: string, attemptId: string, options?: ProjectOptions): Promise<AttemptDetail> =>
        api.call('GET', '/api/v1/projects/{projectId}/deliveries/{deliveryId}/attempts/{attemptId}', { ids: { deliveryId, attemptId } }, options),
      /** Retry a delivery now. */
      retry: (deliveryId: string, options?: ProjectOptions): Promise<Delivery> =>
        api.call('POST', '/api/v1/projects/{projectId}/deliveries/{deliveryId}/retry', { ids: { deliveryId } }, options),
      /** Find the endpoints and destinations that deliveries go to. */
      listTargets: (query?: Query<typeof ListTargetsQuery>, options?: ProjectOptions): Promise<DeliveryTargetList> =>
        api.call('GET', '/api/v1/projects/{projectId}/targets', { query }, options),
    },
    destinations: {
      /** List the destinations of a source. */
      list: (sourceId: string, query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<Destination> =>
        api.list('/api/v1/projects/{projectId}/sources/{sourceId}/destinations', { ids: { sourceId }, query }, options),
      /** Create a destination that a source forwards its events to. */
      create: (sourceId: string, body: Body<typeof CreateDestinationBody>, options?: ProjectOptions): Promise<Destination> =>
        api.call('POST', '/api/v1/projects/{projectId}/sources/{sourceId}/destinations', { ids: { sourceId }, body }, options),
      /** Get a destination. */
      get: (sourceId: string, destinationId: string, options?: ProjectOptions): Promise<Destination> =>
        api.call('GET', '/api/v1/projects/{projectId}/sources/{sourceId}/destinations/{destinationId}', { ids: { sourceId, destinationId } }, options),
      /** Change a destination. */
      update: (sourceId: string, destinationId: string, body: Body<typeof UpdateDestinationBody>, options?: ProjectOptions): Promise<Destination> =>
        api.call('PATCH', '/api/v1/projects/{projectId}/sources/{sourceId}/destinations/{destinationId}', { ids: { sourceId, destinationId }, body }, options),
      /** Delete a destination, its credential and its secrets. */
      remove: (sourceId: string, destinationId: string, options?: ProjectOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/projects/{projectId}/sources/{sourceId}/destinations/{destinationId}', { ids: { sourceId, destinationId } }, options),
      /** Reveal the signing secret of a destination. */
      getSecret: (sourceId: string, destinationId: string, options?: ProjectOptions): Promise<DestinationSecret> =>
        api.call('GET', '/api/v1/projects/{projectId}/sources/{sourceId}/destinations/{destinationId}/secret', { ids: { sourceId, destinationId } }, options),
      /** Create or rotate the signing secret of a destination; the old one stays valid for a grace period. */
      rotateSecret: (sourceId: string, destinationId: string, body?: Body<typeof RotateSecretBody>, options?: ProjectOptions): Promise<DestinationSecret> =>
        api.call('POST', '/api/v1/projects/{projectId}/sources/{sourceId}/destinations/{destinationId}/rotate-secret', { ids: { sourceId, destinationId }, body }, options),
      /** End the previous signing secret of a destination before its grace period does. */
      endPreviousSecret: (sourceId: string, destinationId: string, options?: ProjectOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/projects/{projectId}/sources/{sourceId}/destinations/{destinationId}/previous-secret', { ids: { sourceId, destinationId } }, options),
      /** Stop signing deliveries to a destination. */
      removeSecret: (sourceId: string, destinationId: string, options?: ProjectOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/projects/{projectId}/sources/{sourceId}/destinations/{destinationId}/secret', { ids: { sourceId, destinationId } }, options),
      /** Get the newest outages of a destination, and how many deliveries of each have not arrived. */
      listOutages: (sourceId: string, destinationId: string, options?: ProjectOptions): Promise<OutageList> =>
        api.call('GET', '/api/v1/projects/{projectId}/sources/{sourceId}/destinations/{destinationId}/outages', { ids: { sourceId, destinationId } }, options),
    },
    device: {
      /** Start a device sign-in. */
      start: (body?: Body<typeof StartDeviceBody>, options?: CallOptions): Promise<DeviceCodes> =>
        api.call('POST', '/api/v1/auth/device/code', { body, isAnonymous: true, needs: ['deviceCode', 'userCode', 'verificationUri'] }, options),
      /** Exchange an approved device code for a session. Poll it until the code is decided. */
      exchange: (body: Body<typeof DeviceTokenBody>, options?: CallOptions): Promise<SignedIn> =>
        api.call('POST', '/api/v1/auth/device/token', { body, isAnonymous: true, needs: ['accessToken'] }, options),
    },
    endpoints: {
      /** List the endpoints of a project, newest first unless sorted otherwise. */
      list: (query?: Query<typeof ListEndpointsQuery>, options?: ProjectOptions): ListRequest<EndpointListItem> =>
        api.list('/api/v1/projects/{projectId}/endpoints', { query }, options),
      /** Create an endpoint with its own signing secret, subscribed to event types. */
      create: (body: Body<typeof CreateEndpointBody>, options?: ProjectOptions): Promise<Endpoint> =>
        api.call('POST', '/api/v1/projects/{projectId}/endpoints', { body }, options),
      /** Get an endpoint. */
      get: (endpointId: string, options?: ProjectOptions): Promise<Endpoint> =>
        api.call('GET', '/api/v1/projects/{projectId}/endpoints/{endpointId}', { ids: { endpointId } }, options),
      /** Change an endpoint. */
      update: (endpointId: string, body: Body<typeof UpdateEndpointBody>, options?: ProjectOptions): Promise<Endpoint> =>
        api.call('PATCH', '/api/v1/projects/{projectId}/endpoints/{endpointId}', { ids: { endpointId }, body }, options),
      /** Delete an endpoint, its subscriptions and its secrets. */
      remove: (endpointId: string, options?: ProjectOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/projects/{projectId}/endpoints/{endpointId}', { ids: { endpointId } }, options),
      /** Reveal the signing secret of an endpoint. */
      getSecret: (endpointId: string, options?: ProjectOptions): Promise<EndpointSecret> =>
        api.call('GET', '/api/v1/projects/{projectId}/endpoints/{endpointId}/secret', { ids: { endpointId } }, options),
      /** Replace the signing secret of an endpoint; the old one stays valid for a grace period. */
      rotateSecret: (endpointId: string, body?: Body<typeof RotateEndpointSecretBody>, options?: ProjectOptions): Promise<EndpointSecret> =>
        api.call('POST', '/api/v1/projects/{projectId}/endpoints/{endpointId}/rotate-secret', { ids: { endpointId }, body }, options),
      /** End the previous signing secret of an endpoint before its grace period does. */
      endPreviousSecret: (endpointId: string, options?: ProjectOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/projects/{projectId}/endpoints/{endpointId}/previous-secret', { ids: { endpointId } }, options),
      /** Send a signed test event to an endpoint and get the request and response. */
      test: (endpointId: string, body?: Body<typeof TestEndpointBody>, options?: ProjectOptions): Promise<TestResult> =>
        api.call('POST', '/api/v1/projects/{projectId}/endpoints/{endpointId}/test', { ids: { endpointId }, body }, options),
      /** Say whether an event matches a filter, and which conditions keep it from that. */
      testFilter: (body: Body<typeof TestFilterBody>, options?: ProjectOptions): Promise<FilterTest> =>
        api.call('POST', '/api/v1/projects/{projectId}/filter-tests', { body }, options),
      /** Say which of the newest events of a project match a filter, and what keeps the others from that. */
      previewFilter: (body: Body<typeof PreviewFilterBody>, options?: ProjectOptions): Promise<FilterPreview> =>
        api.call('POST', '/api/v1/projects/{projectId}/filter-previews', { body }, options),
      /** Check the signature of a request that an endpoint’s receiver got, and say why it does not verify. */
      verifySignature: (endpointId: string, body: Body<typeof VerifySignatureBody>, options?: ProjectOptions): Promise<SignatureCheck> =>
        api.call('POST', '/api/v1/projects/{projectId}/endpoints/{endpointId}/verify-signature', { ids: { endpointId }, body }, options),
      /** Get the newest outages of an endpoint, and how many deliveries of each have not arrived. */
      listOutages: (endpointId: string, options?: ProjectOptions): Promise<OutageList> =>
        api.call('GET', '/api/v1/projects/{projectId}/endpoints/{endpointId}/outages', { ids: { endpointId } }, options),
    },
    eventReplays: {
      /** List the newest event replays of a project. */
      list: (query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<EventReplay> =>
        api.list('/api/v1/projects/{projectId}/event-replays', { query }, options),
      /** Send the events of a period to endpoints in the background, or count what would be sent. */
      create: (body: Body<typeof CreateEventReplayBody>, options?: ProjectOptions): Promise<EventReplay | EventReplayPreview> =>
        api.call('POST', '/api/v1/projects/{projectId}/event-replays', { body }, options),
      /** Get an event replay with its progress. */
      get: (eventReplayId: string, options?: ProjectOptions): Promise<EventReplay> =>
        api.call('GET', '/api/v1/projects/{projectId}/event-replays/{eventReplayId}', { ids: { eventReplayId } }, options),
      /** Cancel an event replay; deliveries that it has made due are still sent. */
      cancel: (eventReplayId: string, options?: ProjectOptions): Promise<EventReplay> =>
        api.call('POST', '/api/v1/projects/{projectId}/event-replays/{eventReplayId}/cancel', { ids: { eventReplayId } }, options),
    },
    eventTypes: {
      /** List the event types of a project by name: those of its catalogue, and those that were sent. */
      list: (query?: Query<typeof ListEventTypesQuery>, options?: ProjectOptions): ListRequest<CatalogueType> =>
        api.list('/api/v1/projects/{projectId}/event-types', { query }, options),
      /** Define an event type. */
      create: (body: Body<typeof CreateEventTypeBody>, options?: ProjectOptions): Promise<CatalogueType> =>
        api.call('POST', '/api/v1/projects/{projectId}/event-types', { body }, options),
      /** Get an event type, also one that was sent and is not defined. */
      get: (name: string, options?: ProjectOptions): Promise<CatalogueType> =>
        api.call('GET', '/api/v1/projects/{projectId}/event-types/{name}', { ids: { name } }, options),
      /** Change an event type. */
      update: (name: string, body: Body<typeof UpdateEventTypeBody>, options?: ProjectOptions): Promise<CatalogueType> =>
        api.call('PATCH', '/api/v1/projects/{projectId}/event-types/{name}', { ids: { name }, body }, options),
      /** Remove an event type from the catalogue; its events stay. */
      remove: (name: string, options?: ProjectOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/projects/{projectId}/event-types/{name}', { ids: { name } }, options),
      /** Define the webhooks of an OpenAPI document as event types: all of them, or none. */
      importDocument: (body: Body<typeof ImportEventTypesBody>, options?: ProjectOptions): Promise<EventTypeImport> =>
        api.call('POST', '/api/v1/projects/{projectId}/event-types/import', { body }, options),
      /** Get the catalogue as an OpenAPI 3.1 document for those who receive the events. */
      exportDocument: (query?: Query<typeof ExportEventTypesQuery>, options?: ProjectOptions): Promise<EventTypeDocument> =>
        api.call('GET', '/api/v1/projects/{projectId}/event-types/openapi.json', { query }, options),
      /** Propose a schema from the newest events of a type, and save nothing. */
      infer: (name: string, options?: ProjectOptions): Promise<InferredSchema> =>
        api.call('POST', '/api/v1/projects/{projectId}/event-types/{name}/infer', { ids: { name } }, options),
    },
    events: {
      /** Send an event; the API key determines the project. */
      send: (body: NewEvent, options?: SendOptions): Promise<EventSummary> =>
        api.call('POST', '/api/v1/events', { body, isRepeatable: true, idempotencyKey: options?.idempotencyKey, needs: ['id'] }, options),
      /** Send an event to a project. */
      sendToProject: (body: NewEvent, options?: ProjectOptions & SendOptions): Promise<EventSummary> =>
        api.call('POST', '/api/v1/projects/{projectId}/events', { body, isRepeatable: true, idempotencyKey: options?.idempotencyKey, needs: ['id'] }, options),
      /** List the events of a project, without their data. */
      list: (query?: Query<typeof ListEventsQuery>, options?: ProjectOptions): ListRequest<EventListItem> =>
        api.list('/api/v1/projects/{projectId}/events', { query }, options),
      /** Get an event with its data and deliveries. */
      get: (eventId: string, options?: ProjectOptions): Promise<EventDetail> =>
        api.call('GET', '/api/v1/projects/{projectId}/events/{eventId}', { ids: { eventId } }, options),
      /** Say of each endpoint whether an event went to it, and why not. */
      listRouting: (eventId: string, query?: Query<typeof ListRoutingQuery>, options?: ProjectOptions): ListRequest<RoutingItem> =>
        api.list('/api/v1/projects/{projectId}/events/{eventId}/routing', { ids: { eventId }, query }, options),
      /** Send an event to an endpoint that it did not go to, whatever its subscriptions and filter say. */
      sendToEndpoint: (eventId: string, body: Body<typeof SendToEndpointBody>, options?: ProjectOptions): Promise<Delivery> =>
        api.call('POST', '/api/v1/projects/{projectId}/events/{eventId}/deliveries', { ids: { eventId }, body }, options),
    },
    incomingEvents: {
      /** List the incoming events of a project, without headers and bodies. */
      list: (query?: Query<typeof ListIncomingEventsQuery>, options?: ProjectOptions): ListRequest<IncomingEventListItem> =>
        api.list('/api/v1/projects/{projectId}/incoming-events', { query }, options),
      /** List the types of the incoming events of a project. */
      listTypes: (options?: ProjectOptions): Promise<IncomingEventTypes> =>
        api.call('GET', '/api/v1/projects/{projectId}/incoming-event-types', {}, options),
      /** Get an incoming event with its headers and body. */
      get: (incomingEventId: string, options?: ProjectOptions): Promise<IncomingEventDetail> =>
        api.call('GET', '/api/v1/projects/{projectId}/incoming-events/{incomingEventId}', { ids: { incomingEventId } }, options),
      /** Download the body of an incoming event, byte for byte. */
      getBody: (incomingEventId: string, options?: ProjectOptions): Promise<Response> =>
        api.download('/api/v1/projects/{projectId}/incoming-events/{incomingEventId}/body', { ids: { incomingEventId } }, options),
      /** Check the signature of an incoming event with the secrets of now, and say why it does not verify. */
      checkSignature: (incomingEventId: string, options?: ProjectOptions): Promise<SignatureCheck> =>
        api.call('GET', '/api/v1/projects/{projectId}/incoming-events/{incomingEventId}/signature-check', { ids: { incomingEventId } }, options),
      /** Replay an incoming event to its destinations. */
      replay: (incomingEventId: string, body?: Body<typeof ReplayIncomingEventBody>, options?: ProjectOptions): Promise<ReplayedIncomingEvent> =>
        api.call('POST', '/api/v1/projects/{projectId}/incoming-events/{incomingEventId}/replay', { ids: { incomingEventId }, body }, options),
    },
    ingress: {
      /** Verify the URL of a source, as Meta does. */
      verifyUrl: (token: string, options?: CallOptions): Promise<Response> =>
        api.download('/api/v1/ingress/{token}', { ids: { token }, isAnonymous: true }, options),
    },
    invitations: {
      /** List the pending invitations to an organization. */
      list: (orgId: string, query?: Query<typeof PageQuery>, options?: CallOptions): ListRequest<Invitation> =>
        api.list('/api/v1/orgs/{orgId}/invitations', { ids: { orgId }, query }, options),
      /** Invite an email address to an organization; this replaces its pending invitation. */
      create: (orgId: string, body: Body<typeof CreateInvitationBody>, options?: CallOptions): Promise<CreatedInvitation> =>
        api.call('POST', '/api/v1/orgs/{orgId}/invitations', { ids: { orgId }, body }, options),
      /** Create a link to a pending invitation, to pass on yourself. It replaces the previous link. Accepting with it does not verify the address. */
      createLink: (orgId: string, invitationId: string, options?: CallOptions): Promise<InvitationLink> =>
        api.call('POST', '/api/v1/orgs/{orgId}/invitations/{invitationId}/link', { ids: { orgId, invitationId } }, options),
      /** Revoke a pending invitation; its link stops working immediately. */
      revoke: (orgId: string, invitationId: string, options?: CallOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/orgs/{orgId}/invitations/{invitationId}', { ids: { orgId, invitationId } }, options),
    },
    jobs: {
      /** List the newest bulk retries, event replays and replays of incoming events of a project together. */
      list: (query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<Job> =>
        api.list('/api/v1/projects/{projectId}/jobs', { query }, options),
    },
    members: {
      /** List the members of an organization. */
      list: (orgId: string, query?: Query<typeof PageQuery>, options?: CallOptions): ListRequest<Member> =>
        api.list('/api/v1/orgs/{orgId}/members', { ids: { orgId }, query }, options),
      /** Change a member’s role; only owners can make or change owners. */
      update: (orgId: string, userId: string, body: Body<typeof UpdateMemberBody>, options?: CallOptions): Promise<Member> =>
        api.call('PATCH', '/api/v1/orgs/{orgId}/members/{userId}', { ids: { orgId, userId }, body }, options),
      /** Remove a member, or leave an organization; everyone except the last owner can leave. */
      remove: (orgId: string, userId: string, options?: CallOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/orgs/{orgId}/members/{userId}', { ids: { orgId, userId } }, options),
    },
    operations: {
      /** Check that the process responds. */
      live: (options?: CallOptions): Promise<Health> =>
        api.call('GET', '/api/health/live', { isAnonymous: true, needs: ['status'] }, options),
      /** Check that the process can serve: the database responds and events are stored. The response names every part that needs attention. */
      ready: (options?: CallOptions): Promise<Readiness> =>
        api.call('GET', '/api/health/ready', { isAnonymous: true, needs: ['status'] }, options),
    },
    organizationExport: {
      /** Export an organization as one JSON document, without payloads or secrets. */
      download: (orgId: string, options?: CallOptions): Promise<Response> =>
        api.download('/api/v1/orgs/{orgId}/export', { ids: { orgId } }, options),
    },
    organizations: {
      /** List your organizations. */
      list: (query?: Query<typeof PageQuery>, options?: CallOptions): ListRequest<Organization> =>
        api.list('/api/v1/orgs', { query }, options),
      /** Create an organization; you become its owner. */
      create: (body: Body<typeof CreateOrganizationBody>, options?: CallOptions): Promise<Organization> =>
        api.call('POST', '/api/v1/orgs', { body }, options),
      /** Get an organization. */
      get: (orgId: string, options?: CallOptions): Promise<Organization> =>
        api.call('GET', '/api/v1/orgs/{orgId}', { ids: { orgId } }, options),
      /** Get the limits of an organization and how much of each is used. */
      getLimits: (orgId: string, options?: CallOptions): Promise<OrganizationLimits> =>
        api.call('GET', '/api/v1/orgs/{orgId}/limits', { ids: { orgId } }, options),
      /** Rename an organization. */
      update: (orgId: string, body: Body<typeof UpdateOrganizationBody>, options?: CallOptions): Promise<Organization> =>
        api.call('PATCH', '/api/v1/orgs/{orgId}', { ids: { orgId }, body }, options),
      /** Erase an organization with all its data; its audit log is kept. */
      erase: (orgId: string, options?: CallOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/orgs/{orgId}', { ids: { orgId } }, options),
    },
    portal: {
      /** Open the session of a portal link; it works once. */
      openSession: (body: Body<typeof OpenPortalSessionBody>, options?: CallOptions): Promise<OpenedPortalSession> =>
        api.call('POST', '/api/v1/portal/sessions', { body, isAnonymous: true }, options),
      /** Get the portal session of the token. */
      getSession: (options?: CallOptions): Promise<PortalSession> =>
        api.call('GET', '/api/v1/portal/session', {}, options),
      /** Sign out of the portal. */
      closeSession: (options?: CallOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/portal/session', {}, options),
      /** List the customer’s endpoints, newest first. */
      listEndpoints: (query?: Query<typeof PageQuery>, options?: CallOptions): ListRequest<PortalEndpointListItem> =>
        api.list('/api/v1/portal/endpoints', { query }, options),
      /** Create an endpoint of the customer, subscribed to event types. */
      createEndpoint: (body: Body<typeof CreatePortalEndpointBody>, options?: CallOptions): Promise<PortalEndpoint> =>
        api.call('POST', '/api/v1/portal/endpoints', { body }, options),
      /** Get an endpoint of the customer. */
      getEndpoint: (endpointId: string, options?: CallOptions): Promise<PortalEndpoint> =>
        api.call('GET', '/api/v1/portal/endpoints/{endpointId}', { ids: { endpointId } }, options),
      /** Change an endpoint of the customer. */
      updateEndpoint: (endpointId: string, body: Body<typeof UpdatePortalEndpointBody>, options?: CallOptions): Promise<PortalEndpoint> =>
        api.call('PATCH', '/api/v1/portal/endpoints/{endpointId}', { ids: { endpointId }, body }, options),
      /** Delete an endpoint of the customer, its subscriptions and its secrets. */
      deleteEndpoint: (endpointId: string, options?: CallOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/portal/endpoints/{endpointId}', { ids: { endpointId } }, options),
      /** Reveal the signing secret of an endpoint of the customer. */
      getEndpointSecret: (endpointId: string, options?: CallOptions): Promise<EndpointSecret> =>
        api.call('GET', '/api/v1/portal/endpoints/{endpointId}/secret', { ids: { endpointId } }, options),
      /** Replace the signing secret of an endpoint of the customer; the old one stays valid for a grace period. */
      rotateEndpointSecret: (endpointId: string, body?: Body<typeof RotateEndpointSecretBody>, options?: CallOptions): Promise<EndpointSecret> =>
        api.call('POST', '/api/v1/portal/endpoints/{endpointId}/rotate-secret', { ids: { endpointId }, body }, options),
      /** Send a signed test event to an endpoint of the customer and get the request and response. */
      testEndpoint: (endpointId: string, body?: Body<typeof TestEndpointBody>, options?: CallOptions): Promise<TestResult> =>
        api.call('POST', '/api/v1/portal/endpoints/{endpointId}/test', { ids: { endpointId }, body }, options),
      /** Send the customer’s events that an endpoint missed, or count them. */
      replayEvents: (endpointId: string, body: Body<typeof CreatePortalReplayBody>, options?: CallOptions): Promise<PortalReplay | EventReplayPreview> =>
        api.call('POST', '/api/v1/portal/endpoints/{endpointId}/replays', { ids: { endpointId }, body }, options),
      /** List the subscriptions of an endpoint of the customer. */
      listSubscriptions: (endpointId: string, query?: Query<typeof PageQuery>, options?: CallOptions): ListRequest<Subscription> =>
        api.list('/api/v1/portal/endpoints/{endpointId}/subscriptions', { ids: { endpointId }, query }, options),
      /** Subscribe an endpoint of the customer to events of a type. */
      createSubscription: (endpointId: string, body: Body<typeof CreatePortalSubscriptionBody>, options?: CallOptions): Promise<Subscription> =>
        api.call('POST', '/api/v1/portal/endpoints/{endpointId}/subscriptions', { ids: { endpointId }, body }, options),
      /** Get a subscription of an endpoint of the customer. */
      getSubscription: (endpointId: string, subscriptionId: string, options?: CallOptions): Promise<Subscription> =>
        api.call('GET', '/api/v1/portal/endpoints/{endpointId}/subscriptions/{subscriptionId}', { ids: { endpointId, subscriptionId } }, options),
      /** Change a subscription of an endpoint of the customer. */
      updateSubscription: (endpointId: string, subscriptionId: string, body: Body<typeof UpdateSubscriptionBody>, options?: CallOptions): Promise<Subscription> =>
        api.call('PATCH', '/api/v1/portal/endpoints/{endpointId}/subscriptions/{subscriptionId}', { ids: { endpointId, subscriptionId }, body }, options),
      /** Delete a subscription of an endpoint of the customer. */
      deleteSubscription: (endpointId: string, subscriptionId: string, options?: CallOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/portal/endpoints/{endpointId}/subscriptions/{subscriptionId}', { ids: { endpointId, subscriptionId } }, options),
      /** List the deliveries to the customer’s endpoints. */
      listDeliveries: (query?: Query<typeof ListPortalDeliveriesQuery>, options?: CallOptions): ListRequest<PortalDelivery> =>
        api.list('/api/v1/portal/deliveries', { query }, options),
      /** Get a delivery to an endpoint of the customer. */
      getDelivery: (deliveryId: string, options?: CallOptions): Promise<PortalDelivery> =>
        api.call('GET', '/api/v1/portal/deliveries/{deliveryId}', { ids: { deliveryId } }, options),
      /** List the stored attempts of a delivery to an endpoint of the customer. */
      listAttempts: (deliveryId: string, query?: Query<typeof PageQuery>, options?: CallOptions): ListRequest<Attempt> =>
        api.list('/api/v1/portal/deliveries/{deliveryId}/attempts', { ids: { deliveryId }, query }, options),
      /** Get an attempt, including its request as it was sent to the customer. */
      getAttempt: (deliveryId: string, attemptId: string, options?: CallOptions): Promise<AttemptDetail> =>
        api.call('GET', '/api/v1/portal/deliveries/{deliveryId}/attempts/{attemptId}', { ids: { deliveryId, attemptId } }, options),
      /** Send a delivery to an endpoint of the customer again, now. */
      retryDelivery: (deliveryId: string, options?: CallOptions): Promise<PortalDelivery> =>
        api.call('POST', '/api/v1/portal/deliveries/{deliveryId}/retry', { ids: { deliveryId } }, options),
      /** List the events of the customer, newest first, without their data. */
      listEvents: (query?: Query<typeof ListPortalEventsQuery>, options?: CallOptions): ListRequest<PortalEvent> =>
        api.list('/api/v1/portal/events', { query }, options),
      /** Say of each endpoint of the customer whether an event went to it, and why not. */
      listRouting: (eventId: string, query?: Query<typeof PageQuery>, options?: CallOptions): ListRequest<PortalRoutingItem> =>
        api.list('/api/v1/portal/events/{eventId}/routing', { ids: { eventId }, query }, options),
      /** List the event types of the catalogue, and those that were sent to the customer. */
      listEventTypes: (query?: Query<typeof ListPortalEventTypesQuery>, options?: CallOptions): ListRequest<EventTypeSummary> =>
        api.list('/api/v1/portal/event-types', { query }, options),
    },
    projects: {
      /** List the projects of an organization. */
      list: (orgId: string, query?: Query<typeof PageQuery>, options?: CallOptions): ListRequest<ListedProject> =>
        api.list('/api/v1/orgs/{orgId}/projects', { ids: { orgId }, query }, options),
      /** Create a project in an organization. */
      create: (orgId: string, body: Body<typeof CreateProjectBody>, options?: CallOptions): Promise<Project> =>
        api.call('POST', '/api/v1/orgs/{orgId}/projects', { ids: { orgId }, body }, options),
      /** Get a project. */
      get: (projectId: string, options?: CallOptions): Promise<Project> =>
        api.call('GET', '/api/v1/projects/{projectId}', { ids: { projectId } }, options),
      /** Get the limits of a project and how much of each is used. */
      getLimits: (projectId: string, options?: CallOptions): Promise<ProjectLimits> =>
        api.call('GET', '/api/v1/projects/{projectId}/limits', { ids: { projectId } }, options),
      /** Rename a project, or change its portal. */
      update: (projectId: string, body: Body<typeof UpdateProjectBody>, options?: CallOptions): Promise<Project> =>
        api.call('PATCH', '/api/v1/projects/{projectId}', { ids: { projectId }, body }, options),
      /** Delete a project with all its data, immediately and permanently. */
      remove: (projectId: string, options?: CallOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/projects/{projectId}', { ids: { projectId } }, options),
    },
    replays: {
      /** List the newest replays of a project. */
      list: (query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<Replay> =>
        api.list('/api/v1/projects/{projectId}/incoming-event-replays', { query }, options),
      /** Replay a source’s incoming events from a time range, in the background. */
      create: (body: Body<typeof CreateReplayBody>, options?: ProjectOptions): Promise<Replay> =>
        api.call('POST', '/api/v1/projects/{projectId}/incoming-event-replays', { body }, options),
      /** Get a replay with its progress. */
      get: (replayId: string, options?: ProjectOptions): Promise<Replay> =>
        api.call('GET', '/api/v1/projects/{projectId}/incoming-event-replays/{replayId}', { ids: { replayId } }, options),
      /** Cancel a replay; deliveries already queued are still sent. */
      cancel: (replayId: string, options?: ProjectOptions): Promise<Replay> =>
        api.call('POST', '/api/v1/projects/{projectId}/incoming-event-replays/{replayId}/cancel', { ids: { replayId } }, options),
    },
    retention: {
      /** Get the retention rules and the organization’s row count for each class. */
      get: (orgId: string, options?: CallOptions): Promise<OrganizationRetention> =>
        api.call('GET', '/api/v1/orgs/{orgId}/retention', { ids: { orgId } }, options),
    },
    search: {
      /** Search an organization by id, or by text in a name, URL or email address. */
      find: (orgId: string, query: Query<typeof SearchQuery>, options?: CallOptions): Promise<SearchResults> =>
        api.call('GET', '/api/v1/orgs/{orgId}/search', { ids: { orgId }, query }, options),
    },
    sessions: {
      /** List your active sessions. */
      list: (query?: Query<typeof PageQuery>, options?: CallOptions): ListRequest<Session> =>
        api.list('/api/v1/auth/sessions', { query }, options),
      /** Close one of your sessions; its tokens stop working immediately. */
      close: (sessionId: string, options?: CallOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/auth/sessions/{sessionId}', { ids: { sessionId } }, options),
      /** Close all of your sessions, or all except the current one. */
      closeAll: (query?: Query<typeof CloseSessionsQuery>, options?: CallOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/auth/sessions', { query }, options),
    },
    sources: {
      /** List the sources of a project. */
      list: (query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<Source> =>
        api.list('/api/v1/projects/{projectId}/sources', { query }, options),
      /** Create a source with a URL for its provider. */
      create: (body: Body<typeof CreateSourceBody>, options?: ProjectOptions): Promise<Source> =>
        api.call('POST', '/api/v1/projects/{projectId}/sources', { body }, options),
      /** Get a source. */
      get: (sourceId: string, options?: ProjectOptions): Promise<Source> =>
        api.call('GET', '/api/v1/projects/{projectId}/sources/{sourceId}', { ids: { sourceId } }, options),
      /** Change a source. */
      update: (sourceId: string, body: Body<typeof UpdateSourceBody>, options?: ProjectOptions): Promise<Source> =>
        api.call('PATCH', '/api/v1/projects/{projectId}/sources/{sourceId}', { ids: { sourceId }, body }, options),
      /** Delete a source and its destinations; its URL stops working immediately. */
      remove: (sourceId: string, options?: ProjectOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/projects/{projectId}/sources/{sourceId}', { ids: { sourceId } }, options),
      /** Reveal the signing secret of a source. */
      getSecret: (sourceId: string, options?: ProjectOptions): Promise<SourceSecret> =>
        api.call('GET', '/api/v1/projects/{projectId}/sources/{sourceId}/secret', { ids: { sourceId } }, options),
      /** Replace the secret of a source; the old one stays valid for a grace period. */
      rotateSecret: (sourceId: string, body?: Body<typeof RotateSourceSecretBody>, options?: ProjectOptions): Promise<SourceSecret> =>
        api.call('POST', '/api/v1/projects/{projectId}/sources/{sourceId}/rotate-secret', { ids: { sourceId }, body }, options),
      /** End the previous signing secret of a source before its grace period does. */
      endPreviousSecret: (sourceId: string, options?: ProjectOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/projects/{projectId}/sources/{sourceId}/previous-secret', { ids: { sourceId } }, options),
      /** Rotate the URL of a source; the old one works for a grace period. */
      rotateUrl: (sourceId: string, body?: Body<typeof RotateSourceUrlBody>, options?: ProjectOptions): Promise<Source> =>
        api.call('POST', '/api/v1/projects/{projectId}/sources/{sourceId}/rotate-url', { ids: { sourceId }, body }, options),
      /** Check the signature of a request to a source, and say why it does not verify. */
      verifySignature: (sourceId: string, body: Body<typeof VerifySignatureBody>, options?: ProjectOptions): Promise<SignatureCheck> =>
        api.call('POST', '/api/v1/projects/{projectId}/sources/{sourceId}/verify-signature', { ids: { sourceId }, body }, options),
    },
    stats: {
      /** Get a project’s traffic and delivery results over a time range. */
      get: (query?: Query<typeof StatsQuery>, options?: ProjectOptions): Promise<ProjectStats> =>
        api.call('GET', '/api/v1/projects/{projectId}/stats', { query }, options),
      /** Get the health of endpoints: the last 24 hours and the last ten deliveries. */
      listEndpointHealth: (query: Query<typeof EndpointHealthQuery>, options?: ProjectOptions): Promise<EndpointHealthList> =>
        api.call('GET', '/api/v1/projects/{projectId}/endpoint-health', { query }, options),
    },
    subscriptions: {
      /** List the subscriptions of a project. */
      list: (query?: Query<typeof ListSubscriptionsQuery>, options?: ProjectOptions): ListRequest<Subscription> =>
        api.list('/api/v1/projects/{projectId}/subscriptions', { query }, options),
      /** Subscribe an endpoint to events of a type. */
      create: (body: Body<typeof CreateSubscriptionBody>, options?: ProjectOptions): Promise<Subscription> =>
        api.call('POST', '/api/v1/projects/{projectId}/subscriptions', { body }, options),
      /** Get a subscription. */
      get: (subscriptionId: string, options?: ProjectOptions): Promise<Subscription> =>
        api.call('GET', '/api/v1/projects/{projectId}/subscriptions/{subscriptionId}', { ids: { subscriptionId } }, options),
      /** Change a subscription. */
      update: (subscriptionId: string, body: Body<typeof UpdateSubscriptionBody>, options?: ProjectOptions): Promise<Subscription> =>
        api.call('PATCH', '/api/v1/projects/{projectId}/subscriptions/{subscriptionId}', { ids: { subscriptionId }, body }, options),
      /** Delete a subscription. */
      remove: (subscriptionId: string, options?: ProjectOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/projects/{projectId}/subscriptions/{subscriptionId}', { ids: { subscriptionId } }, options),
    },
    tunnels: {
      /** List the tunnels of a project. */
      list: (query?: Query<typeof PageQuery>, options?: ProjectOptions): ListRequest<Tunnel> =>
        api.list('/api/v1/projects/{projectId}/tunnels', { query }, options),
      /** Create a tunnel with a public URL. */
      create: (body?: Body<typeof CreateTunnelBody>, options?: ProjectOptions): Promise<Tunnel> =>
        api.call('POST', '/api/v1/projects/{projectId}/tunnels', { body }, options),
      /** Get a tunnel. */
      get: (tunnelId: string, options?: ProjectOptions): Promise<Tunnel> =>
        api.call('GET', '/api/v1/projects/{projectId}/tunnels/{tunnelId}', { ids: { tunnelId } }, options),
      /** Change a tunnel’s name, or who can use it. */
      update: (tunnelId: string, body: Body<typeof UpdateTunnelBody>, options?: ProjectOptions): Promise<Tunnel> =>
        api.call('PATCH', '/api/v1/projects/{projectId}/tunnels/{tunnelId}', { ids: { tunnelId }, body }, options),
      /** Delete a tunnel; its URL stops working, and its client is disconnected. */
      remove: (tunnelId: string, options?: ProjectOptions): Promise<void> =>
        api.run('DELETE', '/api/v1/projects/{projectId}/tunnels/{tunnelId}', { ids: { tunnelId } }, options),
      /** Rotate the URL of a tunnel; the old one stops working immediately. */
      rotateUrl: (tunnelId: string, options?: ProjectOptions): Promise<Tunnel> =>
        api.call('POST', '/api/v1/projects/{projectId}/tunnels/{tunnelId}/rotate-url', { ids: { tunnelId } }, options),
      /** List the requests to a tunnel, without headers and bodies. */
      listRequests: (tunnelId: string, query?: Query<typeof ListTunnelRequestsQuery>, options?: ProjectOptions): ListRequest<TunnelRequest> =>
        api.list('/api/v1/projects/{projectId}/tunnels/{tunnelId}/requests', { ids: { tunnelId }, query }, options),
      /** Get a request to a tunnel, with its stored headers and bodies. */
      getRequestDetail: (tunnelId: string, requestId: string, options?: ProjectOptions): Promise<TunnelRequestDetail> =>
        api.call('GET', '/api/v1/projects/{projectId}/tunnels/{tunnelId}/requests/{requestId}', { ids: { tunnelId, requestId } }, options),
      /** Replay a logged request through its tunnel. */
      replayRequest: (tunnelId: string, requestId: string, options?: ProjectOptions): Promise<ReplayedTunnelRequest> =>
        api.call('POST', '/api/v1/projects/{projectId}/tunnels/{tunnelId}/requests/{requestId}/replay', { ids: { tunnelId, requestId } }, options),
    },
  };
}
