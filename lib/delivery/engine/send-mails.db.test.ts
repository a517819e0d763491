import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, it, vi } from 'vitest';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { decrypt } from '@/lib/platform/encryption';
import { newId } from '@/lib/platform/ids';
import { enqueueMail, MAIL_PURPOSE } from '@/lib/platform/mail/enqueue-mail';
import { useDatabase } from '@/tests/database/use-database';
import { waitFor } from '@/tests/http/receiver';
import { MailSender } from './send-mails';

useDatabase();

beforeEach(() => database().query('DELETE FROM mails'));

const NEVER_SLOW_MS = 600_000;

async function addPerson(email: string, isVerified: boolean): Promise<string> {
  const id = newId();
  await database().query('INSERT INTO users (id, email, email_verified_at) VALUES ($1, $2, $3)', [
    id,
    email,
    isVerified ? new Date() : null,
  ]);
  return id;
}

interface Wanted {
  subject: string;
  to?: string;
  userId?: string;
  ownerId?: string;
}

async function enqueue(mail: Wanted, count = 1): Promise<void> {
  await inSqlTransaction(async (tx) => {
    for (let nth = 0; nth < count; nth += 1) await enqueueMail(tx, { to: 'ada@example.com', text: 'Hello', ...mail });
  });
}

/** Enqueues mails to as many people as `count`. */
async function enqueueToEach(subject: string, count: number, isVerified = true, domain = `${newId()}.example`) {
  for (let nth = 0; nth < count; nth += 1) {
    const to = `${newId()}@${domain}`;
    await enqueue({ subject, to, userId: await addPerson(to, isVerified) });
  }
}

/** A sender whose mails end when the test says so. */
function makeSender(slowMs = NEVER_SLOW_MS, onRoom: () => void = () => undefined, longMs = NEVER_SLOW_MS) {
  const begun: string[] = [];
  const underWay: { subject: string; end: (error?: Error) => void }[] = [];
  const sender = new MailSender(
    (payload, signal) =>
      new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('took too long')));
        const { subject } = JSON.parse(decrypt(Buffer.from(payload), MAIL_PURPOSE));
        begun.push(subject);
        underWay.push({ subject, end: (error) => (error === undefined ? resolve() : reject(error)) });
      }),
    onRoom,
    slowMs,
    NEVER_SLOW_MS,
    longMs,
  );
  const beginAll = async () => {
    while (await sender.sendDue());
  };
  /** Ends the first mail under way with a subject, and waits until it is recorded. */
  const end = async (subject: string, error?: Error) => {
    const count = sender.underWay;
    underWay
      .splice(
        underWay.findIndex((each) => each.subject === subject),
        1,
      )[0]
      ?.end(error);
    await waitFor('the end of a mail', async () => sender.underWay < count);
  };
  return { sender, begun, beginAll, end, of: (subject: string) => begun.filter((each) => each === subject).length };
}

it('a place is filled again when its mail has ended, while others are under way', async () => {
  await enqueueToEach('Hangs', 2);
  for (let nth = 0; nth < 3; nth += 1) await enqueueToEach('Reset', 1);
  const { begun, beginAll, end } = makeSender();
  await beginAll();
  expect(begun.toSorted()).toEqual(['Hangs', 'Hangs', 'Reset']);
  for (let sent = 2; sent <= 3; sent += 1) {
    await end('Reset');
    await beginAll();
    expect(begun.filter((each) => each === 'Reset')).toHaveLength(sent);
  }
});

it('mails that hang leave their places to others, up to a number', async () => {
  for (let nth = 0; nth < 40; nth += 1) await enqueueToEach('Hangs', 1);
  const { beginAll, of } = makeSender(0);
  // Eleven as asked for, and twelve in the turns of their domains.
  await waitFor('slow ones', async () => {
    await beginAll();
    return of('Hangs') === 23;
  });
  await beginAll();
  expect(of('Hangs')).toBe(23);
});

it('a mail to a domain that answered lately waits for none of those to other domains that hang', async () => {
  const [known, unknown] = [`${newId()}.example`, `${newId()}.example`];
  const { begun, beginAll, end, of } = makeSender(500);
  await enqueueToEach('First', 1, true, known);
  await beginAll();
  await end('First');
  await waitFor('all places for domains that did not answer to be taken', async () => {
    await enqueueToEach('Hangs', 1);
    await beginAll();
    return of('Hangs') === 23;
  });
  await enqueueToEach('Unknown', 1, true, unknown);
  await enqueueToEach('Reset', 4, true, known);
  await beginAll();
  expect(begun.slice(24)).toEqual(Array(4).fill('Reset'));
});

it('a domain that hangs again has no place of those that answered lately', async () => {
  const domain = `${newId()}.example`;
  const { beginAll, end, of } = makeSender(500);
  await enqueueToEach('First', 1, true, domain);
  await beginAll();
  await end('First');
  await enqueueToEach('Hangs', 1, true, domain);
  await beginAll();
  await sleep(600);
  await waitFor('all other places to be taken', async () => {
    await enqueueToEach('Others', 1);
    await beginAll();
    return of('Others') === 23;
  });
  await enqueueToEach('Reset', 1, true, domain);
  await beginAll();
  expect(of('Reset')).toBe(0);
});

it('each mail that a person asked for is read once while it waits for a domain that hangs', async () => {
  await enqueueToEach('Hangs', 60);
  const { beginAll, of } = makeSender(0);
  const asked = 'SELECT FROM mails WHERE turn_id IS NULL AND available_at < now() + $1::interval';
  await waitFor('all to be read', async () => {
    await beginAll();
    return (await database().query(asked, ['1 minute'])).rowCount === 0;
  });
  expect(of('Hangs')).toBeLessThanOrEqual(9);
  const turns = await database().query('SELECT DISTINCT turn_id FROM mails WHERE turn_id IS NOT NULL');
  expect(turns.rowCount).toBe(1);
});

it('a hundred mails of a class are read and postponed in a second, however many wait for a domain that hangs', async () => {
  const second = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  const domain = `${newId()}.example`;
  for (let nth = 0; nth < 6; nth += 1) await enqueue({ subject: 'Hangs', to: `a@${domain}`, ownerId: newId() });
  const { beginAll, of } = makeSender(0);
  await waitFor('the slow ones', async () => {
    await beginAll();
    return of('Hangs') >= 4;
  });
  await enqueue({ subject: 'Hangs', to: `a@${domain}`, ownerId: newId() }, 300);
  await beginAll();
  const postponed = `SELECT FROM mails WHERE available_at > now() AND available_at < now() + interval '1 minute'`;
  expect((await database().query(postponed)).rowCount).toBe(100);
  second.mockRestore();
  await waitFor('the rest to be postponed', async () => {
    await beginAll();
    return (await database().query('SELECT FROM mails WHERE available_at <= now()')).rowCount === 0;
  });
  expect(of('Hangs')).toBeLessThanOrEqual(7);
});

it('a domain whose mails hang leaves the places to others once it has half of the slow ones, however many recipients it has', async () => {
  await enqueueToEach('Hangs', 60);
  for (let nth = 0; nth < 3; nth += 1) await enqueueToEach('Reset', 1);
  const { beginAll, of } = makeSender(0);
  await waitFor('the others', async () => {
    await beginAll();
    return of('Reset') === 3;
  });
  expect(of('Hangs')).toBeLessThanOrEqual(9);
  expect((await database().query('SELECT FROM mails WHERE attempts > 0')).rowCount).toBe(0);
});

it('a mail that has hung for long is ended when another one waits for its place, and is tried again', async () => {
  for (let nth = 0; nth < 11; nth += 1) await enqueueToEach('Hangs', 1);
  const { beginAll, of, sender } = makeSender(0, () => undefined, 200);
  await waitFor('all places to be taken', async () => {
    await beginAll();
    return of('Hangs') === 11;
  });
  await sleep(300);
  await beginAll();
  expect(sender.underWay).toBe(11);
  await enqueueToEach('Reset', 1);
  await beginAll();
  expect(of('Reset')).toBe(1);
  await waitFor('the end of one', async () => sender.underWay === 11);
  expect((await database().query('SELECT FROM mails WHERE attempts = 1')).rowCount).toBe(1);
});

it('a recipient has one mail under way, so one that hangs takes one place', async () => {
  await enqueue({ subject: 'Hangs', userId: await addPerson('hangs@example.com', true) }, 20);
  await enqueueToEach('Reset', 2);
  const { begun, beginAll } = makeSender();
  await beginAll();
  expect(begun.toSorted()).toEqual(['Hangs', 'Reset', 'Reset']);
});

it('a recipient whose last mail hung takes no place of others with the next one', async () => {
  const users = await Promise.all(['a', 'b', 'c'].map((name) => addPerson(`${name}@hangs.example`, true)));
  for (const userId of users) await enqueue({ subject: 'Hangs', userId });
  let slow = 0;
  const { begun, beginAll, end } = makeSender(500, () => {
    slow += 1;
  });
  await beginAll();
  await waitFor('all to be slow', async () => slow === users.length);
  for (const _ of users) await end('Hangs');
  await beginAll();
  for (const userId of users) await enqueue({ subject: 'Next', userId });
  await enqueueToEach('Reset', 3);
  await beginAll();
  expect(begun.slice(3).toSorted()).toEqual(['Next', 'Next', 'Next', 'Reset', 'Reset', 'Reset']);
});

it('mails of one class take no places of another, so none is kept out', async () => {
  await enqueueToEach('Reset', 10);
  for (let nth = 0; nth < 10; nth += 1) await enqueueToEach('Confirm', 1, false);
  for (let nth = 0; nth < 10; nth += 1) await enqueue({ subject: 'Alert', ownerId: newId() });
  await enqueueToEach('Again', 10);
  await database().query('UPDATE mails SET attempts = 1 WHERE id IN (SELECT id FROM mails ORDER BY id DESC LIMIT 10)');
  const { begun, beginAll } = makeSender();
  await beginAll();
  expect(begun.toSorted()).toEqual(['Again', 'Alert', 'Alert', ...Array(4).fill('Confirm'), 'Reset', 'Reset', 'Reset']);
});

it('addresses that nobody has proven take turns by domain, those of its subdomains together, whatever they are sent', async () => {
  const domain = `${newId()}.com`;
  for (let nth = 0; nth < 20; nth += 1) await enqueueToEach('Hangs', 1, false, `mx${nth}.${domain}`);
  await enqueueToEach('Confirm', 1, false);
  await enqueueToEach('Reset', 1);
  const { begun, beginAll, end } = makeSender(0);
  await waitFor('the others', async () => {
    await beginAll();
    return begun.length === 3;
  });
  expect(begun.toSorted()).toEqual(['Confirm', 'Hangs', 'Reset']);
  await end('Hangs');
  await beginAll();
  expect(begun.filter((each) => each === 'Hangs')).toHaveLength(2);
});

it('owners take turns, however many mails of theirs wait', async () => {
  for (let nth = 0; nth < 3; nth += 1) await enqueue({ subject: 'Flood', ownerId: newId() }, 30);
  await enqueue({ subject: 'Alert', ownerId: newId() });
  const { begun, beginAll, end, of } = makeSender();
  await beginAll();
  for (let ended = 0; ended < 2 && of('Alert') === 0; ended += 1) {
    await end('Flood');
    await beginAll();
  }
  expect(of('Alert')).toBe(1);
  expect(begun.length).toBeLessThanOrEqual(4);
});

it('neither the newest nor the oldest mail of a turn waits until a flood of it is sent', async () => {
  const owner = newId();
  await enqueue({ subject: 'First', ownerId: owner });
  await enqueue({ subject: 'Flood', ownerId: owner }, 60);
  await enqueue({ subject: 'Asked', ownerId: owner });
  const { begun, beginAll, end } = makeSender();
  await beginAll();
  for (let ended = 0; ended < 50; ended += 1) {
    await end(begun.at(-1) ?? '');
    await beginAll();
  }
  expect(begun).toContain('First');
  expect(begun).toContain('Asked');
});

it('two senders begin each mail once, and one that failed waits for its next try', async () => {
  await enqueueToEach('Reset', 6);
  const senders = [makeSender(), makeSender()];
  await Promise.all(senders.map(({ beginAll }) => beginAll()));
  expect(senders.flatMap(({ begun }) => begun)).toHaveLength(6);
  await senders[0]?.end('Reset', new Error('no'));
  await Promise.all(senders.map(({ beginAll }) => beginAll()));
  expect(senders.flatMap(({ begun }) => begun)).toHaveLength(6);
  await database().query('UPDATE mails SET available_at = now() WHERE attempts = 1');
  await senders[0]?.beginAll();
  expect(senders.flatMap(({ begun }) => begun)).toHaveLength(7);
});

it('a mail that takes too long is ended, counts as failed, and is leased for longer than that', async () => {
  await enqueueToEach('Reset', 1);
  const sender = new MailSender(
    (_payload, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('too long')))),
    () => undefined,
    NEVER_SLOW_MS,
    100,
  );
  await sender.sendDue();
  const leased = await database().query(`SELECT available_at > now() + interval '2 minutes' AS is_long FROM mails`);
  expect(leased.rows).toEqual([{ is_long: true }]);
  await sender.ended();
  expect((await database().query('SELECT attempts, last_error FROM mails')).rows).toEqual([
    { attempts: 1, last_error: 'too long' },
  ]);
});

it.each([
  ['verified', true],
  ['unverified', false],
])(
  'the mails of a person with a %s address arrive in their order: only the last link is open',
  async (_, isVerified) => {
    const newest = vi.spyOn(Math, 'random').mockReturnValue(0);
    const to = `${newId()}@${newId()}.example`;
    const userId = await addPerson(to, isVerified);
    for (const subject of ['First', 'Second', 'Third']) await enqueue({ subject, to, userId });
    const { begun, beginAll, end } = makeSender();
    for (const subject of ['First', 'Second', 'Third']) {
      await beginAll();
      await end(subject);
    }
    expect(begun).toEqual(['First', 'Second', 'Third']);
    newest.mockRestore();
  },
);
