import type { ObjectRef } from '#shared/api/cluster.ts';
import type { PageAddress } from '#shared/page-address.ts';
import { PageLink } from './page-link.tsx';
import { Spoken } from './spoken.tsx';

type ExplainLinkProps = {
  readonly object: ObjectRef;
  /** The cluster or bundle that the address names. */
  readonly target: string | undefined;
};

/** Leads to what the diagnosis found about an object: its only finding is open there, of several the gravest. */
export function ExplainLink({ object, target }: ExplainLinkProps) {
  return (
    <PageLink to={explainAddress(object, target)}>
      Explain<Spoken>{` ${object.kind} ${object.name}`}</Spoken>
    </PageLink>
  );
}

/** The findings about an object. All of a namespace's are about it. */
function explainAddress({ kind, name, namespace }: ObjectRef, target: string | undefined): PageAddress {
  const about =
    kind === 'Namespace' ? { namespace: name } : { q: name, ...(namespace !== undefined && { namespace }) };
  return { tab: 'troubleshoot', ...about, ...(target !== undefined && { target }) };
}
