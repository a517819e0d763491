import { command } from '@/lib/cli/spec';
import { VERSION } from '@/lib/client/headers';

export const version = command({
  name: 'version',
  summary: 'Show the version of the CLI and, if it’s reachable, of the server.',
  examples: [{ line: 'version --json', does: 'Show both versions as JSON.' }],
  run: async (context) => {
    await context
      .anonymousClient()
      .operations.live({ signal: context.signal, maxRetries: 0, timeoutMs: 2_000 })
      .catch(() => null);
    context.out.record({ eds: VERSION, server: context.serverVersion, url: context.url }, [
      { header: 'EDS', value: ({ eds }) => eds },
      { header: 'SERVER', value: ({ server }) => server ?? 'unreachable' },
      { header: 'URL', value: ({ url }) => url },
    ]);
  },
});
