import { describe, expect, it } from 'vitest';
import { readMigrations } from '@/lib/platform/migrate/migrations';
import { type Finding, findRisks, RULES } from './migration-rules';

/** Steps that break a rule, by migration, with the reason why that is safe. A rule may be broken several times. */
const ALLOWED: Record<string, { rules: Finding['rule'][]; because: string }> = {
  '20261126110000_indexes_of_pending_deliveries': {
    rules: ['drop', 'index on a big table'],
    because: 'nothing is released yet; the previous version reads these deliveries more slowly',
  },
  '20261126120000_mails_in_two_classes': {
    rules: ['index on a big table'],
    because: 'nothing is released yet, and an outbox is empty most of the time',
  },
  '20261126170000_audit_log_by_target': {
    rules: ['index on a big table'],
    because: 'nothing is released yet',
  },
  '20261127120000_types_of_incoming_events': {
    rules: ['index on a big table'],
    because: 'nothing is released yet',
  },
  '20261127150000_endpoint_options': {
    rules: ['unique index'],
    because: 'the column is new: the previous version writes none',
  },
  '20261127180000_customers': {
    rules: ['drop', 'index on a big table'],
    because: 'nothing is released yet: the previous version finds subscriptions more slowly',
  },
  '20261127190000_outbox_by_customer': {
    rules: ['drop', 'index on a big table'],
    because: 'nothing is released yet, and an outbox is empty most of the time',
  },
  '20261128000000_pending_deliveries_by_project': {
    rules: ['index on a big table'],
    because: 'nothing is released yet',
  },
  '20261128003000_first_cell': {
    rules: ['schema'],
    because: 'nothing is released yet: the previous version must be stopped',
  },
  '20261129010000_cells': {
    rules: ['drop'],
    because: 'nothing is released yet: retention of the previous version finds no partitions, and few mails wait',
  },
  '20261129030000_url_tokens': {
    rules: ['schema'],
    because: 'the previous version finds the table by its search path too',
  },
  '20261129070000_notes_of_moves_in_cells': {
    rules: ['drop'],
    because:
      'no organization moves during a migration, and a mover of the previous version, which would miss notes, fails at once',
  },
  '20261129090000_sweeps_of_erased_people': {
    rules: ['index on a big table', 'drop', 'drop'],
    because:
      'nothing is released yet: the new indexes serve the previous version too, but for its search of erased people',
  },
  '20261130020000_turns_of_mails': {
    rules: ['drop'],
    because: 'the previous version finds the few mails that wait by the index of due ones',
  },
};

const risksOf = (sql: string) => findRisks(sql).map(({ rule }) => rule);

describe('a migration (docs/decisions/051-expand-then-contract.md)', () => {
  it.each(readMigrations('prisma/migrations'))('leaves the previous version running: $name', ({ name, sql }) => {
    const allowed = ALLOWED[name]?.rules ?? [];
    const found = findRisks(sql).filter(({ rule }) => !allowed.includes(rule));
    expect(found.map(({ rule, statement }) => `${statement}: ${RULES[rule]}`)).toEqual([]);
  });

  it('has no exception that it does not need', () => {
    const needed = Object.fromEntries(readMigrations('prisma/migrations').map(({ name, sql }) => [name, risksOf(sql)]));
    const unneeded = Object.entries(ALLOWED).flatMap(([name, { rules }]) =>
      rules.filter((rule) => !needed[name]?.includes(rule)).map((rule) => `${name}: ${rule}`),
    );
    expect(unneeded).toEqual([]);
  });
});

describe('a step that the previous version might not survive', () => {
  it.each([
    ['ALTER TABLE "users" DROP COLUMN "name"', 'drop'],
    ['DROP TABLE users', 'drop'],
    ['ALTER TABLE "users" RENAME COLUMN "name" TO "title"', 'rename'],
    ['ALTER TABLE users SET SCHEMA elsewhere', 'schema'],
    [`ALTER TYPE "Role" RENAME VALUE 'OWNER' TO 'BOSS'`, 'rename'],
    ['ALTER TABLE users ALTER COLUMN name TYPE varchar(10)', 'type'],
    ['ALTER TABLE "users" ALTER COLUMN "name" SET NOT NULL', 'set not null'],
    ['ALTER TABLE users ADD COLUMN a int, ADD COLUMN b text NOT NULL', 'not null without default'],
    ['ALTER TABLE users ADD COLUMN b uuid DEFAULT gen_random_uuid()', 'volatile default'],
    ['ALTER TABLE users ADD COLUMN b bigserial', 'volatile default'],
    ['ALTER TABLE users ADD CONSTRAINT c CHECK (a > 0)', 'check'],
    ['ALTER TABLE users ADD CONSTRAINT c FOREIGN KEY (a) REFERENCES b(id)', 'foreign key'],
    ['ALTER TABLE users ADD CONSTRAINT c UNIQUE (a)', 'unique index'],
    ['CREATE UNIQUE INDEX i ON users(a)', 'unique index'],
    ['CREATE INDEX "i" ON "events"("a")', 'index on a big table'],
    ['UPDATE users SET a = 1', 'change of rows'],
    ['LOCK TABLE users', 'own lock timeout'],
  ])('is found: %s', (sql, rule) => {
    expect(risksOf(`-- a comment; DROP TABLE x\nSELECT 1;\n${sql};`)).toEqual([rule]);
  });
});
