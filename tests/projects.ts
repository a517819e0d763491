import { beforeAll, expect } from 'vitest';
import type { NewApiKey } from '@/lib/keys/schema';
import { call } from './api-request';
import { makeProject, registerPerson, type TestPerson } from './people';

/** A project with its owner and a key of each scope. */
export interface TestProject {
  id: string;
  owner: TestPerson;
  key: string;
  keyId: string;
  readOnlyKey: string;
}

/** Creates an organization, a project in it and two keys, through the API. */
export async function makeTestProject(): Promise<TestProject> {
  const owner = await registerPerson();
  const { id } = await makeProject(owner);
  const full = await makeKey(id, owner, { name: 'server' });
  const readOnly = await makeKey(id, owner, { name: 'reports', scope: 'READ_ONLY' });
  return { id, owner, key: full.key, keyId: full.id, readOnlyKey: readOnly.key };
}

/** Creates a key of a project. */
export async function makeKey(projectId: string, owner: TestPerson, body: object): Promise<NewApiKey> {
  const path = `/api/v1/projects/${projectId}/api-keys`;
  const made = await call<NewApiKey>('POST', path, { bearer: owner.accessToken, body });
  expect(made.status, made.text).toBe(201);
  return made.json;
}

/** Creates a project for the tests of a file, and one of another owner. */
export function useProjects(): { mine: TestProject; foreign: TestProject } {
  const projects = {} as { mine: TestProject; foreign: TestProject };
  beforeAll(async () => {
    projects.mine = await makeTestProject();
    projects.foreign = await makeTestProject();
  });
  return projects;
}
