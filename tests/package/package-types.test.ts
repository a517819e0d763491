import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { SCHEMA_MODULES } from '@/lib/api/openapi/schema-modules';
import { checkTypes, TSC } from './check-types';
import { type Ended, runIn } from './install-package';
import { useInstalledPackage } from './use-installed-package';

const installed = useInstalledPackage();
const BUNDLER = { module: 'esnext', moduleResolution: 'bundler' };
const NODE = { module: 'nodenext', moduleResolution: 'nodenext' };

describe('the types of the npm package', () => {
  const files = ['uses-resources.mts', 'wrong-use.mts'];

  it.each([
    ['nodenext', NODE],
    ['bundler', BUNDLER],
  ])(
    'suit a strict program without other types, resolved by %s; wrong use does not compile',
    async (_name, options) => {
      cpSync('tests/package/consumer', installed.folder, { recursive: true });
      expect(await checkTypes(installed.folder, options, files)).toEqual({ code: 0, stdout: '', stderr: '' });
    },
  );

  it('suit a server that has the types of Node and not those of the browser', async () => {
    cpSync('tests/package/consumer', installed.folder, { recursive: true });
    mkdirSync(path.join(installed.folder, 'node_modules/@types'), { recursive: true });
    for (const name of ['@types/node', 'undici-types']) {
      symlinkSync(path.resolve('node_modules', name), path.join(installed.folder, 'node_modules', name));
    }
    const ended = await checkTypes(installed.folder, { ...NODE, lib: ['es2023'], types: ['node'] }, files);
    expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('are those of the schemas of the service', async () => {
    const declared = readFileSync(path.join(installed.packageFolder, 'types/types.d.ts'), 'utf8');
    const names = new Set([...declared.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name));
    const compared = Object.entries(SCHEMA_MODULES).flatMap(([module, exported]) =>
      Object.entries(exported).flatMap(([name, value]) =>
        value instanceof z.ZodType && names.has(name) ? [{ module, name }] : [],
      ),
    );
    // All but those of lib/platform.
    expect(names.size - compared.length).toBe(['ErrorCode', 'FieldFault', 'PageQuery'].length);
    const ended = await compareTypes([...compared, { module: 'lib/platform/pagination', name: 'PageQuery' }]);
    expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('describe fields, parameters and error codes', () => {
    const declared = readFileSync(path.join(installed.packageFolder, 'types/types.d.ts'), 'utf8');
    const methods = readFileSync(path.join(installed.packageFolder, 'types/generated/resources.d.ts'), 'utf8');
    expect(methods).toMatch(
      /\/\*\* Send an event; the API key determines the project\. \*\/\n +send: \(body: NewEvent, options\?: SendOptions\) => Promise<EventSummary>;/,
    );
    expect(declared).toContain('  /** Size of the body in bytes. */\n  size: number;\n');
    expect(declared).toContain('  /** Page size. Default: 50. */\n  limit?: number;\n');
    expect(declared).toContain('  from?: Date | string;\n');
    expect(declared).toContain("  /** The API key has been revoked. */\n  | 'api_key_revoked'\n");
  });
});

/** Compiles a file in which each type of the package must be the input, the output or the query of its schema. */
async function compareTypes(compared: readonly { module: string; name: string }[]): Promise<Ended> {
  // Within the repository, whose schemas it imports.
  const folder = mkdtempSync(path.resolve('.build/types-'));
  try {
    cpSync(path.join(installed.packageFolder, 'types/types.d.ts'), path.join(folder, 'types.d.ts'));
    const lines = compared.map(({ module, name }, index) => {
      const kind = /Query$/.test(name) ? 'Query' : /(?:Body|Input)$/.test(name) ? 'z.input' : 'z.output';
      return [
        `import { ${name} as S${index} } from '@/${module}';`,
        `same<Flat<declared.${name}>, Flat<${kind}<typeof S${index}>>>(true);`,
      ].join('\n');
    });
    const head = [
      "import type * as z from 'zod';",
      "import type { Query } from '@/lib/client/query';",
      "import type * as declared from './types.js';",
      'type Flat<T> = T extends Date ? T : T extends object ? { [K in keyof T]: Flat<T[K]> } : T;',
      'type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;',
      'function same<A, B>(_isSame: Same<A, B>): void {}',
    ];
    writeFileSync(path.join(folder, 'compare.ts'), [...head, ...lines].join('\n'));
    const config = { extends: '../../tsconfig.json', compilerOptions: { incremental: false }, files: ['compare.ts'] };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ ...config, include: [] }));
    return await runIn(folder, [process.execPath, TSC, '-p', '.']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
