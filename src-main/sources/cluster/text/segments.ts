import { createCleaner, isFence, longestLine, type TextLine } from './clean-lines.ts';
import { type Command, commandIn } from './commands.ts';

/** A part of a text that describes objects, in one form. */
export type Segment = {
  readonly form: 'yaml' | 'json' | 'describe' | 'table';
  /** Without the indentation that all of it has. */
  readonly lines: readonly TextLine[];
  /** The command that printed it, where it was typed before. */
  readonly command: Command | undefined;
};

export type SegmentHandlers = {
  /** Returns false for a segment that is none after all: its lines are then given as lines. */
  readonly onSegment: (segment: Segment) => boolean;
  /** A line of no object, such as of a log, with the command that printed it. */
  readonly onLine: (line: TextLine, command: Command | undefined) => void;
  /** Called once, when the text holds more objects than are read. */
  readonly onTooMuch: () => void;
};

/** Characters of objects that are held at a time, and of all objects of a text. */
const longestSegment = 24 << 20;
const mostObjects = 64 << 20;
/** Lines that may interrupt a description, such as those of a message of several lines. */
const mostInterrupting = 60;

type Open = {
  readonly form: Segment['form'];
  readonly indent: number;
  readonly lines: TextLine[];
  length: number;
  /** JSON: open brackets, and whether a string is open. */
  depth: number;
  /** Lines that belong to it only if it goes on after them. */
  pending: TextLine[];
  /** Description: in its events, or in the values of a ConfigMap. */
  section: 'fields' | 'events' | 'data';
};

/** Cuts a text, line by line, into objects and other lines; holds no more of it than the object it is in. */
export function createSegmenter({ onSegment, onLine, onTooMuch }: SegmentHandlers): {
  readonly feed: (raw: string) => void;
  readonly end: () => void;
} {
  const clean = createCleaner();
  let number = 0;
  let command: Command | undefined;
  let open: Open | undefined;
  let held = 0;
  let isFull = false;

  const close = (): void => {
    if (open === undefined) return;
    const { form, lines, pending } = open;
    open = undefined;
    held += lines.reduce((sum, { text }) => sum + text.length, 0);
    if (!onSegment({ form, lines, command })) for (const line of lines) onLine(line, command);
    for (const line of pending) take(line);
  };

  const begin = (line: TextLine): boolean => {
    const indent = line.text.length - line.text.trimStart().length;
    const text = line.text.slice(indent);
    const form = formOf(text);
    if (form === undefined) return false;
    if (held > mostObjects) {
      if (!isFull) onTooMuch();
      isFull = true;
      return false;
    }
    open = { form, indent, lines: [], length: 0, depth: 0, pending: [], section: 'fields' };
    add(open, line);
    if (form === 'json' && open.depth <= 0) close();
    return true;
  };

  const take = (line: TextLine): void => {
    const { text } = line;
    if (open !== undefined) {
      const state = goesOn(open, text);
      if (state === 'yes' && open.length < longestSegment) {
        open.lines.push(...open.pending.splice(0));
        add(open, line);
        if (open.form === 'json' && open.depth <= 0) close();
        return;
      }
      if (state === 'maybe' && open.pending.length < mostInterrupting) {
        open.pending.push(line);
        return;
      }
      close();
    }
    const typed = commandIn(text);
    if (typed !== undefined) {
      command = typed;
      onLine(line, undefined);
      return;
    }
    if (!begin(line)) onLine(line, command);
  };

  return {
    feed(raw) {
      number += 1;
      const text = clean(raw);
      if (isFence(text)) {
        close();
        command = undefined;
        return;
      }
      take({ text, number });
    },
    end: () => {
      // What is pending may begin another one.
      while (open !== undefined) close();
    },
  };
}

function add(open: Open, line: TextLine): void {
  const text = line.text.slice(Math.min(open.indent, line.text.length - line.text.trimStart().length));
  if (open.form === 'json') countBrackets(open, text);
  if (open.form === 'describe') open.section = sectionAfter(open.section, text);
  open.lines.push({ text: open.form === 'json' ? text : text.slice(0, longestLine), number: line.number });
  open.length += text.length;
}

function countBrackets(open: Open, text: string): void {
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) open.depth += 1;
    else if (code === 0x7d || code === 0x5d) open.depth -= 1;
  }
}

const tableHead =
  /^(?:NAME|NAMESPACE|LAST ?SEEN|FIRST ?SEEN)\s+[A-Z][A-Z-]+(?:\([A-Z]\))?(?:\s+[A-Z][A-Z()-]*)*\s*$/;
const yamlHead =
  /^(?:- )?(?:apiVersion|kind):\s+["']?[A-Za-z][\w./-]*["']?$|^(?:metadata|status|spec|items|containerStatuses|involvedObject):$/;
const jsonHead =
  /^(?:\{|\[|\[\s*\{)$|^\[?\s*\{\s*"(?:apiVersion|kind|items|metadata|status|spec|involvedObject)"\s*:/;
const describeHead = /^Name:\s+[a-z0-9][\w.:-]*$/;

function formOf(text: string): Segment['form'] | undefined {
  switch (text.charCodeAt(0)) {
    case 0x4e: // N
      return describeHead.test(text) ? 'describe' : tableHead.test(text) ? 'table' : undefined;
    case 0x4c: // L
    case 0x46: // F
      return tableHead.test(text) ? 'table' : undefined;
    case 0x7b: // {
    case 0x5b: // [
      return jsonHead.test(text) ? 'json' : undefined;
    default:
      return yamlHead.test(text) ? 'yaml' : undefined;
  }
}

/** Fields of a description that stand at its left edge; others are known by being aligned. */
const fields = new Set(
  'Name,Namespace,Priority,Priority Class Name,Service Account,Node,Start Time,Labels,Annotations,Status,Reason,Message,IP,IPs,Controlled By,Containers,Init Containers,Conditions,Volumes,QoS Class,Node-Selectors,Tolerations,Events,Selector,Replicas,Type,Endpoints,Port,TargetPort,Capacity,Access Modes,VolumeMode,Used By,StorageClass,Volume,Finalizers,Roles,Taints,Unschedulable,Addresses,Allocatable,System Info,CreationTimestamp,Lease,Rules,Address,Ingress Class,Default backend,TLS,Reference,Metrics,Min replicas,Max replicas,Deployment pods,Spec,Metadata,Kind,API Version,Data,Schedule,Suspend,Pod Template,Pods Status,Pods Statuses,Duration,Completions,Parallelism,OldReplicaSets,NewReplicaSet,StrategyType,Session Affinity,Subsets'.split(
    ',',
  ),
);

function goesOn(open: Open, line: string): 'yes' | 'no' | 'maybe' {
  if (line === '') return open.form === 'table' ? 'no' : 'yes';
  const indent = line.length - line.trimStart().length;
  const text = line.slice(Math.min(open.indent, indent));
  const isLess = indent < open.indent;
  // Most commands are typed at a prompt, which neither values nor rows look like.
  if (commandIn(line) !== undefined) return 'no';
  switch (open.form) {
    case 'json':
      return open.depth > 0 &&
        !/^[A-Z]/.test(text) &&
        (indent > 0 || /^["{}[\],\d-]|^(?:true|false|null)/.test(text))
        ? 'yes'
        : 'no';
    case 'yaml':
      if (isLess) return 'no';
      return /^(?:\s|-(?:\s|$)|#|---|\.\.\.$)/.test(text) ||
        /^["']?[a-z][\w./-]*["']?:(?:$|\s+[\w"'{[|>&*!<.+-])/.test(text)
        ? isLogfmt(text)
          ? 'no'
          : 'yes'
        : 'no';
    case 'table':
      // Another header begins another table.
      return tableHead.test(text) || /^(?:Error|Warning|No resources)\b/.test(text) ? 'no' : 'yes';
    case 'describe':
      if (isLess || describeHead.test(text)) return 'no';
      if (/^\s/.test(text)) return 'yes';
      if (open.section === 'data') return formOf(text) === undefined ? 'yes' : 'no';
      if (/^[=-]{3,}$/.test(text)) return 'yes';
      return isField(text) && open.section !== 'events' ? 'yes' : formOf(text) === undefined ? 'maybe' : 'no';
  }
}

/** A line at the left edge that is of a log, though it could be a field. */
const isLogfmt = (text: string): boolean =>
  /^(?:error|warning|fatal|panic|info|debug|level|time|msg|goroutine):\s/.test(text);

function isField(text: string): boolean {
  const [, key = '', gap = ''] = /^([A-Z][\w ()/.-]{0,60}):(\s*)/.exec(text) ?? [];
  return key !== '' && (fields.has(key) || gap.length >= 2 || text.length === key.length + 1);
}

function sectionAfter(section: Open['section'], text: string): Open['section'] {
  if (/^Events:/.test(text)) return 'events';
  if (section === 'fields' && /^Data$/.test(text)) return 'data';
  return section;
}
