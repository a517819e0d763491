import { expect, it } from 'vitest';
import { newId } from '@/lib/platform/ids';
import { provenOwnerOf } from '@/lib/platform/net/owner-header';
import { respondWith, startReceiver } from '@/tests/http/receiver';
import { setTestConfig } from '@/tests/setup/variables';
import { PeerClient } from './send-to-peer';

it('a request to another web process counts for the owner of the tunnel there, not for this process', async () => {
  setTestConfig();
  const peer = await startReceiver(respondWith(200, ''));
  const client = new PeerClient();
  const tunnel = { id: newId(), projectId: newId() };
  const head = { method: 'GET', path: '/', headers: [], hasBody: false };
  const holder = { connectionId: newId(), peerUrl: peer.url };
  const exchange = client.exchange(holder, { tunnel, head, body: null, signal: new AbortController().signal });
  await expect(exchange).rejects.toThrow('is not reachable');
  client.close();
  const [request] = peer.received;
  // A project whose owner is not known yet is its own tenant.
  const proven = request && provenOwnerOf({ headers: request.headers, url: request.path });
  expect(proven).toEqual({ ownerId: tunnel.projectId, isOfCustomer: false });
});
