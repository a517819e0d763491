import { describe, expect, it } from 'vitest';
import { becomeRefusal, changeRefusal, findLastOwner, removeRefusal } from './member-refusals';

const owner = { userId: 'o', role: 'OWNER' } as const;
const second = { userId: 'o2', role: 'OWNER' } as const;
const admin = { userId: 'a', role: 'ADMIN' } as const;
const viewer = { userId: 'v', role: 'VIEWER' } as const;
const asking = (who: { userId: string; role: 'OWNER' | 'ADMIN' | 'VIEWER' }) => ({ mine: who.role, ownId: who.userId });

describe('changing a role', () => {
  it('is for admins, who may not touch owners', () => {
    const lastOwnerId = undefined;
    expect(changeRefusal({ ...asking(admin), member: viewer, lastOwnerId })).toBeUndefined();
    expect(changeRefusal({ ...asking(admin), member: owner, lastOwnerId })).toMatch('Only an owner');
    expect(changeRefusal({ ...asking(viewer), member: viewer, lastOwnerId })).toMatch('needs admin');
  });

  it('is refused for the last owner, and not for one of two', () => {
    expect(changeRefusal({ ...asking(owner), member: owner, lastOwnerId: 'o' })).toMatch('last owner');
    expect(changeRefusal({ ...asking(owner), member: second, lastOwnerId: undefined })).toBeUndefined();
  });

  it('makes owners at the hands of owners alone', () => {
    expect(becomeRefusal(asking(owner), 'OWNER')).toBeUndefined();
    expect(becomeRefusal(asking(admin), 'OWNER')).toMatch('Only an owner');
    expect(becomeRefusal(asking(admin), 'ADMIN')).toBeUndefined();
  });

  it('is left to the server while the own role is not known', () => {
    const unknown = { mine: undefined, ownId: 'a', member: owner, lastOwnerId: undefined };
    expect(changeRefusal(unknown)).toBeUndefined();
    expect(becomeRefusal(unknown, 'OWNER')).toBeUndefined();
    expect(removeRefusal(unknown)).toBeUndefined();
  });
});

describe('removing', () => {
  it('lets everybody leave but the last owner', () => {
    expect(removeRefusal({ ...asking(viewer), member: viewer, lastOwnerId: 'o' })).toBeUndefined();
    expect(removeRefusal({ ...asking(owner), member: owner, lastOwnerId: undefined })).toBeUndefined();
    expect(removeRefusal({ ...asking(owner), member: owner, lastOwnerId: 'o' })).toMatch('last owner');
  });

  it('of others is for admins, who may not touch owners', () => {
    expect(removeRefusal({ ...asking(admin), member: viewer, lastOwnerId: 'o' })).toBeUndefined();
    expect(removeRefusal({ ...asking(admin), member: second, lastOwnerId: undefined })).toMatch('Only an owner');
    expect(removeRefusal({ ...asking(viewer), member: admin, lastOwnerId: 'o' })).toMatch('needs admin');
    expect(removeRefusal({ ...asking(owner), member: second, lastOwnerId: undefined })).toBeUndefined();
  });
});

it('finds the last owner only where there is one owner', () => {
  expect(findLastOwner([viewer, owner, admin])).toBe(owner);
  expect(findLastOwner([second, owner])).toBeUndefined();
  expect(findLastOwner([])).toBeUndefined();
});
