import { requirementNumber } from '#shared/api/requirements.ts';
import { PageLink } from '../../components/page-link.tsx';
import { usePageAddress } from '../../core/page-address.ts';
import { panelAddress } from './troubleshoot-address.ts';

/** Renders references: each requirement links to its line, the name of any other document is plain text. */
export function ReferenceLinks({ reference }: { readonly reference: string }) {
  const [{ target }] = usePageAddress();
  return reference.split(/(, )/).map((part, index) => {
    const key = `${index} ${part}`;
    if (!requirementNumber.test(part)) return <span key={key}>{part}</span>;
    return (
      <PageLink key={key} to={panelAddress('requirements', target, part)}>
        {part}
      </PageLink>
    );
  });
}
