import { describe, expect, it } from 'vitest';
import { assignDisabledReason, changeDisabledReason, findLastOwner, removeDisabledReason } from './use-members';

const owner = { userId: 'o', role: 'OWNER' } as const;
const second = { userId: 'o2', role: 'OWNER' } as const;
const admin = { userId: 'a', role: 'ADMIN' } as const;
const viewer = { userId: 'v', role: 'VIEWER' } as const;
const asking = (who: { userId: string; role: 'OWNER' | 'ADMIN' | 'VIEWER' }) => ({ mine: who.role, ownId: who.userId });

describe('changing a role', () => {
  it('is allowed for admins, except for owners', () => {
    const lastOwnerId = undefined;
    expect(changeDisabledReason({ ...asking(admin), member: viewer, lastOwnerId })).toBeUndefined();
    expect(changeDisabledReason({ ...asking(admin), member: owner, lastOwnerId })).toMatch('Only an owner');
    expect(changeDisabledReason({ ...asking(viewer), member: viewer, lastOwnerId })).toMatch('needs admin');
  });

  it('is refused for the last owner, but not for one of two', () => {
    expect(changeDisabledReason({ ...asking(owner), member: owner, lastOwnerId: 'o' })).toMatch('last owner');
    expect(changeDisabledReason({ ...asking(owner), member: second, lastOwnerId: undefined })).toBeUndefined();
  });

  it('lets only owners make owners', () => {
    expect(assignDisabledReason(asking(owner), 'OWNER')).toBeUndefined();
    expect(assignDisabledReason(asking(admin), 'OWNER')).toMatch('Only an owner');
    expect(assignDisabledReason(asking(admin), 'ADMIN')).toBeUndefined();
  });

  it('is left to the server while the role of the person is unknown', () => {
    const unknown = { mine: undefined, ownId: 'a', member: owner, lastOwnerId: undefined };
    expect(changeDisabledReason(unknown)).toBeUndefined();
    expect(assignDisabledReason(unknown, 'OWNER')).toBeUndefined();
    expect(removeDisabledReason(unknown)).toBeUndefined();
  });
});

describe('removing', () => {
  it('lets everyone except the last owner leave', () => {
    expect(removeDisabledReason({ ...asking(viewer), member: viewer, lastOwnerId: 'o' })).toBeUndefined();
    expect(removeDisabledReason({ ...asking(owner), member: owner, lastOwnerId: undefined })).toBeUndefined();
    expect(removeDisabledReason({ ...asking(owner), member: owner, lastOwnerId: 'o' })).toMatch('last owner');
  });

  it('lets admins remove others, except owners', () => {
    expect(removeDisabledReason({ ...asking(admin), member: viewer, lastOwnerId: 'o' })).toBeUndefined();
    expect(removeDisabledReason({ ...asking(admin), member: second, lastOwnerId: undefined })).toMatch('Only an owner');
    expect(removeDisabledReason({ ...asking(viewer), member: admin, lastOwnerId: 'o' })).toMatch('needs admin');
    expect(removeDisabledReason({ ...asking(owner), member: second, lastOwnerId: undefined })).toBeUndefined();
  });
});

it('finds the last owner only when there is exactly one', () => {
  expect(findLastOwner([viewer, owner, admin])).toBe(owner);
  expect(findLastOwner([second, owner])).toBeUndefined();
  expect(findLastOwner([])).toBeUndefined();
});
