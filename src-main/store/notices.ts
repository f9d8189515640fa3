/** What a notice is about: `commands` of a person, `playbooks` of a run. */
export type NoticeTopic = 'commands' | 'playbooks';

/**
 * Notices of changes in the store: hints to look, never the change itself. They may come twice or not at all, so who
 * waits looks at intervals, too.
 */
export type Notices = {
  /** Tells everybody who listens, on this console and on others, that there may be something new for a key. */
  publish(topic: NoticeTopic, key: string): void;
  /** Calls back for each notice; with `undefined` when some may have been missed. Returns how to stop. */
  subscribe(topic: NoticeTopic, listener: (key: string | undefined) => void): () => void;
  /** Whether notices of other consoles arrive at this moment. */
  isShared(): boolean;
  close(): Promise<void>;
};

type Listeners = Map<NoticeTopic, Set<(key: string | undefined) => void>>;

/** Notices within this process. */
export function localNotices(): Notices & { readonly tell: (topic: NoticeTopic, key?: string) => void } {
  const listeners: Listeners = new Map();
  const tell = (topic: NoticeTopic, key?: string): void => {
    for (const listener of listeners.get(topic) ?? []) listener(key);
  };
  return {
    tell,
    publish: tell,
    subscribe(topic, listener) {
      const here = listeners.get(topic) ?? new Set();
      listeners.set(topic, here.add(listener));
      return () => here.delete(listener);
    },
    isShared: () => false,
    close: async () => undefined,
  };
}
