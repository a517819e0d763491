import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { KeyCaller } from '@/lib/audit/caller';
import { config } from '@/lib/platform/config/config';
import { shareConnections } from '@/lib/platform/connection-shares';
import { database } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import { noteActive } from '@/lib/platform/pace';
import { HIGHEST_ID } from '@/lib/platform/sql/bounded-scan';
import { threadTime } from '@/lib/platform/thread-time';
import { useDatabase } from '@/tests/database/use-database';
import { makeProject, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';
import { waitFor } from '@/tests/http/receiver';
import { admitIntake } from './admit-intake';
import {
  areOwnersKnown,
  findTenant,
  knownOwnerOfProject,
  listInTurns,
  ownerOfProject,
  readOwnersOfProjects,
} from './tenant';

useDatabase();

it('counts an organization and its projects for the person who created it, also with other owners', async () => {
  const person = await registerPerson();
  await registerMember(person.organizationId, 'OWNER');
  const { id } = await makeProject(person);
  expect(await findTenant(person.organizationId)).toEqual({
    organizationId: person.organizationId,
    ownerId: person.userId,
  });
  expect(knownOwnerOfProject(id)).toBeUndefined();
  expect(await ownerOfProject(id)).toBe(person.userId);
  expect(knownOwnerOfProject(id)).toBe(person.userId);
});

it('reads the owners of many projects at once', async () => {
  const ann = await registerPerson();
  const bob = await registerPerson();
  const made = await Promise.all([makeProject(ann), makeProject(ann), makeProject(bob)]);
  const ids = [...made.map(({ id }) => id), newId()];
  expect(areOwnersKnown(ids)).toBe(false);
  await readOwnersOfProjects(ids);
  expect(ids.map(knownOwnerOfProject)).toEqual([ann.userId, ann.userId, bob.userId, ids[3]]);
  expect(areOwnersKnown(ids)).toBe(true);
});

it('counts a further organization that a person creates for that person', async () => {
  const person = await registerPerson();
  const body = { name: 'Second' };
  const made = await call<{ id: string }>('POST', '/api/v1/orgs', { bearer: person.accessToken, body });
  expect(made.status).toBe(201);
  expect((await findTenant(made.json.id)).ownerId).toBe(person.userId);
});

it('counts an organization for itself while its creator is not one of its owners, and for nobody who owns it instead', async () => {
  const creator = await registerPerson();
  const heir = await registerMember(creator.organizationId, 'OWNER');
  const setRole = (role: string) =>
    database().query('UPDATE memberships SET role = $3::"Role" WHERE organization_id = $1 AND user_id = $2', [
      creator.organizationId,
      creator.userId,
      role,
    ]);
  await setRole('ADMIN');
  expect((await findTenant(creator.organizationId)).ownerId).toBe(creator.organizationId);
  expect((await findTenant(heir.organizationId)).ownerId).toBe(heir.userId);
  await setRole('OWNER');
  setOnce('tenants-of-organizations', undefined);
  expect((await findTenant(creator.organizationId)).ownerId).toBe(creator.userId);
});

it('counts an organization without a member, and one that does not exist, for itself', async () => {
  const person = await registerPerson();
  await database().query('DELETE FROM memberships WHERE user_id = $1', [person.userId]);
  expect((await findTenant(person.organizationId)).ownerId).toBe(person.organizationId);
  const unknown = newId();
  expect((await findTenant(unknown)).ownerId).toBe(unknown);
});

describe('a page of rows that may be large', () => {
  const client = { ipAddress: null, userAgent: null };
  const LARGE = { id: newId(), text: 'x'.repeat(20_000) };

  /** Lists rows for an owner. `read` decides when they are there. */
  async function listFor(person: TestPerson, limit: number, read: () => Promise<(typeof LARGE)[]>) {
    const { id: projectId } = await makeProject(person);
    const caller = { type: 'key', projectId, client } as KeyCaller;
    const list = () => listInTurns(caller, projectId, { limit, cursor: HIGHEST_ID }, { read, present: (row) => row });
    return shareConnections({ network: person.userId, isReading: true, ownerId: person.userId }, list);
  }

  it('is read one at a time for an owner, while those of others and those of few rows are read', async () => {
    const [ann, bob] = [await registerPerson(), await registerPerson()];
    const isRead = new EventEmitter();
    const begun: string[] = [];
    const begin = (name: string) => () => {
      begun.push(name);
      return once(isRead, 'rows').then(() => []);
    };
    const lists = [
      listFor(ann, 100, begin('first')),
      listFor(ann, 100, begin('second')),
      listFor(ann, 20, begin('small')),
      listFor(bob, 100, begin('other')),
    ];
    await waitFor('the lists', () => begun.length === 3);
    await sleep(50);
    expect(begun.filter((name) => name === 'first' || name === 'second')).toHaveLength(1);
    expect(begun).toEqual(expect.arrayContaining(['small', 'other']));
    isRead.emit('rows');
    await waitFor('the second list', () => begun.length === 4);
    isRead.emit('rows');
    await Promise.all(lists);
  });

  it('counts for its owner before it is written', async () => {
    const [ann, bob] = [await registerPerson(), await registerPerson()];
    const page = async () => Array.from({ length: 15 }, () => LARGE);
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    for (let pages = 0; pages < 40; pages++) await listFor(ann, 15, page);
    noteActive(bob.userId);
    noteActive(ann.userId);
    expect([threadTime().isHeavy(ann.userId), threadTime().isHeavy(bob.userId)]).toEqual([true, false]);
  });
});

describe('the admission of intake', () => {
  let person: TestPerson;
  let projectId: string;

  beforeEach(async () => {
    person = await registerPerson();
    projectId = (await makeProject(person)).id;
    await ownerOfProject(projectId);
    setOnce('intake-owners', undefined);
    setLimits({ OWNER_MAX_STORED_BYTES: 0, OWNER_MAX_INTAKE_BYTES_PER_MINUTE: 0 });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const setLimits = (limits: object) => setOnce('config', { ...config(), ...limits });
  const limited = (retryAfterSeconds: unknown) =>
    expect.objectContaining({ code: 'rate_limited', options: { retryAfterSeconds } });

  /** Stores what the roll-up would have found. */
  const insertBytes = (project: string, column: string, bytes: number, daysAgo: number) =>
    database().query(
      `INSERT INTO stored_bytes (project_id, day, ${column}) VALUES ($1, (now() AT TIME ZONE 'UTC')::date - $3::int, $2)`,
      [project, bytes, daysAgo],
    );

  /** Waits for the sum of what is stored, which is read in the background. */
  const sumUntil = (expected: 'admitted' | 'refused') =>
    vi.waitFor(() => {
      const outcome = (() => {
        try {
          admitIntake(projectId, 0);
          return 'admitted';
        } catch {
          return 'refused';
        }
      })();
      expect(outcome).toBe(expected);
    });

  it('bytes a minute are counted by owner, over all organizations, and not for other owners', async () => {
    setLimits({ OWNER_MAX_INTAKE_BYTES_PER_MINUTE: 1_000 });
    const { json: second } = await call<{ id: string }>('POST', '/api/v1/orgs', {
      bearer: person.accessToken,
      body: { name: 'Second' },
    });
    const elsewhere = { id: newId() };
    await database().query(`INSERT INTO projects (id, organization_id, name) VALUES ($1, $2, 'Shop')`, [
      elsewhere.id,
      second.id,
    ]);
    const other = await makeProject(await registerPerson());
    await Promise.all([ownerOfProject(elsewhere.id), ownerOfProject(other.id)]);
    const clock = vi.spyOn(performance, 'now');
    clock.mockReturnValue(1_000_000);
    expect(admitIntake(projectId, 600)).toBe(person.userId);
    expect(admitIntake(elsewhere.id, 600)).toBe(person.userId);
    clock.mockReturnValue(1_040_500);
    expect(() => admitIntake(projectId, 1)).toThrowError(limited(20));
    expect(admitIntake(other.id, 600)).not.toBe(person.userId);
    clock.mockReturnValue(1_060_001);
    expect(admitIntake(projectId, 1)).toBe(person.userId);
  });

  it.each([
    ['events', 'DATA_RETENTION_EVENTS_DAYS'],
    ['incoming_events', 'DATA_RETENTION_INCOMING_EVENTS_DAYS'],
    ['succeeded_attempts', 'DATA_RETENTION_SUCCESSFUL_ATTEMPTS_DAYS'],
    ['failed_attempts', 'DATA_RETENTION_ATTEMPTS_DAYS'],
  ] as const)('stored %s count for their owner as long as they are kept', async (column, days) => {
    setLimits({ OWNER_MAX_STORED_BYTES: 1_000 });
    await insertBytes(projectId, column, 999, config()[days] + 1);
    admitIntake(projectId, 0);
    await sumUntil('admitted');
    await insertBytes(projectId, column, 1_000, config()[days]);
    setOnce('intake-owners', undefined);
    await sumUntil('refused');
    expect(() => admitIntake(projectId, 1)).toThrowError(limited(300));
  });

  it('what an organization stored counts for the person who created it alone', async () => {
    setLimits({ OWNER_MAX_STORED_BYTES: 1_000 });
    const first = await registerPerson();
    const shared = await makeProject(first);
    await database().query(`INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'OWNER')`, [
      first.organizationId,
      person.userId,
    ]);
    await insertBytes(shared.id, 'events', 5_000, 0);
    admitIntake(projectId, 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await sumUntil('admitted');
    projectId = shared.id;
    await ownerOfProject(projectId);
    await sumUntil('refused');
  });

  it('what an organization stored whose creator left counts for the organization, and for none of its owners', async () => {
    setLimits({ OWNER_MAX_STORED_BYTES: 1_000 });
    const creator = await registerPerson();
    const left = await makeProject(creator);
    const organization = [creator.organizationId, person.userId];
    await database().query(
      `INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'OWNER')`,
      organization,
    );
    await database().query('DELETE FROM memberships WHERE organization_id = $1 AND user_id <> $2', organization);
    await insertBytes(left.id, 'events', 5_000, 0);
    admitIntake(projectId, 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await sumUntil('admitted');
    projectId = left.id;
    expect(await ownerOfProject(projectId)).toBe(creator.organizationId);
    await sumUntil('refused');
  });

  it('what was let in since the last sum counts too', async () => {
    setLimits({ OWNER_MAX_STORED_BYTES: 10_000 });
    admitIntake(projectId, 5_000);
    expect(admitIntake(projectId, 5_000)).toBe(person.userId);
    expect(() => admitIntake(projectId, 0)).toThrowError(limited(300));
  });
});
