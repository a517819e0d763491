import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import { BASE_URL } from './support/api';
import { makePortal } from './support/embedding-page';
import { expect, test } from './support/fixtures';

const GUIDE = readFileSync('docs/guides/portal.md', 'utf8').replaceAll('https://events.example.com', BASE_URL);
const codeOf = (language: string) => new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(GUIDE)?.[1] ?? '';

/** Runs the code of the guide for a server, with the client of the package. */
async function runServerCode(key: string, projectId: string): Promise<(customer: string) => Promise<string>> {
  const { outputFiles } = await build({
    stdin: { contents: codeOf('js'), resolveDir: process.cwd() },
    alias: { 'event-delivery-client': './lib/client/index.ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    logLevel: 'silent',
  });
  const file = `${process.cwd()}/test-results/portal-guide-${projectId}.mjs`;
  writeFileSync(file, outputFiles[0]?.text ?? '');
  Object.assign(process.env, { EDS_API_KEY: key, EDS_PROJECT: projectId });
  try {
    return (await import(file)).portalUrl;
  } finally {
    rmSync(file);
  }
}

test('both parts of the guide to the portal show it as they are written, and prolong its session', async ({
  page,
  workspace,
}) => {
  const portalUrl = await runServerCode(workspace.key, workspace.projectId);
  let made = 0;
  const server = createServer(async (request, response) => {
    if (request.url === '/portal-url') {
      made += 1;
      response.end(await portalUrl('cus_1'));
    } else {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(`<!doctype html><html lang="en"><title>App</title><body><h1>App</h1>${codeOf('html')}`);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await makePortal(workspace, [origin]);
  await page.clock.install();
  await page.goto(origin);
  await expect(page.frameLocator('eds-portal iframe').getByText('Globex')).toBeVisible();
  const exchanged = page.waitForResponse((response) => response.url().endsWith('/portal/sessions'));
  await page.clock.fastForward(3_545_000);
  expect((await exchanged).status()).toBe(201);
  expect(made).toBe(2);
  server.closeAllConnections();
  server.close();
});
