import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '@/package.json' with { type: 'json' };
import lock from '@/package-lock.json' with { type: 'json' };
import { buildPackage } from '@/scripts/package/build-package';
import { builtPackage } from './built-package';
import { useInstalledPackage } from './use-installed-package';

const installed = useInstalledPackage();

/** The files below a folder, by their path in it. */
function filesBelow(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return all.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name))).sort();
}

const contentOf = (file: string) => readFileSync(path.join(installed.packageFolder, file), 'utf8');

describe('the npm package', () => {
  it('has the library, its component for React, their types, the command line, its dependency, and nothing else', () => {
    const files = filesBelow(installed.packageFolder);
    const own = files.filter((file) => !file.startsWith('node_modules/') && !file.startsWith('types/'));
    expect(own).toEqual(['README.md', 'eds.mjs', 'index.js', 'package.json', 'react.js']);
    const modules = [
      'api',
      'client',
      'errors',
      'generated/resources',
      'index',
      'list-request',
      'options',
      'own-types',
      'path',
      'react',
      'types',
      'verify-signature',
    ];
    const types = modules.map((name) => `types/${name}.d.ts`);
    expect(files.filter((file) => file.startsWith('types/'))).toEqual(types.sort());
    const bundled = files.filter((file) => file.startsWith('node_modules/'));
    expect(bundled.filter((file) => file.endsWith('/package.json'))).toEqual(
      ['@stablelib/base64', 'fast-sha256', 'standardwebhooks'].map((name) => `node_modules/${name}/package.json`),
    );
    const kinds = /(?:\.js|\.d\.ts|\/package\.json|\/README\.md|\/LICENSE)$/;
    expect(bundled.filter((file) => !kinds.test(file) || /test|bench/.test(file))).toEqual([]);
  });

  it('has the version of the service, and pins its dependency as the lock file does', () => {
    const { name, version, type, engines, dependencies, peerDependenciesMeta, license } = JSON.parse(
      contentOf('package.json'),
    );
    expect({ name, version, type, license }).toEqual({
      name: 'event-delivery-client',
      version: manifest.version,
      type: 'module',
      license: 'UNLICENSED',
    });
    expect(engines).toEqual({ node: '>=20.19.0' });
    expect(peerDependenciesMeta).toEqual({ react: { optional: true } });
    const locked = lock.packages['node_modules/standardwebhooks'].version;
    expect(dependencies).toEqual({ standardwebhooks: locked });
    expect(JSON.parse(contentOf('node_modules/standardwebhooks/package.json')).version).toBe(locked);
  });

  it('names no path of the machine that built it, no source map, and no file of the repository in its types', () => {
    for (const file of filesBelow(installed.packageFolder)) {
      const content = contentOf(file);
      for (const place of [process.cwd(), os.homedir(), os.tmpdir(), 'sourceMappingURL', 'file://']) {
        expect(content.includes(place), `${place} in ${file}`).toBe(false);
      }
      if (file.startsWith('types/')) expect(content, file).not.toMatch(/@\/|zod|docs\/|\blib\/|\.ts\b/);
    }
  });

  it('contains no secret', () => {
    const secrets =
      /\beds_[A-Za-z0-9]{20,}|\bwhsec_[A-Za-z0-9+/]{20,}|-----BEGIN|\beyJ[A-Za-z0-9_-]{10,}\.|postgres(?:ql)?:\/\//;
    for (const file of filesBelow(installed.packageFolder)) expect(contentOf(file), file).not.toMatch(secrets);
  });

  it('has the same bytes when it is built again', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'eds-again-'));
    try {
      await buildPackage(path.join(folder, 'content'), path.join(folder, 'again.tgz'));
      expect(readFileSync(path.join(folder, 'again.tgz')).equals(readFileSync(await builtPackage()))).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has readable code without comments in its library, and less than 256 KiB in all', async () => {
    expect(contentOf('index.js')).toContain('      send: (body, options) => api.call("POST", ');
    expect(contentOf('index.js')).not.toMatch(/^ *(?:\/\*|\/\/)/m);
    expect(statSync(await builtPackage()).size).toBeLessThan(256 * 1024);
  });

  it('has eds in less than 460 kB, without zod and what only the server needs', () => {
    expect(statSync(path.join(installed.packageFolder, 'eds.mjs')).size).toBeLessThan(460_000);
    const eds = contentOf('eds.mjs');
    expect(eds).toContain('commander.helpDisplayed');
    // Texts that a minifier keeps.
    expect(eds).not.toMatch(/ZodError|~standard|invalid_union|_zod|standardwebhooks|PrismaClient|SELECT /);
  });

  it('runs eds as a command of a project', async () => {
    const { code, stdout, stderr } = await installed.run(['npx', '--offline', 'eds', 'version']);
    expect([code, stdout.split('\n')[0], stderr]).toEqual([0, expect.stringContaining(manifest.version), '']);
  });
});
