import type { ListTasksRequest, ListTasksResponse, Task } from '@a2a-js/sdk';
import type { ServerCallContext, TaskStore } from '@a2a-js/sdk/server';

/** Most tasks kept, of one person and of all; those that changed longest ago make room. */
const mostOfPerson = 100;
const mostOfAll = 5000;
const usualPage = 50;

type Kept = { readonly person: string; readonly task: Task };

/**
 * Tasks of the agent, in memory: an answer is made from the store and can be asked for again, so a restart may forget it. A person reads
 * their own alone (A2A 1.0, 13.1).
 */
export function taskStore(): TaskStore {
  // A Map keeps the order in which its entries were added: the first one changed longest ago.
  const kept = new Map<string, Kept>();
  const keyOf = (person: string, id: string): string => JSON.stringify([person, id]);
  const ofPerson = (person: string): Task[] =>
    [...kept.values()].flatMap((each) => (each.person === person ? [each.task] : []));
  return {
    async save(task, context) {
      const person = personOf(context);
      kept.delete(keyOf(person, task.id));
      kept.set(keyOf(person, task.id), { person, task: structuredClone(task) });
      const own = ofPerson(person);
      const [oldestOwn] = own;
      if (own.length > mostOfPerson && oldestOwn !== undefined) kept.delete(keyOf(person, oldestOwn.id));
      const [oldest] = kept.keys();
      if (kept.size > mostOfAll && oldest !== undefined) kept.delete(oldest);
    },
    async load(id, context) {
      const task = kept.get(keyOf(personOf(context), id))?.task;
      return task === undefined ? undefined : structuredClone(task);
    },
    async list(request, context) {
      return pageOf(ofPerson(personOf(context)).reverse(), request);
    },
  };
}

function personOf({ user }: ServerCallContext): string {
  if (user === undefined || !user.isAuthenticated) throw new Error('A task of nobody was asked for.');
  return user.userName;
}

/** A page of tasks that come most recently changed first; its token is the number of tasks before it. */
function pageOf(tasks: readonly Task[], request: ListTasksRequest): ListTasksResponse {
  const { contextId, status, statusTimestampAfter = '', pageToken, pageSize = usualPage } = request;
  const found = tasks.filter(
    (task) =>
      (contextId === '' || contextId === task.contextId) &&
      (status === 0 || status === task.status?.state) &&
      (statusTimestampAfter === '' ||
        Date.parse(task.status?.timestamp ?? '') >= Date.parse(statusTimestampAfter)),
  );
  const start = Number(pageToken);
  const page = found.slice(start, start + pageSize);
  return {
    tasks: structuredClone(
      request.includeArtifacts === true ? page : page.map((task) => ({ ...task, artifacts: [] })),
    ),
    nextPageToken: start + page.length < found.length ? String(start + page.length) : '',
    pageSize,
    totalSize: found.length,
  };
}
