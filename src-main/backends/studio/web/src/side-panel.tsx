import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import type { StudioPanel } from '#shared/studio/link.ts';
import { ComponentsPanel } from './components-panel.tsx';
import { DetailsPanel } from './details-panel.tsx';
import { DraftPanel } from './draft-panel.tsx';
import { Icon } from './icons.tsx';
import type { PanelContent } from './panel-content.ts';

const tabs: readonly { readonly panel: StudioPanel; readonly label: string }[] = [
  { panel: 'draft', label: 'Draft' },
  { panel: 'components', label: 'Components' },
  { panel: 'details', label: 'Details' },
];

type Props = {
  readonly panel: StudioPanel;
  readonly onPanel: (panel: StudioPanel) => void;
  readonly content: PanelContent;
  /** On a narrow page the panel lies over the chat and can be closed. */
  readonly open: boolean;
  readonly onClose: () => void;
};

/** The panel beside the chat: what is being built, its parts, and the facts of the chat. */
export function SidePanel({ panel, onPanel, content, open, onClose }: Props): ReactNode {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.panel === panel);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const next = to === undefined ? undefined : tabs.at(to % tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    onPanel(next.panel);
    list.current?.querySelector<HTMLElement>(`[data-panel="${next.panel}"]`)?.focus();
  };
  return (
    <aside
      className={open ? 'panel open' : 'panel'}
      id="studio-panel"
      aria-label="About this chat"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && open) onClose();
      }}
    >
      <div className="panel-head">
        <div className="tabs" role="tablist" aria-label="Side panel" ref={list} onKeyDown={onKeyDown}>
          {tabs.map((tab) => (
            <button
              key={tab.panel}
              type="button"
              role="tab"
              data-panel={tab.panel}
              id={`${id}-${tab.panel}`}
              aria-selected={tab.panel === panel}
              aria-controls={`${id}-content`}
              tabIndex={tab.panel === panel ? 0 : -1}
              onClick={() => onPanel(tab.panel)}
            >
              {tab.label}
            </button>
          ))}
        </div>
        <button
          type="button"
          className="square panel-close"
          aria-label="Close the side panel"
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      </div>
      <div
        className="panel-body"
        role="tabpanel"
        id={`${id}-content`}
        aria-labelledby={`${id}-${panel}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the panel scrolls, and may hold no control to reach it by
        tabIndex={0}
      >
        {panel === 'draft' ? <DraftPanel content={content} /> : undefined}
        {panel === 'components' ? <ComponentsPanel content={content} /> : undefined}
        {panel === 'details' ? <DetailsPanel content={content} /> : undefined}
      </div>
    </aside>
  );
}
