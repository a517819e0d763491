import { expect, it } from 'vitest';
import { chooseHome } from './choose-home';

const [first, second] = [{ id: 'a' }, { id: 'b' }];
const projects = [first, second];

it('goes to the project shown last', () => {
  expect(chooseHome(projects, { asked: null, last: 'b' })).toEqual({ project: second, stay: false });
});

it('stays at the project that the URL asks for', () => {
  expect(chooseHome(projects, { asked: 'a', last: 'b' })).toEqual({ project: first, stay: true });
});

it('forgets a project that is gone or belongs to another account', () => {
  expect(chooseHome(projects, { asked: 'gone', last: 'gone too' })).toEqual({ project: first, stay: false });
});

it('has no project for those who have none', () => {
  expect(chooseHome([], { asked: 'a', last: 'b' })).toEqual({ project: null, stay: false });
});
