import { once } from 'node:events';
import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { choosePort, describeRunning } from './start-all';

it.each([
  ['web, worker and retention are running', { web: true, worker: true, retention: true }],
  ['web and retention are running', { web: true, worker: false, retention: true }],
  ['web is running', { web: true, worker: false, retention: false }],
])('a start prints %j for %j', (line, running) => {
  expect(describeRunning(Object.entries(running).map(([name, isRunning]) => ({ name, isRunning })))).toBe(line);
});

async function occupy(): Promise<{ port: number; close: () => void }> {
  const server = net.createServer().listen(0);
  await once(server, 'listening');
  return { port: (server.address() as net.AddressInfo).port, close: () => server.close() };
}

describe('PORT', () => {
  it('is refused by name while another program uses it', async () => {
    const { port, close } = await occupy();
    await expect(choosePort(port)).rejects.toThrow(`PORT: ${port} is already in use`);
    close();
  });

  it('is waited for while an orphan still uses it', async () => {
    const { port, close } = await occupy();
    setTimeout(close, 150);
    expect(await choosePort(port, 5000)).toBe(port);
  });

  it('of 0 means any free port', async () => {
    expect(await choosePort(0)).toBeGreaterThan(0);
  });
});
