import { expect, it } from 'vitest';
import { chooseHome } from './choose-home';

const [first, second, theirs] = [
  { id: 'a', organizationId: 'ours' },
  { id: 'b', organizationId: 'ours' },
  { id: 'c', organizationId: 'theirs' },
];
const projects = [theirs, first, second];
const organizationId = 'ours';

it('goes to the project shown last, whichever organization it belongs to', () => {
  expect(chooseHome(projects, { asked: null, last: 'b', organizationId })).toEqual({ project: second, stay: false });
  expect(chooseHome(projects, { asked: null, last: 'c', organizationId })).toEqual({ project: theirs, stay: false });
});

it('stays at the project that the URL asks for', () => {
  expect(chooseHome(projects, { asked: 'a', last: 'b', organizationId })).toEqual({ project: first, stay: true });
});

it('forgets a project that is gone or belongs to another account', () => {
  const wish = { asked: 'gone', last: 'gone too', organizationId };
  expect(chooseHome(projects, wish)).toEqual({ project: first, stay: false });
});

it('has no project for those who have none', () => {
  expect(chooseHome([], { asked: 'a', last: 'b', organizationId })).toEqual({ project: null, stay: false });
});

it('begins anew in an organization without projects, although another has some', () => {
  const wish = { asked: null, last: null, organizationId: 'empty' };
  expect(chooseHome(projects, wish)).toEqual({ project: null, stay: false });
});
