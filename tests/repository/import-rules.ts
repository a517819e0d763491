/** One row of the ranking. Patterns name a file without its extension, a folder, or a package; `*` is any one name. */
interface Rank {
  folder: string;
  /** Tests are not narrowed: they may look at everything below them. */
  neverImports?: string[];
  fromLibOnly?: string[];
  because?: string;
}

const FRAMEWORK = ['next'];
const DATABASE = [
  'pg',
  '@prisma',
  'lib/platform/prisma',
  'lib/platform/db',
  'lib/platform/retry-locked-transaction',
  'lib/platform/database-client',
  'lib/platform/database-pool',
];
const SHAPES = ['lib/*/schema', 'lib/*/types', 'lib/*/policy', 'lib/*/*-policy', 'lib/*/*/*-policy'];

const domain = (name: string): Rank => ({
  folder: `lib/${name}`,
  neverImports: FRAMEWORK,
  because: 'A domain works without the web framework.',
});

/** From top to bottom: a file may import from its own folder and from every folder below it, unless its row narrows that. */
export const RANKS: readonly Rank[] = [
  { folder: 'scripts/bench' },
  { folder: 'scripts/fuzz' },
  { folder: 'scripts/screenshots' },
  { folder: 'scripts/test' },
  { folder: 'e2e', neverImports: ['app', 'components'], because: 'A journey sees what the browser sees.' },
  { folder: 'tests' },
  { folder: 'scripts', neverImports: ['app', 'components'], because: 'A process starts what lib/ offers.' },
  { folder: 'proxy', neverImports: DATABASE, because: 'The proxy only sets headers.' },
  {
    folder: 'app',
    neverImports: DATABASE,
    because: 'A page composes components; a route.ts mounts a route of lib/api.',
  },
  {
    folder: 'components',
    fromLibOnly: SHAPES,
    because: 'A component knows the shapes of a domain and calls its API over HTTP.',
  },
  {
    folder: 'lib/cli',
    fromLibOnly: [
      ...SHAPES,
      'lib/client',
      'lib/tunnel/client',
      'lib/platform/process-lock',
      'lib/platform/make-folder',
      'lib/platform/terminal',
      'lib/events/member-text',
      'lib/platform/net/parse-url',
    ],
    because: 'A command calls the API over HTTP, on a machine that has nothing else of the service.',
  },
  {
    folder: 'lib/client',
    fromLibOnly: [...SHAPES, 'lib/platform/errors', 'lib/platform/pagination'],
    because: 'The client is a package of its own: from the service it takes only types.',
  },
  {
    folder: 'lib/api',
    neverImports: [...DATABASE, ...FRAMEWORK],
    because: 'A route declares who may call and what comes in; its domain does the work.',
  },
  { folder: 'lib/http', fromLibOnly: ['lib/platform'], because: 'Who a caller is comes from lib/api/callers.ts.' },
  domain('admin'),
  domain('search'),
  domain('changes'),
  domain('usage'),
  domain('lifecycle'),
  domain('retention'),
  domain('alerts'),
  domain('stats'),
  domain('tunnel'),
  domain('jobs'),
  domain('incoming'),
  domain('portal'),
  domain('delivery'),
  domain('events'),
  domain('customers'),
  domain('keys'),
  domain('idp'),
  domain('auth'),
  domain('orgs'),
  domain('accounts'),
  domain('audit'),
  { folder: 'lib/platform', because: 'It knows no domain.' },
];

export const EXCEPTIONS: readonly { file: string; imports: string; because: string }[] = [
  {
    file: 'lib/api/operations/check-readiness.ts',
    imports: 'lib/platform/db',
    because: 'Readiness is whether the database answers; no domain owns that question.',
  },
  {
    file: 'lib/api/identity-provider/idp.db.test.ts',
    imports: 'e2e/support',
    because: 'It signs in through the OpenID provider that the browser tests run.',
  },
];

/**
 * Tells why `file` must not import `imported`.
 * @param file a path from the root
 * @param imported a path from the root without its extension, or the name of a package
 * @returns one sentence, or null when the import is allowed
 */
export function findBrokenRule(file: string, imported: string): string | null {
  const from = rankOf(file);
  const to = rankOf(imported);
  const isTest = /\.(test|spec)\.tsx?$/.test(file);
  if (from === null || EXCEPTIONS.some((each) => each.file === file && isWithin(imported, [each.imports]))) return null;
  if (to !== null && to.index < from.index && !(isTest && to.rank.folder === 'tests')) {
    return `${from.rank.folder} is below ${to.rank.folder}: imports point downwards.`;
  }
  if (isTest) return null;
  const { neverImports = [], fromLibOnly, because = '' } = from.rank;
  const isNarrowed = fromLibOnly !== undefined && isWithin(imported, ['lib']) && to?.rank !== from.rank;
  if (isWithin(imported, neverImports) || (isNarrowed && !isWithin(imported, fromLibOnly))) return because;
  return null;
}

/** The row with the longest folder that holds the path; null for a package. */
function rankOf(path: string): { rank: Rank; index: number } | null {
  const holding = RANKS.map((rank, index) => ({ rank, index })).filter(({ rank }) => isWithin(path, [rank.folder]));
  return holding.sort((a, b) => b.rank.folder.length - a.rank.folder.length)[0] ?? null;
}

function isWithin(path: string, patterns: string[]): boolean {
  return patterns.some((pattern) => new RegExp(`^${pattern.replaceAll('*', '[^/]*')}(?:[./]|$)`).test(path));
}
