import { hintOf, makeKey } from '@/lib/keys/key-format';
import { sha256 } from '@/lib/platform/crypto';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';

/** Inserts an organization with a project and an API key with write access. */
export async function seedProject(): Promise<{ projectId: string; key: string }> {
  const [organizationId, projectId, key] = [newId(), newId(), makeKey()];
  await database().query('INSERT INTO organizations (id, name, updated_at) VALUES ($1, $2, now())', [
    organizationId,
    'Bench',
  ]);
  await database().query('INSERT INTO projects (id, organization_id, name, updated_at) VALUES ($1, $2, $3, now())', [
    projectId,
    organizationId,
    'Bench',
  ]);
  await database().query('INSERT INTO api_keys (id, project_id, name, key_hash, hint) VALUES ($1, $2, $3, $4, $5)', [
    newId(),
    projectId,
    'bench',
    sha256(key),
    hintOf(key),
  ]);
  return { projectId, key };
}
