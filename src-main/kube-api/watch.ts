import type { ServerResponse } from 'node:http';
import { isTrue } from './addresses.ts';
import type { Changes } from './changes.ts';
import type { Faults } from './faults.ts';
import { countOf, revisionOf, selection } from './lists.ts';
import { groupVersion } from './object-fields.ts';
import type { Matches } from './selectors.ts';
import { failureStatus } from './status.ts';
import type { KubeKind, KubeObject, World, WorldChange } from './world.ts';

/** An event's object as the caller wants it: whole, a Table or its metadata. */
export type Render = (object: KubeObject) => object;

type WatchOptions = {
  readonly world: World;
  readonly changes: Changes;
  readonly faults: Faults;
  readonly kind: KubeKind;
  readonly namespace: string | undefined;
  readonly query: URLSearchParams;
  readonly render: Render;
  readonly contentType: string;
  /** Epoch between bookmarks, in ms. */
  readonly bookmarkMs: number;
  /** A watch whose revision is to be told as gone, whatever it is. */
  readonly gone: boolean;
};

/** Seconds a watch lives when its caller names no time; a real server takes 30 to 60 minutes. */
const usualSeconds = 1800;

/**
 * Streams what changes, an event a line, until its time is over (Kubernetes API concepts, Efficient detection of changes).
 * Without a revision, or with `sendInitialEvents`, what is there comes first. A revision that is no longer kept ends the
 * stream with one ERROR event of code 410.
 */
export async function watch(response: ServerResponse, options: WatchOptions): Promise<void> {
  const { world, changes, kind, namespace, query, render } = options;
  const matches = selection(kind, query);
  const requested = revisionOf(query);
  const seconds = countOf(query, 'timeoutSeconds') || usualSeconds;
  const bookmarks = isTrue(query.get('allowWatchBookmarks'));
  const initial = isTrue(query.get('sendInitialEvents')) || requested === undefined || requested === 0;
  const isOurs = (change: WorldChange): boolean =>
    change.kind.group === kind.group &&
    change.kind.plural === kind.plural &&
    (namespace === undefined || change.object.metadata.namespace === namespace);

  response.writeHead(200, { 'content-type': options.contentType, 'cache-control': 'no-cache, private' });
  response.flushHeaders();
  const stream = eventStream(response, options.faults);
  const past = initial ? [] : changes.since(requested ?? 0);
  if (options.gone || past === undefined) {
    stream.send('ERROR', tooOldRevision(requested ?? 0, world.revision()));
    stream.end();
    return;
  }
  // Subscribed before the list is read: what changes meanwhile is held, and what the list already has is left out.
  const held: WorldChange[] = [];
  let live = false;
  let from = requested ?? 0;
  const tell = (change: WorldChange): void => {
    if (change.revision <= from || !isOurs(change)) return;
    const type = eventType(change, matches);
    if (type !== undefined) stream.send(type, render(change.object));
  };
  const stop = changes.subscribe((change) => (live ? tell(change) : void held.push(change)));
  const bookmark = (annotations?: Readonly<Record<string, string>>): void =>
    stream.send('BOOKMARK', {
      kind: kind.kind,
      apiVersion: groupVersion(kind),
      metadata: {
        resourceVersion: String(world.revision()),
        ...(annotations === undefined ? {} : { annotations }),
      },
    });
  const ticking = bookmarks ? setInterval(() => bookmark(), options.bookmarkMs) : undefined;
  const ending = setTimeout(() => {
    if (bookmarks) bookmark();
    stream.end();
  }, seconds * 1000);
  response.once('close', () => {
    stop();
    clearInterval(ticking);
    clearTimeout(ending);
  });

  if (initial) {
    const revision = world.revision();
    const objects = await world.list(kind, namespace);
    for (const object of matches === undefined ? objects : objects.filter(matches))
      stream.send('ADDED', render(object));
    from = revision;
    if (isTrue(query.get('sendInitialEvents')) && bookmarks)
      bookmark({ 'k8s.io/initial-events-end': 'true' });
  }
  for (const change of [...past, ...held]) {
    tell(change);
    from = Math.max(from, change.revision);
  }
  live = true;
}

/**
 * Returns the event type of a change for a watch with selectors: an object that begins to match is added, one
 * that stops matching is deleted.
 */
function eventType(change: WorldChange, matches: Matches | undefined): WorldChange['type'] | undefined {
  if (matches === undefined) return change.type;
  const now = change.type !== 'DELETED' && matches(change.object);
  const before = change.previous !== undefined && matches(change.previous);
  if (now) return before ? 'MODIFIED' : 'ADDED';
  return before ? 'DELETED' : undefined;
}

/** The Status of a watch from a revision that is gone. */
function tooOldRevision(requested: number, current: number): object {
  return failureStatus({
    code: 410,
    reason: 'Expired',
    message: `too old resource version: ${requested} (${current})`,
  });
}

/** Events as lines; while the API is paused they are held back. */
function eventStream(response: ServerResponse, faults: Faults) {
  const closed = faults.opened(() => response.socket?.destroy());
  response.once('close', closed);
  const waiting: string[] = [];
  let ended = false;
  const flush = (): void => {
    for (const line of waiting.splice(0)) response.write(line);
    if (ended) response.end();
  };
  const later = (): void => void faults.running().then(flush);
  return {
    send(type: string, object: object): void {
      if (response.destroyed) return;
      waiting.push(`${JSON.stringify({ type, object })}\n`);
      if (!faults.paused) flush();
      else if (waiting.length === 1) later();
    },
    end(): void {
      ended = true;
      if (!faults.paused) flush();
      else later();
    },
  };
}
