// The child process that prepares a start: it runs the steps requested over IPC, and ends with its parent.
import { importEntry } from './bundle.mjs';

const stopping = new AbortController();
process.on('disconnect', () => {
  stopping.abort();
  process.exit();
});
// Ctrl-C reaches this process too. The parent handles it, and disconnects.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);

const { STEPS, showProgressOn } = await importEntry('scripts/start/setup-steps.ts');
if (process.argv[2] === 'stderr') showProgressOn(process.stderr);
process.on('message', async ({ step, input }) => {
  const answer = await STEPS[step](input, stopping.signal).then(
    (result) => ({ result }),
    (error) => ({ error: { name: error?.name, message: error?.message ?? String(error), stack: error?.stack } }),
  );
  if (process.connected) process.send(answer);
});
process.send({ isReady: true });
