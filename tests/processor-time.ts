/** The time that all threads of this process spend on some work, in microseconds: a busy machine lengthens only the clock's. */
export async function processorTimeOf(work: () => Promise<unknown>): Promise<number> {
  const started = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(started);
  return user + system;
}
