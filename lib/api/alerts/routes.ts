import {
  createAlert,
  deleteAlert,
  getAlert,
  listAlerts,
  revealSecret,
  rotateSecret as rotateAlertSecret,
  updateAlert,
} from '@/lib/alerts/alerts';
import { listMessages as listMessagesOf, testAlert } from '@/lib/alerts/messages';
import { Alert, AlertMessage, CreateAlertBody, CreatedAlert, UpdateAlertBody } from '@/lib/alerts/schema';
import { person } from '@/lib/api/callers';
import { EndpointSecret, RotateSecretBody } from '@/lib/delivery/schema';
import { accepted, created, noContent, ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { systemClock } from '@/lib/platform/clock';
import { listingOf, PageQuery } from '@/lib/platform/pagination';

const reads = person('alert.read');
const writes = person('alert.manage');

export const list = route({
  summary: 'List the alerts of a project, newest first.',
  caller: reads,
  params: ['projectId'],
  query: PageQuery,
  response: { status: 200, schema: listingOf(Alert) },
  handler: async ({ caller, params, query }) => ok(await listAlerts(caller, params.projectId, query)),
});

export const create = route({
  summary: 'Create an alert, which tells by email, a signed webhook or Slack what a project needs.',
  caller: writes,
  params: ['projectId'],
  body: CreateAlertBody,
  errors: ['limit_reached'],
  response: { status: 201, schema: CreatedAlert, sensitive: true },
  handler: async ({ caller, params, body }) => created(await createAlert(caller, params.projectId, body)),
});

export const get = route({
  summary: 'Get an alert.',
  caller: reads,
  params: ['projectId', 'alertId'],
  response: { status: 200, schema: Alert },
  handler: async ({ caller, params }) => ok(await getAlert(caller, params)),
});

export const update = route({
  summary: 'Change an alert.',
  caller: writes,
  params: ['projectId', 'alertId'],
  body: UpdateAlertBody,
  errors: ['conflict'],
  response: { status: 200, schema: Alert },
  handler: async ({ caller, params, body }) => ok(await updateAlert(caller, params, body)),
});

export const remove = route({
  summary: 'Delete an alert with its messages.',
  caller: writes,
  params: ['projectId', 'alertId'],
  response: { status: 204 },
  handler: async ({ caller, params }) => {
    await deleteAlert(caller, params);
    return noContent();
  },
});

export const getSecret = route({
  summary: 'Reveal the signing secret of an alert that is a webhook.',
  caller: writes,
  params: ['projectId', 'alertId'],
  response: { status: 200, schema: EndpointSecret, sensitive: true },
  handler: async ({ caller, params }) => ok(await revealSecret(caller, params, systemClock())),
});

export const rotateSecret = route({
  summary: 'Replace the signing secret of an alert; the old one stays valid for a grace period.',
  caller: writes,
  params: ['projectId', 'alertId'],
  body: RotateSecretBody,
  bodyOptional: true,
  response: { status: 200, schema: EndpointSecret, sensitive: true },
  handler: async ({ caller, params, body }) => ok(await rotateAlertSecret(caller, params, body, systemClock())),
});

export const test = route({
  summary: 'Send a test of an alert; its message shows the result.',
  caller: writes,
  params: ['projectId', 'alertId'],
  errors: ['conflict', 'rate_limited'],
  response: { status: 202, schema: AlertMessage },
  handler: async ({ caller, params }) => accepted(await testAlert(caller, params)),
});

export const listMessages = route({
  summary: 'List what an alert said lately, newest first.',
  caller: reads,
  params: ['projectId', 'alertId'],
  query: PageQuery,
  response: { status: 200, schema: listingOf(AlertMessage) },
  handler: async ({ params, query }) => ok(await listMessagesOf(params, query)),
});
