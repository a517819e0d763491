import { expect, it } from 'vitest';
import { Name } from '@/lib/platform/text';
import { defaultOrganizationName } from './organization-name';

it.each([
  [{ name: 'Ada Lovelace', email: 'x@example.com' }, "Ada's organization"],
  [{ name: null, email: 'ada.lovelace@example.com' }, "Ada's organization"],
  [{ name: null, email: 'ada+work@example.com' }, "Ada's organization"],
  [{ name: '李小龙', email: 'x@example.com' }, "李小龙's organization"],
  [{ name: '!!!', email: 'émile@example.com' }, "Émile's organization"],
  [{ name: null, email: '_@example.com' }, "_@example.com's organization"],
])('names the organization of %j %s', (person, name) => {
  expect(defaultOrganizationName(person)).toBe(name);
});

it('the name is valid, however long the name of the person is', () => {
  const names = ['n'.repeat(100), '😀'.repeat(50), `${'n'.repeat(84)}😀`];
  for (const name of names) {
    expect(Name.safeParse(defaultOrganizationName({ name, email: 'a@example.com' })).success).toBe(true);
  }
});
