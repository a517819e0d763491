import { api } from '@/lib/api/table';
import { newId } from '@/lib/platform/ids';
import { type Call, type CallOptions, call } from './api-request';

export const ADMIN_TOKEN = 'operator-token-of-the-tests';

/** Calls a path below /api/v1/admin with the operator's token. */
export function callAsOperator<T>(method: string, path: string, options: CallOptions = {}, via: Call = call) {
  const headers = { ...options.headers, 'x-platform-admin-token': ADMIN_TOKEN };
  return via<T>(method, `/api/v1/admin${path}`, { ...options, headers });
}

/** Lists every operator path of the route table, with unknown ids, and some unknown paths. */
export function listOperatorPaths(): string[] {
  const known = Object.keys(api).filter((route) => route.startsWith('/api/v1/admin'));
  const unknown = ['', '/', '/nothing', '/orgs/', '/users/x/y/z', '/orgs/%zz', '/stats?limit=x'];
  return [
    ...known.map((route) => route.replaceAll(/\{\w+\}/g, newId)),
    ...unknown.map((rest) => `/api/v1/admin${rest}`),
  ];
}
