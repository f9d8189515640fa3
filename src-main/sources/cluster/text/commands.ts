import { kindNamed } from './kinds.ts';

/** A command of kubectl as it was typed before its output. */
export type Command = {
  /** Such as `get`, `describe` or `logs`. */
  readonly verb: string;
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly container?: string | undefined;
};

const typed =
  /^(?:.{0,120}?(?:[$#%❯➜»>]|\bC:\\[^>]{0,80}>)\s*)?(?:sudo\s+|time\s+|watch\s+(?:-n\s*\d+\s+)?)?(?:minikube\s+|microk8s\s+|k3s\s+)?(?:kubectl|oc|k)\s+(.{2,400})$/;
const verbs = new Set(['get', 'describe', 'logs', 'events', 'top', 'apply', 'rollout', 'exec', 'delete']);

/** Returns the command that a line shows being typed, behind any prompt; undefined for another line. */
export function commandIn(text: string): Command | undefined {
  if (!/(?:kubectl|oc|\bk)\s/.test(text)) return undefined;
  const words = typed.exec(text)?.[1]?.split(/\s+/) ?? [];
  const plain: string[] = [];
  const options = new Map<string, string>();
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    // What follows is for another program.
    if (/^(?:\||>|&&|;|--)$/.test(word)) break;
    const long = /^(--?[a-z-]+)=(.*)$/.exec(word);
    if (long !== null) options.set(long[1] ?? '', long[2] ?? '');
    else if (
      /^(?:-n|--namespace|-c|--container|-o|--output|-l|--selector|--context|--tail|--since)$/.test(word)
    )
      options.set(word, words[++i] ?? '');
    else if (!word.startsWith('-')) plain.push(word);
  }
  const [verb = '', resource = '', named] = plain;
  if (!verbs.has(verb)) return undefined;
  const slash = resource.indexOf('/');
  const kind = kindNamed(slash < 0 ? resource : resource.slice(0, slash))?.kind;
  const isLog = verb === 'logs';
  const name = slash >= 0 ? resource.slice(slash + 1) : isLog ? resource : named;
  return {
    verb,
    kind: isLog && slash < 0 ? 'Pod' : kind,
    name: name === '' ? undefined : name,
    namespace: options.get('-n') ?? options.get('--namespace'),
    container: options.get('-c') ?? options.get('--container') ?? (isLog && slash < 0 ? named : undefined),
  };
}
