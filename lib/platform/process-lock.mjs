import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

const ANSWER_DEADLINE_MS = 1000;
const SOCKETS_UNSUPPORTED = ['EINVAL', 'EOPNOTSUPP', 'ENOTSUP', 'EPERM'];
/** The smallest limit of a supported system is 104; Node silently truncates longer paths. */
const LONGEST_ADDRESS_BYTES = 100;
const SUFFIX_BYTES = '.x12345678'.length;
const NOT_LISTENING = ['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'];
const FREE = { heldBy: null, afterCrash: false };

/**
 * Takes a lock that the kernel releases however its holder ends: a listening socket next to the path. A file with a process
 * id would survive kill -9, and another process could get the same id.
 *
 * @param {string} lockPath
 * @param {() => string} describe returns a description of the holder, for processes that find the lock taken
 * @returns {Promise<{release: () => void, afterCrash: boolean} | {heldBy: string}>} afterCrash: the previous holder did
 *   not release the lock, and may have left orphan processes
 */
export async function acquireLock(lockPath, describe) {
  const server = net.createServer((socket) => socket.on('error', () => undefined).end(describe()));
  server.unref();
  if (process.platform === 'win32') return takePipe(server, lockPath);
  const own = await listenSomewhere(server, lockPath);
  try {
    const claimed = await claim(own.socket, own.lock);
    if ('file' in claimed) return { afterCrash: claimed.afterCrash, release: releaser(server, claimed.file) };
    server.close();
    return claimed;
  } catch (error) {
    server.close();
    throw error;
  } finally {
    fs.rmSync(own.socket, { force: true });
  }
}

/**
 * Waits until the lock is free and takes it.
 *
 * @param {string} lockPath
 * @param {() => void} onWait called once when another process holds the lock
 * @returns {Promise<{release: () => void}>}
 */
export async function waitForLock(lockPath, onWait) {
  for (let waited = false; ; waited = true) {
    const lock = await acquireLock(lockPath, () => `process ${process.pid}`);
    if ('release' in lock) return lock;
    if (!waited) onWait();
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

/** Listens next to the lock, or in the temporary folder when the path is too long or the file system has no sockets. */
async function listenSomewhere(server, lockPath) {
  const suffix = `x${randomBytes(4).toString('hex')}`;
  if (Buffer.byteLength(lockPath) + SUFFIX_BYTES <= LONGEST_ADDRESS_BYTES) {
    try {
      return { lock: lockPath, socket: await listen(server, `${lockPath}.${suffix}`) };
    } catch (error) {
      if (!SOCKETS_UNSUPPORTED.includes(error.code)) throw error;
    }
  }
  const folder = fs.realpathSync(path.dirname(lockPath));
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  const elsewhere = path.join(privateTemporaryFolder(), `${name}-${path.basename(lockPath)}`);
  return { lock: elsewhere, socket: await listen(server, `${elsewhere}.${suffix}`) };
}

/**
 * Creates a folder that only this user may enter. In the temporary folder itself, others could hold the lock forever, or have a
 * symbolic link where a file is written.
 */
function privateTemporaryFolder() {
  const uid = process.getuid();
  // Short: see LONGEST_ADDRESS_BYTES.
  const folder = path.join(os.tmpdir(), `eds-${uid}`);
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const stats = fs.lstatSync(folder);
  if (stats.isDirectory() && stats.uid === uid && (stats.mode & 0o077) === 0) return folder;
  throw new Error(`${folder} belongs to others: remove it, or set TMPDIR to a folder of your own`);
}

function listen(server, address) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      resolve(address);
    });
  });
}

/**
 * Links the listening socket as the next generation of the lock, unless the holder of the newest one is alive. A generation
 * is created only once, by `link`, so when several processes find a dead holder, one wins. The newest file is never
 * removed, so a process that was slow to link an old generation finds a newer one and tries again.
 */
async function claim(socket, lock) {
  for (;;) {
    const newest = newestGeneration(lock);
    const state = newest === 0 ? FREE : await readGeneration(`${lock}.${newest}`);
    if (state.heldBy !== null) return { heldBy: state.heldBy };
    const mine = newest + 1;
    if (!linkUnlessTaken(socket, `${lock}.${mine}`)) continue;
    if (newestGeneration(lock) === mine) {
      removeOlder(lock, mine);
      return { file: `${lock}.${mine}`, afterCrash: state.afterCrash };
    }
    fs.rmSync(`${lock}.${mine}`, { force: true });
  }
}

/** Returns who holds the generation, and whether its holder died without releasing it. */
async function readGeneration(file) {
  const stats = fs.lstatSync(file, { throwIfNoEntry: false });
  if (!stats?.isSocket()) return FREE;
  const heldBy = await askHolder(file);
  return { heldBy, afterCrash: heldBy === null };
}

function linkUnlessTaken(socket, file) {
  try {
    fs.linkSync(socket, file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

function generations(lock) {
  const prefix = `${path.basename(lock)}.`;
  return fs
    .readdirSync(path.dirname(lock))
    .filter((name) => name.startsWith(prefix) && /^[1-9]\d*$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)));
}

function newestGeneration(lock) {
  return Math.max(0, ...generations(lock));
}

/** Keeps the previous generation: a process that lists the folder while its newest file is replaced may see neither file. */
function removeOlder(lock, mine) {
  for (const generation of generations(lock)) {
    if (generation < mine - 1) fs.rmSync(`${lock}.${generation}`, { force: true });
  }
}

/** Returns the holder's description of itself; null when no process listens. */
function askHolder(address) {
  return new Promise((resolve) => {
    let answer = '';
    const socket = net.connect(address);
    // A holder with a blocked event loop is alive: the kernel accepted the connection.
    socket.setTimeout(ANSWER_DEADLINE_MS, () => socket.destroy());
    socket.setEncoding('utf8').on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', (error) => {
      if (NOT_LISTENING.includes(error.code)) resolve(null);
    });
    socket.on('close', () => resolve(answer));
  });
}

/** Replaces the socket with an empty file: the newest generation must stay, and an empty one says that its holder did not crash. */
function releaser(server, file) {
  const release = () => {
    process.off('exit', release);
    replaceWithEmptyFile(file);
    server.close();
  };
  process.once('exit', release);
  return release;
}

function replaceWithEmptyFile(file) {
  const empty = `${file}.released`;
  try {
    fs.writeFileSync(empty, '');
    fs.renameSync(empty, file);
  } catch (error) {
    // The folder is gone: nothing is left to lock.
    if (error.code !== 'ENOENT') throw error;
  }
}

async function takePipe(server, lockPath) {
  const name = createHash('sha256').update(path.resolve(lockPath)).digest('hex');
  try {
    await listen(server, `\\\\.\\pipe\\event-delivery-${name}`);
    return { release: () => server.close(), afterCrash: false };
  } catch (error) {
    if (error.code !== 'EADDRINUSE') throw error;
    return { heldBy: '' };
  }
}
