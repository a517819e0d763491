import { expect, it } from 'vitest';
import { chooseScope } from './choose-scope';

const ours = { id: 'ours', projects: [{ id: 'shop' }, { id: 'blog' }] };
const theirs = { id: 'theirs', projects: [{ id: 'bank' }] };
const empty = { id: 'empty', projects: [] };
const all = [ours, theirs, empty];
const NOWHERE = { projectId: undefined, organizationId: undefined, lastProjectId: null, homeId: undefined };

it('is about the project of the URL, and the organization that it belongs to', () => {
  const scope = chooseScope(all, { ...NOWHERE, projectId: 'bank', lastProjectId: 'shop', homeId: 'ours' });
  expect(scope).toEqual({ project: theirs.projects[0], organization: theirs });
});

it('is about the organization of the URL, with the last project only when it is one of its own, else the first', () => {
  const at = (organizationId: string) => chooseScope(all, { ...NOWHERE, organizationId, lastProjectId: 'blog' });
  expect(at('ours')).toEqual({ project: ours.projects[1], organization: ours });
  expect(at('theirs')).toEqual({ project: theirs.projects[0], organization: theirs });
  expect(at('empty')).toEqual({ project: undefined, organization: empty });
});

it('takes no other project for one of the URL that is not ours', () => {
  expect(chooseScope(all, { ...NOWHERE, projectId: 'gone', homeId: 'ours' }).project).toBeUndefined();
});

it('stays, where the URL names neither, with the project shown last', () => {
  expect(chooseScope(all, { ...NOWHERE, lastProjectId: 'bank', homeId: 'ours' }).organization).toBe(theirs);
});

it('falls back to the organization of the session, also when that has no project', () => {
  expect(chooseScope(all, { ...NOWHERE, lastProjectId: 'gone', homeId: 'empty' })).toEqual({
    project: undefined,
    organization: empty,
  });
});

it('shows the first organization to a session that is in none of them any more', () => {
  expect(chooseScope(all, { ...NOWHERE, homeId: 'gone' }).organization).toBe(ours);
  expect(chooseScope([], NOWHERE).organization).toBeUndefined();
});
