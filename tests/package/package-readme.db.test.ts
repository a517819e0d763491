import { spawn } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { transform } from 'esbuild';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { EventDeliveryClient } from '@/lib/client';
import { findFreePort } from '@/lib/platform/free-port';
import { useDatabase } from '@/tests/database/use-database';
import { useProjects } from '@/tests/fixtures/projects';
import { useWebServer } from '@/tests/http/adapters';
import { checkTypes } from './check-types';
import { useInstalledPackage } from './use-installed-package';

useDatabase();
const projects = useProjects();
const server = useWebServer();
const installed = useInstalledPackage();

const EXAMPLES = [...readFileSync('lib/client/README.md', 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(
  ([, code = '']) => code,
);
const [SEND = '', LIST = '', ERRORS = '', VERIFY = '', PERSON = ''] = EXAMPLES;
const serverUrl = () => `http://127.0.0.1:${server.port()}`;

/** Writes a program in the project of a user. */
async function write(name: string, code: string): Promise<void> {
  const local = code.replaceAll('https://events.example.com', serverUrl());
  writeFileSync(path.join(installed.folder, `${name}.mts`), code);
  writeFileSync(path.join(installed.folder, `${name}.mjs`), (await transform(local, { loader: 'ts' })).code);
}

beforeAll(() =>
  cpSync('tests/package/express', path.join(installed.folder, 'node_modules/express'), { recursive: true }),
);

describe('README.md of the npm package', () => {
  it('has examples that compile in a strict program', async () => {
    expect(EXAMPLES).toHaveLength(5);
    const environment = 'declare const process: { env: Record<string, string | undefined> };\n';
    writeFileSync(path.join(installed.folder, 'environment.d.ts'), environment);
    await write('calls', [SEND, LIST, ERRORS, PERSON].join('\n'));
    await write('receiver', VERIFY);
    const files = ['environment.d.ts', 'calls.mts', 'receiver.mts'];
    const options = { module: 'nodenext', moduleResolution: 'nodenext' };
    expect(await checkTypes(installed.folder, options, files)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('has examples that send, list, meet an error and act for a person', async () => {
    await write('calls', [SEND, LIST, ERRORS, PERSON].join('\n'));
    const { key, owner } = projects.mine;
    const environment = { EDS_API_KEY: key, EDS_ACCESS_TOKEN: owner.accessToken };
    const { code, stdout, stderr } = await installed.run([process.execPath, 'calls.mjs'], environment);
    expect(stderr).toBe('type must be 1 to 128 letters, digits, dots, dashes or underscores, and not . or ..\n');
    const [, id] = /^stored as ([0-9a-f-]{36})\n/.exec(stdout) ?? [];
    expect(stdout).toContain(`\n${id}: 0 delivered, 0 failed\n`);
    expect([stdout.trimEnd().split('\n').at(-1), code]).toEqual([expect.stringMatching(/: OWNER" \]$/), 0]);
  });

  it('has command lines that eds knows', async () => {
    const lines = [...readFileSync('lib/client/README.md', 'utf8').matchAll(/^eds (.+)$/gm)].map(
      ([, line = '']) => line,
    );
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) {
      const { code, stderr } = await installed.run(['npx', '--offline', 'eds', ...line.split(' '), '--help']);
      expect([code, stderr], line).toEqual([0, '']);
    }
  });

  it('has a receiver that accepts what the service signs, and rejects another secret', async () => {
    await write('receiver', VERIFY.replace('8080', 'Number(process.env.PORT)'));
    const client = new EventDeliveryClient({ baseUrl: serverUrl(), apiKey: projects.mine.key });
    const project = { projectId: projects.mine.id };
    const port = await findFreePort();
    const endpoint = await client.endpoints.create({ url: `http://127.0.0.1:${port}/webhooks` }, project);
    const { secret } = await client.endpoints.getSecret(endpoint.id, project);
    for (const [given, expected] of [
      [secret, { succeeded: true, responseStatus: 204 }],
      [`whsec_${'A'.repeat(44)}`, { succeeded: false, responseStatus: 400 }],
    ] as const) {
      const stop = await startReceiver(port, given);
      expect(await client.endpoints.test(endpoint.id, {}, project)).toMatchObject(expected);
      await stop();
    }
  });
});

/** Starts the receiver of README.md. @returns what stops it */
async function startReceiver(port: number, secret: string): Promise<() => Promise<void>> {
  const env = { NODE_ENV: 'test', PORT: String(port), WEBHOOK_SECRET: secret } as const;
  const child = spawn(process.execPath, ['receiver.mjs'], { cwd: installed.folder, env, stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = () => {
    child.kill('SIGKILL');
    return ended;
  };
  onTestFinished(stop);
  await expect
    .poll(async () => {
      const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
      return response?.status;
    })
    .toBe(404);
  return stop;
}
