import { expect, it } from 'vitest';
import { chooseHome } from './choose-home';

const [first, second, theirs] = [
  { id: 'a', organizationId: 'ours' },
  { id: 'b', organizationId: 'ours' },
  { id: 'c', organizationId: 'theirs' },
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
