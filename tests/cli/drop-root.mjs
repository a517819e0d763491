// Loaded into `eds` by tests: root may write everywhere, and would not notice the modes of files.
import { NOBODY } from './nobody.mjs';

if (process.getuid?.() === 0) {
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}
