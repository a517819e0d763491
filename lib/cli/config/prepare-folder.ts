import fs from 'node:fs';
import { notWritable } from './json-file';

/** What commands keep in the folder of the configuration. */
const OURS = /^((config|credentials)\.json(\.[0-9a-f]{8}\.tmp)?|lock\..+)$/;

/** Creates the folder, which only its owner may enter, and checks that it can be written. @throws CliError when it cannot */
export function prepareFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.accessSync(folder, fs.constants.W_OK);
    closeToOthers(folder);
  } catch (error) {
    throw notWritable(folder, error);
  }
}

/** Only a folder that holds nothing else: EDS_CONFIG_DIR may be /tmp, or a folder that others use. */
function closeToOthers(folder: string): void {
  const { mode, uid } = fs.statSync(folder);
  const isOpen = (mode & 0o077) !== 0 && uid === process.getuid?.();
  if (isOpen && (mode & 0o1000) === 0 && fs.readdirSync(folder).every((name) => OURS.test(name))) {
    fs.chmodSync(folder, 0o700);
  }
}
