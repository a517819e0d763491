// The child process in which the launcher installs what is missing and bundles its entry. The memory of the compiler and of
// the lists of packages goes with it. It answers with the bundle's file over IPC.
import { ensureInstalled } from './install.mjs';
import { showProgressOn } from './progress.mjs';
import { EXPECTED_ERRORS } from './refusal.mjs';

const [, , entry, progress] = process.argv;
if (progress === 'stderr') showProgressOn(process.stderr);
// A parent that is gone needs no bundle.
process.on('disconnect', () => process.exit(1));
try {
  await ensureInstalled();
  const { bundleForOnce } = await import('./bundle.mjs');
  process.send(await bundleForOnce(entry), () => process.exit());
} catch (error) {
  const expected = error instanceof Error && EXPECTED_ERRORS.includes(error.name);
  process.stderr.write(`${expected ? error.message : (error?.stack ?? error)}\n`);
  process.exit(1);
}
