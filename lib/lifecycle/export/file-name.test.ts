import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exportFileName } from './export-organization';

const at = new Date('2026-11-21T23:59:59.999Z');

it.each([
  ['Acme', 'acme'],
  ['Émile & Söhne GmbH', 'emile-sohne-gmbh'],
  ['a"; filename="evil.exe', 'a-filename-evil-exe'],
  ['../../etc/passwd', 'etc-passwd'],
  ['株式会社', 'organization'],
])('names the export of %j', (name, stem) => {
  expect(exportFileName(name, at)).toBe(`${stem}-export-2026-11-21.json`);
});

it('always fits into a header and a file system', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (name) => {
      const fileName = exportFileName(name, at);
      expect(fileName).toMatch(/^[a-z0-9][a-z0-9-]*-export-2026-11-21\.json$/);
      expect(fileName.length).toBeLessThan(70);
    }),
  );
});
