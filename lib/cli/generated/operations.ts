// Made from the routes: npx vitest run --project unit tests/package/client --update
import type { Answer, Field, Operation } from '@/lib/cli/routes/operation';

const ProjectOverview: Answer = { id: 'id', name: 'text', createdAt: 'time', deletedAt: 'time' };
const OrganizationOverview: Answer = { ...ProjectOverview, memberCount: 'number', projectCount: 'number' };
const MemberOverview: Answer = { userId: 'id', email: 'text', name: 'text', role: 'choice', createdAt: 'time' };
const StoredRows: Answer = { kind: 'choice', rows: 'number', isAtLeast: 'flag', estimatedBytes: 'number' };
const OrganizationDetail: Answer = { ...OrganizationOverview, cell: 'text', members: [MemberOverview], projects: [ProjectOverview], counts: { invitations: 'number', apiKeys: 'number', endpoints: 'number', subscriptions: 'number', sources: 'number', destinations: 'number', tunnels: 'number' }, storage: [StoredRows] };
const UserRecord: Answer = { id: 'id', email: 'text', name: 'text', createdAt: 'time', emailVerified: 'flag', hasPassword: 'flag', providers: ['text'], lockout: { failures: 'number', lockedUntil: 'time' }, openSessions: 'number', organizations: [{ id: 'id', name: 'text', role: 'choice' }] };
const AuditLogEntry: Answer = { id: 'id', action: 'text', actor: { type: 'choice', id: 'id', email: 'text', name: 'text', hint: 'text' }, target: { type: 'text', id: 'id', name: 'text', exists: 'flag' }, organizationId: 'id', organizationName: 'text', ipAddress: 'text', createdAt: 'time', details: 'json' };
const WorkerRecord: Answer = { id: 'id', hostname: 'text', pid: 'number', version: 'text', startedAt: 'time', lastSeenAt: 'time', lastPassAt: 'time', alive: 'flag', underWay: 'number', waiting: 'number' };
const TableSize: Answer = { table: 'text', estimatedRows: 'number', sizeBytes: 'number' };
const Stats: Answer = { organizations: { living: 'number', beingRemoved: 'number' }, users: 'number', projects: 'number', endpoints: { enabled: 'number', paused: 'number', disabled: 'number' }, last24Hours: { events: 'number', incomingEvents: 'number', deliveries: { pending: 'number', queued: 'number', retrying: 'number', succeeded: 'number', failed: 'number' } }, outbox: { pending: 'number', oldestPendingAt: 'time', dead: 'number' }, mail: { pending: 'number', oldestPendingAt: 'time', dead: 'number' }, deliveries: { pending: 'number', queued: 'number', retrying: 'number', due: 'number', oldestDueAt: 'time' }, workers: [WorkerRecord], database: { sizeBytes: 'number', tables: [TableSize] } };
const RetainedData: Answer = { data: 'choice', days: 'number', perDelivery: 'number', variable: 'text', isDefault: 'flag', leavesByDay: 'flag', table: 'text', estimatedRows: 'number', sizeBytes: 'number', oldestAt: 'time', removedRows: 'number', removedByLastRun: 'number', warning: 'choice' };
const PartitionDay: Answer = { day: 'text', estimatedRows: 'number', sizeBytes: 'number', state: 'choice' };
const PartitionedTable: Answer = { table: 'text', keptDays: 'number', defaultRows: 'number', defaultSizeBytes: 'number', days: [PartitionDay] };
const JobSchedule: Answer = { job: 'choice', cron: 'text', everyMs: 'number', nextRunAt: 'time' };
const RetentionRun: Answer = { job: 'text', startedAt: 'time', endedAt: 'time', rowsRemoved: 'json', partitionsCreated: 'number', partitionsDropped: 'number', error: 'text' };
const RetentionState: Answer = { partitionMaintenanceEnabled: 'flag', jobs: ['choice'], classes: [RetainedData], tables: [PartitionedTable], schedules: [JobSchedule], lastRuns: [RetentionRun] };
const User: Answer = { id: 'id', email: 'text', name: 'text', emailVerified: 'flag', hasPassword: 'flag', timeZone: 'choice' };
const OrganizationSummary: Answer = { id: 'id', name: 'text', role: 'choice' };
const Me: Answer = { user: User, organizations: [OrganizationSummary] };
const ErasurePreview: Answer = { deletes: [{ id: 'id', name: 'text' }], blocks: [{ id: 'id', name: 'text', memberCount: 'number' }], leaves: [{ id: 'id', name: 'text' }] };
const Identity: Answer = { id: 'id', provider: 'text', createdAt: 'time' };
const FiredTrigger: Answer = { trigger: 'choice', firedAt: 'time' };
const Alert: Answer = { id: 'id', name: 'text', kind: 'choice', target: 'text', triggers: ['choice'], enabled: 'flag', disabledReason: 'text', mutedUntil: 'time', lastSentAt: 'time', lastFired: [FiredTrigger], createdAt: 'time', updatedAt: 'time' };
const CreatedAlert: Answer = { ...Alert, secret: 'text' };
const EndpointSecret: Answer = { secret: 'text', previousSecretExpiresAt: 'time' };
const AlertMessage: Answer = { id: 'id', kind: 'choice', trigger: 'choice', text: 'text', data: 'json', status: 'choice', attempts: 'number', responseStatus: 'number', error: 'text', createdAt: 'time', sentAt: 'time' };
const OwnKey: Answer = { id: 'id', name: 'text', hint: 'text', scope: 'choice', status: 'choice', expiresAt: 'time', project: { id: 'id', name: 'text' }, organization: { id: 'id', name: 'text' } };
const KeyCreator: Answer = { id: 'id', name: 'text', email: 'text' };
const ApiKey: Answer = { id: 'id', name: 'text', scope: 'choice', status: 'choice', hint: 'text', expiresAt: 'time', createdAt: 'time', createdBy: KeyCreator, lastUsedAt: 'time', lastUsedFrom: 'text', revokedAt: 'time', replacesId: 'id', replacedById: 'id' };
const CreatedApiKey: Answer = { ...ApiKey, key: 'text' };
const BulkRetry: Answer = { id: 'id', status: 'choice', filter: 'json', total: 'number', retried: 'number', skipped: { pending: 'number', disabled: 'number', deleted: 'number', gone: 'number' }, failedTries: 'number', error: 'text', createdAt: 'time', completedAt: 'time' };
const Customer: Answer = { id: 'id', uid: 'text', name: 'text', metadata: 'json', endpointCount: 'number', createdAt: 'time', updatedAt: 'time' };
const InvitationLink: Answer = { url: 'text' };
const PortalLink: Answer = { ...InvitationLink, expiresAt: 'time' };
const Delivery: Answer = { id: 'id', status: 'choice', eventId: 'id', incomingEventId: 'id', eventType: 'text', endpointId: 'id', destinationId: 'id', targetUrl: 'text', sourceId: 'id', attemptCount: 'number', storedAttempts: 'number', nextAttemptAt: 'time', lastAttemptAt: 'time', lastResponseStatus: 'number', lastError: 'text', completedAt: 'time', createdAt: 'time' };
const DeliveryCount: Answer = { count: 'number', isExact: 'flag' };
const AttemptTiming: Answer = { reusedConnection: 'flag', dnsMs: 'number', connectMs: 'number', tlsMs: 'number', firstByteMs: 'number' };
const Attempt: Answer = { durationMs: 'number', responseStatus: 'number', responseBody: 'text', responseHeaders: 'json', responseHeadersTruncated: 'flag', remoteAddress: 'text', timing: AttemptTiming, error: 'text', succeeded: 'flag', id: 'id', attemptNumber: 'number', startedAt: 'time' };
const SentRequest: Answer = { method: 'text', url: 'text', headers: 'json', body: 'text', bodyBase64: 'text', bodyTruncated: 'flag' };
const AttemptDetail: Answer = { ...Attempt, request: SentRequest };
const DeliveryTarget: Answer = { endpointId: 'id', destinationId: 'id', sourceId: 'id', url: 'text', description: 'text' };
const DeliveryTargetList: Answer = { data: [DeliveryTarget] };
const Destination: Answer = { id: 'id', sourceId: 'id', url: 'text', description: 'text', enabled: 'flag', disabledReason: 'text', disabledAt: 'time', pauseReason: 'text', failingSince: 'time', retrySeconds: ['number'], metadata: 'json', auth: 'json', hasSecret: 'flag', previousSecretExpiresAt: 'time', createdAt: 'time', updatedAt: 'time' };
const DestinationSecret: Answer = { secret: 'text', previousSecretExpiresAt: 'time' };
const Outage: Answer = { from: 'time', to: 'time', undelivered: 'number', undeliveredIsAtLeast: 'flag', nextAttemptAt: 'time' };
const WaitingDeliveries: Answer = { count: 'number', countIsAtLeast: 'flag', outsideOutages: 'number', nextAttemptAt: 'time' };
const OutageList: Answer = { data: [Outage], waiting: WaitingDeliveries };
const RateLimit: Answer = { requests: 'number', seconds: 'number' };
const Endpoint: Answer = { id: 'id', uid: 'text', url: 'text', description: 'text', enabled: 'flag', disabledReason: 'text', disabledAt: 'time', pauseReason: 'text', failingSince: 'time', retrySeconds: ['number'], metadata: 'json', headers: 'json', signature: 'json', bodyFormat: 'choice', filter: 'json', rateLimit: RateLimit, customerId: 'id', customerUid: 'text', receivesCustomerEvents: 'flag', createdAt: 'time', updatedAt: 'time' };
const EndpointListItem: Answer = { ...Endpoint, eventTypes: ['text'], eventTypeCount: 'number', lastDeliveryAt: 'time' };
const TestResult: Answer = { durationMs: 'number', responseStatus: 'number', responseBody: 'text', responseHeaders: 'json', responseHeadersTruncated: 'flag', remoteAddress: 'text', timing: AttemptTiming, error: 'text', succeeded: 'flag', startedAt: 'time', request: SentRequest };
const FailedCondition: Answer = { path: 'text', op: 'choice', value: 'json', actual: 'json' };
const FilterTest: Answer = { matches: 'flag', failed: [FailedCondition] };
const TriedEvent: Answer = { ...FilterTest, id: 'id', type: 'text', createdAt: 'time' };
const FilterPreview: Answer = { checked: 'number', matching: 'number', events: [TriedEvent] };
const SignatureDifference: Answer = { offset: 'number', before: 'text', signed: 'text', received: 'text' };
const SignatureCheck: Answer = { verified: 'flag', reason: 'choice', detail: 'text', signedWith: 'choice', signedAt: 'time', ageSeconds: 'number', difference: SignatureDifference };
const EventReplay: Answer = { id: 'id', status: 'choice', select: 'choice', from: 'time', to: 'time', endpointId: 'id', customerId: 'id', eventType: 'text', total: 'number', checked: 'number', sent: 'number', skipped: { pending: 'number', disabled: 'number', deleted: 'number', gone: 'number' }, failedTries: 'number', error: 'text', createdAt: 'time', completedAt: 'time' };
const CatalogueType: Answer = { name: 'text', description: 'text', group: 'text', status: 'choice', schema: 'json', example: 'json', mismatches: { count: 'number', lastAt: 'time' }, lastSeenAt: 'time', createdAt: 'time', updatedAt: 'time' };
const EventTypeImport: Answer = { dryRun: 'flag', created: ['text'], updated: ['text'], unchanged: ['text'], breaking: [{ name: 'text', path: 'text', message: 'text' }] };
const EventTypeDocument: Answer = { openapi: 'text', info: { title: 'text', version: 'text' }, webhooks: 'json', components: { schemas: 'json' } };
const InferredSchema: Answer = { schema: 'json', eventCount: 'number' };
const EventSummary: Answer = { id: 'id', type: 'text', createdAt: 'time' };
const SearchMatch: Answer = { before: 'text', found: 'text', after: 'text' };
const EventListItem: Answer = { ...EventSummary, idempotencyKey: 'text', apiKeyId: 'id', clientAddress: 'text', customerId: 'id', customerUid: 'text', fanOutStatus: 'choice', deliveries: { pending: 'number', queued: 'number', retrying: 'number', succeeded: 'number', failed: 'number' }, match: SearchMatch };
const EventDetail: Answer = { ...EventSummary, idempotencyKey: 'text', apiKeyId: 'id', clientAddress: 'text', customerId: 'id', customerUid: 'text', fanOutStatus: 'choice', deliveries: [Delivery], data: 'json' };
const RoutingItem: Answer = { endpointId: 'id', url: 'text', customerId: 'id', outcome: 'choice', reason: 'text', deliveryId: 'id' };
const IncomingEventListItem: Answer = { id: 'id', sourceId: 'id', verified: 'flag', method: 'text', query: 'text', contentType: 'text', eventType: 'text', size: 'number', clientAddress: 'text', createdAt: 'time', match: SearchMatch };
const IncomingEventTypes: Answer = { data: ['text'] };
const IncomingEventDetail: Answer = { id: 'id', sourceId: 'id', verified: 'flag', method: 'text', query: 'text', contentType: 'text', eventType: 'text', size: 'number', clientAddress: 'text', createdAt: 'time', providerEventId: 'text', headers: 'json', body: 'text', bodyBase64: 'text', bodyTruncated: 'flag' };
const ReplayedIncomingEvent: Answer = { deliveryIds: ['id'] };
const Invitation: Answer = { id: 'id', email: 'text', role: 'choice', invitedBy: { id: 'id', name: 'text', email: 'text' }, createdAt: 'time', expiresAt: 'time' };
const CreatedInvitation: Answer = { ...Invitation, isEmailed: 'flag' };
const Replay: Answer = { id: 'id', sourceId: 'id', destinationId: 'id', from: 'time', to: 'time', status: 'choice', total: 'number', replayed: 'number', failedTries: 'number', error: 'text', createdAt: 'time', completedAt: 'time' };
const Job: Answer = { id: 'id', kind: 'choice', status: 'choice', total: 'number', done: 'number', failedTries: 'number', error: 'text', createdAt: 'time', completedAt: 'time', bulkRetry: BulkRetry, eventReplay: EventReplay, incomingEventReplay: Replay };
const Member: Answer = { userId: 'id', email: 'text', name: 'text', role: 'choice', createdAt: 'time' };
const Organization: Answer = { ...OrganizationSummary, createdAt: 'time' };
const OrganizationLimit: Answer = { name: 'choice', used: 'number', max: 'number' };
const OrganizationLimits: Answer = { limits: [OrganizationLimit] };
const PortalSettings: Answer = { name: 'text', accentColor: 'text', logoUrl: 'text', logoPath: 'text', allowedOrigins: ['text'] };
const Project: Answer = { id: 'id', organizationId: 'id', name: 'text', eventTypePolicy: 'choice', portal: PortalSettings, createdAt: 'time', updatedAt: 'time' };
const ListedProject: Answer = { ...Project, lastEventAt: 'time' };
const ProjectLimit: Answer = { name: 'choice', used: 'number', max: 'number' };
const ProjectLimits: Answer = { limits: [ProjectLimit] };
const OwnData: Answer = { data: 'choice', days: 'number', perDelivery: 'number', variable: 'text', isDefault: 'flag', leavesByDay: 'flag', rows: 'number', isAtLeast: 'flag', oldestAt: 'time', nextRemovalAt: 'time' };
const CleanupSchedule: Answer = { job: 'choice', cron: 'text', lastRun: { startedAt: 'time', endedAt: 'time', failed: 'flag' }, nextRunAt: 'time' };
const OrganizationRetention: Answer = { partitionMaintenanceEnabled: 'flag', classes: [OwnData], jobs: [CleanupSchedule] };
const SearchResult: Answer = { kind: 'choice', id: 'id', title: 'text', projectId: 'id', projectName: 'text', sourceId: 'id' };
const SearchResults: Answer = { results: [SearchResult] };
const Session: Answer = { id: 'id', method: 'choice', createdAt: 'time', lastUsedAt: 'time', ipAddress: 'text', userAgent: 'text', device: 'text', current: 'flag' };
const Source: Answer = { id: 'id', name: 'text', provider: 'choice', url: 'text', previousUrlExpiresAt: 'time', hasSecret: 'flag', previousSecretExpiresAt: 'time', signatureHeader: 'text', signatureEncoding: 'choice', signaturePrefix: 'text', signatureKey: 'text', signatureAlgorithm: 'choice', signedContent: 'text', timestampHeader: 'text', timestampKey: 'text', idHeader: 'text', secretEncoding: 'choice', metadata: 'json', enabled: 'flag', createdAt: 'time', updatedAt: 'time' };
const SourceSecret: Answer = { secret: 'text', previousSecretExpiresAt: 'time' };
const IncomingCounts: Answer = { verified: 'number', unsigned: 'number', rejected: 'number' };
const AttemptCounts: Answer = { succeeded: 'number', failed: 'number' };
const FailureCounts: Answer = { redirects: 'number', clientErrors: 'number', serverErrors: 'number', timeouts: 'number', noResponses: 'number' };
const DeliveryCounts: Answer = { succeeded: 'number', failed: 'number' };
const Quantiles: Answer = { p50Ms: 'number', p95Ms: 'number' };
const StatsCounts: Answer = { events: 'number', incoming: IncomingCounts, attempts: AttemptCounts, failures: FailureCounts, deliveries: DeliveryCounts, attemptDuration: Quantiles, deliveryLatency: Quantiles };
const StatsBucket: Answer = { ...StatsCounts, startsAt: 'time' };
const FailingTarget: Answer = { endpointId: 'id', destinationId: 'id', sourceId: 'id', targetUrl: 'text', enabled: 'flag', failingSince: 'time', attempts: AttemptCounts, failedDeliveries: 'number' };
const DeliveryBacklog: Answer = { waiting: 'number', waitingIsAtLeast: 'flag', oldestDueAt: 'time' };
const Attention: Answer = { reason: 'choice', count: 'number', since: 'time', endpointId: 'id', destinationId: 'id', sourceId: 'id', name: 'text', description: 'text' };
const ProjectStats: Answer = { from: 'time', to: 'time', bucketSeconds: 'number', totals: StatsCounts, previousTotals: StatsCounts, buckets: [StatsBucket], failingTargets: [FailingTarget], backlog: DeliveryBacklog, attention: [Attention] };
const HealthHour: Answer = { startsAt: 'time', attempts: AttemptCounts };
const RecentDelivery: Answer = { id: 'id', status: 'choice', createdAt: 'time' };
const EndpointHealth: Answer = { endpointId: 'id', attempts: AttemptCounts, attemptDuration: Quantiles, hours: [HealthHour], lastDeliveries: [RecentDelivery] };
const EndpointHealthList: Answer = { data: [EndpointHealth] };
const Subscription: Answer = { id: 'id', endpointId: 'id', eventType: 'text', enabled: 'flag', createdAt: 'time', updatedAt: 'time' };
const Tunnel: Answer = { id: 'id', name: 'text', url: 'text', online: 'flag', basicAuth: { username: 'text' }, allowedCidrs: ['text'], testResponse: { status: 'number', delaySeconds: 'number' }, lastSeenAt: 'time', createdAt: 'time', updatedAt: 'time' };
const TunnelRequest: Answer = { id: 'id', tunnelId: 'id', method: 'text', path: 'text', responseStatus: 'number', durationMs: 'number', requestSize: 'number', responseSize: 'number', error: 'text', replayOf: 'id', createdAt: 'time' };
const TunnelRequestDetail: Answer = { ...TunnelRequest, requestHeaders: 'json', requestBody: 'text', requestBodyBase64: 'text', requestBodyTruncated: 'flag', responseHeaders: 'json', responseBody: 'text', responseBodyBase64: 'text', responseBodyTruncated: 'flag', signature: { verified: 'flag', detail: 'text' }, replayObstacle: 'choice' };
const ReplayedTunnelRequest: Answer = { requestId: 'id' };

const mutedUntilField: Field = { kind: 'time', description: 'Until when it says nothing; null for now', isNullable: true };
const actionField: Field = { kind: 'choice', description: 'Only entries with this action', choices: ['account.registered', 'account.deleted', 'account.email_verified', 'account.password_added', 'account.password_reset', 'account.password_changed', 'account.password_confirmed', 'account.searched', 'account.unlocked', 'account.sessions_closed', 'identity.linked', 'session.created', 'session.closed', 'session.theft_detected', 'device.approved', 'device.denied', 'organization.created', 'organization.updated', 'organization.deleted', 'organization.exported', 'organization.viewed', 'organization.moved', 'member.added', 'member.role_changed', 'member.removed', 'member.left', 'invitation.created', 'invitation.link_created', 'invitation.link_revoked', 'invitation.revoked', 'invitation.accepted', 'project.created', 'project.updated', 'project.deleted', 'api_key.created', 'api_key.rotated', 'api_key.revoked', 'customer.created', 'customer.updated', 'customer.deleted', 'customer.portal_link_created', 'customer.portal_sessions_ended', 'event_type.created', 'event_type.updated', 'event_type.deleted', 'endpoint.created', 'endpoint.updated', 'endpoint.deleted', 'endpoint.disabled', 'endpoint.secret_revealed', 'endpoint.secret_rotated', 'endpoint.previous_secret_ended', 'subscription.created', 'subscription.updated', 'subscription.deleted', 'source.created', 'source.updated', 'source.deleted', 'source.secret_revealed', 'source.secret_rotated', 'source.previous_secret_ended', 'source.url_rotated', 'destination.created', 'destination.updated', 'destination.deleted', 'destination.disabled', 'destination.secret_revealed', 'destination.secret_rotated', 'destination.previous_secret_ended', 'destination.secret_removed', 'delivery.created', 'bulk_retry.created', 'bulk_retry.canceled', 'bulk_retry.failed', 'event_replay.created', 'event_replay.canceled', 'event_replay.failed', 'incoming_event.replayed', 'replay.created', 'replay.canceled', 'replay.failed', 'tunnel.created', 'tunnel.updated', 'tunnel.deleted', 'tunnel.url_rotated', 'alert.created', 'alert.updated', 'alert.deleted', 'alert.disabled', 'alert.secret_revealed', 'alert.secret_rotated', 'audit_log.viewed', 'retention.started'] };
const actorIdField: Field = { kind: 'id', description: 'Only actions by this person or key, or in the portal of this customer' };
const targetIdField: Field = { kind: 'id', description: 'Only actions on this resource or person' };
const fromField: Field = { kind: 'time', description: 'Only items created at or after this time' };
const toField: Field = { kind: 'time', description: 'Only items created at or before this time' };
const idField: Field = { kind: 'id', description: 'Only the delivery with this id, or deliveries of the event with this id' };
const eventTypeField: Field = { kind: 'text', description: 'Only deliveries of events of this type or pattern' };
const responseStatusField: Field = { kind: 'text', description: 'Only deliveries with this last response: a status code, a class such as `5xx`, or `none` for no response' };
const endpointIdField: Field = { kind: 'id', description: 'Only items of this endpoint' };
const customerField: Field = { kind: 'text', description: 'Only deliveries to endpoints of the customer with this id or uid' };
const eventIdField: Field = { kind: 'id', description: 'Only deliveries of this event' };
const destinationIdField: Field = { kind: 'id', description: 'Only deliveries to this destination' };
const incomingEventIdField: Field = { kind: 'id', description: 'Only forwards of this incoming event' };
const fromField2: Field = { kind: 'time', description: 'Only deliveries of events at or after this time' };
const toField2: Field = { kind: 'time', description: 'Only deliveries of events at or before this time' };
const statusField: Field = { kind: 'choice', description: '`QUEUED`: before the first attempt. `RETRYING`: waiting for another attempt. `PENDING`: either. `UNDELIVERED`: `RETRYING` or `FAILED`', choices: ['PENDING', 'UNDELIVERED', 'QUEUED', 'RETRYING', 'SUCCEEDED', 'FAILED'] };
const enabledField: Field = { kind: 'flag', description: 'Whether it is enabled. Default: `true`', isOn: true };
const metadataField: Field = { kind: 'json', description: 'What you keep with it: at most 20 names with texts, 4 KiB of JSON. Shown, never sent. Default: `{}`' };
const descriptionField: Field = { kind: 'text', description: 'What it is for', isNullable: true };
const enabledField2: Field = { kind: 'flag', description: 'Whether it is enabled' };
const metadataField2: Field = { kind: 'json', description: 'What you keep with it: at most 20 names with texts, 4 KiB of JSON. Shown, never sent. Replaces all of it' };
const gracePeriodHoursField: Field = { kind: 'number', description: 'Hours that the old secret stays valid. Default: `24`', min: 0, max: 168 };
const urlField: Field = { kind: 'text', description: 'Target URL: http or https, without a username or fragment', isRequired: true, example: 'https://example.com/webhooks' };
const retrySecondsField: Field = { kind: 'numbers', description: 'Seconds to wait before each retry; empty: the deployment’s schedule. Default: `[]`' };
const urlField2: Field = { kind: 'text', description: 'Target URL: http or https, without a username or fragment' };
const retrySecondsField2: Field = { kind: 'numbers', description: 'Seconds to wait before each retry; empty: the deployment’s schedule' };
const uidField: Field = { kind: 'text', description: 'Your own id of it, unique in the project', isNullable: true };
const filterField: Field = { kind: 'json', description: 'Which events it gets: a condition on their type and data; null for all of those that it is subscribed to', isNullable: true };
const rateLimitField: Field = { kind: 'json', description: 'How many attempts start at most; the others wait. Null for no limit', isNullable: true };
const filterField2: Field = { kind: 'json', description: 'The condition', isRequired: true };
const schemaField: Field = { kind: 'json', description: 'The JSON Schema (2020-12) of `data`, at most 64 KiB', isNullable: true };
const exampleField: Field = { kind: 'json', description: 'An example of `data`, at most 64 KiB, which satisfies the schema', isNullable: true };
const typeField: Field = { kind: 'text', description: 'The event type, such as `order.paid`, which subscriptions match', isRequired: true, example: 'order.paid' };
const dataField: Field = { kind: 'json', description: 'The payload: any JSON object of at most 256 KiB', isRequired: true };
const customerField2: Field = { kind: 'text', description: 'The id or uid of the customer that the event is for: it goes to endpoints of this customer, and to those of the project with `receivesCustomerEvents`' };
const customerField3: Field = { kind: 'text', description: 'Only those of the customer with this id or uid' };
const clientAddressField: Field = { kind: 'text', description: 'Only events that were sent from this address' };
const destinationIdField2: Field = { kind: 'id', description: 'Only this destination. Default: every enabled destination' };
const secretField: Field = { kind: 'text', description: 'The secret that the provider signs with, its token, or its public key' };
const signatureHeaderField: Field = { kind: 'text', description: 'Name of the header with the signature or token, for `GENERIC_HMAC` and `TOKEN`; default `X-Signature` or `X-Webhook-Token`' };
const signaturePrefixField: Field = { kind: 'text', description: 'Text before it, such as `sha256=` or `Bearer`, for `GENERIC_HMAC` and `TOKEN`' };
const signatureKeyField: Field = { kind: 'text', description: 'Name of the signature in a list such as `t=1700000000,v1=ab`, for `GENERIC_HMAC`' };
const signedContentField: Field = { kind: 'text', description: 'What is signed, for `GENERIC_HMAC`: `{body}` once, with `{timestamp}`, `{id}`, `{url}` and `{method}`. Default `{body}`' };
const timestampHeaderField: Field = { kind: 'text', description: 'Name of the header with the signed time, for `GENERIC_HMAC`; empty for that of the signature' };
const timestampKeyField: Field = { kind: 'text', description: 'Name of the signed time in a list, for `GENERIC_HMAC`' };
const idHeaderField: Field = { kind: 'text', description: 'Name of the header whose id recognizes retries, for `GENERIC_HMAC` and `TOKEN`' };
const headersField: Field = { kind: 'text', description: 'The headers as received: a line of `name: value` each, or a JSON object', isRequired: true, example: 'webhook-id: 0197b6a0-4c1e-7cc3-a6dd-0f6c5f7c3a11\nwebhook-timestamp: 1769851800\nwebhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=' };
const bodyField: Field = { kind: 'text', description: 'The raw body as received, as text in UTF-8' };
const bodyBase64Field: Field = { kind: 'text', description: 'The raw body in Base64, byte for byte, in place of `body`' };
const receivedAtField: Field = { kind: 'time', description: 'When the request was received; default: now' };
const endpointIdField2: Field = { kind: 'id', description: 'The endpoint', isRequired: true };
const basicAuthField: Field = { kind: 'json', description: 'Credentials that requests must send; null if none are required', isNullable: true };
const allowedCidrsField: Field = { kind: 'texts', description: 'Addresses that requests can come from; empty: any' };
const testResponseField: Field = { kind: 'json', description: 'Makes the tunnel a test receiver, where the service itself responds; null for a tunnel to a local server', isNullable: true };

/** What each resource is about. */
export const RESOURCES: Readonly<Record<string, string>> = {
  account: 'Your account.',
  admin: 'Operate the deployment, across organizations.',
  alerts: 'Who is told when something needs them: by email, webhook or Slack.',
  apiKeys: 'Keys that give servers access to a project.',
  auditLog: 'Who changed what in an organization.',
  customers: 'Whom you send events to, each with its own endpoints.',
  bulkRetries: 'Retry many deliveries at once.',
  deliveries: 'What was sent to each receiver, attempt by attempt.',
  destinations: 'URLs that sources forward to.',
  endpoints: 'URLs that receive your events.',
  eventReplays: 'Send the events of a period again, or what an endpoint missed.',
  eventTypes: 'The catalogue of what you send: descriptions, schemas and examples.',
  events: 'What you send to your customers.',
  incomingEvents: 'Requests that your sources received.',
  invitations: 'Invitations to an organization.',
  jobs: 'What runs in the background: bulk retries and replays.',
  members: 'The members of an organization and their roles.',
  organizationExport: 'All of an organization’s data in one document.',
  organizations: 'Organizations own projects.',
  projects: 'Projects own endpoints, sources and keys.',
  replays: 'Replay many incoming events at once.',
  retention: 'How long data is kept.',
  search: 'Search an organization.',
  sessions: 'Your active sessions.',
  sources: 'URLs that providers post to.',
  tunnels: 'Public URLs for local servers, with a log of their requests.',
  stats: 'Traffic and delivery results of a project.',
  subscriptions: 'Which events each endpoint receives.',
};

/** The operations of the API that are commands. */
export const OPERATIONS = {
  'admin.listOrganizations': {
    verb: 'GET',
    path: '/api/v1/admin/orgs',
    caller: 'operator',
    summary: 'List all organizations of the deployment.',
    input: {
      name: { kind: 'text', description: 'Part of the name, case-insensitive' },
      deleted: { kind: 'flag', description: '`true`: only organizations that are being removed. `false`: only the others' },
    },
    rows: OrganizationOverview,
  },
  'admin.getOrganization': {
    verb: 'GET',
    path: '/api/v1/admin/orgs/{orgId}',
    caller: 'operator',
    summary: 'Get any organization with its members, projects and stored data.',
    record: OrganizationDetail,
  },
  'admin.eraseOrganization': {
    verb: 'DELETE',
    path: '/api/v1/admin/orgs/{orgId}',
    caller: 'operator',
    summary: 'Erase any organization with all its data; the audit log is kept.',
  },
  'admin.searchUsers': {
    verb: 'GET',
    path: '/api/v1/admin/users',
    caller: 'operator',
    summary: 'Find people by email address, or the start of one.',
    input: {
      email: { kind: 'text', description: 'An email address, or the start of one; case and surrounding spaces are ignored' },
    },
    rows: UserRecord,
  },
  'admin.unlockUser': {
    verb: 'POST',
    path: '/api/v1/admin/users/{userId}/unlock',
    caller: 'operator',
    summary: 'End a person’s lockout and clear their failed sign-ins.',
  },
  'admin.closeUserSessions': {
    verb: 'POST',
    path: '/api/v1/admin/users/{userId}/close-sessions',
    caller: 'operator',
    summary: 'Close all of a person’s sessions and notify them by email.',
  },
  'admin.listAuditLog': {
    verb: 'GET',
    path: '/api/v1/admin/audit-log',
    caller: 'operator',
    summary: 'List the audit log of all organizations, including deleted ones.',
    input: {
      action: actionField,
      actorId: actorIdField,
      targetId: targetIdField,
      from: fromField,
      to: toField,
      organizationId: { kind: 'id', description: 'Only entries of this organization' },
    },
    rows: AuditLogEntry,
  },
  'admin.getStats': {
    verb: 'GET',
    path: '/api/v1/admin/stats',
    caller: 'operator',
    summary: 'Get deployment statistics.',
    record: Stats,
  },
  'admin.getRetention': {
    verb: 'GET',
    path: '/api/v1/admin/retention',
    caller: 'operator',
    summary: 'Get the retention rules, tables, partitions and schedules, and the last run of each job.',
    record: RetentionState,
  },
  'admin.runRetention': {
    verb: 'POST',
    path: '/api/v1/admin/retention/run',
    caller: 'operator',
    summary: 'Run a retention job now, and wait for up to 25 seconds.',
    input: {
      job: { kind: 'choice', description: 'The cleanup job', isRequired: true, choices: ['main', 'cap', 'burst', 'metrics', 'partitions'], example: 'main' },
    },
  },
  'account.get': {
    verb: 'GET',
    path: '/api/v1/auth/me',
    caller: 'person',
    summary: 'Get your profile and organizations.',
    record: Me,
  },
  'account.update': {
    verb: 'PATCH',
    path: '/api/v1/auth/me',
    caller: 'person',
    summary: 'Change your profile.',
    input: {
      name: { kind: 'text', description: 'The new name; null removes it', isNullable: true, example: 'Grace Hopper' },
      timeZone: { kind: 'choice', description: 'Time zone of the dashboard: the browser’s, or UTC', choices: ['LOCAL', 'UTC'], example: 'LOCAL' },
    },
    record: Me,
  },
  'account.resendVerification': {
    verb: 'POST',
    path: '/api/v1/auth/resend-verification',
    caller: 'person',
    summary: 'Email a new verification link; it replaces the previous one.',
  },
  'account.erase': {
    verb: 'DELETE',
    path: '/api/v1/auth/me',
    caller: 'person',
    summary: 'Erase your account, immediately and permanently.',
  },
  'account.previewErasure': {
    verb: 'GET',
    path: '/api/v1/auth/me/erasure',
    caller: 'person',
    summary: 'Preview what erasing your account does to each of your organizations.',
    record: ErasurePreview,
  },
  'account.listIdentities': {
    verb: 'GET',
    path: '/api/v1/auth/identities',
    caller: 'person',
    summary: 'List the identity providers linked to your account.',
    record: { data: [Identity] },
  },
  'alerts.list': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/alerts',
    caller: 'person',
    summary: 'List the alerts of a project, newest first.',
    rows: Alert,
  },
  'alerts.create': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/alerts',
    caller: 'person',
    summary: 'Create an alert, which tells by email, a signed webhook or Slack what a project needs.',
    input: {
      name: { kind: 'text', description: 'Its name', isRequired: true, example: 'On call' },
      kind: { kind: 'choice', description: 'How it tells', isRequired: true, choices: ['EMAIL', 'WEBHOOK', 'SLACK'], example: 'WEBHOOK' },
      target: { kind: 'text', description: 'EMAIL: the address of a member. WEBHOOK and SLACK: a URL', isRequired: true, example: 'https://example.com/alerts' },
      triggers: { kind: 'texts', description: 'What it tells of', isRequired: true },
      enabled: enabledField,
      mutedUntil: mutedUntilField,
    },
    record: CreatedAlert,
  },
  'alerts.get': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/alerts/{alertId}',
    caller: 'person',
    summary: 'Get an alert.',
    record: Alert,
  },
  'alerts.update': {
    verb: 'PATCH',
    path: '/api/v1/projects/{projectId}/alerts/{alertId}',
    caller: 'person',
    summary: 'Change an alert.',
    input: {
      name: { kind: 'text', description: 'Its name', example: 'On call' },
      target: { kind: 'text', description: 'EMAIL: the address of a member. WEBHOOK and SLACK: a URL', example: 'https://example.com/alerts' },
      triggers: { kind: 'texts', description: 'What it tells of' },
      enabled: enabledField2,
      mutedUntil: mutedUntilField,
    },
    record: Alert,
  },
  'alerts.remove': {
    verb: 'DELETE',
    path: '/api/v1/projects/{projectId}/alerts/{alertId}',
    caller: 'person',
    summary: 'Delete an alert with its messages.',
  },
  'alerts.getSecret': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/alerts/{alertId}/secret',
    caller: 'person',
    summary: 'Reveal the signing secret of an alert that is a webhook.',
    record: EndpointSecret,
  },
  'alerts.rotateSecret': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/alerts/{alertId}/rotate-secret',
    caller: 'person',
    summary: 'Replace the signing secret of an alert; the old one stays valid for a grace period.',
    input: {
      gracePeriodHours: gracePeriodHoursField,
    },
    record: EndpointSecret,
  },
  'alerts.test': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/alerts/{alertId}/test',
    caller: 'person',
    summary: 'Send a test of an alert; its message shows the result.',
    record: AlertMessage,
  },
  'alerts.listMessages': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/alerts/{alertId}/messages',
    caller: 'person',
    summary: 'List what an alert said lately, newest first.',
    rows: AlertMessage,
  },
  'apiKeys.getOwn': {
    verb: 'GET',
    path: '/api/v1/key',
    caller: 'key',
    summary: 'Get the API key of this request: its project, scope and expiry.',
    record: OwnKey,
  },
  'apiKeys.create': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/api-keys',
    caller: 'person',
    summary: 'Create an API key; only this response contains its plaintext.',
    input: {
      name: { kind: 'text', description: 'Its name', isRequired: true, example: 'Server' },
      scope: { kind: 'choice', description: 'What the key can do. Default: `READ_WRITE`', choices: ['READ_WRITE', 'READ_ONLY'] },
      expiresAt: { kind: 'text', description: 'A time, or a date, which means the end of that day in UTC; null or absent: never', isNullable: true },
    },
    record: CreatedApiKey,
  },
  'apiKeys.list': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/api-keys',
    caller: 'person',
    summary: 'List the API keys of a project.',
    rows: ApiKey,
  },
  'apiKeys.get': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/api-keys/{apiKeyId}',
    caller: 'person',
    summary: 'Get an API key, without its plaintext.',
    record: ApiKey,
  },
  'apiKeys.revoke': {
    verb: 'DELETE',
    path: '/api/v1/projects/{projectId}/api-keys/{apiKeyId}',
    caller: 'person',
    summary: 'Revoke an API key immediately.',
  },
  'apiKeys.rotate': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/api-keys/{apiKeyId}/rotate',
    caller: 'person',
    summary: 'Replace an API key; the old key works for a grace period, and only this response contains the new plaintext.',
    input: {
      gracePeriodHours: { kind: 'number', description: 'Hours that the old key keeps working; 0 stops it immediately. Default: `24`', min: 0, max: 8760 },
      expiresAt: { kind: 'text', description: 'When the replacement expires; null or absent: never', isNullable: true },
    },
    record: CreatedApiKey,
  },
  'auditLog.list': {
    verb: 'GET',
    path: '/api/v1/orgs/{orgId}/audit-log',
    caller: 'person',
    summary: 'List the audit log of an organization, newest first.',
    input: {
      action: actionField,
      actorId: actorIdField,
      targetId: targetIdField,
      from: fromField,
      to: toField,
      withoutSignIns: { kind: 'flag', description: 'True excludes sessions that were opened or closed' },
    },
    rows: AuditLogEntry,
  },
  'bulkRetries.list': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/bulk-retries',
    caller: 'person-or-key',
    summary: 'List the newest bulk retries of a project.',
    rows: BulkRetry,
  },
  'bulkRetries.create': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/bulk-retries',
    caller: 'person-or-key',
    summary: 'Retry all matching deliveries in the background.',
    input: {
      status: { kind: 'choice', description: 'Only deliveries with this status. Default: `FAILED`; with `deliveryIds`, either status', choices: ['UNDELIVERED', 'RETRYING', 'SUCCEEDED', 'FAILED'] },
      id: idField,
      eventType: eventTypeField,
      responseStatus: responseStatusField,
      endpointId: endpointIdField,
      customer: customerField,
      eventId: eventIdField,
      destinationId: destinationIdField,
      incomingEventId: incomingEventIdField,
      from: fromField2,
      to: toField2,
      deliveryIds: { kind: 'texts', description: 'Only these deliveries' },
    },
    record: BulkRetry,
  },
  'bulkRetries.get': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/bulk-retries/{bulkRetryId}',
    caller: 'person-or-key',
    summary: 'Get a bulk retry with its progress.',
    record: BulkRetry,
  },
  'bulkRetries.cancel': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/bulk-retries/{bulkRetryId}/cancel',
    caller: 'person-or-key',
    summary: 'Cancel a bulk retry; deliveries that it has made due are still sent.',
    record: BulkRetry,
  },
  'customers.list': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/customers',
    caller: 'person-or-key',
    summary: 'List the customers of a project.',
    input: {
      uid: { kind: 'text', description: 'Only the customer with this uid' },
      q: { kind: 'text', description: 'Only customers whose uid, or whose name in upper or lower case, begins with this text: of each, the first 1,000 in alphabetical order' },
    },
    rows: Customer,
  },
  'customers.create': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/customers',
    caller: 'person-or-key',
    summary: 'Create a customer, unless there is one with this uid: that one is the answer, unchanged, with 200.',
    input: {
      uid: { kind: 'text', description: 'Your own id of the customer, unique in the project', isRequired: true, example: 'cus_8f2c1' },
      name: { kind: 'text', description: 'What people call the customer', isNullable: true },
      metadata: metadataField,
    },
    record: Customer,
  },
  'customers.get': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/customers/{customer}',
    caller: 'person-or-key',
    summary: 'Get a customer.',
    record: Customer,
  },
  'customers.update': {
    verb: 'PATCH',
    path: '/api/v1/projects/{projectId}/customers/{customer}',
    caller: 'person-or-key',
    summary: 'Change a customer.',
    input: {
      uid: { kind: 'text', description: 'Your own id of the customer, unique in the project', example: 'cus_8f2c1' },
      name: { kind: 'text', description: 'What people call the customer', isNullable: true, example: 'Acme Inc.' },
      metadata: metadataField2,
    },
    record: Customer,
  },
  'customers.remove': {
    verb: 'DELETE',
    path: '/api/v1/projects/{projectId}/customers/{customer}',
    caller: 'person-or-key',
    summary: 'Delete a customer with its endpoints; its events and deliveries are removed within minutes.',
  },
  'customers.createPortalLink': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/customers/{customer}/portal-links',
    caller: 'person-or-key',
    summary: 'Make a link to the portal of a customer, which opens one session within five minutes.',
    input: {
      permissions: { kind: 'choice', description: '`READ`: sees everything but secrets. `MANAGE`: also changes, tests and retries. Default: `MANAGE`', choices: ['READ', 'MANAGE'] },
      sessionSeconds: { kind: 'number', description: 'How long the session lasts that the link opens. Default: `3600`', min: 300, max: 86400 },
    },
    record: PortalLink,
  },
  'customers.endPortalSessions': {
    verb: 'DELETE',
    path: '/api/v1/projects/{projectId}/customers/{customer}/portal-sessions',
    caller: 'person-or-key',
    summary: 'End the portal links and sessions of a customer at once.',
  },
  'deliveries.list': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/deliveries',
    caller: 'person-or-key',
    summary: 'List the deliveries of a project.',
    input: {
      status: statusField,
      id: idField,
      eventType: eventTypeField,
      responseStatus: responseStatusField,
      endpointId: endpointIdField,
      customer: customerField,
      eventId: eventIdField,
      destinationId: destinationIdField,
      incomingEventId: incomingEventIdField,
      from: fromField2,
      to: toField2,
    },
    rows: Delivery,
  },
  'deliveries.count': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/delivery-count',
    caller: 'person-or-key',
    summary: 'Count a project’s matching deliveries, up to 100,000.',
    input: {
      status: statusField,
      id: idField,
      eventType: eventTypeField,
      responseStatus: responseStatusField,
      endpointId: endpointIdField,
      customer: customerField,
      eventId: eventIdField,
      destinationId: destinationIdField,
      incomingEventId: incomingEventIdField,
      from: fromField2,
      to: toField2,
    },
    record: DeliveryCount,
  },
  'deliveries.get': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/deliveries/{deliveryId}',
    caller: 'person-or-key',
    summary: 'Get a delivery.',
    record: Delivery,
  },
  'deliveries.listAttempts': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/deliveries/{deliveryId}/attempts',
    caller: 'person-or-key',
    summary: 'List the stored attempts of a delivery.',
    rows: Attempt,
  },
  'deliveries.getAttempt': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/deliveries/{deliveryId}/attempts/{attemptId}',
    caller: 'person-or-key',
    summary: 'Get an attempt, including its request as it was sent.',
    record: AttemptDetail,
  },
  'deliveries.retry': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/deliveries/{deliveryId}/retry',
    caller: 'person-or-key',
    summary: 'Retry a delivery now.',
    record: Delivery,
  },
  'deliveries.listTargets': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/targets',
    caller: 'person-or-key',
    summary: 'Find the endpoints and destinations that deliveries go to.',
    input: {
      q: { kind: 'text', description: 'Only the target with this id, or targets with this text in their URL, description or uid, in upper or lower case' },
    },
    record: DeliveryTargetList,
  },
  'destinations.list': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/sources/{sourceId}/destinations',
    caller: 'person-or-key',
    summary: 'List the destinations of a source.',
    rows: Destination,
  },
  'destinations.create': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/sources/{sourceId}/destinations',
    caller: 'person-or-key',
    summary: 'Create a destination that a source forwards its events to.',
    input: {
      url: urlField,
      description: descriptionField,
      enabled: enabledField,
      retrySeconds: retrySecondsField,
      metadata: metadataField,
      auth: { kind: 'json', description: 'The credential that the receiver requires; never returned', isNullable: true },
      signing: { kind: 'flag', description: 'Whether its deliveries are signed, like those to endpoints. Default: `false`' },
    },
    record: Destination,
  },
  'destinations.get': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/sources/{sourceId}/destinations/{destinationId}',
    caller: 'person-or-key',
    summary: 'Get a destination.',
    record: Destination,
  },
  'destinations.update': {
    verb: 'PATCH',
    path: '/api/v1/projects/{projectId}/sources/{sourceId}/destinations/{destinationId}',
    caller: 'person-or-key',
    summary: 'Change a destination.',
    input: {
      url: urlField2,
      description: descriptionField,
      enabled: enabledField2,
      pauseReason: { kind: 'text', description: 'Why it is paused; only if the destination is not enabled', isNullable: true },
      retrySeconds: retrySecondsField2,
      metadata: metadataField2,
      auth: { kind: 'json', description: 'Replaces the credential; null removes it', isNullable: true },
    },
    record: Destination,
  },
  'destinations.remove': {
    verb: 'DELETE',
    path: '/api/v1/projects/{projectId}/sources/{sourceId}/destinations/{destinationId}',
    caller: 'person-or-key',
    summary: 'Delete a destination, its credential and its secrets.',
  },
  'destinations.getSecret': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/sources/{sourceId}/destinations/{destinationId}/secret',
    caller: 'person-or-key',
    summary: 'Reveal the signing secret of a destination.',
    record: DestinationSecret,
  },
  'destinations.rotateSecret': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/sources/{sourceId}/destinations/{destinationId}/rotate-secret',
    caller: 'person-or-key',
    summary: 'Create or rotate the signing secret of a destination; the old one stays valid for a grace period.',
    input: {
      gracePeriodHours: gracePeriodHoursField,
    },
    record: DestinationSecret,
  },
  'destinations.endPreviousSecret': {
    verb: 'DELETE',
    path: '/api/v1/projects/{projectId}/sources/{sourceId}/destinations/{destinationId}/previous-secret',
    caller: 'person-or-key',
    summary: 'End the previous signing secret of a destination before its grace period does.',
  },
  'destinations.removeSecret': {
    verb: 'DELETE',
    path: '/api/v1/projects/{projectId}/sources/{sourceId}/destinations/{destinationId}/secret',
    caller: 'person-or-key',
    summary: 'Stop signing deliveries to a destination.',
  },
  'destinations.listOutages': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/sources/{sourceId}/destinations/{destinationId}/outages',
    caller: 'person-or-key',
    summary: 'Get the newest outages of a destination, and how many deliveries of each have not arrived.',
    record: OutageList,
  },
  'endpoints.list': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/endpoints',
    caller: 'person-or-key',
    summary: 'List the endpoints of a project, newest first unless sorted otherwise.',
    input: {
      q: { kind: 'text', description: 'Only the endpoint with this id, or endpoints with this text in their URL, description or uid, in upper or lower case' },
      uid: { kind: 'text', description: 'Only the endpoint with this uid' },
      customer: customerField3,
      state: { kind: 'choice', description: '`ENABLED`: receives, and its last attempt did not fail. `FAILING`: its last attempts failed. `PAUSED`: by a person. `DISABLED`: by the service. `UNSUBSCRIBED`: enabled or failing, and receives nothing, because no subscription of it is enabled', choices: ['ENABLED', 'FAILING', 'PAUSED', 'DISABLED', 'UNSUBSCRIBED'] },
      sort: { kind: 'choice', description: 'A minus sign reverses the order: `success` has the lowest share of succeeded attempts in 24 hours first, `-p95` the slowest endpoint, `lastDeliveryAt` those without a delivery and then the one whose last delivery is longest ago. Default: `-createdAt`', choices: ['createdAt', '-createdAt', 'host', '-host', 'description', '-description', 'success', '-success', 'p95', '-p95', 'lastDeliveryAt', '-lastDeliveryAt'] },
    },
    rows: EndpointListItem,
  },
  'endpoints.create': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/endpoints',
    caller: 'person-or-key',
    summary: 'Create an endpoint with its own signing secret, subscribed to event types.',
    input: {
      url: urlField,
      description: descriptionField,
      enabled: enabledField,
      retrySeconds: retrySecondsField,
      uid: uidField,
      metadata: metadataField,
      headers: { kind: 'json', description: 'Headers that every request has, by name: at most 20, 4 KiB. `[redacted]` replaces the values for callers who cannot read the signing secret. Default: `{}`' },
      secret: { kind: 'text', description: 'Its signing secret; by default a new one' },
      signature: { kind: 'json', description: 'What is sent beside the signature of Standard Webhooks. Default: `{"profile":"STANDARD"}`' },
      bodyFormat: { kind: 'choice', description: '`ENVELOPE`: type, time and data. `DATA`: the bytes of the data alone. Default: `ENVELOPE`', choices: ['ENVELOPE', 'DATA'] },
      filter: filterField,
      rateLimit: rateLimitField,
      customer: { kind: 'text', description: 'The id or uid of the customer that it belongs to; without one, it belongs to the project itself' },
      receivesCustomerEvents: { kind: 'flag', description: 'Whether it also gets the events of customers. Only for an endpoint without a customer. Default: `false`' },
      eventTypes: { kind: 'texts', description: 'Event types, or patterns such as `order.*` and `*`, to subscribe it to; without them, it receives nothing yet. Default: `[]`' },
    },
    record: Endpoint,
  },
  'endpoints.get': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/endpoints/{endpointId}',
    caller: 'person-or-key',
    summary: 'Get an endpoint.',
    record: Endpoint,
  },
  'endpoints.update': {
    verb: 'PATCH',
    path: '/api/v1/projects/{projectId}/endpoints/{endpointId}',
    caller: 'person-or-key',
    summary: 'Change an endpoint.',
    input: {
      url: urlField2,
      description: descriptionField,
      enabled: enabledField2,
      pauseReason: { kind: 'text', description: 'Why it is paused; only if the endpoint is not enabled', isNullable: true },
      retrySeconds: retrySecondsField2,
      uid: uidField,
      metadata: metadataField2,
      headers: { kind: 'json', description: 'Headers that every request has, by name: at most 20, 4 KiB. `[redacted]` replaces the values for callers who cannot read the signing secret. Replaces all of them' },
      signature: { kind: 'json', description: 'What is sent beside the signature of Standard Webhooks' },
      bodyFormat: { kind: 'choice', description: '`ENVELOPE`: type, time and data. `DATA`: the bytes of the data alone', choices: ['ENVELOPE', 'DATA'], example: 'ENVELOPE' },
      filter: filterField,
      rateLimit: rateLimitField,
      receivesCustomerEvents: { kind: 'flag', description: 'Whether it also gets the events of customers. Only for an endpoint without a customer' },
    },
    record: Endpoint,
  },
  'endpoints.remove': {
    verb: 'DELETE',
    path: '/api/v1/projects/{projectId}/endpoints/{endpointId}',
    caller: 'person-or-key',
    summary: 'Delete an endpoint, its subscriptions and its secrets.',
  },
  'endpoints.getSecret': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/endpoints/{endpointId}/secret',
    caller: 'person-or-key',
    summary: 'Reveal the signing secret of an endpoint.',
    record: EndpointSecret,
  },
  'endpoints.rotateSecret': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/endpoints/{endpointId}/rotate-secret',
    caller: 'person-or-key',
    summary: 'Replace the signing secret of an endpoint; the old one stays valid for a grace period.',
    input: {
      gracePeriodHours: gracePeriodHoursField,
      secret: { kind: 'text', description: 'The new secret; by default a generated one' },
    },
    record: EndpointSecret,
  },
  'endpoints.endPreviousSecret': {
    verb: 'DELETE',
    path: '/api/v1/projects/{projectId}/endpoints/{endpointId}/previous-secret',
    caller: 'person-or-key',
    summary: 'End the previous signing secret of an endpoint before its grace period does.',
  },
  'endpoints.test': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/endpoints/{endpointId}/test',
    caller: 'person-or-key',
    summary: 'Send a signed test event to an endpoint and get the request and response.',
    input: {
      type: { kind: 'text', description: 'The type of the test event. Default: `endpoint.test`' },
      data: { kind: 'json', description: 'Default: an object with a message' },
    },
    record: TestResult,
  },
  'endpoints.testFilter': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/filter-tests',
    caller: 'person-or-key',
    summary: 'Say whether an event matches a filter, and which conditions keep it from that.',
    input: {
      filter: filterField2,
      type: { kind: 'text', description: 'The type of the event', isRequired: true, example: 'order.paid' },
      data: { kind: 'json', description: 'The data of the event', isRequired: true },
    },
    record: FilterTest,
  },
  'endpoints.previewFilter': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/filter-previews',
    caller: 'person-or-key',
    summary: 'Say which of the newest events of a project match a filter, and what keeps the others from that.',
    input: {
      filter: filterField2,
      eventTypes: { kind: 'texts', description: 'Only events of these types or patterns, such as those that an endpoint is subscribed to' },
    },
    record: FilterPreview,
  },
  'endpoints.verifySignature': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/endpoints/{endpointId}/verify-signature',
    caller: 'person-or-key',
    summary: 'Check the signature of a request that an endpoint’s receiver got, and say why it does not verify.',
    input: {
      headers: headersField,
      body: bodyField,
      bodyBase64: bodyBase64Field,
      receivedAt: receivedAtField,
    },
    record: SignatureCheck,
  },
  'endpoints.listOutages': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/endpoints/{endpointId}/outages',
    caller: 'person-or-key',
    summary: 'Get the newest outages of an endpoint, and how many deliveries of each have not arrived.',
    record: OutageList,
  },
  'eventReplays.list': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/event-replays',
    caller: 'person-or-key',
    summary: 'List the newest event replays of a project.',
    rows: EventReplay,
  },
  'eventReplays.create': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/event-replays',
    caller: 'person-or-key',
    summary: 'Send the events of a period to endpoints in the background, or count what would be sent.',
    input: {
      from: { kind: 'time', description: 'Events from this time on. They must still be stored', isRequired: true },
      to: { kind: 'time', description: 'Events until this time. Default: now' },
      endpointId: { kind: 'id', description: 'Only to this endpoint. It must be enabled' },
      customer: { kind: 'text', description: 'Only to the endpoints of the customer with this id or uid' },
      eventType: { kind: 'text', description: 'Only events of this type or pattern' },
      select: { kind: 'choice', description: '`MISSING`: what subscriptions and filters would send now, and has no delivery. `FAILED`: failed deliveries. `ALL`: both, and deliveries that succeeded. Default: `MISSING`', choices: ['MISSING', 'FAILED', 'ALL'] },
      dryRun: { kind: 'flag', description: 'Only counts the deliveries that would be sent. Default: `false`' },
    },
    record: EventReplay,
  },
  'eventReplays.get': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/event-replays/{eventReplayId}',
    caller: 'person-or-key',
    summary: 'Get an event replay with its progress.',
    record: EventReplay,
  },
  'eventReplays.cancel': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/event-replays/{eventReplayId}/cancel',
    caller: 'person-or-key',
    summary: 'Cancel an event replay; deliveries that it has made due are still sent.',
    record: EventReplay,
  },
  'eventTypes.list': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/event-types',
    caller: 'person-or-key',
    summary: 'List the event types of a project by name: those of its catalogue, and those that were sent.',
    input: {
      status: { kind: 'choice', description: 'Only those in this state. `ACTIVE` or `DEPRECATED`; `SEEN`: it was sent, and is not defined', choices: ['ACTIVE', 'DEPRECATED', 'SEEN'] },
      group: { kind: 'text', description: 'Only those of this group' },
      q: { kind: 'text', description: 'Only those whose name or description has this text, in upper or lower case' },
    },
    rows: CatalogueType,
  },
  'eventTypes.create': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/event-types',
    caller: 'person-or-key',
    summary: 'Define an event type.',
    input: {
      name: { kind: 'text', description: 'The type of its events', isRequired: true, example: 'order.paid' },
      status: { kind: 'choice', description: '`DEPRECATED`: it is still sent, and receivers should use another one. Default: `ACTIVE`', choices: ['ACTIVE', 'DEPRECATED'] },
      description: { kind: 'text', description: 'What it tells receivers', isNullable: true },
      group: { kind: 'text', description: 'The group in which the catalogue shows it', isNullable: true },
      schema: schemaField,
      example: exampleField,
    },
    record: CatalogueType,
  },
  'eventTypes.get': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/event-types/{name}',
    caller: 'person-or-key',
    summary: 'Get an event type, also one that was sent and is not defined.',
    record: CatalogueType,
  },
  'eventTypes.update': {
    verb: 'PATCH',
    path: '/api/v1/projects/{projectId}/event-types/{name}',
    caller: 'person-or-key',
    summary: 'Change an event type.',
    input: {
      status: { kind: 'choice', description: '`DEPRECATED`: it is still sent, and receivers should use another one', choices: ['ACTIVE', 'DEPRECATED'], example: 'DEPRECATED' },
      description: { kind: 'text', description: 'What it tells receivers', isNullable: true, example: 'An order was paid in full.' },
      group: { kind: 'text', description: 'The group in which the catalogue shows it', isNullable: true, example: 'Orders' },
      schema: schemaField,
      example: exampleField,
    },
    record: CatalogueType,
  },
  'eventTypes.remove': {
    verb: 'DELETE',
    path: '/api/v1/projects/{projectId}/event-types/{name}',
    caller: 'person-or-key',
    summary: 'Remove an event type from the catalogue; its events stay.',
  },
  'eventTypes.importDocument': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/event-types/import',
    caller: 'person-or-key',
    summary: 'Define the webhooks of an OpenAPI document as event types: all of them, or none.',
    input: {
      document: { kind: 'json', description: 'An OpenAPI 3.1 document, whose `webhooks` become event types. The schema of the body is that of `data`, or that of the `data` of an envelope as this service exports it', isRequired: true },
      dryRun: { kind: 'flag', description: 'Whether to say what would be done, and do nothing. Default: `false`' },
    },
    record: EventTypeImport,
  },
  'eventTypes.exportDocument': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/event-types/openapi.json',
    caller: 'person-or-key',
    summary: 'Get the catalogue as an OpenAPI 3.1 document for those who receive the events.',
    input: {
      group: { kind: 'text', description: 'Only the types of this group' },
    },
    record: EventTypeDocument,
  },
  'eventTypes.infer': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/event-types/{name}/infer',
    caller: 'person-or-key',
    summary: 'Propose a schema from the newest events of a type, and save nothing.',
    record: InferredSchema,
  },
  'events.send': {
    verb: 'POST',
    path: '/api/v1/events',
    caller: 'key',
    summary: 'Send an event; the API key determines the project.',
    input: {
      type: typeField,
      data: dataField,
      customer: customerField2,
    },
    record: EventSummary,
  },
  'events.sendToProject': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/events',
    caller: 'key',
    summary: 'Send an event to a project.',
    input: {
      type: typeField,
      data: dataField,
      customer: customerField2,
    },
    record: EventSummary,
  },
  'events.list': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/events',
    caller: 'person-or-key',
    summary: 'List the events of a project, without their data.',
    input: {
      id: { kind: 'id', description: 'Only the event with this id' },
      type: { kind: 'text', description: 'Only events of this type' },
      q: { kind: 'text', description: 'The id or Idempotency-Key of an event. If there is none: only events of this type, sent from this address, or whose data contains all its words. White space between the tokens of JSON does not matter: `"id": 42` finds `"id":42`. Texts over 64 characters and data over 8 KiB are not searched' },
      apiKeyId: { kind: 'id', description: 'Only events that were sent with this API key' },
      clientAddress: clientAddressField,
      status: { kind: 'choice', description: 'Only events with a delivery in this state. `PENDING`: `QUEUED` or `RETRYING`. `UNDELIVERED`: `RETRYING` or `FAILED`', choices: ['PENDING', 'UNDELIVERED', 'QUEUED', 'RETRYING', 'SUCCEEDED', 'FAILED'] },
      endpointId: { kind: 'id', description: 'Only events with a delivery to this endpoint' },
      customer: customerField3,
      from: fromField,
      to: toField,
    },
    rows: EventListItem,
  },
  'events.get': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/events/{eventId}',
    caller: 'person-or-key',
    summary: 'Get an event with its data and deliveries.',
    record: EventDetail,
  },
  'events.listRouting': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/events/{eventId}/routing',
    caller: 'person-or-key',
    summary: 'Say of each endpoint whether an event went to it, and why not.',
    input: {
      all: { kind: 'flag', description: 'Whether to include the endpoints of other customers' },
    },
    rows: RoutingItem,
  },
  'events.sendToEndpoint': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/events/{eventId}/deliveries',
    caller: 'person-or-key',
    summary: 'Send an event to an endpoint that it did not go to, whatever its subscriptions and filter say.',
    input: {
      endpointId: endpointIdField2,
    },
    record: Delivery,
  },
  'incomingEvents.list': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/incoming-events',
    caller: 'person-or-key',
    summary: 'List the incoming events of a project, without headers and bodies.',
    input: {
      id: { kind: 'id', description: 'Only the incoming event with this id' },
      q: { kind: 'text', description: 'The id of an incoming event, or the provider’s id for it. If there is none: only events that were sent from this address, or whose body contains all its words. White space between the tokens of JSON does not matter: `"id": 42` finds `"id":42`. Texts over 64 characters and bodies over 8 KiB are not searched' },
      sourceId: { kind: 'id', description: 'Only items of this source' },
      eventType: { kind: 'text', description: 'Only events of this type, or with `invoice.*` of all types below it' },
      clientAddress: clientAddressField,
      verified: { kind: 'choice', description: 'Only events with this signature state; `none`: the source has no signatures', choices: ['true', 'false', 'none'] },
      from: fromField,
      to: toField,
    },
    rows: IncomingEventListItem,
  },
  'incomingEvents.listTypes': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/incoming-event-types',
    caller: 'person-or-key',
    summary: 'List the types of the incoming events of a project.',
    record: IncomingEventTypes,
  },
  'incomingEvents.get': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/incoming-events/{incomingEventId}',
    caller: 'person-or-key',
    summary: 'Get an incoming event with its headers and body.',
    record: IncomingEventDetail,
  },
  'incomingEvents.getBody': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/incoming-events/{incomingEventId}/body',
    caller: 'person-or-key',
    summary: 'Download the body of an incoming event, byte for byte.',
    isFile: true,
  },
  'incomingEvents.checkSignature': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/incoming-events/{incomingEventId}/signature-check',
    caller: 'person-or-key',
    summary: 'Check the signature of an incoming event with the secrets of now, and say why it does not verify.',
    record: SignatureCheck,
  },
  'incomingEvents.replay': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/incoming-events/{incomingEventId}/replay',
    caller: 'person-or-key',
    summary: 'Replay an incoming event to its destinations.',
    input: {
      destinationId: destinationIdField2,
    },
    record: ReplayedIncomingEvent,
  },
  'invitations.list': {
    verb: 'GET',
    path: '/api/v1/orgs/{orgId}/invitations',
    caller: 'person',
    summary: 'List the pending invitations to an organization.',
    rows: Invitation,
  },
  'invitations.create': {
    verb: 'POST',
    path: '/api/v1/orgs/{orgId}/invitations',
    caller: 'person',
    summary: 'Invite an email address to an organization; this replaces its pending invitation.',
    input: {
      email: { kind: 'text', description: 'An email address, case-insensitive', isRequired: true, example: 'grace@example.com' },
      role: { kind: 'choice', description: 'The person’s role in the organization', isRequired: true, choices: ['VIEWER', 'DEVELOPER', 'ADMIN', 'OWNER'], example: 'DEVELOPER' },
    },
    record: CreatedInvitation,
  },
  'invitations.createLink': {
    verb: 'POST',
    path: '/api/v1/orgs/{orgId}/invitations/{invitationId}/link',
    caller: 'person',
    summary: 'Create a link to a pending invitation, to pass on yourself. It replaces the previous link. Accepting with it does not verify the address.',
    record: InvitationLink,
  },
  'invitations.revoke': {
    verb: 'DELETE',
    path: '/api/v1/orgs/{orgId}/invitations/{invitationId}',
    caller: 'person',
    summary: 'Revoke a pending invitation; its link stops working immediately.',
  },
  'jobs.list': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/jobs',
    caller: 'person-or-key',
    summary: 'List the newest bulk retries, event replays and replays of incoming events of a project together.',
    rows: Job,
  },
  'members.list': {
    verb: 'GET',
    path: '/api/v1/orgs/{orgId}/members',
    caller: 'person',
    summary: 'List the members of an organization.',
    rows: Member,
  },
  'members.update': {
    verb: 'PATCH',
    path: '/api/v1/orgs/{orgId}/members/{userId}',
    caller: 'person',
    summary: 'Change a member’s role; only owners can make or change owners.',
    input: {
      role: { kind: 'choice', description: 'The person’s role in the organization', isRequired: true, choices: ['VIEWER', 'DEVELOPER', 'ADMIN', 'OWNER'], example: 'ADMIN' },
    },
    record: Member,
  },
  'members.remove': {
    verb: 'DELETE',
    path: '/api/v1/orgs/{orgId}/members/{userId}',
    caller: 'person',
    summary: 'Remove a member, or leave an organization; everyone except the last owner can leave.',
  },
  'organizationExport.download': {
    verb: 'GET',
    path: '/api/v1/orgs/{orgId}/export',
    caller: 'person',
    summary: 'Export an organization as one JSON document, without payloads or secrets.',
    isFile: true,
  },
  'organizations.list': {
    verb: 'GET',
    path: '/api/v1/orgs',
    caller: 'person',
    summary: 'List your organizations.',
    rows: Organization,
  },
  'organizations.create': {
    verb: 'POST',
    path: '/api/v1/orgs',
    caller: 'person',
    summary: 'Create an organization; you become its owner.',
    input: {
      name: { kind: 'text', description: 'Its name', isRequired: true, example: 'Analytical Engines' },
    },
    record: Organization,
  },
  'organizations.get': {
    verb: 'GET',
    path: '/api/v1/orgs/{orgId}',
    caller: 'person',
    summary: 'Get an organization.',
    record: Organization,
  },
  'organizations.getLimits': {
    verb: 'GET',
    path: '/api/v1/orgs/{orgId}/limits',
    caller: 'person',
    summary: 'Get the limits of an organization and how much of each is used.',
    record: OrganizationLimits,
  },
  'organizations.update': {
    verb: 'PATCH',
    path: '/api/v1/orgs/{orgId}',
    caller: 'person',
    summary: 'Rename an organization.',
    input: {
      name: { kind: 'text', description: 'Its name', example: 'Analytical Engines' },
    },
    record: Organization,
  },
  'organizations.erase': {
    verb: 'DELETE',
    path: '/api/v1/orgs/{orgId}',
    caller: 'person',
    summary: 'Erase an organization with all its data; its audit log is kept.',
  },
  'projects.list': {
    verb: 'GET',
    path: '/api/v1/orgs/{orgId}/projects',
    caller: 'person',
    summary: 'List the projects of an organization.',
    rows: ListedProject,
  },
  'projects.create': {
    verb: 'POST',
    path: '/api/v1/orgs/{orgId}/projects',
    caller: 'person',
    summary: 'Create a project in an organization.',
    input: {
      name: { kind: 'text', description: 'Its name', isRequired: true, example: 'Web shop' },
    },
    record: Project,
  },
  'projects.get': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}',
    caller: 'person-or-key',
    summary: 'Get a project.',
    record: Project,
  },
  'projects.getLimits': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/limits',
    caller: 'person-or-key',
    summary: 'Get the limits of a project and how much of each is used.',
    record: ProjectLimits,
  },
  'projects.update': {
    verb: 'PATCH',
    path: '/api/v1/projects/{projectId}',
    caller: 'person',
    summary: 'Rename a project, or change its portal.',
    input: {
      name: { kind: 'text', description: 'Its name', example: 'Web shop' },
      eventTypePolicy: { kind: 'choice', description: 'What happens to events that differ from the catalogue. `OPEN`: they are stored. `REPORT`: stored and counted. `STRICT`: refused. A change takes effect within 10 seconds', choices: ['OPEN', 'REPORT', 'STRICT'], example: 'STRICT' },
      portal: { kind: 'json', description: 'The settings of the portal to change; null clears one' },
    },
    record: Project,
  },
  'projects.remove': {
    verb: 'DELETE',
    path: '/api/v1/projects/{projectId}',
    caller: 'person',
    summary: 'Delete a project with all its data, immediately and permanently.',
  },
  'replays.list': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/incoming-event-replays',
    caller: 'person-or-key',
    summary: 'List the newest replays of a project.',
    rows: Replay,
  },
  'replays.create': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/incoming-event-replays',
    caller: 'person-or-key',
    summary: 'Replay a source’s incoming events from a time range, in the background.',
    input: {
      sourceId: { kind: 'id', description: 'The source', isRequired: true },
      destinationId: destinationIdField2,
      from: { kind: 'time', description: 'Start of the range to replay; absent: from the beginning' },
      to: { kind: 'time', description: 'Default: now' },
    },
    record: Replay,
  },
  'replays.get': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/incoming-event-replays/{replayId}',
    caller: 'person-or-key',
    summary: 'Get a replay with its progress.',
    record: Replay,
  },
  'replays.cancel': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/incoming-event-replays/{replayId}/cancel',
    caller: 'person-or-key',
    summary: 'Cancel a replay; deliveries already queued are still sent.',
    record: Replay,
  },
  'retention.get': {
    verb: 'GET',
    path: '/api/v1/orgs/{orgId}/retention',
    caller: 'person',
    summary: 'Get the retention rules and the organization’s row count for each class.',
    record: OrganizationRetention,
  },
  'search.find': {
    verb: 'GET',
    path: '/api/v1/orgs/{orgId}/search',
    caller: 'person',
    summary: 'Search an organization by id, or by text in a name, URL or email address.',
    input: {
      q: { kind: 'text', description: 'An id, an idempotency key, the uid of an endpoint, the beginning of the uid or name of a customer, or at least 2 characters of another name, a URL, description or email address, in upper or lower case', isRequired: true, example: 'billing' },
    },
    record: SearchResults,
  },
  'sessions.list': {
    verb: 'GET',
    path: '/api/v1/auth/sessions',
    caller: 'person',
    summary: 'List your active sessions.',
    rows: Session,
  },
  'sessions.close': {
    verb: 'DELETE',
    path: '/api/v1/auth/sessions/{sessionId}',
    caller: 'person',
    summary: 'Close one of your sessions; its tokens stop working immediately.',
  },
  'sessions.closeAll': {
    verb: 'DELETE',
    path: '/api/v1/auth/sessions',
    caller: 'person',
    summary: 'Close all of your sessions, or all except the current one.',
    input: {
      keepCurrent: { kind: 'flag', description: 'Whether the current session stays open' },
    },
  },
  'sources.list': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/sources',
    caller: 'person-or-key',
    summary: 'List the sources of a project.',
    rows: Source,
  },
  'sources.create': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/sources',
    caller: 'person-or-key',
    summary: 'Create a source with a URL for its provider.',
    input: {
      name: { kind: 'text', description: 'Its name', isRequired: true },
      provider: { kind: 'choice', description: 'The provider, which determines how signatures are verified. Default: `NONE`', choices: ['NONE', 'GENERIC_HMAC', 'STANDARD_WEBHOOKS', 'STRIPE', 'GITHUB', 'SHOPIFY', 'SLACK', 'TOKEN', 'GITLAB', 'TELEGRAM', 'PADDLE', 'CALENDLY', 'ZENDESK', 'HUBSPOT', 'SQUARE', 'META', 'ZOOM', 'MICROSOFT_GRAPH', 'DISCORD'] },
      secret: secretField,
      signatureHeader: signatureHeaderField,
      signatureEncoding: { kind: 'choice', description: 'Encoding of the signature, for `GENERIC_HMAC`; default `hex`', choices: ['hex', 'base64'] },
      signaturePrefix: signaturePrefixField,
      signatureKey: signatureKeyField,
      signatureAlgorithm: { kind: 'choice', description: 'Hash of the HMAC, for `GENERIC_HMAC`; default `SHA256`', choices: ['SHA256', 'SHA1', 'SHA512'] },
      signedContent: signedContentField,
      timestampHeader: timestampHeaderField,
      timestampKey: timestampKeyField,
      idHeader: idHeaderField,
      secretEncoding: { kind: 'choice', description: 'Encoding of the secret, for `GENERIC_HMAC`. Default `text`', choices: ['text', 'hex', 'base64'] },
      metadata: metadataField,
      enabled: enabledField,
    },
    record: Source,
  },
  'sources.get': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/sources/{sourceId}',
    caller: 'person-or-key',
    summary: 'Get a source.',
    record: Source,
  },
  'sources.update': {
    verb: 'PATCH',
    path: '/api/v1/projects/{projectId}/sources/{sourceId}',
    caller: 'person-or-key',
    summary: 'Change a source.',
    input: {
      name: { kind: 'text', description: 'Its name' },
      secret: secretField,
      signatureHeader: signatureHeaderField,
      signatureEncoding: { kind: 'choice', description: 'Encoding of the signature, for `GENERIC_HMAC`; default `hex`', choices: ['hex', 'base64'], example: 'hex' },
      signaturePrefix: signaturePrefixField,
      signatureKey: signatureKeyField,
      signatureAlgorithm: { kind: 'choice', description: 'Hash of the HMAC, for `GENERIC_HMAC`; default `SHA256`', choices: ['SHA256', 'SHA1', 'SHA512'], example: 'SHA256' },
      signedContent: signedContentField,
      timestampHeader: timestampHeaderField,
      timestampKey: timestampKeyField,
      idHeader: idHeaderField,
      secretEncoding: { kind: 'choice', description: 'Encoding of the secret, for `GENERIC_HMAC`. Default `text`', choices: ['text', 'hex', 'base64'], example: 'text' },
      metadata: metadataField2,
      enabled: enabledField2,
    },
    record: Source,
  },
  'sources.remove': {
    verb: 'DELETE',
    path: '/api/v1/projects/{projectId}/sources/{sourceId}',
    caller: 'person-or-key',
    summary: 'Delete a source and its destinations; its URL stops working immediately.',
  },
  'sources.getSecret': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/sources/{sourceId}/secret',
    caller: 'person-or-key',
    summary: 'Reveal the signing secret of a source.',
    record: SourceSecret,
  },
  'sources.rotateSecret': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/sources/{sourceId}/rotate-secret',
    caller: 'person-or-key',
    summary: 'Replace the secret of a source; the old one stays valid for a grace period.',
    input: {
      secret: { kind: 'text', description: 'Required if the provider generates the secret' },
      gracePeriodHours: gracePeriodHoursField,
    },
    record: SourceSecret,
  },
  'sources.endPreviousSecret': {
    verb: 'DELETE',
    path: '/api/v1/projects/{projectId}/sources/{sourceId}/previous-secret',
    caller: 'person-or-key',
    summary: 'End the previous signing secret of a source before its grace period does.',
  },
  'sources.rotateUrl': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/sources/{sourceId}/rotate-url',
    caller: 'person-or-key',
    summary: 'Rotate the URL of a source; the old one works for a grace period.',
    input: {
      gracePeriodHours: { kind: 'number', description: 'Hours that the old URL keeps working. Default: `24`', min: 0, max: 168 },
    },
    record: Source,
  },
  'sources.verifySignature': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/sources/{sourceId}/verify-signature',
    caller: 'person-or-key',
    summary: 'Check the signature of a request to a source, and say why it does not verify.',
    input: {
      headers: headersField,
      body: bodyField,
      bodyBase64: bodyBase64Field,
      receivedAt: receivedAtField,
    },
    record: SignatureCheck,
  },
  'stats.get': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/stats',
    caller: 'person-or-key',
    summary: 'Get a project’s traffic and delivery results over a time range.',
    input: {
      range: { kind: 'choice', description: 'The length of the range that ends now; default `24h`', choices: ['1h', '6h', '24h', '7d', '30d'] },
      from: { kind: 'time', description: 'Start of a custom range; use it with `to`, instead of `range`' },
      to: { kind: 'time', description: 'End of a custom range, at most 35 days after `from`' },
    },
    record: ProjectStats,
  },
  'stats.listEndpointHealth': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/endpoint-health',
    caller: 'person-or-key',
    summary: 'Get the health of endpoints: the last 24 hours and the last ten deliveries.',
    input: {
      endpointIds: { kind: 'text', description: 'Up to 100 endpoint ids, separated by commas', isRequired: true },
    },
    record: EndpointHealthList,
  },
  'subscriptions.list': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/subscriptions',
    caller: 'person-or-key',
    summary: 'List the subscriptions of a project.',
    input: {
      endpointId: { kind: 'id', description: 'Only subscriptions of this endpoint' },
      customer: customerField3,
      matches: { kind: 'text', description: 'Only enabled subscriptions that events of this type match' },
    },
    rows: Subscription,
  },
  'subscriptions.create': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/subscriptions',
    caller: 'person-or-key',
    summary: 'Subscribe an endpoint to events of a type.',
    input: {
      endpointId: endpointIdField2,
      eventType: { kind: 'text', description: 'An exact type, `order.*` for all types that start with `order.`, or `*` for all types', isRequired: true, example: 'order.paid' },
      enabled: enabledField,
    },
    record: Subscription,
  },
  'subscriptions.get': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/subscriptions/{subscriptionId}',
    caller: 'person-or-key',
    summary: 'Get a subscription.',
    record: Subscription,
  },
  'subscriptions.update': {
    verb: 'PATCH',
    path: '/api/v1/projects/{projectId}/subscriptions/{subscriptionId}',
    caller: 'person-or-key',
    summary: 'Change a subscription.',
    input: {
      eventType: { kind: 'text', description: 'An exact type, `order.*` for all types that start with `order.`, or `*` for all types', example: 'order.*' },
      enabled: enabledField2,
    },
    record: Subscription,
  },
  'subscriptions.remove': {
    verb: 'DELETE',
    path: '/api/v1/projects/{projectId}/subscriptions/{subscriptionId}',
    caller: 'person-or-key',
    summary: 'Delete a subscription.',
  },
  'tunnels.list': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/tunnels',
    caller: 'person-or-key',
    summary: 'List the tunnels of a project.',
    rows: Tunnel,
  },
  'tunnels.create': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/tunnels',
    caller: 'person-or-key',
    summary: 'Create a tunnel with a public URL.',
    input: {
      name: { kind: 'text', description: 'Default: a generated name' },
      basicAuth: basicAuthField,
      allowedCidrs: allowedCidrsField,
      testResponse: testResponseField,
    },
    record: Tunnel,
  },
  'tunnels.get': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/tunnels/{tunnelId}',
    caller: 'person-or-key',
    summary: 'Get a tunnel.',
    record: Tunnel,
  },
  'tunnels.update': {
    verb: 'PATCH',
    path: '/api/v1/projects/{projectId}/tunnels/{tunnelId}',
    caller: 'person-or-key',
    summary: 'Change a tunnel’s name, or who can use it.',
    input: {
      name: { kind: 'text', description: 'Its name' },
      basicAuth: basicAuthField,
      allowedCidrs: allowedCidrsField,
      testResponse: testResponseField,
    },
    record: Tunnel,
  },
  'tunnels.remove': {
    verb: 'DELETE',
    path: '/api/v1/projects/{projectId}/tunnels/{tunnelId}',
    caller: 'person-or-key',
    summary: 'Delete a tunnel; its URL stops working, and its client is disconnected.',
  },
  'tunnels.rotateUrl': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/tunnels/{tunnelId}/rotate-url',
    caller: 'person-or-key',
    summary: 'Rotate the URL of a tunnel; the old one stops working immediately.',
    record: Tunnel,
  },
  'tunnels.listRequests': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/tunnels/{tunnelId}/requests',
    caller: 'person-or-key',
    summary: 'List the requests to a tunnel, without headers and bodies.',
    input: {
      method: { kind: 'text', description: 'Only requests with this HTTP method' },
      status: { kind: 'text', description: 'A status such as 404, a class such as `4xx`, or `none` for requests without a response' },
      from: fromField,
      to: toField,
    },
    rows: TunnelRequest,
  },
  'tunnels.getRequestDetail': {
    verb: 'GET',
    path: '/api/v1/projects/{projectId}/tunnels/{tunnelId}/requests/{requestId}',
    caller: 'person-or-key',
    summary: 'Get a request to a tunnel, with its stored headers and bodies.',
    record: TunnelRequestDetail,
  },
  'tunnels.replayRequest': {
    verb: 'POST',
    path: '/api/v1/projects/{projectId}/tunnels/{tunnelId}/requests/{requestId}/replay',
    caller: 'person-or-key',
    summary: 'Replay a logged request through its tunnel.',
    record: ReplayedTunnelRequest,
  },
} satisfies Record<string, Operation>;
