import { build, stop } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { OPTIONS } from './bundle.mjs';

afterAll(() => stop());

/** The packages that an entry's bundle loads at start, and those that it contains. */
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
 * Lists what may be loaded, not what may not: every package costs memory even while the process is idle, and one that a
 * shared module starts to import would go unnoticed.
 */
describe('at start', () => {
  it('the worker loads the database driver, the logger and the HTTP client, but not Prisma, Next or the mailer', async () => {
    const { loaded } = await describeBundle('scripts/worker.ts');
    expect(loaded).toEqual([
      'dns-packet',
      'lru-cache',
      'pg',
      'pino',
      'undici/lib/core/connect.js',
      'undici/lib/dispatcher/client.js',
    ]);
  });

  it('retention loads only the database driver and the logger', async () => {
    const { loaded } = await describeBundle('scripts/retention.ts');
    expect(loaded).toEqual(['pg', 'pino']);
  });

  it('web loads Next, but not the mailer, nor bcrypt outside of its threads', async () => {
    const { loaded } = await describeBundle('scripts/web.ts');
    expect(loaded).toEqual(
      expect.arrayContaining(['next', 'pg', 'undici/lib/core/connect.js', 'undici/lib/dispatcher/client.js']),
    );
    for (const heavy of ['nodemailer', 'bcryptjs', 'next-auth', 'undici']) expect(loaded).not.toContain(heavy);
  });

  it.each(['scripts/web.ts', 'scripts/worker.ts', 'scripts/retention.ts'])(
    '%s loads nothing of OpenTelemetry',
    async (entry) => {
      const { loaded } = await describeBundle(entry);
      expect(loaded.filter((name) => name.startsWith('@opentelemetry/'))).toEqual([]);
    },
  );

  it('a bundle contains only the used parts of zod, and only its English messages', async () => {
    const { held } = await describeBundle('scripts/worker.ts');
    const locales = held.filter((file) => file.includes('node_modules/zod/') && file.includes('/locales/'));
    expect(held.some((file) => file.includes('node_modules/zod/'))).toBe(true);
    expect(locales.every((file) => file.endsWith('/en.js'))).toBe(true);
  });
});
