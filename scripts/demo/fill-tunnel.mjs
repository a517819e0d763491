import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const CONNECT_MS = 60_000;

/**
 * Runs `eds listen` for a while and sends requests through the tunnel. The last one is sent after the client has gone, so
 * that the log also shows a request that nobody answered.
 *
 * @param {{url: string, key: string, port: number, requests: [string, string, object | undefined][]}} options port of the local server
 */
export async function fillTunnel({ url, key, port, requests }) {
  const client = spawn(process.execPath, ['scripts/eds.mjs', 'listen', String(port)], {
    env: { ...process.env, EDS_API_URL: url, EDS_API_KEY: key },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = new Promise((resolve) => client.once('exit', resolve));
  try {
    const address = await readAddress(client);
    // The address may be another one than this machine reaches; the sample does without the requests then.
    if (address === null) return;
    for (const request of requests) await send(address, request);
    client.kill('SIGINT');
    await exited;
    await send(address, requests[0]);
  } finally {
    client.kill('SIGKILL');
  }
}

/** Reads the public address, which the client prints once it is connected; null if it does not connect in time. */
function readAddress(client) {
  const printed = new Promise((resolve) => {
    let output = '';
    client.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      const found = /^(http\S+) -> /m.exec(output);
      if (found !== null) resolve(found[1]);
    });
    client.once('exit', () => resolve(null));
  });
  return Promise.race([printed, sleep(CONNECT_MS, null, { ref: false })]);
}

async function send(address, [method, path, data]) {
  const body = data === undefined ? {} : { body: JSON.stringify(data) };
  const headers = { 'Content-Type': 'application/json' };
  await fetch(`${address.replace(/\/$/, '')}/${path}`, { method, headers, ...body }).catch(() => undefined);
}
