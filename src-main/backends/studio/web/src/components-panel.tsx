import type { ReactNode } from 'react';
import { Icon, type IconName } from './icons.tsx';
import type { PanelContent } from './panel-content.ts';

const kinds: readonly { readonly kind: string; readonly title: string; readonly icon: IconName }[] = [
  { kind: 'data', title: 'Data', icon: 'data' },
  { kind: 'screen', title: 'Screens', icon: 'screen' },
  { kind: 'rule', title: 'Rules', icon: 'rule' },
  { kind: 'notice', title: 'Notices', icon: 'notice' },
  { kind: 'output', title: 'Outputs', icon: 'output' },
];

/** The parts the newest plan names, by kind. A kind the studio does not know is shown under "Other parts". */
export function ComponentsPanel({ content }: { readonly content: PanelContent }): ReactNode {
  const { components } = content.outline;
  if (components.length === 0) {
    return (
      <p className="empty">
        {content.brief === undefined
          ? 'No components yet: they are read from the first answer.'
          : 'No components: the newest answer has no "Components" list.'}
      </p>
    );
  }
  const known = new Set(kinds.map(({ kind }) => kind));
  const groups = [
    ...kinds.map((kind) => ({ ...kind, parts: components.filter((part) => part.kind === kind.kind) })),
    {
      kind: 'part',
      title: 'Other parts',
      icon: 'part' as const,
      parts: components.filter((part) => !known.has(part.kind)),
    },
  ].filter(({ parts }) => parts.length > 0);
  return groups.map(({ kind, title, icon, parts }) => (
    <section key={kind}>
      <h2>
        {title} <span className="faint">{parts.length}</span>
      </h2>
      <ul className="parts">
        {parts.map(({ name, detail }, at) => (
          // A model may name two parts alike
          <li key={at}>
            <Icon name={icon} />
            <span>
              {name}
              {detail === '' ? undefined : <span className="faint detail">{detail}</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  ));
}
