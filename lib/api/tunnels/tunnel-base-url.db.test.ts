import { expect, it } from 'vitest';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject } from '@/tests/fixtures/projects';
import { makeTunnel } from '@/tests/fixtures/tunnels';

useDatabase({ TUNNEL_BASE_URL: 'https://tunnels.example' });

it('a tunnel has its URL on TUNNEL_BASE_URL when it is set', async () => {
  const { url } = await makeTunnel(await makeTestProject());
  expect(url).toMatch(/^https:\/\/tunnels\.example\/t\/[A-Za-z0-9_-]{43}\/$/);
});
