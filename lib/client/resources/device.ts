import type { DeviceCodes, DeviceTokenBody, SignedIn, StartDeviceBody } from '@/lib/auth/schema';
import type { Api } from '@/lib/client/api';
import type { CallOptions } from '@/lib/client/options';
import type { Body } from '@/lib/client/query';

/** The methods of `client.device`. */
export function device(api: Api) {
  return {
    /** Starts a device sign-in (RFC 8628). */
    start: (body?: Body<typeof StartDeviceBody>, options?: CallOptions): Promise<DeviceCodes> =>
      api.call(
        'POST',
        '/api/v1/auth/device/code',
        { body, isAnonymous: true, needs: ['deviceCode', 'userCode', 'verificationUri'] },
        options,
      ),
    /** Exchanges an approved device code for tokens; rejects with `authorization_pending` until a person approves it. */
    exchange: (body: Body<typeof DeviceTokenBody>, options?: CallOptions): Promise<SignedIn> =>
      api.call('POST', '/api/v1/auth/device/token', { body, isAnonymous: true, needs: ['accessToken'] }, options),
  };
}
