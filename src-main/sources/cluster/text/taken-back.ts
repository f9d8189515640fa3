import { isRecord, type RawObject } from '../../../cluster-model/index.ts';

/** Reasons of events that take an earlier one back: the object got past it. */
const ends: Readonly<Record<string, readonly string[]>> = {
  FailedScheduling: ['Scheduled', 'Pulling', 'Pulled', 'Created', 'Started'],
  VolumeResizeFailed: ['VolumeResizeSuccessful', 'FileSystemResizeSuccessful', 'FileSystemResizeRequired'],
  FileSystemResizeFailed: ['FileSystemResizeSuccessful'],
  FailedMount: ['Pulling', 'Pulled', 'Created', 'Started', 'SuccessfulMountVolume'],
  FailedAttachVolume: ['SuccessfulAttachVolume', 'Pulling', 'Pulled', 'Created', 'Started'],
  FailedCreatePodSandBox: ['Pulling', 'Pulled', 'Created', 'Started'],
  NetworkNotReady: ['Pulling', 'Pulled', 'Created', 'Started'],
  ProvisioningFailed: ['ProvisioningSucceeded'],
  FailedBinding: ['ProvisioningSucceeded'],
  FailedCreate: ['SuccessfulCreate'],
  NodeNotReady: ['NodeReady'],
  // Of the image; a run that was started says nothing of the next one.
  Failed: ['Pulled', 'Started'],
  ErrImagePull: ['Pulled', 'Started'],
};
const ofImage = /image|pull/i;
/** A probe that failed no more than so often, within this time of a start in ms, is one that came too early. */
const earlyTries = 3;
const early = 120_000;

type Shown = {
  readonly event: RawObject;
  readonly reason: string;
  readonly message: string;
  readonly at: number;
  readonly count: number;
};

/** Leaves out events that a later one about the same object takes back, as far as a text shows both with their times. */
export function withoutTakenBack(events: readonly RawObject[]): RawObject[] {
  const groups = new Map<string, Shown[]>();
  const keys = events.map((event) => {
    const { kind, name, namespace } = isRecord(event.involvedObject) ? event.involvedObject : {};
    const key = `${String(kind)}/${String(namespace ?? '')}/${String(name)}`;
    const shown: Shown = {
      event,
      reason: String(event.reason),
      message: String(event.message ?? ''),
      at: Date.parse(String(event.lastTimestamp ?? event.eventTime)),
      count: typeof event.count === 'number' ? event.count : 1,
    };
    const own = groups.get(key);
    if (own === undefined) groups.set(key, [shown]);
    else own.push(shown);
    return { key, shown };
  });
  return keys
    .filter(({ key, shown }) => !(groups.get(key) ?? []).some((other) => takesBack(other, shown)))
    .map(({ shown }) => shown.event);
}

function takesBack(later: Shown, shown: Shown): boolean {
  if (later === shown) return false;
  if (shown.reason === 'Unhealthy')
    return (
      later.reason === 'Started' &&
      shown.count <= earlyTries &&
      shown.at - later.at < early &&
      /^(?:Readiness|Startup)/.test(shown.message)
    );
  if (!(later.at > shown.at) || !(ends[shown.reason] ?? []).includes(later.reason)) return false;
  return !(shown.reason === 'Failed' || shown.reason === 'ErrImagePull') || ofImage.test(shown.message);
}
