import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';
import type { PanelContent } from './panel-content.ts';

/** The brief and the plan made from it. */
export function DraftPanel({ content }: { readonly content: PanelContent }): ReactNode {
  const { brief, laterMessages, outline, writing } = content;
  const data = outline.components.filter((component) => component.kind === 'data');
  if (brief === undefined) {
    return <p className="empty">No draft yet: the first message of this chat becomes the brief.</p>;
  }
  return (
    <>
      <h2>Brief</h2>
      <p className="brief">{brief}</p>
      {laterMessages === 0 ? undefined : (
        <p className="faint">
          and {laterMessages} later {laterMessages === 1 ? 'message' : 'messages'}
        </p>
      )}
      <h2>Plan</h2>
      {outline.steps.length === 0 ? (
        <p className="empty">
          {writing ? 'The plan is being written.' : 'No plan yet: no answer has numbered steps.'}
        </p>
      ) : (
        <ol className="plan">
          {outline.steps.map((step, at) => (
            // Steps only ever grow at the end
            <li key={at}>{step}</li>
          ))}
        </ol>
      )}
      {data.length === 0 ? undefined : (
        <>
          <h2>Data</h2>
          <ul className="parts">
            {data.map(({ name }) => (
              <li key={name}>
                <Icon name="data" />
                <span>{name}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
