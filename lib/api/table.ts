import type { RouteTable } from '@/lib/http/table';
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
import { createApiKey, getApiKey, listApiKeys, revokeApiKey } from './keys';
import { getLive, getMetrics, getReady } from './operations';
import { createOwnOrganization, getOneOrganization, listOwnOrganizations, updateOneOrganization } from './orgs';
import {
  createOrganizationProject,
  deleteOneProject,
  getOneProject,
  listOrganizationProjects,
  updateOneProject,
} from './projects';
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

  '/api/v1/orgs': { GET: listOwnOrganizations, POST: createOwnOrganization },
  '/api/v1/orgs/{orgId}': { GET: getOneOrganization, PATCH: updateOneOrganization },
  '/api/v1/orgs/{orgId}/projects': { GET: listOrganizationProjects, POST: createOrganizationProject },
  '/api/v1/projects/{projectId}': { GET: getOneProject, PATCH: updateOneProject, DELETE: deleteOneProject },

  '/api/v1/projects/{projectId}/api-keys': { GET: listApiKeys, POST: createApiKey },
  '/api/v1/projects/{projectId}/api-keys/{apiKeyId}': { GET: getApiKey, DELETE: revokeApiKey },

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

  '/api/health/live': { GET: getLive },
  '/api/health/ready': { GET: getReady },
  '/metrics': { GET: getMetrics },
} satisfies RouteTable;
