import { describe, expect, it } from 'vitest';
import {
  assignDisabledReason,
  changeDisabledReason,
  findLastOwner,
  removeDisabledReason,
} from './member-disabled-reasons';

const owner = { userId: 'o', role: 'OWNER' } as const;
const second = { userId: 'o2', role: 'OWNER' } as const;
const admin = { userId: 'a', role: 'ADMIN' } as const;
const viewer = { userId: 'v', role: 'VIEWER' } as const;
const asking = (who: { userId: string; role: 'OWNER' | 'ADMIN' | 'VIEWER' }) => ({ mine: who.role, ownId: who.userId });

describe('changing a role', () => {
  it('is for admins, who may not touch owners', () => {
    const lastOwnerId = undefined;
    expect(changeDisabledReason({ ...asking(admin), member: viewer, lastOwnerId })).toBeUndefined();
    expect(changeDisabledReason({ ...asking(admin), member: owner, lastOwnerId })).toMatch('Only an owner');
    expect(changeDisabledReason({ ...asking(viewer), member: viewer, lastOwnerId })).toMatch('needs admin');
  });

  it('is refused for the last owner, and not for one of two', () => {
    expect(changeDisabledReason({ ...asking(owner), member: owner, lastOwnerId: 'o' })).toMatch('last owner');
    expect(changeDisabledReason({ ...asking(owner), member: second, lastOwnerId: undefined })).toBeUndefined();
  });

  it('makes owners at the hands of owners alone', () => {
    expect(assignDisabledReason(asking(owner), 'OWNER')).toBeUndefined();
    expect(assignDisabledReason(asking(admin), 'OWNER')).toMatch('Only an owner');
    expect(assignDisabledReason(asking(admin), 'ADMIN')).toBeUndefined();
  });

  it('is left to the server while the own role is not known', () => {
    const unknown = { mine: undefined, ownId: 'a', member: owner, lastOwnerId: undefined };
    expect(changeDisabledReason(unknown)).toBeUndefined();
    expect(assignDisabledReason(unknown, 'OWNER')).toBeUndefined();
    expect(removeDisabledReason(unknown)).toBeUndefined();
  });
});

describe('removing', () => {
  it('lets everybody leave but the last owner', () => {
    expect(removeDisabledReason({ ...asking(viewer), member: viewer, lastOwnerId: 'o' })).toBeUndefined();
    expect(removeDisabledReason({ ...asking(owner), member: owner, lastOwnerId: undefined })).toBeUndefined();
    expect(removeDisabledReason({ ...asking(owner), member: owner, lastOwnerId: 'o' })).toMatch('last owner');
  });

  it('of others is for admins, who may not touch owners', () => {
    expect(removeDisabledReason({ ...asking(admin), member: viewer, lastOwnerId: 'o' })).toBeUndefined();
    expect(removeDisabledReason({ ...asking(admin), member: second, lastOwnerId: undefined })).toMatch('Only an owner');
    expect(removeDisabledReason({ ...asking(viewer), member: admin, lastOwnerId: 'o' })).toMatch('needs admin');
    expect(removeDisabledReason({ ...asking(owner), member: second, lastOwnerId: undefined })).toBeUndefined();
  });
});

it('finds the last owner only where there is one owner', () => {
  expect(findLastOwner([viewer, owner, admin])).toBe(owner);
  expect(findLastOwner([second, owner])).toBeUndefined();
  expect(findLastOwner([])).toBeUndefined();
});
