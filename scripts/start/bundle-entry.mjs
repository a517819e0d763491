// The child process in which the launcher installs missing packages and bundles its entry. When it ends, the memory of the
// compiler and of the package lists is freed. It sends the path of the bundle over IPC.
import { ensureInstalled } from './install.mjs';
import { showProgressOn } from './progress.mjs';
import { exitWith } from './startup-error.mjs';

const [, , entry, progress, uses] = process.argv;
if (progress === 'stderr') showProgressOn(process.stderr);
// The parent has ended and needs no bundle.
process.on('disconnect', () => process.exit(1));
try {
  await ensureInstalled();
  const { bundleTemporarily, importEntry } = await import('./bundle.mjs');
  if (uses === 'database') {
    const { buildStale, DATABASE_CLIENT } = await importEntry('scripts/start/build.ts');
    await buildStale(DATABASE_CLIENT, new AbortController().signal);
  }
  process.send(await bundleTemporarily(entry), () => process.exit());
} catch (error) {
  exitWith(error);
}
