import type { RawObject } from '../../../cluster-model/index.ts';
import { ageIn, ago } from './ages.ts';
import { kindNamed } from './kinds.ts';

/** The object an event is about. */
export type About = { readonly kind: string; readonly name: string; readonly namespace?: string | undefined };

/** An event as a text prints it. */
export type PrintedEvent = {
  readonly type: 'Normal' | 'Warning' | undefined;
  readonly reason: string;
  readonly message: string;
  /** Milliseconds before the text was printed; undefined where it does not say. */
  readonly age: number | undefined;
  readonly firstAge: number | undefined;
  readonly count: number;
  readonly about: About | undefined;
  readonly container: string | undefined;
  readonly line: number;
};

const age = '(?:<unknown>|<invalid>|(?:\\d+[ydhms])+)';
const often = `(${age})(?:\\s+\\(x(\\d+)(?:\\s+over\\s+(${age}))?\\))?`;
const described = new RegExp(
  `^(Normal|Warning)\\s+([A-Z]\\w{2,60})\\s+${often}\\s+([\\w./-]{2,100}(?:,\\s[\\w.-]+)?)\\s+(.+)$`,
);
/** Before Kubernetes 1.7: first and last time, count, source, part of the object, type, reason. */
const describedBefore = new RegExp(
  `^(${age})\\s+(${age})\\s+(\\d+)\\s+(.{2,160}?)\\s+(Normal|Warning)\\s+([A-Z]\\w{2,60})\\s+(.+)$`,
);
const listed = new RegExp(
  `^(?:([a-z0-9][a-z0-9.-]*)\\s+)?${often}\\s+(Normal|Warning)\\s+([A-Z]\\w{2,60})\\s+([a-z][\\w.-]*)/([a-z0-9][\\w.:-]*)\\s+(.+)$`,
);
const recorded =
  /Event\(v1\.ObjectReference\{Kind:"(\w+)", Namespace:"([^"]*)", Name:"([^"]+)".{0,400}?FieldPath:"([^"]*)"\}\): type: '(Normal|Warning)' reason: '(\w+)' (.+)$/;
const occurred =
  /"Event occurred" object="([^"]+)".{0,300}? kind="(\w+)".{0,200}? type="(Normal|Warning)" reason="(\w+)" message="(.+?)"$/;

/** Returns the event of a row of `kubectl describe`, `get events` or a component's log; undefined for another line. */
export function eventIn(
  text: string,
  line: number,
  subject?: About,
  namespace?: string,
): PrintedEvent | undefined {
  if (!/Normal|Warning/.test(text)) return undefined;
  const row = text.trim();
  const made = (
    facts: Pick<PrintedEvent, 'reason' | 'message' | 'about'> & {
      readonly type: string | undefined;
      readonly last?: string | undefined;
      readonly first?: string | undefined;
      readonly count?: string | undefined;
      readonly container?: string | undefined;
    },
  ): PrintedEvent => ({
    type: facts.type === 'Warning' ? 'Warning' : 'Normal',
    reason: facts.reason,
    message: facts.message.trim(),
    age: ageIn(facts.last),
    firstAge: ageIn(facts.first) ?? ageIn(facts.last),
    count: Number(facts.count ?? 1),
    about: facts.about,
    container: facts.container,
    line,
  });
  const own = described.exec(row);
  if (own !== null) {
    const [, type, reason = '', last, count, first, , message = ''] = own;
    return made({ type, reason, message, last, first, count, about: subject });
  }
  const old = describedBefore.exec(row);
  if (old !== null) {
    const [, first, last, count, source = '', type, reason = '', message = ''] = old;
    const container = /spec\.\w+\{([^}]+)\}/.exec(source)?.[1];
    return made({ type, reason, message, last, first, count, container, about: subject });
  }
  const list = listed.exec(row);
  if (list !== null) {
    const [, space, last, count, first, type, reason = '', of = '', name = '', rest = ''] = list;
    // `-o wide` has the part of the object and the source before the message.
    const [, container, wide] =
      /^(?:spec\.\w+\{([^}]+)\}\s+)?(?:[a-z][\w-]*(?:, [\w.-]+)?\s{2,})?(.+)$/.exec(rest) ?? [];
    return made({
      type,
      reason,
      message: /\s{2,}/.test(rest) ? (wide ?? rest) : rest,
      last,
      first,
      count,
      container,
      about: { kind: kindNamed(of)?.kind ?? titled(of), name, namespace: space ?? namespace },
    });
  }
  const found = recorded.exec(row);
  if (found !== null) {
    const [, kind = '', space, name = '', path = '', type, reason = '', message = ''] = found;
    const container = /\{([^}]+)\}/.exec(path)?.[1];
    return made({ type, reason, message, container, about: { kind, name, namespace: space || undefined } });
  }
  const [, object = '', kind = '', type, reason = '', message = ''] = occurred.exec(row) ?? [];
  if (object === '') return undefined;
  const [name = '', space] = object.split('/').toReversed();
  return made({
    type,
    reason,
    message: message.replaceAll('\\"', '"'),
    about: { kind, name, namespace: space },
  });
}

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Name of the event object of a line, by which the line is found again. */
export const eventName = (line: number): string => `line ${line}`;

/** Returns the Event object of a printed event about a known object. */
export function eventObject(event: PrintedEvent, about: About): RawObject {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: eventName(event.line), namespace: about.namespace },
    type: event.type,
    reason: event.reason,
    message: event.message,
    count: event.count,
    lastTimestamp: ago(event.age ?? 0),
    firstTimestamp: ago(event.firstAge ?? 0),
    involvedObject: {
      kind: about.kind,
      name: about.name,
      namespace: about.namespace,
      ...(event.container === undefined ? {} : { fieldPath: `spec.containers{${event.container}}` }),
    },
  };
}
