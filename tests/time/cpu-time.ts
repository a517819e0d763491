/** Returns the CPU time of all threads of this process for some work, in microseconds. A busy machine changes it less than wall-clock time. */
export async function measureCpuTime(work: () => Promise<unknown>): Promise<number> {
  const started = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(started);
  return user + system;
}
