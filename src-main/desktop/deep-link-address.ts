import { auditFilter } from '#shared/api/audit.ts';
import { repositoryName } from '#shared/api/reading.ts';
import { type AddressPart, type PageAddress, pageHref } from '#shared/page-address.ts';
import { objectName } from '#shared/platform/kubernetes-names.ts';
import { isAppName, isChatId, isStudioPanel } from '#shared/studio/link.ts';

const isName = (value: string): boolean => /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(value);

const isSwitch = (value: string): boolean => value === 'true' || value === 'false';

/** Validators for the parts of a link from outside. */
const holds: Readonly<Record<AddressPart, (value: string) => boolean>> = {
  tab: isName,
  chat: (value) => value === 'new' || isChatId(value),
  app: isAppName,
  panel: isStudioPanel,
  section: isName,
  q: fits('q'),
  actor: fits('actor'),
  action: fits('action'),
  outcome: fits('outcome'),
  // A name, or a kind as kubectl takes it: `deployments.apps`.
  kind: (value) => /^[A-Za-z][A-Za-z0-9_.-]{0,253}$/.test(value),
  repo: (value) => repositoryName.safeParse(value).success,
  workflows: (value) => value === 'other' || value === 'all',
  state: isName,
  type: isName,
  severity: isName,
  // Of the audit trail a time, of a log a duration as well.
  since: (value) => fits('since')(value) || /^\d{1,6}[smhd]$/.test(value),
  until: fits('until'),
  days: (value) => /^\d{1,3}$/.test(value),
  sort: (value) => value.split(',').every((entry) => /^-?([A-Za-z]\w{0,39}\.)?[A-Za-z]\w{0,39}$/.test(entry)),
  hide: (value) => value.split(',').every((entry) => /^([A-Za-z]\w{0,39}\.)?[A-Za-z]\w{0,39}$/.test(entry)),
  // A record's number, a delivery's name, a line of a log: each page looks for its own.
  record: (value) => /^[A-Za-z0-9][A-Za-z0-9 ._:/-]{0,199}$/.test(value),
  run: (value) => /^[A-Za-z0-9][A-Za-z0-9:._-]{0,255}$/.test(value),
  agent: (value) => /^[A-Za-z0-9][A-Za-z0-9._/-]{0,199}$/.test(value),
  image: (value) => /^[A-Za-z0-9][A-Za-z0-9:._/-]{0,255}$/.test(value),
  sha: (value) => /^[0-9a-f]{7,64}$/.test(value),
  // A kubeconfig's author names its contexts as they like; it is looked up among those, and never run or opened.
  target: (value) => /^[A-Za-z0-9][A-Za-z0-9 ._:/@-]{0,253}$/.test(value),
  namespace: (value) => objectName.safeParse(value).success,
  name: (value) => objectName.safeParse(value).success,
  container: (value) => objectName.safeParse(value).success,
  previous: (value) => value === 'true',
  tail: (value) => /^\d{1,7}$/.test(value),
  timestamps: isSwitch,
  wrap: isSwitch,
  follow: isSwitch,
  selector: (value) => /^[A-Za-z0-9!][A-Za-z0-9 ._,=!()/-]{0,999}$/.test(value),
  level: isName,
  // Pods and containers left out of a log.
  without: (value) => /^[a-z0-9][a-z0-9.,/-]{0,999}$/.test(value),
  // The tenant of a business rule: a page only looks for it.
  tenant: (value) => value.length <= 200,
};

/** A filter of the audit page, as its route takes it. */
function fits(name: keyof typeof auditFilter.shape): (value: string) => boolean {
  return (value) => auditFilter.shape[name].safeParse(value).success;
}

/**
 * Returns the address inside the console that `operator-console://open?tab=..&chat=..` names, rebuilt from
 * its checked parts. Any web page can offer such a link: one with anything unknown is refused entirely
 * (undefined).
 */
export function parseDeepLink(link: string): string | undefined {
  if (link.length > 2000 || !URL.canParse(link)) return undefined;
  const url = new URL(link);
  if (url.protocol !== 'operator-console:' || url.host !== 'open') return undefined;
  if (url.username !== '' || url.password !== '' || url.hash !== '') return undefined;
  // Some systems write a slash after the host.
  if (url.pathname !== '' && url.pathname !== '/') return undefined;
  const page: { -readonly [Part in keyof PageAddress]: PageAddress[Part] } = {};
  for (const [name, value] of url.searchParams) {
    if (!isPart(name) || page[name] !== undefined || !holds[name](value)) return undefined;
    page[name] = value;
  }
  return pageHref(page);
}

function isPart(name: string): name is keyof typeof holds {
  return Object.hasOwn(holds, name);
}
