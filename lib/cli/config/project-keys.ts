import path from 'node:path';
import { withConfigLock } from './config-lock';
import { readJsonFile, writeJsonFile } from './json-file';

const fileIn = (folder: string) => path.join(folder, 'keys.json');
const nameOf = (url: string, projectId: string) => `${url} ${projectId}`;

/** Reads the key that `eds keys create --save` stored for a project of a server; null without one. */
export function readProjectKey(folder: string, url: string, projectId: string): string | null {
  const all = readJsonFile(fileIn(folder));
  const name = nameOf(url, projectId);
  const found = Object.hasOwn(all, name) ? all[name] : null;
  return typeof found === 'string' ? found : null;
}

/** Stores the key of a project, in place of an earlier one. */
export function saveProjectKey(folder: string, url: string, projectId: string, key: string): Promise<void> {
  return withConfigLock(folder, async () => {
    writeJsonFile(fileIn(folder), { ...readJsonFile(fileIn(folder)), [nameOf(url, projectId)]: key });
  });
}
