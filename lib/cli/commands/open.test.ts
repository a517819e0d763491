import { existsSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { useEds } from '@/tests/cli/eds';
import { fakeBrowser } from '@/tests/cli/fake-browser';
import { OTHER_PAGES, PROJECT_PAGES } from './open';

const eds = useEds(() => 'https://events.example.com');
const ID = '0190b4f0-6f5c-7e31-9f1e-2f4f4b1c9a10';
const PAGE = `https://events.example.com/projects/${ID}`;
const env = { EDS_PROJECT: ID, EDS_API_KEY: 'eds_x' };

describe('eds open', () => {
  it('writes the URL of a page on a machine without a browser', async () => {
    const shown = await eds.run(['open'], { env });
    expect(shown).toEqual({ code: 0, stdout: `${PAGE}/events\n`, stderr: '' });
    expect((await eds.run(['open', 'keys', '--json'], { env })).stdout).toBe(`{"url":"${PAGE}/keys"}\n`);
    const overSsh = { ...env, SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22', DISPLAY: ':0' };
    expect((await eds.run(['open', 'docs'], { env: overSsh, tty: ['stderr'] })).stdout).toBe(
      'https://events.example.com/docs/guides\n',
    );
  });

  it('opens the page in the browser, and writes no URL; with --no-browser the reverse', async () => {
    const { BROWSER, opened } = fakeBrowser(eds.folder);
    const { code, stdout, stderr } = await eds.run(['open', 'deliveries'], { env: { ...env, BROWSER } });
    expect([code, stdout, stderr]).toEqual([0, '', expect.stringContaining(`Opened ${PAGE}/deliveries`)]);
    await vi.waitFor(() => expect(opened()).toBe(`${PAGE}/deliveries`), 10_000);
    const refused = await eds.run(['open', '--no-browser'], { env: { ...env, BROWSER } });
    expect(refused.stdout).toBe(`${PAGE}/events\n`);
    expect(opened()).toBe(`${PAGE}/deliveries`);
  });

  it('exits with 2 for an unknown page, and 4 without a session to find the project with', async () => {
    const { code, stderr } = await eds.run(['open', 'nothing'], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining('It must be one of events, deliveries')]);
    expect((await eds.run(['open'])).code).toBe(4);
    expect((await eds.run(['open', 'home'])).stdout).toBe('https://events.example.com/\n');
  });

  it('has only pages that the dashboard has', () => {
    const pages = PROJECT_PAGES.map((page) => `app/(dashboard)/projects/[projectId]/${page}/page.tsx`);
    expect(pages.filter((file) => !existsSync(file))).toEqual([]);
    const isMissing = (page: string) =>
      ['app', 'app/(dashboard)'].every((root) => !existsSync(`${root}${page}/page.tsx`));
    expect(Object.values(OTHER_PAGES).filter(isMissing)).toEqual([]);
  });
});
