import { describe, expect, it } from 'vitest';
import { useEds } from '@/tests/cli/eds';
import { useStubServer } from '@/tests/cli/stub-server';

const server = useStubServer();
const eds = useEds(server.url);
const ID = '0197b6a0-1c52-7d3e-9a41-5b7f20c8e611';
const PROJECT = `/api/v1/projects/${ID}`;
const env = { EDS_API_KEY: 'eds_sample', EDS_PROJECT: ID, NO_COLOR: '1' };

describe.each([
  ['events replay', ['events', 'replay', '--from', '1h'], [`${PROJECT}/event-replays`]],
  ['deliveries retry', ['deliveries', 'retry', '--all-failed'], []],
])('eds %s', (_name, args, previews) => {
  const answer = (isExact: boolean) => {
    const counted = { count: 0, isExact };
    server.onJson(`${PROJECT}/delivery-count`, counted);
    server.onJson(`${PROJECT}/event-replays`, counted);
  };
  const posted = () => server.requests.filter(({ verb }) => verb === 'POST').map(({ path }) => path);

  it.each([[[]], [['--json']]])('asks before it starts when the count gave up at 0, with %j', async (more) => {
    answer(false);
    const { code, stderr } = await eds.run([...args, ...more], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining('There’s no terminal to ask on.')]);
    expect(posted()).toEqual(previews);
  });

  it('ends without a question when there is exactly nothing to send', async () => {
    answer(true);
    const { code, stderr } = await eds.run(args, { env });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/nothing to send|No failed or waiting/)]);
  });
});
