import { execFileSync } from 'node:child_process';

const INTERVAL_MS = 100;

/** Samples the resident memory of a process. */
interface MemoryWatch {
  nowMb(): number;
  /** The maximum since the last call. */
  peakMb(): number;
  stop(): void;
}

export function watchMemory(pid: number): MemoryWatch {
  const nowMb = () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, nowMb());
  }, INTERVAL_MS);
  return {
    nowMb,
    peakMb() {
      const most = Math.max(peak, nowMb());
      peak = 0;
      return most;
    },
    stop: () => clearInterval(timer),
  };
}
