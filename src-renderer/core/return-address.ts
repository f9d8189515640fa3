const key = 'console.wanted';

/** True for the query of an address that names a page or a target, and not only how a sign-in went. */
function namesPage(search: string): boolean {
  const query = new URLSearchParams(search);
  return query.has('tab') || query.has('target');
}

/** Keeps the wanted address over a sign-in that leaves this page (an identity provider answers at `/`). */
export function keepReturnAddress(): void {
  if (namesPage(location.search)) sessionStorage.setItem(key, location.search);
}

/** Once signed in: goes to the kept address when this one names no place, and drops what only sign-in said. */
export function takeReturnAddress(): void {
  const wanted = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  if (namesPage(location.search)) return;
  const search = wanted ?? '';
  if (location.search !== search) history.replaceState(history.state, '', `/${search}`);
}

/**
 * Takes what the code host added to the address it led the person back to, for an App that was created from a manifest;
 * undefined for any other address. It is good once: neither a reload nor a copied link takes it again.
 */
export function takeAppCode(): { readonly code: string; readonly state: string } | undefined {
  const query = new URLSearchParams(location.search);
  const [code, state] = [query.get('code'), query.get('state')];
  if (code === null || state === null) return undefined;
  query.delete('code');
  query.delete('state');
  history.replaceState(history.state, '', `?${query}`);
  return { code, state };
}
