import { isAppName } from '#shared/studio/link.ts';

/** A component an answer names: a thing the app is made of. */
export type OutlineComponent = { readonly kind: string; readonly name: string; readonly detail: string };

/** The outline of an answer's text: the app it names, its plan's steps and its components. */
export type AnswerOutline = {
  /** App name, when the answer has a line `App: <name>` with a valid name. */
  readonly app: string | undefined;
  readonly steps: readonly string[];
  readonly components: readonly OutlineComponent[];
};

const appLine = /^\s*\**App:?\**:?\s*\**`?([a-z0-9][a-z0-9-]{0,99})`?\**\.?\s*$/;
const heading = /^#{1,6}\s+(.*?)\s*#*$/;
const numbered = /^\d{1,3}[.)]\s+(.+)$/;
const bulleted = /^[-*+]\s+(.+)$/;

/**
 * Reads an answer, whole or still growing. The form is what the planner writes and what the model is asked to write:
 * a line `App: <name>`, a numbered list (the plan; the last one counts), and under a heading "Components" bullets
 * `kind: name, detail`.
 */
export function outlineAnswer(text: string): AnswerOutline {
  let app: string | undefined;
  let steps: string[] = [];
  let inSteps = false;
  let section = '';
  const components: OutlineComponent[] = [];
  let fenced = false;
  for (const line of text.split('\n')) {
    if (line.trimStart().startsWith('```')) {
      fenced = !fenced;
      continue;
    }
    if (fenced) continue;
    const named = appLine.exec(line)?.[1];
    if (isAppName(named)) app ??= named;
    const title = heading.exec(line)?.[1];
    if (title !== undefined) section = title.toLowerCase();
    const step = numbered.exec(line)?.[1];
    if (step !== undefined) {
      if (!inSteps) steps = [];
      inSteps = true;
      steps.push(plain(step));
    } else if (line.trim() !== '' && !/^\s/.test(line)) {
      inSteps = false;
    }
    const bullet = bulleted.exec(line)?.[1];
    if (bullet !== undefined && section === 'components') components.push(readComponent(plain(bullet)));
  }
  return { app, steps, components };
}

function readComponent(text: string): OutlineComponent {
  const [, kind, rest] = /^([^:]{1,24}):\s+(.*)$/.exec(text) ?? [undefined, 'part', text];
  const comma = rest?.indexOf(', ') ?? -1;
  return comma < 0
    ? { kind: (kind ?? 'part').toLowerCase(), name: rest ?? text, detail: '' }
    : {
        kind: (kind ?? 'part').toLowerCase(),
        name: rest?.slice(0, comma) ?? text,
        detail: rest?.slice(comma + 2) ?? '',
      };
}

function plain(text: string): string {
  return text.replace(/\*\*|`/g, '').trim();
}
