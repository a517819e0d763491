import net from 'node:net';
import { expect, it } from 'vitest';
import { findFreePort, probePort } from './free-port';

it('a free port is below the range of outgoing connections', async () => {
  for (let n = 0; n < 20; n++) {
    const port = await findFreePort();
    expect(port).toBeGreaterThanOrEqual(10_000);
    expect(port).toBeLessThan(32_768);
    expect(await probePort(port)).toBeNull();
  }
});

it('probing returns the error of a port in use, and null for a free one', async () => {
  const port = await findFreePort();
  const server = net.createServer().listen(port);
  await new Promise((resolve) => server.once('listening', resolve));
  expect(await probePort(port)).toBe('EADDRINUSE');
  await new Promise((resolve) => server.close(resolve));
  expect(await probePort(port)).toBeNull();
});
