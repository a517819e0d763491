import { expect, it } from 'vitest';
import { chooseScope } from './choose-scope';

const lastEventAt = null;
const ours = {
  id: 'ours',
  projects: [
    { id: 'shop', lastEventAt },
    { id: 'blog', lastEventAt },
  ],
};
const theirs = { id: 'theirs', projects: [{ id: 'bank', lastEventAt }] };
const empty = { id: 'empty', projects: [] };
const all = [ours, theirs, empty];
const NOWHERE = { projectId: undefined, organizationId: undefined, lastProjectId: null, homeId: undefined };

it('chooses the project of the URL and its organization', () => {
  const scope = chooseScope(all, { ...NOWHERE, projectId: 'bank', lastProjectId: 'shop', homeId: 'ours' });
  expect(scope).toEqual({ project: theirs.projects[0], organization: theirs });
});

it('chooses the organization of the URL, with the last project if it belongs to it, else its busiest', () => {
  const at = (organizationId: string) => chooseScope(all, { ...NOWHERE, organizationId, lastProjectId: 'blog' });
  expect(at('ours')).toEqual({ project: ours.projects[1], organization: ours });
  expect(at('theirs')).toEqual({ project: theirs.projects[0], organization: theirs });
  expect(at('empty')).toEqual({ project: undefined, organization: empty });
});

it('chooses no project when the one of the URL is unknown', () => {
  expect(chooseScope(all, { ...NOWHERE, projectId: 'gone', homeId: 'ours' }).project).toBeUndefined();
});

it('chooses the last project when the URL names neither', () => {
  expect(chooseScope(all, { ...NOWHERE, lastProjectId: 'bank', homeId: 'ours' }).organization).toBe(theirs);
});

it('falls back to the organization of the session, also without projects', () => {
  expect(chooseScope(all, { ...NOWHERE, lastProjectId: 'gone', homeId: 'empty' })).toEqual({
    project: undefined,
    organization: empty,
  });
});

it('falls back to the first organization when the session is in none', () => {
  expect(chooseScope(all, { ...NOWHERE, homeId: 'gone' }).organization).toBe(ours);
  expect(chooseScope([], NOWHERE).organization).toBeUndefined();
});
