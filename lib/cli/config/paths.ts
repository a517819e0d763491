import os from 'node:os';
import path from 'node:path';

/**
 * Returns the folder of the configuration: EDS_CONFIG_DIR, else `eds` in XDG_CONFIG_HOME (XDG Base Directory), in %APPDATA% on
 * Windows, or in ~/.config.
 */
export function configFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (env.EDS_CONFIG_DIR) return path.resolve(env.EDS_CONFIG_DIR);
  // XDG: a path that is not absolute is ignored.
  if (env.XDG_CONFIG_HOME && path.isAbsolute(env.XDG_CONFIG_HOME)) return path.join(env.XDG_CONFIG_HOME, 'eds');
  if (platform === 'win32' && env.APPDATA) return path.join(env.APPDATA, 'eds');
  return path.join(env.HOME || os.homedir(), '.config', 'eds');
}
