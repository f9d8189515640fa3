import { createHash } from 'node:crypto';
import { Cron } from 'croner';
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { compileCondition } from '../../cel/index.ts';
import { resources } from '../../cluster-model/index.ts';
import { kindOf, type PlaybookDefinition, playbookDefinition } from './definition.ts';
import { placesOf, TemplateFault } from './templates.ts';

/** A fault of a definition, where it stands. Lines and columns count from 1; the path is as in `steps.2.act`. */
export type DefinitionFault = {
  readonly line: number;
  readonly column: number;
  readonly path: string;
  /** One sentence. */
  readonly message: string;
};

export type CheckedDefinition = {
  readonly definition: PlaybookDefinition | undefined;
  readonly faults: readonly DefinitionFault[];
};

/** Longest text of a definition, in characters. */
const longestDefinition = 100_000;

/** Variables that a condition of a step may read. */
export const stepVariables = ['input', 'event', 'steps', 'run'] as const;
/** Those of a condition that waits: with what was read last. */
export const waitVariables = [...stepVariables, 'result'] as const;

/** Returns the digest that runs pin a definition by: SHA-256 of its text. */
export function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** Reads a definition from YAML, with every fault of it. It is undefined where it cannot be run. */
export function checkDefinition(text: string): CheckedDefinition {
  if (text.length > longestDefinition)
    return faulty([
      { line: 1, column: 1, path: '', message: `It has more than ${longestDefinition} characters.` },
    ]);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, maxAliasCount: 0 } as object);
  if (document.errors.length > 0)
    return faulty(
      document.errors.map(({ pos, message }) => {
        const { line, col } = lines.linePos(pos[0]);
        const [first = message] = message.split('\n');
        return {
          line,
          column: col,
          path: '',
          message: `${first.replace(/ at line \d+, column \d+:?$/, '')}.`,
        };
      }),
    );
  const place = placeIn(document, lines);
  let content: unknown;
  try {
    content = document.toJS({ maxAliasCount: 0 });
  } catch {
    return faulty([
      { line: 1, column: 1, path: '', message: 'It uses aliases: write each value where it is needed.' },
    ]);
  }
  const read = playbookDefinition.safeParse(content);
  if (!read.success)
    return faulty(
      read.error.issues
        .flatMap(issuesWithin)
        .map(({ path, message }) => ({ ...place(path), message: sentence(message) })),
    );
  const faults = meaningFaults(read.data).map(({ path, message }) => ({ ...place(path), message }));
  return { definition: faults.length === 0 ? read.data : undefined, faults };
}

const faulty = (faults: readonly DefinitionFault[]): CheckedDefinition => ({ definition: undefined, faults });

type Path = readonly PropertyKey[];
type Issue = {
  readonly path: Path;
  readonly message: string;
  readonly code?: string | undefined;
  readonly errors?: readonly (readonly Issue[])[];
};

/** A step is one of several kinds: the faults of the kind that it came closest to, where it names one. */
function issuesWithin(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union' || issue.errors === undefined || issue.errors.length === 0)
    return [issue];
  const fits = issue.errors.filter((errors) => !errors.some(isMissingKind));
  const [closest] = (fits.length > 0 ? fits : []).toSorted((a, b) => a.length - b.length);
  if (closest === undefined)
    return [
      {
        path: issue.path,
        message: 'must have exactly one of read, check, act, dispatch, command, approval, wait',
      },
    ];
  return closest.flatMap((each) => issuesWithin({ ...each, path: [...issue.path, ...each.path] }));
}

const kindNames = new Set<PropertyKey>(['read', 'check', 'act', 'dispatch', 'command', 'approval', 'wait']);

const isMissingKind = ({ path: [name, ...more], message }: Issue): boolean =>
  name !== undefined && more.length === 0 && kindNames.has(name) && message.endsWith('received undefined');

const sentence = (message: string): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;

/** Returns how to find the line of a path; of a missing field that of the nearest one around it. */
function placeIn(document: Document, lines: LineCounter) {
  return (path: Path): Omit<DefinitionFault, 'message'> => {
    for (let length = path.length; length >= 0; length -= 1) {
      const node = length === 0 ? document.contents : document.getIn(path.slice(0, length).map(String), true);
      if (!isNode(node) || !node.range) continue;
      const { line, col } = lines.linePos(node.range[0]);
      return { line, column: col, path: path.map(String).join('.') };
    }
    return { line: 1, column: 1, path: path.map(String).join('.') };
  };
}

type Meaning = { readonly path: Path; readonly message: string };

/** Faults that a schema cannot see: names that are not known, conditions that cannot be read, loops that go nowhere. */
function meaningFaults(definition: PlaybookDefinition): Meaning[] {
  const faults: Meaning[] = [];
  const { inputs, start, steps } = definition;
  const add = (path: Path, message: string): void => {
    faults.push({ path, message });
  };
  const condition = (path: Path, text: string, variables: readonly string[]): void => {
    const compiled = compileCondition(text, variables);
    if ('fault' in compiled) add(path, compiled.fault);
  };
  for (const [at, each] of inputs.entries()) {
    if (inputs.findIndex(({ name }) => name === each.name) !== at)
      add(['inputs', at, 'name'], `There are two inputs "${each.name}".`);
    if (each.default !== undefined && typeof each.default !== typeNames[each.type])
      add(['inputs', at, 'default'], `It is no ${each.type}.`);
  }
  for (const [at, { cron, time_zone }] of start.schedule.entries()) {
    if (!isSchedule(cron, time_zone))
      add(
        ['start', 'schedule', at, 'cron'],
        'It is no schedule of five fields that ever comes, or its time zone is not known.',
      );
    if (inputs.some(({ required, default: given }) => required && given === undefined))
      add(
        ['start', 'schedule', at, 'cron'],
        'A schedule gives no inputs: each required input needs a default.',
      );
  }
  for (const [at, { when }] of start.events.entries())
    if (when !== undefined) condition(['start', 'events', at, 'when'], when, ['event']);
  const before = new Set<string>();
  for (const [at, step] of steps.entries()) {
    const path = ['steps', at];
    if (before.has(step.id)) add([...path, 'id'], `There are two steps "${step.id}".`);
    if (step.when !== undefined) condition([...path, 'when'], step.when, stepVariables);
    if ('check' in step) condition([...path, 'check'], step.check, stepVariables);
    if ('wait' in step) condition([...path, 'wait', 'until'], step.wait.until, waitVariables);
    if (step.repeat !== undefined) {
      condition([...path, 'repeat', 'until'], step.repeat.until, stepVariables);
      if (step.repeat.from !== step.id && !before.has(step.repeat.from))
        add([...path, 'repeat', 'from'], `"${step.repeat.from}" is no step before this one.`);
    }
    if (step.compensate === 'undo' && kindOf(step) !== 'act')
      add([...path, 'compensate'], 'Only an act has an undo: name the act that undoes this step.');
    const reading = 'read' in step ? step.read : 'wait' in step ? step.wait.read : undefined;
    if (reading !== undefined && kindNamed(reading.kind) === undefined)
      add([...path, 'read' in step ? 'read' : 'wait'], `The console reads no kind "${reading.kind}".`);
    checkPlaces(step, path, { inputs: new Set(inputs.map(({ name }) => name)), steps: before }, add);
    before.add(step.id);
  }
  return faults;
}

const typeNames = { text: 'string', name: 'string', number: 'number', boolean: 'boolean' } as const;

/** Returns the resource of a kind that the console reads. */
export function kindNamed(kind: string) {
  return resources.everyKind.find((each) => each.kind === kind);
}

type Known = { readonly inputs: ReadonlySet<string>; readonly steps: ReadonlySet<string> };

/** Names the places of a step's texts that no run could fill. */
function checkPlaces(
  value: unknown,
  path: Path,
  known: Known,
  add: (path: Path, message: string) => void,
): void {
  if (typeof value === 'string') {
    try {
      for (const place of placesOf(value)) {
        const fault = placeFault(place, known);
        if (fault !== undefined) add(path, fault);
      }
    } catch (error) {
      if (!(error instanceof TemplateFault)) throw error;
      add(path, error.message);
    }
  } else if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value))
      checkPlaces(each, [...path, Array.isArray(value) ? Number(name) : name], known, add);
}

function placeFault([root = '', name = '']: readonly string[], known: Known): string | undefined {
  if (root === 'input') return known.inputs.has(name) ? undefined : `There is no input "${name}".`;
  if (root === 'steps') return known.steps.has(name) ? undefined : `"${name}" is no step before this one.`;
  return root === 'event' || root === 'run'
    ? undefined
    : `"${root}" is not known here: a place begins with input, event, steps or run.`;
}

function isSchedule(cron: string, timeZone: string): boolean {
  try {
    return nextOccurrence(cron, timeZone, Date.now()) !== undefined;
  } catch {
    return false;
  }
}

/** Returns the next time of a schedule after a moment; both in epoch ms. Throws for what is no schedule. */
export function nextOccurrence(cron: string, timeZone: string, after: number): number | undefined {
  const schedule = new Cron(cron, { mode: '5-part', timezone: timeZone, paused: true });
  return schedule.nextRun(new Date(after))?.getTime();
}
