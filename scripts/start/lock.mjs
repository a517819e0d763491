import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

const ANSWER_DEADLINE_MS = 1000;
const NO_SOCKETS_HERE = ['EINVAL', 'EOPNOTSUPP', 'ENOTSUP', 'EPERM'];
/** The smallest limit of a supported system is 104; Node silently truncates longer paths. */
const LONGEST_ADDRESS_BYTES = 100;
const SUFFIXES_BYTES = '.123456.old'.length;

/**
 * Takes a lock that the kernel releases however its holder ends: a socket that listens at the path. A file with a process
 * id would survive kill -9, and the id could be reused by another process.
 *
 * @param {string} lockPath
 * @param {() => string} tell describes the holder to processes that find the lock taken
 * @returns {Promise<{release: () => void, afterCrash: boolean} | {heldBy: string}>} afterCrash: the previous holder did
 *   not release the lock, and may have left orphan processes
 */
export async function acquireLock(lockPath, tell) {
  const server = net.createServer((socket) => socket.on('error', () => undefined).end(tell()));
  server.unref();
  if (process.platform === 'win32') return takePipe(server, lockPath);
  const own = await listenSomewhere(server, lockPath);
  try {
    const claimed = await claim(own.socket, own.lock);
    if (!('heldBy' in claimed)) return { ...claimed, release: releaser(server, own.lock) };
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
  const folder = fs.realpathSync(path.dirname(lockPath));
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  const elsewhere = path.join(os.tmpdir(), `event-delivery-${name}-${path.basename(lockPath)}`);
  const suffix = randomBytes(3).toString('hex');
  if (Buffer.byteLength(lockPath) + SUFFIXES_BYTES <= LONGEST_ADDRESS_BYTES) {
    try {
      return { lock: lockPath, socket: await listen(server, `${lockPath}.${suffix}`) };
    } catch (error) {
      if (!NO_SOCKETS_HERE.includes(error.code)) throw error;
    }
  }
  return { lock: elsewhere, socket: await listen(server, `${elsewhere}.${suffix}`) };
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

/** Moves the listening socket to the path of the lock, unless a living process listens there. */
async function claim(socket, lock) {
  for (let afterCrash = false; ; afterCrash = true) {
    try {
      fs.linkSync(socket, lock);
      return { afterCrash };
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = await askHolder(lock);
    if (holder !== null) return { heldBy: holder };
    // Moved before it is removed: another process may have put its own socket there since the check.
    const aside = `${socket}.old`;
    try {
      fs.renameSync(lock, aside);
    } catch (error) {
      if (error.code === 'ENOENT') continue;
      throw error;
    }
    const newHolder = await askHolder(aside);
    if (newHolder !== null) fs.linkSync(aside, lock);
    fs.rmSync(aside, { force: true });
    if (newHolder !== null) return { heldBy: newHolder };
  }
}

/** The holder's description of itself; null when nobody listens. */
function askHolder(address) {
  return new Promise((resolve) => {
    let told = '';
    const socket = net.connect(address);
    // A holder with a blocked event loop is alive: the kernel accepted the connection.
    socket.setTimeout(ANSWER_DEADLINE_MS, () => socket.destroy());
    socket.setEncoding('utf8').on('data', (chunk) => {
      told += chunk;
    });
    socket.on('error', (error) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(null);
    });
    socket.on('close', () => resolve(told));
  });
}

function releaser(server, lock) {
  const release = () => {
    process.off('exit', release);
    fs.rmSync(lock, { force: true });
    server.close();
  };
  process.once('exit', release);
  return release;
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
