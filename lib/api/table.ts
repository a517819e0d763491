import type { RouteTable } from '@/lib/http/table';
import {
  closeSessionsOfUser,
  eraseAnyOrganization,
  getAnyOrganization,
  getDeploymentStats,
  getRetentionState,
  listEveryOrganization,
  listWholeAuditLog,
  runRetention,
  searchAllUsers,
  unknownOperatorPaths,
  unlockAnyUser,
} from './admin';
import { listAuditLog } from './audit-log';
import { logIn, logOut, refreshSession, registerPerson } from './auth';
import {
  getOwnAccount,
  previewEmailVerification,
  resendVerificationMail,
  switchToOrganization,
  updateOwnAccount,
  verifyEmailAddress,
} from './auth-account';
import {
  approveDeviceSignIn,
  denyDeviceSignIn,
  exchangeDeviceSignIn,
  getDeviceSignIn,
  startDeviceSignIn,
} from './auth-device';
import { eraseOwnAccount, previewOwnErasure } from './auth-erasure';
import { listOwnIdentities } from './auth-identities';
import { completeIdpSignIn, listProviders, startIdpSignIn } from './auth-idp';
import { changeOwnPassword, requestPasswordReset, resetForgottenPassword } from './auth-passwords';
import { closeAllSessions, closeOneSession, listOwnSessions } from './auth-sessions';
import { getProjectDelivery, listDeliveryAttempts, listProjectDeliveries, retryProjectDelivery } from './deliveries';
import {
  createProjectEndpoint,
  deleteProjectEndpoint,
  getEndpointSecret,
  getProjectEndpoint,
  listProjectEndpoints,
  rotateEndpointSecret,
  testProjectEndpoint,
  updateProjectEndpoint,
} from './endpoints';
import { getProjectEvent, listProjectEvents, sendEventByKey, sendEventToProject } from './events';
import { exportOneOrganization } from './export';
import {
  acceptMailedInvitation,
  createOrganizationInvitation,
  listOrganizationInvitations,
  previewMailedInvitation,
  revokeOrganizationInvitation,
} from './invitations';
import { createApiKey, getApiKey, getPresentedKey, listApiKeys, revokeApiKey, rotateApiKey } from './keys';
import { listOrganizationMembers, removeOrganizationMember, updateOrganizationMember } from './members';
import { getLive, getMetrics, getReady } from './operations';
import { eraseOneOrganization } from './org-erasure';
import { createOwnOrganization, getOneOrganization, listOwnOrganizations, updateOneOrganization } from './orgs';
import {
  createOrganizationProject,
  deleteOneProject,
  getOneProject,
  listOrganizationProjects,
  updateOneProject,
} from './projects';
import { getRetentionOfOrganization } from './retention';
import {
  createProjectSubscription,
  deleteProjectSubscription,
  getProjectSubscription,
  listProjectSubscriptions,
  updateProjectSubscription,
} from './subscriptions';

/** The one list of the API: path → verb → definition. Each path has a route.ts under app/ that mounts it. */
export const api = {
  '/api/v1/auth/register': { POST: registerPerson },
  '/api/v1/auth/login': { POST: logIn },
  '/api/v1/auth/refresh': { POST: refreshSession },
  '/api/v1/auth/logout': { POST: logOut },
  '/api/v1/auth/me': { GET: getOwnAccount, PATCH: updateOwnAccount, DELETE: eraseOwnAccount },
  '/api/v1/auth/me/erasure': { GET: previewOwnErasure },
  '/api/v1/auth/forgot-password': { POST: requestPasswordReset },
  '/api/v1/auth/reset-password': { POST: resetForgottenPassword },
  '/api/v1/auth/change-password': { POST: changeOwnPassword },
  '/api/v1/auth/verify-email': { POST: verifyEmailAddress },
  '/api/v1/auth/verify-email/preview': { POST: previewEmailVerification },
  '/api/v1/auth/resend-verification': { POST: resendVerificationMail },
  '/api/v1/auth/identities': { GET: listOwnIdentities },
  '/api/v1/auth/providers': { GET: listProviders },
  '/api/v1/auth/oauth/idp': { GET: startIdpSignIn },
  '/api/v1/auth/oauth/idp/callback': { GET: completeIdpSignIn },
  '/api/v1/auth/switch-organization': { POST: switchToOrganization },
  '/api/v1/auth/sessions': { GET: listOwnSessions, DELETE: closeAllSessions },
  '/api/v1/auth/sessions/{sessionId}': { DELETE: closeOneSession },
  '/api/v1/auth/device': { GET: getDeviceSignIn },
  '/api/v1/auth/device/code': { POST: startDeviceSignIn },
  '/api/v1/auth/device/approve': { POST: approveDeviceSignIn },
  '/api/v1/auth/device/deny': { POST: denyDeviceSignIn },
  '/api/v1/auth/device/token': { POST: exchangeDeviceSignIn },
  '/api/v1/auth/accept-invitation': { POST: acceptMailedInvitation },
  '/api/v1/auth/accept-invitation/preview': { POST: previewMailedInvitation },

  '/api/v1/orgs': { GET: listOwnOrganizations, POST: createOwnOrganization },
  '/api/v1/orgs/{orgId}': { GET: getOneOrganization, PATCH: updateOneOrganization, DELETE: eraseOneOrganization },
  '/api/v1/orgs/{orgId}/audit-log': { GET: listAuditLog },
  '/api/v1/orgs/{orgId}/export': { GET: exportOneOrganization },
  '/api/v1/orgs/{orgId}/retention': { GET: getRetentionOfOrganization },
  '/api/v1/orgs/{orgId}/members': { GET: listOrganizationMembers },
  '/api/v1/orgs/{orgId}/members/{userId}': { PATCH: updateOrganizationMember, DELETE: removeOrganizationMember },
  '/api/v1/orgs/{orgId}/invitations': { GET: listOrganizationInvitations, POST: createOrganizationInvitation },
  '/api/v1/orgs/{orgId}/invitations/{invitationId}': { DELETE: revokeOrganizationInvitation },
  '/api/v1/orgs/{orgId}/projects': { GET: listOrganizationProjects, POST: createOrganizationProject },
  '/api/v1/projects/{projectId}': { GET: getOneProject, PATCH: updateOneProject, DELETE: deleteOneProject },

  '/api/v1/projects/{projectId}/api-keys': { GET: listApiKeys, POST: createApiKey },
  '/api/v1/projects/{projectId}/api-keys/{apiKeyId}': { GET: getApiKey, DELETE: revokeApiKey },
  '/api/v1/projects/{projectId}/api-keys/{apiKeyId}/rotate': { POST: rotateApiKey },

  '/api/v1/key': { GET: getPresentedKey },
  '/api/v1/events': { POST: sendEventByKey },
  '/api/v1/projects/{projectId}/events': { GET: listProjectEvents, POST: sendEventToProject },
  '/api/v1/projects/{projectId}/events/{eventId}': { GET: getProjectEvent },

  '/api/v1/projects/{projectId}/endpoints': { GET: listProjectEndpoints, POST: createProjectEndpoint },
  '/api/v1/projects/{projectId}/endpoints/{endpointId}': {
    GET: getProjectEndpoint,
    PATCH: updateProjectEndpoint,
    DELETE: deleteProjectEndpoint,
  },
  '/api/v1/projects/{projectId}/endpoints/{endpointId}/secret': { GET: getEndpointSecret },
  '/api/v1/projects/{projectId}/endpoints/{endpointId}/rotate-secret': { POST: rotateEndpointSecret },
  '/api/v1/projects/{projectId}/endpoints/{endpointId}/test': { POST: testProjectEndpoint },

  '/api/v1/projects/{projectId}/subscriptions': { GET: listProjectSubscriptions, POST: createProjectSubscription },
  '/api/v1/projects/{projectId}/subscriptions/{subscriptionId}': {
    GET: getProjectSubscription,
    PATCH: updateProjectSubscription,
    DELETE: deleteProjectSubscription,
  },

  '/api/v1/projects/{projectId}/deliveries': { GET: listProjectDeliveries },
  '/api/v1/projects/{projectId}/deliveries/{deliveryId}': { GET: getProjectDelivery },
  '/api/v1/projects/{projectId}/deliveries/{deliveryId}/attempts': { GET: listDeliveryAttempts },
  '/api/v1/projects/{projectId}/deliveries/{deliveryId}/retry': { POST: retryProjectDelivery },

  '/api/v1/admin/orgs': { GET: listEveryOrganization },
  '/api/v1/admin/orgs/{orgId}': { GET: getAnyOrganization, DELETE: eraseAnyOrganization },
  '/api/v1/admin/users': { GET: searchAllUsers },
  '/api/v1/admin/users/{userId}/unlock': { POST: unlockAnyUser },
  '/api/v1/admin/users/{userId}/close-sessions': { POST: closeSessionsOfUser },
  '/api/v1/admin/audit-log': { GET: listWholeAuditLog },
  '/api/v1/admin/stats': { GET: getDeploymentStats },
  '/api/v1/admin/retention': { GET: getRetentionState },
  '/api/v1/admin/retention/run': { POST: runRetention },

  '/api/health/live': { GET: getLive },
  '/api/health/ready': { GET: getReady },
  '/metrics': { GET: getMetrics },
} satisfies RouteTable;

/** Prefix → what answers below it where the table has no path. Mounted as a catch-all; no part of what the API offers. */
export const subtrees = { '/api/v1/admin': unknownOperatorPaths } satisfies RouteTable;
