import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { RequirementDocument } from '#shared/api/requirements.ts';
import { formatCount } from '../../components/format-quantity.ts';
import { Page } from '../../components/page/page.tsx';
import { PlainAnswer } from '../../components/plain-answer.tsx';
import { TextFilter } from '../../components/text-filter.tsx';
import { WithCode } from '../../components/with-code.tsx';
import { addressWith } from '../../core/address-with.ts';
import { useCommands } from '../../core/commands.tsx';
import { usePageAddress } from '../../core/page-address.ts';
import { narrowRequirements } from './narrow-requirements.ts';
import css from './requirements-panel.module.css';
import { requirementsQuery } from './requirements-query.ts';
import pageCss from './troubleshoot-page.module.css';

/** The requirements that references of symptoms lead to, with the one that the address names marked. */
export function RequirementsPanel({ tabs }: { readonly tabs: ReactNode }) {
  const requirements = useQuery(requirementsQuery);
  return (
    <Page title="Troubleshoot" sub="requirements" flush>
      <div className={pageCss.room}>
        {tabs}
        <PlainAnswer
          query={requirements}
          what="the requirements"
          meanwhile="They ship with the console. A diagnosis does not need them."
          rows={10}
          frame={pageCss.alone}
        >
          {(documents) => <Requirements documents={documents} />}
        </PlainAnswer>
      </div>
    </Page>
  );
}

function Requirements({ documents }: { readonly documents: readonly RequirementDocument[] }) {
  const [address, go] = usePageAddress();
  const { q, record } = address;
  const list = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const shown = useMemo(() => narrowRequirements(documents, q ?? ''), [documents, q]);
  useEffect(() => {
    if (record === null) return;
    const row = list.current?.querySelector<HTMLElement>(`[id="${CSS.escape(record)}"]`);
    row?.scrollIntoView({ block: 'center' });
    row?.focus({ preventScroll: true });
  }, [record]);
  useCommands(
    useMemo(
      () => [
        {
          id: 'filter',
          group: 'Moving',
          title: 'Filter the requirements',
          keys: '/',
          inPalette: false,
          run: () => input.current?.focus(),
        },
      ],
      [],
    ),
  );
  const narrow = (text: string) =>
    go(
      addressWith(address, { tab: 'troubleshoot', panel: 'requirements', q: text === '' ? undefined : text }),
      'replace',
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by key.
    <section ref={list} className={css.list} tabIndex={0} aria-label="Requirements">
      <search className={css.filter} aria-label="Filter the requirements">
        <TextFilter ref={input} label="Filter by number or words" value={q ?? ''} onChange={narrow} />
      </search>
      {shown.length === 0 && (
        <p className={css.none}>
          No results; all {formatCount(total(documents), 'requirement')} were searched.
        </p>
      )}
      {shown.map(({ title, groups }) => (
        <section key={title} aria-label={title}>
          <h2 className={css.title}>{title}</h2>
          {groups.map((group) => (
            <div key={group.title}>
              <h3 className={css.heading}>{group.title}</h3>
              <ul>
                {group.requirements.map(({ number, text }) => (
                  <li
                    key={number}
                    id={number}
                    className={css.row}
                    tabIndex={-1}
                    aria-current={number === record ? 'true' : undefined}
                  >
                    <code className={css.number}>{number}</code>
                    <span>
                      <WithCode>{text}</WithCode>
                    </span>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </section>
      ))}
    </section>
  );
}

const total = (documents: readonly RequirementDocument[]): number =>
  documents.flatMap(({ groups }) => groups).reduce((sum, { requirements }) => sum + requirements.length, 0);
