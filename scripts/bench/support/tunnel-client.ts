import { openTunnel } from '@/lib/tunnel/client';

// The client of a tunnel in a separate process. The arguments: origin of the API, project, tunnel, key, origin of the target.

const [url = '', projectId = '', tunnelId = '', key = '', target = ''] = process.argv.slice(2);
const handle = openTunnel({
  url,
  projectId,
  tunnelId,
  authorization: async () => `Bearer ${key}`,
  target: new URL(target),
  env: {},
});
process.on('disconnect', () => process.exit());
await handle.connected;
process.send?.({ type: 'ready' });
