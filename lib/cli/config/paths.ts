import os from 'node:os';
import path from 'node:path';

/** The home that Debian gives to users without one: nothing can be read or written there. */
const NO_HOME = '/nonexistent';

/**
 * Returns the folder of the configuration: EDS_CONFIG_DIR, else `eds` in XDG_CONFIG_HOME (XDG Base Directory), in %APPDATA% on
 * Windows, or in ~/.config.
 */
export function configFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (env.EDS_CONFIG_DIR) return path.resolve(env.EDS_CONFIG_DIR);
  // XDG: a path that is not absolute is ignored.
  if (env.XDG_CONFIG_HOME && path.isAbsolute(env.XDG_CONFIG_HOME)) return path.join(env.XDG_CONFIG_HOME, 'eds');
  if (platform === 'win32' && env.APPDATA) return path.join(env.APPDATA, 'eds');
  return path.join(homeFolder(env), '.config', 'eds');
}

/** Never a relative path: the folder that a command runs in may be somebody else's repository. */
function homeFolder({ HOME = '' }: NodeJS.ProcessEnv): string {
  if (path.isAbsolute(HOME)) return HOME;
  try {
    const { homedir } = os.userInfo();
    return path.isAbsolute(homedir) ? homedir : NO_HOME;
  } catch {
    // A container may run as a user that its system does not know.
    return NO_HOME;
  }
}
