import type { ApiRequest } from '@/lib/http/request';

/** Makes a request for `serve` of a route: a POST without a body, but for the given fields. */
export const routeRequest = (fields: Partial<ApiRequest> = {}): ApiRequest => ({
  method: 'POST',
  route: '/x',
  params: {},
  query: new URLSearchParams(),
  rawQuery: '',
  requestId: 'test',
  header: () => null,
  listHeaders: () => [],
  readBody: async (_limit, use) => use(Buffer.alloc(0), () => new AbortController().signal),
  client: { ipAddress: null, userAgent: null },
  ...fields,
});
