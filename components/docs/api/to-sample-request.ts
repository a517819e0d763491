import type { OperationSource } from './operation-source';
import type { Caller } from './reference-types';
import type { SampleRequest } from './samples/sample-request';

/** A key that says what it is for. Clients choose their own. */
const HEADERS: Record<string, [name: string, value: string]> = {
  'idempotency-key': ['Idempotency-Key', 'order-8f2c1-paid'],
};

/** Returns what the examples of an operation are made from. */
export function toSampleRequest(source: OperationSource, callers: readonly Caller[]): SampleRequest {
  const { method, path, operation, client } = source;
  const [contentType, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const isRaw = contentType !== undefined && contentType !== 'application/json';
  const body = isRaw ? { type: 'order.paid', orderId: 'ord_8f2c1' } : media?.example;
  const headers = (operation.parameters ?? []).flatMap(({ name, in: place }) =>
    place === 'header' && HEADERS[name] !== undefined ? [HEADERS[name]] : [],
  );
  const query = (operation.parameters ?? []).flatMap(({ name, in: place, required, example }) =>
    place === 'query' && required ? [[name, String(example)] as const] : [],
  );
  const kinds = callers.map(({ kind }) => kind);
  return {
    ...{ method, path, isRaw, client },
    credential: kinds.includes('key') ? 'key' : (kinds[0] ?? null),
    query: Object.fromEntries(query),
    headers: Object.fromEntries(headers),
    ...(body === undefined ? {} : { body }),
    responds: respondsWith(operation),
  };
}

function respondsWith({ responses }: OperationSource['operation']): SampleRequest['responds'] {
  const successes = Object.entries(responses).filter(([status]) => Number(status) < 400);
  const types = successes.flatMap(([, { content = {} }]) => Object.keys(content));
  const has = (start: string) => successes.some(([status]) => status.startsWith(start));
  if (has('101')) return 'socket';
  if (has('3')) return 'redirect';
  if (types.length === 0) return 'nothing';
  if (types.includes('application/json')) return 'json';
  return types.includes('application/octet-stream') ? 'file' : 'text';
}
