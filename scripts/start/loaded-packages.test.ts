import { build, stop } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { OPTIONS } from './bundle.mjs';

afterAll(() => stop());

/** What an entry's bundle loads as it starts, and which packages it holds itself. */
async function describeBundle(entry: string) {
  const { metafile } = await build({
    ...OPTIONS,
    entryPoints: [entry],
    outfile: 'unused.mjs',
    write: false,
    metafile: true,
  });
  const [output] = Object.values(metafile.outputs);
  const loaded = (output?.imports ?? [])
    .filter(({ kind, path }) => kind === 'import-statement' && !path.startsWith('node:'))
    .map(({ path }) => path);
  const held = Object.entries(output?.inputs ?? {})
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([file]) => file);
  return { loaded: [...new Set(loaded)].sort(), held };
}

/*
 * A list of what is loaded, rather than of what must not be: each package is memory that the process holds while it has
 * nothing to do, and one that slips in through a shared module would go unnoticed.
 */
describe('as it starts,', () => {
  it('the worker loads the database driver, the logger and the HTTP client, and no Prisma, Next or mailer', async () => {
    const { loaded } = await describeBundle('scripts/worker.ts');
    expect(loaded).toEqual(['pg', 'pino', 'undici/lib/core/connect.js', 'undici/lib/dispatcher/client.js']);
  });

  it('retention loads the database driver and the logger alone', async () => {
    const { loaded } = await describeBundle('scripts/retention.ts');
    expect(loaded).toEqual(['pg', 'pino']);
  });

  it('web loads Next, and no mailer and no hashing beside its threads', async () => {
    const { loaded } = await describeBundle('scripts/web.ts');
    expect(loaded).toEqual(
      expect.arrayContaining(['next', 'pg', 'undici/lib/core/connect.js', 'undici/lib/dispatcher/client.js']),
    );
    for (const heavy of ['nodemailer', 'bcryptjs', 'next-auth', 'undici']) expect(loaded).not.toContain(heavy);
  });

  it('a bundle holds of zod what it uses, and none of the languages of its messages but English', async () => {
    const { held } = await describeBundle('scripts/worker.ts');
    const locales = held.filter((file) => file.includes('node_modules/zod/') && file.includes('/locales/'));
    expect(held.some((file) => file.includes('node_modules/zod/'))).toBe(true);
    expect(locales.every((file) => file.endsWith('/en.js'))).toBe(true);
  });
});
