import { flag } from '@/lib/cli/options';
import { openBrowser } from '@/lib/cli/session/open-browser';
import { command } from '@/lib/cli/spec';
import { VERSION } from '@/lib/client/headers';

/** Pages of a project, and those without one. */
export const PROJECT_PAGES = [
  ...['events', 'deliveries', 'endpoints', 'subscriptions'],
  ...['sources', 'incoming-events', 'tunnels', 'keys', 'alerts'],
];
export const OTHER_PAGES: Record<string, string> = { home: '/', account: '/account', docs: '/docs/guides' };

export const open = command({
  summary: 'Open a page of the dashboard in the browser.',
  details: 'Writes the URL if no browser can be opened, or with `--no-browser`.',
  args: {
    page: {
      description: 'page to open (default `events`)',
      isOptional: true,
      choices: [...PROJECT_PAGES, ...Object.keys(OTHER_PAGES)],
    },
  },
  options: { browser: flag('--no-browser', 'write the URL instead') },
  examples: { 'open deliveries': 'Open the current project’s deliveries.' },
  run: async (context, { args: { page = 'events' }, options }) => {
    const path = OTHER_PAGES[page] ?? `/projects/${await context.projectId()}/${page}`;
    const url = `${context.url}${path}`;
    if (options.browser && openBrowser(context.terminal, url)) context.out.done({ url }, `Opened ${url}`);
    else context.out.value({ url }, url);
  },
});

export const version = command({
  summary: 'Show the version of the CLI and, if it’s reachable, of the server.',
  examples: { 'version --json': 'Show both versions as JSON.' },
  run: async (context) => {
    const { out, url, hasChosenUrl } = context;
    // Right after the installation there is no server that could be unreachable.
    if (hasChosenUrl) {
      await context
        .anonymousClient()
        .operations.live({ signal: context.signal, maxRetries: 0, timeoutMs: 2_000 })
        .catch(() => null);
    }
    const server = context.serverVersion;
    out.record({ eds: VERSION, server, url: hasChosenUrl ? url : null }, [
      { header: 'EDS', value: ({ eds }) => eds },
      { header: 'SERVER', value: () => server ?? (hasChosenUrl ? 'unreachable' : 'not chosen') },
      { header: 'URL', value: (row) => row.url },
    ]);
    if (!hasChosenUrl) out.hint('Choose a server: eds login --url https://events.example.com');
  },
});
