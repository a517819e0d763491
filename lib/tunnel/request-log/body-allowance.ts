import { MINUTE_MS } from '@/lib/platform/clock';

/** Of one tunnel, in each web process. A stranger who knows the URL must not fill the database. */
const MAX_BYTES_PER_MINUTE = 16 * 1024 * 1024;
/** At this number of tunnels the count starts over. */
const MAX_TUNNELS = 10_000;

/** Counts the bytes of bodies, headers and paths that are kept per tunnel and minute. */
export class BodyAllowance {
  private readonly used = new Map<string, number>();
  private endsAt = 0;

  constructor(
    private readonly maxBytes = MAX_BYTES_PER_MINUTE,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether a tunnel may keep that many bytes more. Counts them when it may. */
  mayKeep(tunnelId: string, bytes: number): boolean {
    if (this.now() >= this.endsAt || this.used.size >= MAX_TUNNELS) {
      this.used.clear();
      this.endsAt = this.now() + MINUTE_MS;
    }
    const used = (this.used.get(tunnelId) ?? 0) + bytes;
    if (used > this.maxBytes) return false;
    this.used.set(tunnelId, used);
    return true;
  }
}
