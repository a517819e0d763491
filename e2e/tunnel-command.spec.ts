import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { makeWorkspace } from './support/api';
import { fetchChecked } from './support/check-response';

test('a local server answers at the public address that `npm run tunnel` prints, until it is interrupted', async ({
  baseURL,
}) => {
  const local = createServer((request, response) => {
    response.writeHead(201, { 'Content-Type': 'text/plain' }).end(`hello from ${request.url}`);
  });
  await new Promise<void>((resolve) => local.listen(0, '127.0.0.1', resolve));
  const { key } = await makeWorkspace(baseURL ?? '', 'http://127.0.0.1:9/hook');
  const { port } = local.address() as AddressInfo;
  const command = spawn(process.execPath, ['scripts/tunnel.mjs', String(port)], {
    env: { ...process.env, EDS_API_URL: baseURL, EDS_API_KEY: key },
  });
  let output = '';
  command.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  try {
    await expect.poll(() => output, { timeout: 60_000 }).toMatch(/\/t\/\S+ -> http:\/\/127\.0\.0\.1:\d+\n/);
    const url = /^\S+/m.exec(output.slice(output.search(/^http/m)))?.[0] ?? '';
    const visited = await fetchChecked(`${url}orders?id=1`);
    expect([visited.status, await visited.text()]).toEqual([201, 'hello from /orders?id=1']);
    await expect.poll(() => output).toMatch(/^GET \/orders\?id=1 201 \d+ ms$/m);
    command.kill('SIGINT');
    expect(await once(command, 'exit')).toEqual([0, null]);
    await expect.poll(async () => (await fetchChecked(url)).status).toBe(502);
  } finally {
    command.kill('SIGKILL');
    local.close();
  }
});
