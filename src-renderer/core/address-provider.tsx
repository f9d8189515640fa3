import { parseAsString, useQueryStates } from 'nuqs';
import { type ReactNode, useCallback, useMemo } from 'react';
import { eachPart, pageHref } from '#shared/page-address.ts';
import { AddressContext, type Go, type Href, HrefContext } from './page-address.ts';

const parsers = eachPart(parseAsString);
const nowhere = eachPart(null);

/**
 * Gives the pages the address. It is read once for all of them: following its parts costs a millisecond, and a page has a
 * hundred links.
 */
export function AddressProvider({ children }: { readonly children: ReactNode }) {
  const [address, setAddress] = useQueryStates(parsers);
  const go = useCallback<Go>(
    (to, history = 'push') => {
      setAddress(({ target }) => ({ ...nowhere, target, ...to }), { history });
    },
    [setAddress],
  );
  const { target } = address;
  const href = useCallback<Href>((to) => pageHref(target === null ? to : { target, ...to }), [target]);
  const place = useMemo(() => [address, go] as const, [address, go]);
  return (
    <AddressContext value={place}>
      <HrefContext value={href}>{children}</HrefContext>
    </AddressContext>
  );
}
