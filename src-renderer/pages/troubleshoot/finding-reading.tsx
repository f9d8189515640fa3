import type { ReactNode, Ref } from 'react';
import type { Finding } from '#shared/api/troubleshoot.ts';
import { counted } from '#shared/text.ts';
import { findingMarkdown } from '#shared/troubleshoot/report-markdown.ts';
import { CopyIcon } from '../../components/copy-icon.tsx';
import { EvidenceBlock } from '../../components/evidence-block.tsx';
import { utcTime } from '../../components/format-time.ts';
import { ItemYaml } from '../../components/list/item-yaml.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { State } from '../../components/state.tsx';
import { Tag } from '../../components/tag.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { WithCode } from '../../components/with-code.tsx';
import { IconLink } from '../../core/icons/icons.ts';
import { contextOf } from '../../core/kubectl.ts';
import { useHref, usePageAddress } from '../../core/page-address.ts';
import { useCurrentTarget } from '../../core/target-queries.ts';
import css from './finding-reading.module.css';
import type { FindingRow } from './finding-rows.ts';
import { FixSteps } from './fix-steps.tsx';
import { ReferenceLinks } from './reference-links.tsx';
import { RelatedFindings } from './related-findings.tsx';
import { SandboxKubectl } from './sandbox-kubectl.tsx';
import { severities } from './severity-labels.ts';
import { evidenceAddress, findingsAddress, objectAddress, panelAddress } from './troubleshoot-address.ts';

/** Objects named in the head; the others are counted. */
const mostObjects = 3;

type FindingReadingProps = {
  readonly row: FindingRow;
  /** Everything that was found, for what competes with this and what it explains. */
  readonly all: readonly FindingRow[];
  /** True for a bundle. */
  readonly fixed: boolean;
  readonly evidenceRef: Ref<HTMLElement>;
  /** Epoch ms of the first run without it, for one that is gone. */
  readonly goneSince: number | undefined;
  /** Called when a step of the fix was carried out here. */
  readonly onFixed: () => void;
  /** Above the evidence, in a narrow window. */
  readonly children: ReactNode;
};

/** One finding to read: what is wrong, why, what to do, and what shows it. */
export function FindingReading(props: FindingReadingProps) {
  const { row, all, fixed, evidenceRef, goneSince, onFixed, children } = props;
  const [address] = usePageAddress();
  const { finding } = row;
  const current = useCurrentTarget().target;
  // A text is of no cluster that is known.
  const cluster = row.from === 'target' ? current : undefined;
  const { kind } = cluster ?? {};
  const context = contextOf(cluster);
  const { title, cause, fix, evidence, evidence_count, ruled_out_by, reference, symptom } = finding;
  return (
    <article className={css.article} aria-label={title.replaceAll('`', '')}>
      <Head row={row} goneSince={goneSince} />
      <Past row={row} />
      <Section title="Cause">
        <p>
          <WithCode>{cause}</WithCode>
        </p>
      </Section>
      <Section title="Fix">
        {kind === 'sandbox' && fix.some(({ command }) => command !== undefined) && <SandboxKubectl />}
        <FixSteps
          fix={fix}
          context={context}
          target={kind === 'bundle' ? undefined : cluster?.id}
          onDone={onFixed}
        />
      </Section>
      <Section title="How to confirm it is fixed">
        <p>
          <WithCode>{ruled_out_by}</WithCode>
        </p>
      </Section>
      <RelatedFindings row={row} all={all} />
      {children}
      <section ref={evidenceRef} className={css.section} aria-label="Evidence" tabIndex={-1}>
        <h3 className={css.heading}>
          Evidence <span>{placesLabel(evidence.length, evidence_count)}</span>
        </h3>
        <div className={css.evidence}>
          {evidence.map((each, index) => (
            <EvidenceBlock
              key={`${each.ref} ${each.line ?? ''} ${index}`}
              evidence={each}
              link={evidenceAddress(each, { target: address.target, fixed })}
            />
          ))}
        </div>
      </section>
      <p className={css.foot}>
        Rule{' '}
        <PageLink to={panelAddress('catalogue', address.target, symptom)}>
          <code>{symptom}</code>
        </PageLink>
        , <ReferenceLinks reference={reference} />
      </p>
    </article>
  );
}

function placesLabel(shown: number, count: number): string {
  if (count > shown) return `${shown} of ${count.toLocaleString('en')} places`;
  return counted(count, 'place');
}

type SectionProps = { readonly title: string; readonly children: ReactNode };

function Section({ title, children }: SectionProps) {
  return (
    <section className={css.section} aria-label={title}>
      <h3 className={css.heading}>{title}</h3>
      {children}
    </section>
  );
}

type HeadProps = { readonly row: FindingRow; readonly goneSince: number | undefined };

function Head({ row: { key, finding, from, mark }, goneSince }: HeadProps) {
  const [address] = usePageAddress();
  const href = useHref();
  const { severity, title, objects, since } = finding;
  const [first] = objects;
  return (
    <header className={css.head}>
      <div className={css.line}>
        <State {...severities[severity]} look="pill" />
        {mark === 'new' && <Tag strong>new</Tag>}
        {mark === 'gone' && (
          <Tag>{goneSince === undefined ? 'gone' : `gone since ${utcTime(goneSince, Date.now())} UTC`}</Tag>
        )}
        {mark === 'unchecked' && <Tag>not checked now</Tag>}
        {from === 'text' && <Tag>from the text</Tag>}
        {objects.slice(0, mostObjects).map((object) => (
          <ObjectTag
            key={`${object.kind} ${object.namespace} ${object.name}`}
            object={object}
            isLinked={from === 'target'}
          />
        ))}
        {objects.length > mostObjects && <Tag>{objects.length - mostObjects} more</Tag>}
        {since !== undefined && <Since at={Date.parse(since)} />}
        <span className={css.tools}>
          {first !== undefined && mark !== 'gone' && from === 'target' && (
            <ItemYaml object={first} record={key} />
          )}
          {from === 'target' && (
            <CopyIcon
              text={() => `${location.origin}${href(findingsAddress(address, { record: key }))}`}
              label="Copy the link to this finding"
              icon={IconLink}
            />
          )}
          <CopyIcon text={() => findingMarkdown(finding)} label="Copy the finding as Markdown" />
        </span>
      </div>
      <h2 className={css.title}>
        <WithCode>{title}</WithCode>
      </h2>
    </header>
  );
}

/** Explains a finding that only the earlier run had. */
function Past({ row: { mark } }: { readonly row: FindingRow }) {
  if (mark !== 'gone' && mark !== 'unchecked') return null;
  return (
    <p className={css.past}>
      {mark === 'gone'
        ? 'Found in the earlier run but not in the newest: it was fixed, or its object is gone.'
        : 'Found in the earlier run. The newest run could not check for it, so it may still exist.'}
    </p>
  );
}

type ObjectTagProps = {
  readonly object: Finding['objects'][number];
  /** False for an object of a pasted text, which may be of any cluster. */
  readonly isLinked: boolean;
};

function ObjectTag({ object, isLinked }: ObjectTagProps) {
  const [address] = usePageAddress();
  const { kind, name, namespace } = object;
  const to = isLinked ? objectAddress(object, address.target) : undefined;
  const label = namespace === undefined ? name : `${namespace}/${name}`;
  return (
    <Tag>
      <code className={css.object} title={`${kind} ${label}`}>
        {to === undefined ? label : <PageLink to={to}>{label}</PageLink>}
      </code>
    </Tag>
  );
}

function Since({ at }: { readonly at: number }) {
  return (
    <span className={css.since}>
      since {utcTime(at, Date.now())} UTC, <TimeAgo at={at} />
    </span>
  );
}
