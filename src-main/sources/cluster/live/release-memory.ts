import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Resident bytes up to which nothing is done; a console is to stay below 250 MB. */
const worthwhile = 180e6;
/** Bytes that must have come since the last collection for another one: what it left is in use. */
const grown = 24e6;
/** Milliseconds between two looks, and between two collections, each of which holds the process for some 200 ms. */
const every = 10_000;
const apart = 50_000;
/** Share of a core above which work is going on, which a collection would only interrupt. */
const busy = 0.3;

type Release = { readonly leave: () => void };

/** Clusters that are open: the memory is that of the whole process. */
let users = 0;
let timer: NodeJS.Timeout | undefined;

/**
 * Gives memory back while something is read, of however little: V8 lets its space for young objects grow with every list
 * and every page, and keeps it until it has a reason to collect. With 10,000 pods and 20,000 events 370 MB stayed
 * resident, of which 60 MB were in use; a collection of this kind leaves 180 MB. Node has no other way to it than the
 * function that a flag uncovers.
 */
export function releaseMemory(): Release {
  users += 1;
  timer ??= watchMemory();
  let left = false;
  return {
    leave() {
      if (left) return;
      left = true;
      users -= 1;
      if (users > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
}

function watchMemory(): NodeJS.Timeout {
  let collectedAt = Number.NEGATIVE_INFINITY;
  let kept = 0;
  /** Whether there was much to do since the last collection: what that needed is worth one, however little grew. */
  let hasWorked = false;
  let used = process.cpuUsage();
  let lookedAt = performance.now();
  return setInterval(() => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(used);
    const share = (user + system) / 1000 / (now - lookedAt);
    used = process.cpuUsage();
    lookedAt = now;
    const resident = process.memoryUsage.rss();
    if (share > busy) hasWorked = true;
    if (resident < worthwhile || (!hasWorked && resident < kept + grown)) return;
    if (share > busy || now - collectedAt < apart) return;
    collectedAt = now;
    hasWorked = false;
    // Memory is given back for its own sake: what fails is tried again at the next look.
    collect()
      .then(() => {
        kept = process.memoryUsage.rss();
      })
      .catch(() => undefined);
  }, every).unref();
}

async function collect(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('typeof gc === "function" ? gc : undefined');
  setFlagsFromString('--no-expose-gc');
  // Of its own kind, because a usual full collection keeps the space of young objects.
  if (typeof gc === 'function') await gc({ type: 'major', execution: 'async', flavor: 'last-resort' });
}
