import { Fragment, type ReactNode } from 'react';
import { WorkingGlyph } from './icons.tsx';
import { type Block, type Inline, readMarkdown } from './markdown.ts';

/** An answer drawn from its Markdown. While `growing`, the last step of a plan carries the working glyph. */
export function AnswerText({
  text,
  growing,
}: {
  readonly text: string;
  readonly growing: boolean;
}): ReactNode {
  const blocks = readMarkdown(text);
  return (
    <div className="answer">
      {blocks.map((block, at) => (
        // Blocks only ever grow at the end, so the place is the identity
        <BlockView key={at} block={block} growing={growing && at === blocks.length - 1} />
      ))}
    </div>
  );
}

function BlockView({ block, growing }: { readonly block: Block; readonly growing: boolean }): ReactNode {
  switch (block.kind) {
    case 'heading':
      return (
        <h3>
          <InlineView parts={block.inline} />
        </h3>
      );
    case 'paragraph':
      return (
        <p>
          <InlineView parts={block.inline} />
        </p>
      );
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls sideways must be reachable by keyboard
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case 'numbered':
      return (
        <ol className="steps" start={block.start}>
          {block.items.map((item, at) => (
            // Items only ever grow at the end
            <li key={at}>
              <span className="step-mark" aria-hidden="true">
                {growing && at === block.items.length - 1 ? <WorkingGlyph /> : block.start + at}
              </span>
              <span>
                <InlineView parts={item} />
              </span>
            </li>
          ))}
        </ol>
      );
    case 'bulleted':
      return (
        <ul>
          {block.items.map((item, at) => (
            // Items only ever grow at the end
            <li key={at}>
              <InlineView parts={item} />
            </li>
          ))}
        </ul>
      );
  }
}

function InlineView({ parts }: { readonly parts: readonly Inline[] }): ReactNode {
  return parts.map((part, at) => {
    // Runs only ever grow at the end
    if (part.kind === 'bold') return <strong key={at}>{part.text}</strong>;
    if (part.kind === 'code') return <code key={at}>{part.text}</code>;
    return <Fragment key={at}>{part.text}</Fragment>;
  });
}
