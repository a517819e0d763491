import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { toApiRequest } from './node-adapter';

it('a request that waits many times listens to its response once, and ends each wait', () => {
  const response = new PassThrough();
  const message = { headers: {}, rawHeaders: [], method: 'GET' } as unknown as IncomingMessage;
  const match = { route: '/', params: {}, entry: {} } as unknown as Parameters<typeof toApiRequest>[0];
  const context = { clientAddress: null, query: {}, rawQuery: '' } as unknown as Parameters<typeof toApiRequest>[3];
  const { disconnectSignal } = toApiRequest(match, message, response, context).client;
  const before = response.listenerCount('close');
  const signals = Array.from({ length: 20 }, () => disconnectSignal?.());
  expect(response.listenerCount('close')).toBe(before + 1);
  expect(signals.map((signal) => signal?.aborted)).toEqual(Array.from({ length: 20 }, () => false));
  response.emit('close');
  expect(signals.every((signal) => signal?.aborted)).toBe(true);
});
