import { expect, it } from 'vitest';
import { chooseHome } from './choose-home';

const [first, second, theirs] = [
  { id: 'a', organizationId: 'ours', lastEventAt: null },
  { id: 'b', organizationId: 'ours', lastEventAt: null },
  { id: 'c', organizationId: 'theirs', lastEventAt: '2026-03-01T00:00:00.000Z' },
];
const projects = [theirs, first, second];
const organizationId = 'ours';

it('chooses the last opened project of any organization', () => {
  expect(chooseHome(projects, { asked: null, last: 'b', organizationId })).toEqual({ project: second, stay: false });
  expect(chooseHome(projects, { asked: null, last: 'c', organizationId })).toEqual({ project: theirs, stay: false });
});

it('stays on the project of the URL', () => {
  expect(chooseHome(projects, { asked: 'a', last: 'b', organizationId })).toEqual({ project: first, stay: true });
});

it('chooses the project of the organization with the newest event in a fresh browser', () => {
  const [quiet, busy] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'];
  const wish = { asked: null, last: null, organizationId };
  const used = [first, { ...first, id: 'q', lastEventAt: quiet }, { ...second, lastEventAt: busy }, theirs];
  expect(chooseHome(used, wish).project?.id).toBe('b');
});

it('ignores a deleted project and one of another account', () => {
  const wish = { asked: 'gone', last: 'gone too', organizationId };
  expect(chooseHome(projects, wish)).toEqual({ project: first, stay: false });
});

it('chooses no project when there are none', () => {
  expect(chooseHome([], { asked: 'a', last: 'b', organizationId })).toEqual({ project: null, stay: false });
});

it('chooses no project in an empty organization, although another organization has some', () => {
  const wish = { asked: null, last: null, organizationId: 'empty' };
  expect(chooseHome(projects, wish)).toEqual({ project: null, stay: false });
});
