import type { RouteTable } from '@/lib/http/table';
import * as account from './account/routes';
import * as admin from './admin/routes';
import * as alerts from './alerts/routes';
import * as auditLog from './audit-log/routes';
import * as auth from './auth/routes';
import * as bulkRetries from './bulk-retries/routes';
import * as changes from './changes/routes';
import * as customers from './customers/routes';
import * as deliveries from './deliveries/routes';
import * as destinations from './destinations/routes';
import * as device from './device/routes';
import * as downloads from './downloads/routes';
import * as endpoints from './endpoints/routes';
import * as eventReplays from './event-replays/routes';
import * as eventTypes from './event-types/routes';
import * as events from './events/routes';
import * as identityProvider from './identity-provider/routes';
import * as incomingEvents from './incoming-events/routes';
import * as ingress from './ingress/routes';
import * as invitations from './invitations/routes';
import * as jobs from './jobs/routes';
import * as apiKeys from './keys/routes';
import * as members from './members/routes';
import * as openapi from './openapi/routes';
import * as operations from './operations/routes';
import * as organizationExport from './organization-export/routes';
import * as organizations from './organizations/routes';
import * as passwords from './passwords/routes';
import * as portal from './portal/routes';
import * as projects from './projects/routes';
import * as replays from './replays/routes';
import * as retention from './retention/routes';
import * as search from './search/routes';
import * as sessions from './sessions/routes';
import * as sources from './sources/routes';
import * as stats from './stats/routes';
import * as subscriptions from './subscriptions/routes';
import * as tunnelConnection from './tunnels/connect-route';
import * as tunnels from './tunnels/routes';

const { unknownPaths, ...adminRoutes } = admin;

/** The modules that declare routes. Operations, tags and methods of the client are named after them. */
export const resources = {
  admin: adminRoutes,
  account,
  alerts,
  apiKeys,
  auditLog,
  auth,
  changes,
  bulkRetries,
  customers,
  deliveries,
  destinations,
  device,
  downloads,
  endpoints,
  eventReplays,
  eventTypes,
  events,
  identityProvider,
  incomingEvents,
  ingress,
  invitations,
  jobs,
  members,
  openapi,
  operations,
  organizationExport,
  organizations,
  passwords,
  portal,
  projects,
  replays,
  retention,
  search,
  sessions,
  sources,
  stats,
  subscriptions,
  tunnelConnection,
  tunnels,
};

/** Every route of the API: path → verb → definition. Each path has a route.ts under app/ that mounts it. */
export const api = {
  '/api/v1/auth/register': { POST: auth.register },
  '/api/v1/auth/login': { POST: auth.logIn },
  '/api/v1/auth/refresh': { POST: auth.refresh },
  '/api/v1/auth/restore': { POST: auth.restore },
  '/api/v1/auth/logout': { POST: auth.logOut },
  '/api/v1/auth/me': { GET: account.get, PATCH: account.update, DELETE: account.erase },
  '/api/v1/auth/me/erasure': { GET: account.previewErasure },
  '/api/v1/auth/forgot-password': { POST: passwords.requestReset },
  '/api/v1/auth/reset-password': { POST: passwords.reset },
  '/api/v1/auth/change-password': { POST: passwords.change },
  '/api/v1/auth/verify-email': { POST: account.verifyEmail },
  '/api/v1/auth/verify-email/preview': { POST: account.previewVerification },
  '/api/v1/auth/resend-verification': { POST: account.resendVerification },
  '/api/v1/auth/identities': { GET: account.listIdentities },
  '/api/v1/auth/providers': { GET: identityProvider.list },
  '/api/v1/auth/oauth/idp': { GET: identityProvider.start },
  '/api/v1/auth/oauth/idp/callback': { GET: identityProvider.complete },
  '/api/v1/auth/switch-organization': { POST: account.switchOrganization },
  '/api/v1/auth/sessions': { GET: sessions.list, DELETE: sessions.closeAll },
  '/api/v1/auth/sessions/{sessionId}': { DELETE: sessions.close },
  '/api/v1/auth/device': { GET: device.get },
  '/api/v1/auth/device/code': { POST: device.start },
  '/api/v1/auth/device/approve': { POST: device.approve },
  '/api/v1/auth/device/deny': { POST: device.deny },
  '/api/v1/auth/device/token': { POST: device.exchange },
  '/api/v1/auth/accept-invitation': { POST: invitations.accept },
  '/api/v1/auth/accept-invitation/preview': { POST: invitations.preview },

  '/api/v1/orgs': { GET: organizations.list, POST: organizations.create },
  '/api/v1/orgs/{orgId}': { GET: organizations.get, PATCH: organizations.update, DELETE: organizations.erase },
  '/api/v1/orgs/{orgId}/audit-log': { GET: auditLog.list },
  '/api/v1/orgs/{orgId}/export': { GET: organizationExport.download },
  '/api/v1/orgs/{orgId}/retention': { GET: retention.get },
  '/api/v1/orgs/{orgId}/search': { GET: search.find },
  '/api/v1/orgs/{orgId}/members': { GET: members.list },
  '/api/v1/orgs/{orgId}/members/{userId}': { PATCH: members.update, DELETE: members.remove },
  '/api/v1/orgs/{orgId}/invitations': { GET: invitations.list, POST: invitations.create },
  '/api/v1/orgs/{orgId}/invitations/{invitationId}': { DELETE: invitations.revoke },
  '/api/v1/orgs/{orgId}/invitations/{invitationId}/link': { POST: invitations.createLink },
  '/api/v1/orgs/{orgId}/limits': { GET: organizations.getLimits },
  '/api/v1/orgs/{orgId}/projects': { GET: projects.list, POST: projects.create },
  '/api/v1/projects/{projectId}': { GET: projects.get, PATCH: projects.update, DELETE: projects.remove },
  '/api/v1/projects/{projectId}/limits': { GET: projects.getLimits },

  '/api/v1/projects/{projectId}/changes': { GET: changes.watch },

  '/api/v1/projects/{projectId}/api-keys': { GET: apiKeys.list, POST: apiKeys.create },
  '/api/v1/projects/{projectId}/api-keys/{apiKeyId}': { GET: apiKeys.get, DELETE: apiKeys.revoke },
  '/api/v1/projects/{projectId}/api-keys/{apiKeyId}/rotate': { POST: apiKeys.rotate },

  '/api/v1/key': { GET: apiKeys.getOwn },
  '/api/v1/events': { POST: events.send },
  '/api/v1/projects/{projectId}/events': { GET: events.list, POST: events.sendToProject },
  '/api/v1/projects/{projectId}/events/{eventId}': { GET: events.get },
  '/api/v1/projects/{projectId}/events/{eventId}/routing': { GET: events.listRouting },
  '/api/v1/projects/{projectId}/events/{eventId}/deliveries': { POST: events.sendToEndpoint },
  '/api/v1/projects/{projectId}/event-types': { GET: eventTypes.list, POST: eventTypes.create },
  '/api/v1/projects/{projectId}/event-types/import': { POST: eventTypes.importDocument },
  '/api/v1/projects/{projectId}/event-types/openapi.json': { GET: eventTypes.exportDocument },
  '/api/v1/projects/{projectId}/event-types/{name}': {
    GET: eventTypes.get,
    PATCH: eventTypes.update,
    DELETE: eventTypes.remove,
  },
  '/api/v1/projects/{projectId}/event-types/{name}/infer': { POST: eventTypes.infer },

  '/api/v1/projects/{projectId}/customers': { GET: customers.list, POST: customers.create },
  '/api/v1/projects/{projectId}/customers/{customer}': {
    GET: customers.get,
    PATCH: customers.update,
    DELETE: customers.remove,
  },
  '/api/v1/projects/{projectId}/customers/{customer}/portal-links': { POST: customers.createPortalLink },
  '/api/v1/projects/{projectId}/customers/{customer}/portal-sessions': { DELETE: customers.endPortalSessions },
  '/api/v1/projects/{projectId}/endpoints': { GET: endpoints.list, POST: endpoints.create },
  '/api/v1/projects/{projectId}/endpoints/{endpointId}': {
    GET: endpoints.get,
    PATCH: endpoints.update,
    DELETE: endpoints.remove,
  },
  '/api/v1/projects/{projectId}/endpoints/{endpointId}/secret': { GET: endpoints.getSecret },
  '/api/v1/projects/{projectId}/endpoints/{endpointId}/rotate-secret': { POST: endpoints.rotateSecret },
  '/api/v1/projects/{projectId}/endpoints/{endpointId}/previous-secret': { DELETE: endpoints.endPreviousSecret },
  '/api/v1/projects/{projectId}/endpoints/{endpointId}/test': { POST: endpoints.test },
  '/api/v1/projects/{projectId}/endpoints/{endpointId}/verify-signature': { POST: endpoints.verifySignature },
  '/api/v1/projects/{projectId}/filter-tests': { POST: endpoints.testFilter },
  '/api/v1/projects/{projectId}/filter-previews': { POST: endpoints.previewFilter },
  '/api/v1/projects/{projectId}/endpoints/{endpointId}/outages': { GET: endpoints.listOutages },

  '/api/v1/projects/{projectId}/stats': { GET: stats.get },
  '/api/v1/projects/{projectId}/endpoint-health': { GET: stats.listEndpointHealth },
  '/api/v1/projects/{projectId}/subscriptions': { GET: subscriptions.list, POST: subscriptions.create },
  '/api/v1/projects/{projectId}/subscriptions/{subscriptionId}': {
    GET: subscriptions.get,
    PATCH: subscriptions.update,
    DELETE: subscriptions.remove,
  },

  '/api/v1/projects/{projectId}/sources': { GET: sources.list, POST: sources.create },
  '/api/v1/projects/{projectId}/sources/{sourceId}': {
    GET: sources.get,
    PATCH: sources.update,
    DELETE: sources.remove,
  },
  '/api/v1/projects/{projectId}/sources/{sourceId}/secret': { GET: sources.getSecret },
  '/api/v1/projects/{projectId}/sources/{sourceId}/rotate-secret': { POST: sources.rotateSecret },
  '/api/v1/projects/{projectId}/sources/{sourceId}/previous-secret': { DELETE: sources.endPreviousSecret },
  '/api/v1/projects/{projectId}/sources/{sourceId}/rotate-url': { POST: sources.rotateUrl },
  '/api/v1/projects/{projectId}/sources/{sourceId}/verify-signature': { POST: sources.verifySignature },
  '/api/v1/projects/{projectId}/sources/{sourceId}/destinations': { GET: destinations.list, POST: destinations.create },
  '/api/v1/projects/{projectId}/sources/{sourceId}/destinations/{destinationId}': {
    GET: destinations.get,
    PATCH: destinations.update,
    DELETE: destinations.remove,
  },
  '/api/v1/projects/{projectId}/sources/{sourceId}/destinations/{destinationId}/outages': {
    GET: destinations.listOutages,
  },
  '/api/v1/projects/{projectId}/sources/{sourceId}/destinations/{destinationId}/secret': {
    GET: destinations.getSecret,
    DELETE: destinations.removeSecret,
  },
  '/api/v1/projects/{projectId}/sources/{sourceId}/destinations/{destinationId}/rotate-secret': {
    POST: destinations.rotateSecret,
  },
  '/api/v1/projects/{projectId}/sources/{sourceId}/destinations/{destinationId}/previous-secret': {
    DELETE: destinations.endPreviousSecret,
  },

  '/api/v1/projects/{projectId}/incoming-events': { GET: incomingEvents.list },
  '/api/v1/projects/{projectId}/incoming-event-types': { GET: incomingEvents.listTypes },
  '/api/v1/projects/{projectId}/incoming-events/{incomingEventId}': { GET: incomingEvents.get },
  '/api/v1/projects/{projectId}/incoming-events/{incomingEventId}/body': { GET: incomingEvents.getBody },
  '/api/v1/projects/{projectId}/incoming-events/{incomingEventId}/signature-check': {
    GET: incomingEvents.checkSignature,
  },
  '/api/v1/projects/{projectId}/incoming-events/{incomingEventId}/replay': { POST: incomingEvents.replay },
  '/api/v1/projects/{projectId}/incoming-event-replays': { GET: replays.list, POST: replays.create },
  '/api/v1/projects/{projectId}/incoming-event-replays/{replayId}': { GET: replays.get },
  '/api/v1/projects/{projectId}/incoming-event-replays/{replayId}/cancel': { POST: replays.cancel },
  '/api/v1/ingress/{token}': { GET: ingress.verifyUrl, POST: ingress.receive },

  '/api/v1/projects/{projectId}/tunnels': { GET: tunnels.list, POST: tunnels.create },
  '/api/v1/projects/{projectId}/tunnels/{tunnelId}': {
    GET: tunnels.get,
    PATCH: tunnels.update,
    DELETE: tunnels.remove,
  },
  '/api/v1/projects/{projectId}/tunnels/{tunnelId}/connect': { GET: tunnelConnection.connect },
  '/api/v1/projects/{projectId}/tunnels/{tunnelId}/rotate-url': { POST: tunnels.rotateUrl },
  '/api/v1/projects/{projectId}/tunnels/{tunnelId}/requests': { GET: tunnels.listRequests },
  '/api/v1/projects/{projectId}/tunnels/{tunnelId}/requests/{requestId}': { GET: tunnels.getRequestDetail },
  '/api/v1/projects/{projectId}/tunnels/{tunnelId}/requests/{requestId}/replay': { POST: tunnels.replayRequest },

  '/api/v1/projects/{projectId}/deliveries': { GET: deliveries.list },
  '/api/v1/projects/{projectId}/delivery-count': { GET: deliveries.count },
  '/api/v1/projects/{projectId}/targets': { GET: deliveries.listTargets },
  '/api/v1/projects/{projectId}/deliveries/{deliveryId}': { GET: deliveries.get },
  '/api/v1/projects/{projectId}/deliveries/{deliveryId}/attempts': { GET: deliveries.listAttempts },
  '/api/v1/projects/{projectId}/deliveries/{deliveryId}/attempts/{attemptId}': { GET: deliveries.getAttempt },
  '/api/v1/projects/{projectId}/deliveries/{deliveryId}/retry': { POST: deliveries.retry },
  '/api/v1/projects/{projectId}/bulk-retries': { GET: bulkRetries.list, POST: bulkRetries.create },
  '/api/v1/projects/{projectId}/bulk-retries/{bulkRetryId}': { GET: bulkRetries.get },
  '/api/v1/projects/{projectId}/bulk-retries/{bulkRetryId}/cancel': { POST: bulkRetries.cancel },
  '/api/v1/projects/{projectId}/event-replays': { GET: eventReplays.list, POST: eventReplays.create },
  '/api/v1/projects/{projectId}/event-replays/{eventReplayId}': { GET: eventReplays.get },
  '/api/v1/projects/{projectId}/event-replays/{eventReplayId}/cancel': { POST: eventReplays.cancel },
  '/api/v1/projects/{projectId}/jobs': { GET: jobs.list },
  '/api/v1/projects/{projectId}/alerts': { GET: alerts.list, POST: alerts.create },
  '/api/v1/projects/{projectId}/alerts/{alertId}': { GET: alerts.get, PATCH: alerts.update, DELETE: alerts.remove },
  '/api/v1/projects/{projectId}/alerts/{alertId}/secret': { GET: alerts.getSecret },
  '/api/v1/projects/{projectId}/alerts/{alertId}/rotate-secret': { POST: alerts.rotateSecret },
  '/api/v1/projects/{projectId}/alerts/{alertId}/test': { POST: alerts.test },
  '/api/v1/projects/{projectId}/alerts/{alertId}/messages': { GET: alerts.listMessages },

  '/api/v1/portal/sessions': { POST: portal.openSession },
  '/api/v1/portal/session': { GET: portal.getSession, DELETE: portal.closeSession },
  '/api/v1/portal/endpoints': { GET: portal.listEndpoints, POST: portal.createEndpoint },
  '/api/v1/portal/endpoints/{endpointId}': {
    GET: portal.getEndpoint,
    PATCH: portal.updateEndpoint,
    DELETE: portal.deleteEndpoint,
  },
  '/api/v1/portal/endpoints/{endpointId}/secret': { GET: portal.getEndpointSecret },
  '/api/v1/portal/endpoints/{endpointId}/rotate-secret': { POST: portal.rotateEndpointSecret },
  '/api/v1/portal/endpoints/{endpointId}/test': { POST: portal.testEndpoint },
  '/api/v1/portal/endpoints/{endpointId}/replays': { POST: portal.replayEvents },
  '/api/v1/portal/endpoints/{endpointId}/subscriptions': {
    GET: portal.listSubscriptions,
    POST: portal.createSubscription,
  },
  '/api/v1/portal/endpoints/{endpointId}/subscriptions/{subscriptionId}': {
    GET: portal.getSubscription,
    PATCH: portal.updateSubscription,
    DELETE: portal.deleteSubscription,
  },
  '/api/v1/portal/deliveries': { GET: portal.listDeliveries },
  '/api/v1/portal/deliveries/{deliveryId}': { GET: portal.getDelivery },
  '/api/v1/portal/deliveries/{deliveryId}/attempts': { GET: portal.listAttempts },
  '/api/v1/portal/deliveries/{deliveryId}/attempts/{attemptId}': { GET: portal.getAttempt },
  '/api/v1/portal/deliveries/{deliveryId}/retry': { POST: portal.retryDelivery },
  '/api/v1/portal/events': { GET: portal.listEvents },
  '/api/v1/portal/events/{eventId}/routing': { GET: portal.listRouting },
  '/api/v1/portal/event-types': { GET: portal.listEventTypes },

  '/api/v1/admin/orgs': { GET: admin.listOrganizations },
  '/api/v1/admin/orgs/{orgId}': { GET: admin.getOrganization, DELETE: admin.eraseOrganization },
  '/api/v1/admin/users': { GET: admin.searchUsers },
  '/api/v1/admin/users/{userId}/unlock': { POST: admin.unlockUser },
  '/api/v1/admin/users/{userId}/close-sessions': { POST: admin.closeUserSessions },
  '/api/v1/admin/audit-log': { GET: admin.listAuditLog },
  '/api/v1/admin/stats': { GET: admin.getStats },
  '/api/v1/admin/retention': { GET: admin.getRetention },
  '/api/v1/admin/retention/run': { POST: admin.runRetention },

  '/api/v1/openapi.json': { GET: openapi.get },

  '/api/health/live': { GET: operations.live },
  '/api/health/ready': { GET: operations.ready },
  '/metrics': { GET: operations.metrics },

  '/downloads/eds.tgz': { GET: downloads.getPackage },
  '/api/v1/portal/logos/{hash}': { GET: downloads.getPortalLogo },
} satisfies RouteTable;

/** Prefix → what answers unknown paths below it. Mounted as a catch-all; not part of the documented API. */
export const subtrees = { '/api/v1/admin': unknownPaths } satisfies RouteTable;
