import { anyone, person } from '@/lib/api/callers';
import {
  approveDeviceCode,
  denyDeviceCode,
  exchangeDeviceCode,
  getDeviceRequest,
  startDeviceCode,
} from '@/lib/auth/device/device-codes';
import {
  DeviceCodes,
  DeviceRequest,
  DeviceTokenBody,
  SignedIn,
  StartDeviceBody,
  UserCodeBody,
} from '@/lib/auth/schema';
import { noContent, ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { systemClock } from '@/lib/platform/clock';

export const start = route({
  summary: 'Start a device sign-in.',
  caller: anyone(),
  body: StartDeviceBody,
  bodyOptional: true,
  errors: ['rate_limited'],
  response: { status: 200, schema: DeviceCodes, sensitive: true },
  handler: async ({ caller, body }) => ok(await startDeviceCode(caller, body)),
});

export const get = route({
  summary: 'Get the sign-in request for a user code.',
  caller: person(),
  query: UserCodeBody,
  errors: ['not_found', 'rate_limited'],
  response: { status: 200, schema: DeviceRequest },
  handler: async ({ caller, query }) => ok(await getDeviceRequest(caller, query.userCode)),
});

export const approve = route({
  summary: 'Approve a user code; its client gets a session of your account.',
  caller: person(),
  body: UserCodeBody,
  errors: ['not_found', 'rate_limited'],
  response: { status: 204 },
  handler: async ({ caller, body }) => {
    await approveDeviceCode(caller, body.userCode);
    return noContent();
  },
});

export const deny = route({
  summary: 'Deny a user code.',
  caller: person(),
  body: UserCodeBody,
  errors: ['not_found', 'rate_limited'],
  response: { status: 204 },
  handler: async ({ caller, body }) => {
    await denyDeviceCode(caller, body.userCode);
    return noContent();
  },
});

/** Sets no cookie: the client stores its refresh token itself, and the response must not sign a browser in. */
export const exchange = route({
  summary: 'Exchange an approved device code for a session. Poll it until the code is decided.',
  caller: anyone(),
  body: DeviceTokenBody,
  errors: ['authorization_pending', 'slow_down', 'access_denied', 'expired_token', 'invalid_grant', 'rate_limited'],
  response: { status: 200, schema: SignedIn, sensitive: true },
  handler: async ({ caller, body }) => {
    const { response, refresh } = await exchangeDeviceCode(caller, body.deviceCode, systemClock);
    return ok({ ...response, refreshToken: refresh.token });
  },
});
