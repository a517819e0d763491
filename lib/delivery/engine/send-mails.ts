import { LRUCache } from 'lru-cache';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { domainOfSealedMail } from '@/lib/platform/mail/send-mail';
import { LOWEST_ID } from '@/lib/platform/sql/bounded-scan';
import { deleteMail, giveTurnOfDomain, leaseMails, type MailClass, postponeMail, selectDueMails } from './messages-sql';
import { rescheduleMail } from './outbox/outbox-failures';

/** Sends an encrypted mail until the signal aborts. @throws when the mail server does not accept it */
export type SendMail = (payloadEncrypted: Uint8Array, signal: AbortSignal) => Promise<void>;

/** The places of a class, or those of `asked` mails that go to domains which answered lately. */
type Place = MailClass | 'answered';

/**
 * Mails in flight at most in a process, and slow ones besides (docs/decisions/063-what-strangers-may-cost.md). Together they are 50, as
 * many connections as Postfix allows a client by default. Those that are being ended come on top, and so do other workers at the same
 * address.
 */
const PLACES: Record<Place, { quick: number; slow: number }> = {
  answered: { quick: 4, slow: 4 },
  asked: { quick: 3, slow: 8 },
  unproven: { quick: 4, slow: 8 },
  bulk: { quick: 2, slow: 8 },
  tried: { quick: 1, slow: 8 },
};
const PLACES_OF: Record<MailClass, readonly Place[]> = {
  asked: ['answered', 'asked'],
  unproven: ['unproven'],
  bulk: ['bulk'],
  tried: ['tried'],
};
const CLASSES = Object.keys(PLACES_OF) as MailClass[];
/** A mail under way for longer leaves its place to others: some mail servers ask that of the recipient, which may hang. */
const SLOW_MS = SECOND_MS;
/**
 * A mail under way for longer is ended when others wait and no place is free for them. It is tried again later, as one of those that have
 * failed. In the places for domains that answered lately, a slow mail is ended at once.
 */
const LONG_MS = 6 * SECOND_MS;
/** The slow mails that a domain may have when half of the slow places are taken: it may have any number of recipients. */
const SLOW_OF_DOMAIN = 2;
/** Shorter than a lease: a mail server that answers a byte at a time never reaches the timeouts of the mail client. */
const TIMEOUT_MS = 2 * MINUTE_MS;
const MAX_SLOW_TURNS = 1_000;
const MAX_DOMAINS = 10_000;
/** Mails of a class that are read in a second at most and then postponed: any number of them may wait for domains that hang. */
const MAX_POSTPONED = 100;

interface MailInFlight {
  class: MailClass;
  place: Place;
  turn: string;
  domain: string | null;
  isSlow: boolean;
  isLong: boolean;
  isEnding: boolean;
  done: Promise<void>;
  end(): void;
}

interface DueMail {
  id: string;
  class: MailClass;
  turn: string;
}

/** Sends due mails. A turn, which is an owner, a domain or a recipient, has one mail of each class in flight. */
export class MailSender {
  private readonly inFlight = new Set<MailInFlight>();
  /** Those whose last mail was slow: the next one takes no place of others from its beginning. */
  private readonly slowTurns = new LRUCache<string, true>({ max: MAX_SLOW_TURNS });
  /** Those whose last mail was accepted before it was slow. */
  private readonly answered = new LRUCache<string, true>({ max: MAX_DOMAINS, ttl: DAY_MS });
  private postponed: MailClass[] = [];
  private postponedSince = 0;
  /** The turn that was last, by class. */
  private readonly lastTurns = new Map<MailClass, string>();

  /** @param onRoom is called when a mail has left its place */
  constructor(
    private readonly sendMail: SendMail,
    private readonly onRoom: () => void,
    private readonly slowMs = SLOW_MS,
    private readonly timeoutMs = TIMEOUT_MS,
    private readonly longMs = LONG_MS,
  ) {}

  /** Starts to send a due mail of each class that has room, or a mail that has been under way for long. @returns whether more may be due */
  async sendDue(): Promise<boolean> {
    const classes = CLASSES.filter((each) => this.mayRead(each));
    if (classes.length === 0) return false;
    const afters = classes.map((each) => this.lastTurns.get(each) ?? LOWEST_ID);
    const busy = [...this.inFlight];
    const due = await selectDueMails.all(database(), {
      classes,
      afters,
      busyClasses: busy.map((each) => each.class),
      busyTurns: busy.map(({ turn }) => turn),
      // At random: a fixed order would be in step with the turns, and always be the same for one of them.
      isNewest: Math.random() < 0.5,
    });
    if (due.length > 0) {
      const leased = await leaseMails.all(database(), { mails: due.map(({ id }) => id) });
      const payloads = new Map(leased.map(({ id, payload_encrypted }) => [id, payload_encrypted]));
      for (const row of due) {
        const payload = payloads.get(row.id);
        if (payload !== undefined) await this.beginOrLeave(row, payload);
      }
    }
    for (const each of classes) this.lastTurns.set(each, due.find((row) => row.class === each)?.turn ?? LOWEST_ID);
    // A class without a mail after its last turn continues with its first one.
    return due.length > 0 || afters.some((after) => after !== LOWEST_ID);
  }

  /** The number of mails in flight. */
  get underWay(): number {
    return this.inFlight.size;
  }

  /** Resolves when no mail is in flight. */
  async ended(): Promise<void> {
    await Promise.all([...this.inFlight].map(({ done }) => done));
  }

  private mayRead(mailClass: MailClass): boolean {
    if (performance.now() - this.postponedSince > SECOND_MS) {
      this.postponed = [];
      this.postponedSince = performance.now();
    }
    if (this.postponed.filter((each) => each === mailClass).length >= MAX_POSTPONED) return false;
    if (this.canTake(mailClass)) return true;
    // Looks for those to domains that answered lately. While others are quick, all wait their turn.
    return mailClass === 'asked' && this.isPressed('asked') && this.canTake('answered');
  }

  private hasRoom(place: Place): boolean {
    const { quick, slow } = PLACES[place];
    return this.inPlace(place).length - Math.min(this.slowIn(place), slow) < quick;
  }

  private canTake(place: Place): boolean {
    return this.hasRoom(place) || this.findLong(place) !== undefined;
  }

  private inPlace(place: Place): MailInFlight[] {
    return [...this.inFlight].filter((each) => each.place === place && !each.isEnding);
  }

  private slowIn(place: Place): number {
    return this.inPlace(place).filter(({ isSlow }) => isSlow).length;
  }

  /** Whether half of the slow places are taken. */
  private isPressed(place: Place): boolean {
    return this.slowIn(place) >= PLACES[place].slow / 2;
  }

  /** Finds the mail that has been under way for longest. */
  private findLong(place: Place): MailInFlight | undefined {
    return this.inPlace(place).find(({ isLong }) => isLong);
  }

  private async beginOrLeave(due: DueMail, payload: Uint8Array): Promise<void> {
    const domain = domainOfSealedMail(payload);
    const place = this.choosePlace(due, domain);
    if (place !== undefined) {
      if (!this.isFree(place, due.turn)) this.findLong(place)?.end();
      this.begin(due, place, domain, payload);
    } else if (due.class === 'asked' && domain !== null) {
      await giveTurnOfDomain.run(database(), { mail: due.id, domain });
    } else {
      this.postponed.push(due.class);
      await postponeMail.run(database(), { mail: due.id });
    }
  }

  private choosePlace(due: DueMail, domain: string | null): Place | undefined {
    const slowOfDomain = [...this.inFlight].filter((each) => each.isSlow && each.domain === domain).length;
    const hasAnswered = domain !== null && slowOfDomain === 0 && this.answered.has(domain);
    const isHanging = domain !== null && slowOfDomain >= SLOW_OF_DOMAIN;
    const places = PLACES_OF[due.class].filter((each) => each !== 'answered' || hasAnswered);
    const open = places.filter((each) => !(isHanging && this.isPressed(each)));
    return open.find((each) => this.isFree(each, due.turn)) ?? open.find((each) => this.findLong(each));
  }

  /** Whether a place has room for a mail of a turn. One whose last mail was slow needs a slow place. */
  private isFree(place: Place, turn: string): boolean {
    return this.hasRoom(place) && !(this.slowTurns.has(turn) && this.slowIn(place) >= PLACES[place].slow);
  }

  private begin(due: DueMail, place: Place, domain: string | null, payload: Uint8Array): void {
    const ending = new AbortController();
    const timeoutTimer = setTimeout(() => ending.abort(), this.timeoutMs);
    const done = this.send(due.id, payload, ending.signal).catch((error: unknown) => {
      log().warn({ err: error, outboxId: due.id }, 'result of an email could not be recorded; it is sent again');
      return false;
    });
    const entry: MailInFlight = {
      class: due.class,
      place,
      turn: due.turn,
      domain,
      isSlow: this.slowTurns.has(due.turn),
      isLong: false,
      isEnding: false,
      done: done.then(() => undefined),
      end: () => {
        entry.isEnding = true;
        ending.abort();
      },
    };
    this.inFlight.add(entry);
    const longTimer = setTimeout(
      () => {
        entry.isLong = true;
        this.onRoom();
      },
      place === 'answered' ? this.slowMs : this.longMs,
    );
    let isQuick = true;
    const slowTimer = setTimeout(() => {
      isQuick = false;
      entry.isSlow = true;
      this.slowTurns.set(due.turn, true);
      if (domain !== null) this.answered.delete(domain);
      this.onRoom();
    }, this.slowMs);
    void done.then((isAccepted) => {
      clearTimeout(slowTimer);
      clearTimeout(longTimer);
      clearTimeout(timeoutTimer);
      if (isQuick) this.slowTurns.delete(due.turn);
      if (isQuick && isAccepted && domain !== null) this.answered.set(domain, true);
      this.inFlight.delete(entry);
      this.onRoom();
    });
  }

  /** @returns whether the mail server accepted it */
  private async send(id: string, payload: Uint8Array, signal: AbortSignal): Promise<boolean> {
    try {
      await this.sendMail(payload, signal);
    } catch (error) {
      log().warn({ err: error, outboxId: id }, 'email could not be sent; trying again later');
      await rescheduleMail(database(), id, error);
      return false;
    }
    await deleteMail.run(database(), { mail: id });
    return true;
  }
}
