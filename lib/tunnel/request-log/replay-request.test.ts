import { expect, it } from 'vitest';
import { newId } from '@/lib/platform/ids';
import type { TunnelRequestLog } from '@/lib/platform/prisma/generated/client';
import { repeatedRequest } from './replay-request';

const ids = { id: newId(), tunnelId: newId(), projectId: newId() };
const row = (headers: [string, string][], body: Buffer<ArrayBuffer> | null = null) =>
  ({
    ...ids,
    method: 'PUT',
    path: '/a%20b?c=%2F',
    requestHeaders: JSON.stringify(headers),
    requestBody: body,
  }) as TunnelRequestLog;

it('a replay has the method, path and body of its request byte for byte, and refers to it', () => {
  const body = Buffer.from([0, 255, 10, 13]);
  expect(repeatedRequest(row([], body))).toEqual({
    ...{ tunnelId: ids.tunnelId, projectId: ids.projectId, replayOf: ids.id },
    ...{ method: 'PUT', path: '/a%20b?c=%2F', headers: [], body },
  });
});

it('a replay of a request without a body has none', () => {
  expect(repeatedRequest(row([])).body).toHaveLength(0);
});

it('a replay keeps the order and repeats of headers, and omits credentials and framing', () => {
  const kept: [string, string][] = [
    ['X-Signature', 'v1=ab'],
    ['accept', 'a'],
    ['Accept', 'b'],
  ];
  const left: [string, string][] = [
    ['Authorization', '[redacted]'],
    ['cookie', '[redacted]'],
    ['Content-Length', '4'],
    ['Transfer-Encoding', 'chunked'],
    ['connection', 'keep-alive'],
    ['x-vault', '[redacted]'],
  ];
  expect(repeatedRequest(row([...left, ...kept])).headers).toEqual(kept);
});
