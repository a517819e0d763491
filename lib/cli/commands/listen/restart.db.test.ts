import { once } from 'node:events';
import { expect, it } from 'vitest';
import { config } from '@/lib/platform/config/config';
import { findFreePort } from '@/lib/platform/free-port';
import { useEds } from '@/tests/cli/eds';
import { signIn } from '@/tests/cli/sign-in';
import { useDatabase } from '@/tests/database/use-database';
import { useProjects } from '@/tests/fixtures/projects';
import { endProcess, useProcesses } from '@/tests/processes/entry-process';
import { startLocal } from '@/tests/tunnel/local-server';
import { visit } from '@/tests/tunnel/visit';

const port = await findFreePort();
const origin = `http://127.0.0.1:${port}`;
const db = useDatabase({ APP_BASE_URL: origin });
const projects = useProjects();
const eds = useEds(() => origin);
const start = useProcesses('tests/tunnel/tunnel-process.ts', () => ({
  DATABASE_URL: db.url,
  AUTH_SECRET: (config().AUTH_SECRET ?? []).join(','),
  ENCRYPTION_KEY: (config().ENCRYPTION_KEY ?? []).join(','),
  APP_BASE_URL: origin,
  LOG_LEVEL: 'silent',
}));

async function startWeb() {
  const child = start([], { PORT: String(port), TUNNEL_PEER_URL: origin });
  child.stdout?.resume();
  child.stderr?.pipe(process.stderr);
  await once(child, 'message');
  return child;
}

it.each(['SIGKILL', 'SIGTERM'] as const)(
  'keeps its address when the server is ended by %s and starts again',
  async (signal) => {
    const web = await startWeb();
    await signIn(eds, origin, projects.mine.owner);
    const local = await startLocal((_, response) => void response.writeHead(201).end());
    const running = eds.start(['listen', String(local.port)], { env: { EDS_PROJECT: projects.mine.id } });
    const [, url = ''] = await running.waitFor(/^(\S+) -> /);
    expect((await visit(url)).status).toBe(201);
    await endProcess(web, signal);
    await running.waitFor(/Reconnecting in \d/);
    const again = await startWeb();
    await running.waitFor('Reconnected, with the same URL.');
    expect((await visit(`${url}later`)).status).toBe(201);
    await running.waitFor(/GET\t\/later\t201/);
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    await endProcess(again, 'SIGTERM');
  },
);
