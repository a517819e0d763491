import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { builtPackage } from './built-package';

const run = promisify(execFile);

/** The name of the package, which is its folder in node_modules. */
export const PACKAGE_NAME = 'event-delivery-client';

/** The variables of a user who has nothing yet: an empty home, and a registry that does not answer. */
function environmentIn(folder: string): NodeJS.ProcessEnv {
  const home = path.join(folder, 'home');
  return { PATH: process.env.PATH, HOME: home, npm_config_registry: 'http://127.0.0.1:9/', NODE_ENV: 'production' };
}

/**
 * Installs the npm package from its tarball, as users do, without a registry.
 * @param folder becomes an empty project with this package. Outside of the repository, whose packages Node would find
 */
export async function installPackage(folder: string): Promise<void> {
  const file = await builtPackage();
  mkdirSync(path.join(folder, 'home'), { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  const args = ['install', '--offline', '--no-audit', '--no-fund', file];
  await run('npm', args, { cwd: folder, env: environmentIn(folder) });
}

/** How a program ended. */
export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program in the folder of a project to its end. @param environment extends that of the user */
export async function runIn(
  folder: string,
  [command = '', ...args]: readonly string[],
  environment: Record<string, string> = {},
): Promise<Ended> {
  const options = { cwd: folder, env: { ...environmentIn(folder), ...environment }, timeout: 60_000 };
  try {
    return { code: 0, ...(await run(command, args, options)) };
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout: string; stderr: string };
    if (typeof code !== 'number') throw error;
    return { code, stdout, stderr };
  }
}
