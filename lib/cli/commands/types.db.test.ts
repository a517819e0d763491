import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { CatalogueType } from '@/lib/events/schema';
import { TERMINAL, useCli } from '@/tests/cli/use-cli';
import { call } from '@/tests/http/api-request';

const { projects, group } = useCli();
const { run, json } = group('types');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'eds-types-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));
const fileOf = (document: unknown) => {
  const file = path.join(folder, 'webhooks.json');
  fs.writeFileSync(file, typeof document === 'string' ? document : JSON.stringify(document));
  return file;
};
const documentOf = (schema: object) => ({
  openapi: '3.1.0',
  webhooks: { 'order.paid': { post: { requestBody: { content: { 'application/json': { schema } } } } } },
});
const ORDER = { type: 'object', properties: { id: { type: 'string' }, amount: { type: 'integer' } }, required: ['id'] };

describe('eds types', () => {
  it('imports a document, which a dry run only looks at', async () => {
    const dry = await run(['import', fileOf(documentOf(ORDER)), '--dry-run']);
    expect([dry.code, dry.stderr]).toEqual([0, '✓ Would import the document: 1 new, 0 changed, 0 unchanged.\n']);
    expect(await json(['list'])).toEqual([]);
    const done = await run(['import', fileOf(documentOf(ORDER))]);
    expect([done.code, done.stderr]).toEqual([0, '✓ Imported the document: 1 new, 0 changed, 0 unchanged.\n']);
    expect(await json<CatalogueType>(['get', 'order.paid'])).toMatchObject({ name: 'order.paid', schema: ORDER });
  });

  it('lists what is defined and what was sent', async () => {
    const { key } = projects.mine;
    await call('POST', '/api/v1/events', { apiKey: key, body: { type: 'order.unknown', data: {} } });
    const { stdout } = await run(['list'], TERMINAL);
    expect(stdout).toMatch(/^NAME +STATUS +GROUP +SCHEMA/);
    expect(stdout).toMatch(/^order\.paid +ACTIVE +\S* *yes/m);
    expect(stdout).toMatch(/^order\.unknown +SEEN/m);
    expect(await json(['list', '--status', 'seen'])).toMatchObject([{ name: 'order.unknown' }]);
  });

  it('checks a document for a build: exit 1 with the paths where it breaks receivers', async () => {
    const broken = { ...ORDER, properties: { amount: { type: 'string' } }, required: ['currency'] };
    const checked = await run(['check', fileOf(documentOf(broken))]);
    expect(checked.code).toBe(1);
    expect(checked.stdout).toContain('order.paid\tdata.id\tis removed');
    expect(checked.stdout).toContain('order.paid\tdata.amount\tis string, and was integer');
    expect(checked.stdout).toContain('order.paid\tdata.currency\tis newly required');
    expect(checked.stderr).toContain('3 changes break what endpoints receive.');
    const kept = { ...ORDER, properties: { ...ORDER.properties, note: {} } };
    const harmless = await run(['check', fileOf(documentOf(kept))]);
    expect([harmless.code, harmless.stderr]).toEqual([
      0,
      '✓ Nothing breaks receivers: 0 new, 1 changed, 0 unchanged.\n',
    ]);
    const invalid = await run(['check', fileOf(documentOf({ pattern: 'x' }))]);
    expect(invalid.code).toBe(1);
    expect(invalid.stderr).toContain('document.webhooks.order.paid.schema.pattern');
    expect(await json<CatalogueType>(['get', 'order.paid'])).toMatchObject({ schema: ORDER });
  });

  it('exports what it imports, digit by digit', async () => {
    const text = JSON.stringify(documentOf({ const: 'NUMBER' })).replace('"NUMBER"', '12345678901234567890.10');
    await run(['import', fileOf(text)]);
    const { stdout } = await run(['export']);
    expect(stdout).toContain('"const": 12345678901234567890.10');
    expect((await run(['check', '-'], { stdin: stdout })).stderr).toContain('0 new, 0 changed, 1 unchanged');
  });

  it('proposes a schema from what was sent', async () => {
    expect(await json(['infer', 'order.unknown'])).toMatchObject({ eventCount: 1, schema: { type: 'object' } });
  });
});
