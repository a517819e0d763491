import { usageError } from '@/lib/cli/input/usage-error';
import { openBrowser } from '@/lib/cli/session/open-browser';
import { command } from '@/lib/cli/spec';

/** Pages of a project, and those without one. */
const PROJECT_PAGES = [
  ...['events', 'deliveries', 'endpoints', 'subscriptions'],
  ...['sources', 'incoming-events', 'tunnels', 'keys'],
];
const OTHER_PAGES: Record<string, string> = { home: '/', account: '/account', docs: '/docs/api' };

export const open = command({
  name: 'open',
  summary: 'Open a page of the dashboard in the browser.',
  details: `Pages: ${[...PROJECT_PAGES, ...Object.keys(OTHER_PAGES)].join(', ')}. Without a browser, shows the URL.`,
  args: { page: { description: 'the page (default events)', isOptional: true } },
  examples: [{ line: 'open deliveries', does: 'Open the deliveries of the project in use.' }],
  run: async (context, { args }) => {
    const page = args.page ?? 'events';
    const url = `${context.url}${OTHER_PAGES[page] ?? `/projects/${await projectOf(page)}/${page}`}`;
    context.out.value({ url }, url);
    openBrowser(context.terminal, url);

    function projectOf(name: string): Promise<string> {
      if (PROJECT_PAGES.includes(name)) return context.projectId();
      const message = `There is no page “${name}”.`;
      throw usageError(message, 'eds open --help');
    }
  },
});
