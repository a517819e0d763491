import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const FILES = readdirSync('lib/client', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => ({ file, source: readFileSync(`lib/client/${file}`, 'utf8') }));

/** What a source file imports at run time; `import type` is erased by then. */
const runtimeImports = (source: string) =>
  [...source.matchAll(/^(?:import|export) (?!type )[^'"();=]*?from '([^']+)'|\bimport\('([^']+)'\)/gm)].map(
    (match) => match[1] ?? match[2] ?? '',
  );

it('the client imports nothing from the service when it runs, and a package in two files', () => {
  const foreign = FILES.flatMap(({ file, source }) =>
    runtimeImports(source)
      .filter((specifier) => !specifier.startsWith('./') && !specifier.startsWith('@/lib/client/'))
      .map((specifier) => `${file} ${specifier}`),
  );
  expect(FILES.length).toBeGreaterThan(15);
  expect(foreign).toEqual(['react.ts react', 'verify-signature.ts standardwebhooks']);
});

it('the client uses no global that browsers lack', () => {
  const using = FILES.filter(({ source }) =>
    /\b(?:process\.|Buffer\b|require\(|setImmediate|__dirname)|node:/.test(source),
  );
  expect(using.map(({ file }) => file)).toEqual([]);
});
