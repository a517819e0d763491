import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findCircles, listImports, readImports } from './import-graph';
import { findBrokenRule, RANKS } from './import-rules';

const FORBIDDEN: [string, string][] = [
  ['app/(dashboard)/page.tsx', 'lib/platform/db'],
  ['app/(dashboard)/page.tsx', 'pg'],
  ['components/keys/key-table.tsx', 'lib/keys/create-key'],
  ['components/keys/key-table.tsx', 'lib/platform/db'],
  ['components/keys/key-table.tsx', 'lib/api/keys'],
  ['components/keys/key-table.tsx', 'app/layout'],
  ['lib/client/resources/events.ts', 'lib/events/queries'],
  ['lib/client/transport.ts', 'lib/platform/config/config'],
  ['lib/keys/queries.ts', 'lib/client/client'],
  ['lib/platform/db.ts', 'lib/keys/queries'],
  ['lib/platform/db.ts', 'lib/http/route'],
  ['lib/platform/db.ts', 'tests/fixtures/people'],
  ['lib/http/route.ts', 'lib/keys/queries'],
  ['lib/keys/queries.ts', 'lib/http/route'],
  ['lib/keys/queries.ts', 'lib/events/queries'],
  ['lib/keys/queries.db.test.ts', 'lib/events/queries'],
  ['lib/audit/record-audit.ts', 'lib/admin/queries'],
  ['lib/keys/queries.ts', 'next/server'],
  ['lib/api/keys.ts', 'next/server'],
  ['lib/api/keys.ts', 'pg'],
  ['lib/api/keys.ts', 'lib/platform/db'],
  ['scripts/web.ts', 'components/ui/button'],
  ['scripts/web.ts', 'scripts/bench/support/seed'],
];

const ALLOWED: [string, string][] = [
  ['app/(dashboard)/page.tsx', 'components/keys/key-table'],
  ['app/api/v1/events/route.ts', 'lib/api/table'],
  ['components/keys/key-table.tsx', 'lib/keys/schema'],
  ['components/keys/key-table.tsx', 'components/ui/button'],
  ['lib/client/resources/events.ts', 'lib/events/schema'],
  ['lib/http/route.ts', 'lib/platform/errors'],
  ['lib/http/route.ts', 'lib/http/table'],
  ['lib/events/queries.ts', 'lib/keys/queries'],
  ['lib/keys/queries.ts', 'lib/platform/db'],
  ['lib/keys/queries.db.test.ts', 'tests/fixtures/people'],
  ['lib/idp/round-trip.ts', 'next-auth'],
  ['lib/api/keys.ts', 'lib/keys/queries'],
  ['lib/api/keys.db.test.ts', 'lib/platform/db'],
  ['scripts/web.ts', 'lib/api/table'],
];

describe('the import rules', () => {
  it.each(FORBIDDEN)('forbid %s to import %s', (file, imported) => {
    expect(findBrokenRule(file, imported)).not.toBeNull();
  });

  it.each(ALLOWED)('let %s import %s', (file, imported) => {
    expect(findBrokenRule(file, imported)).toBeNull();
  });

  it('rank every folder of lib/', () => {
    const folders = readdirSync('lib').map((name) => `lib/${name}`);
    expect(folders.filter((folder) => !RANKS.some((rank) => rank.folder === folder))).toEqual([]);
  });
});

describe('the reader of imports', () => {
  it('finds every form of an import, and none in a string', () => {
    const source = [
      "import a, { type B } from '@/lib/a';",
      "import {\n  c,\n} from './c';",
      "export type { D } from './d/d.ts';",
      "import './e.css';",
      "import pg from 'pg';",
      "const f = await import('@/lib/f');",
      "const text = `import g from 'g'`;",
      "export const from = (h) => h;\nfind('i');",
    ];
    const found = listImports('lib/x/y.ts', source.join('\n')).map(({ imported }) => imported);
    expect(found).toEqual(['lib/a', 'lib/x/c', 'lib/x/d/d', 'lib/x/e.css', 'pg', 'lib/f']);
  });

  it('finds a circle through several files, and no circle where paths meet', () => {
    const edges = ['a>b', 'b>c', 'c>a', 'c>d', 'b>d', 'd>e', 'a>e'].map((edge) => edge.split('>'));
    const imports = edges.map(([file = '', imported = '']) => ({ file: `${file}.ts`, imported }));
    expect(findCircles(imports)).toEqual([['a.ts', 'b.ts', 'c.ts']]);
  });
});

describe('the sources', () => {
  const imports = readImports();

  it('import only what the ranks allow', () => {
    const broken = imports.flatMap(({ file, imported }) => {
      const rule = findBrokenRule(file, imported);
      return rule === null ? [] : [`${file} imports ${imported}. ${rule}`];
    });
    expect(imports.length).toBeGreaterThan(1_000);
    expect(broken).toEqual([]);
  });

  it('import across folders from "@/", within a folder from "./"', () => {
    // A file that Node runs before anything is bundled does not know "@/".
    const bundled = imports.filter(({ file }) => !/^scripts\/.*\.mjs$/.test(file));
    expect(bundled.filter(({ specifier }) => specifier.startsWith('..'))).toEqual([]);
  });

  it('import each other in no circle', () => {
    expect(findCircles(imports)).toEqual([]);
  });
});
