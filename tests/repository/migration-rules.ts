/** A step of a migration that the previous version might not survive. */
export interface Finding {
  rule: keyof typeof RULES;
  /** The statement, on one line, without names in quotes. */
  statement: string;
}

/** Tables that grow with the traffic: building an index on one blocks its writes for minutes. */
const BIG_TABLES = [
  'events',
  'deliveries',
  'delivery_attempts',
  'incoming_events',
  'outbox',
  'tunnel_request_log',
  'audit_log',
];

/** Why each rule exists (docs/decisions/051-expand-then-contract.md). */
export const RULES = {
  drop: 'The previous version may use what is dropped.',
  rename: 'The previous version uses the old name.',
  schema: 'The previous version looks for the table where it was.',
  type: 'The table is rewritten under an exclusive lock, and the previous version expects the old type.',
  'set not null': 'The previous version may write null, and every row is read under an exclusive lock.',
  'not null without default': 'The previous version inserts rows without the column.',
  'volatile default': 'The table is rewritten under an exclusive lock.',
  check: 'Every row is read under an exclusive lock, and the previous version may break the check: add it NOT VALID.',
  'index on a big table': 'Building it blocks every write. Retention creates it CONCURRENTLY.',
  'unique index': 'The previous version may write duplicates.',
  'foreign key': 'Every row is read while writes wait: add it NOT VALID.',
  'change of rows': 'Rows stay locked until the migration ends. Move them in batches.',
  'own lock timeout': 'applyMigrations sets one; another could let queries wait behind a lock without end.',
} as const;

/**
 * Finds the steps of a migration that the previous version might not survive. Whatever a statement does to a table that the same
 * migration creates is fine: no version uses it yet.
 */
export function findRisks(sql: string): Finding[] {
  const statements = splitStatements(sql);
  const created = new Set(
    statements.flatMap((text) => /^CREATE TABLE (?:IF NOT EXISTS )?([\w.]+)/i.exec(text)?.[1] ?? []),
  );
  return statements.flatMap((statement) =>
    rulesOf(statement, created).map((rule) => ({ rule, statement: statement.slice(0, 160) })),
  );
}

/** Drops comments, the bodies of functions and quotes of names, so that one pattern matches either spelling. */
function splitStatements(sql: string): string[] {
  return sql
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, '$body$')
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll('"', '')
    .split(';')
    .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    .filter((text) => text !== '');
}

function rulesOf(statement: string, created: Set<string>): Finding['rule'][] {
  const has = (pattern: RegExp) => pattern.test(statement);
  if (has(/^ALTER TABLE/i)) return rulesOfAlter(statement, created);
  if (has(/^CREATE (UNIQUE )?INDEX/i)) return rulesOfIndex(statement, created);
  if (has(/^ALTER TYPE/i)) return has(/ ADD VALUE /i) ? [] : [has(/ RENAME /i) ? 'rename' : 'type'];
  if (has(/^ALTER \w+ .* RENAME /i)) return ['rename'];
  if (has(/^DROP /i)) return ['drop'];
  if (has(/^(UPDATE|DELETE|TRUNCATE|MERGE)\b/i)) return ['change of rows'];
  if (has(/^SET (LOCAL |SESSION )?lock_timeout/i) || has(/^LOCK /i)) return ['own lock timeout'];
  return [];
}

function rulesOfAlter(statement: string, created: Set<string>): Finding['rule'][] {
  const table = /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?([\w.]+)/i.exec(statement)?.[1] ?? '';
  if (created.has(table)) return [];
  return splitActions(statement).flatMap((action): Finding['rule'][] => {
    const has = (pattern: RegExp) => pattern.test(action);
    if (has(/\bRENAME\b/i)) return ['rename'];
    if (has(/\bSET SCHEMA\b/i)) return ['schema'];
    if (has(/\bDROP (?!DEFAULT|NOT NULL|EXPRESSION)/i)) return ['drop'];
    if (has(/\bALTER (COLUMN )?\w+ (SET DATA )?TYPE\b/i)) return ['type'];
    if (has(/\bALTER (COLUMN )?\w+ SET NOT NULL\b/i)) return ['set not null'];
    if (has(/\bADD CONSTRAINT .*\bFOREIGN KEY\b/i)) return has(/\bNOT VALID\b/i) ? [] : ['foreign key'];
    if (has(/\bADD CONSTRAINT .*\b(UNIQUE|PRIMARY KEY|EXCLUDE)\b/i)) return ['unique index'];
    if (has(/\bADD (CONSTRAINT .*)?CHECK\b/i)) return has(/\bNOT VALID\b/i) ? [] : ['check'];
    if (!has(/\bADD (COLUMN )?\w+ /i)) return [];
    const isVolatile = has(/\bDEFAULT (?!now\(\))\w+\(/i) || has(/\b(BIG|SMALL)?SERIAL\b|\bGENERATED\b/i);
    return [
      ...(has(/\bNOT NULL\b/i) && !has(/\bDEFAULT\b/i) ? (['not null without default'] as const) : []),
      ...(isVolatile ? (['volatile default'] as const) : []),
    ];
  });
}

/** Splits the actions of an ALTER TABLE at the commas outside parentheses. */
function splitActions(statement: string): string[] {
  const actions = [''];
  let depth = 0;
  for (const character of statement) {
    if ('(['.includes(character)) depth += 1;
    if (')]'.includes(character)) depth -= 1;
    if (character === ',' && depth === 0) actions.push('');
    else actions[actions.length - 1] += character;
  }
  return actions;
}

function rulesOfIndex(statement: string, created: Set<string>): Finding['rule'][] {
  const [, unique, table = ''] = /^CREATE (UNIQUE )?INDEX .*?\bON (?:ONLY )?([\w.]+)/i.exec(statement) ?? [];
  if (created.has(table)) return [];
  return [
    ...(BIG_TABLES.includes(table) ? (['index on a big table'] as const) : []),
    ...(unique === undefined ? [] : (['unique index'] as const)),
  ];
}
