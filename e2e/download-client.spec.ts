import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import manifest from '@/package.json' with { type: 'json' };
import { BASE_URL, makeWorkspace } from './support/api';
import { expect, test } from './support/fixtures';

const run = promisify(execFile);

/** A machine that reaches the product and no registry, with an empty home. */
interface Machine {
  folder: string;
  /** Runs a program to its end. @returns what it wrote to standard output */
  run(command: string, args: readonly string[]): Promise<string>;
}

const machines = test.extend<{ machine: Machine }>({
  machine: async ({ baseURL }, use) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'eds-machine-'));
    // npm asks the registry for the optional React too, and goes on without an answer: after a minute if it tried again.
    const npm = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' };
    const variables = { HOME: folder, EDS_API_URL: baseURL, ...npm };
    const env = { PATH: process.env.PATH, NODE_ENV: 'production', ...variables } as const;
    await use({ folder, run: async (command, args) => (await run(command, args, { cwd: folder, env })).stdout });
    rmSync(folder, { recursive: true });
  },
});

machines('the command line is installed from the product, and reaches it', async ({ machine }) => {
  const prefix = ['--global', '--prefix', machine.folder];
  await machine.run('npm', ['install', ...prefix, `${BASE_URL}/downloads/eds.tgz`]);
  const written = await machine.run(path.join(machine.folder, 'bin/eds'), ['version']);
  expect(written.split(manifest.version)).toHaveLength(3);
});

machines('the library is installed from the product, and works in a page', async ({ machine, page }) => {
  await machine.run('npm', ['install', `${BASE_URL}/downloads/eds.tgz`]);
  const bundled = await build({
    stdin: { contents: `export * from 'event-delivery-client';`, resolveDir: machine.folder },
    bundle: true,
    format: 'iife',
    globalName: 'eds',
    write: false,
  });
  const { key } = await makeWorkspace('http://127.0.0.1:9/hook');
  await page.goto('/login');
  await page.evaluate(bundled.outputFiles[0]?.text ?? '');
  const found = await page.evaluate(async (apiKey) => {
    const { EventDeliveryClient, isApiError } = (globalThis as unknown as { eds: typeof import('@/lib/client') }).eds;
    const client = new EventDeliveryClient({ baseUrl: location.origin, apiKey });
    const { id } = await client.events.send({ type: 'page.opened', data: { path: location.pathname } });
    const { project } = await client.apiKeys.getOwn();
    const listed = [];
    for await (const event of client.events.list({ limit: 1 }, { projectId: project.id })) listed.push(event.id);
    const refused = await client.events.send({ type: 'a b', data: {} }).catch((error: unknown) => error);
    return [listed.includes(id), isApiError(refused, 'validation_failed')];
  }, key);
  expect(found).toEqual([true, true]);
});
