import type { RouteOf } from '#shared/api/index.ts';
import type { Judged } from '#shared/api/intelligence.ts';
import type { JsonAnswer } from '#shared/api/route.ts';
import { counted } from '#shared/text.ts';
import { isLoopbackHost } from '../../base/loopback.ts';
import { countNamespaces, judgeEvery, judgeFact, outcomesOf, unmeasured } from './judge.ts';
import { namespaceRules } from './namespace-rules.ts';
import {
  type AnswerOf,
  type Asked,
  type IntelligenceParts,
  readAllowlists,
  readGovernance,
  readingOf,
  readSettings,
} from './sources.ts';

type Compliance = JsonAnswer<RouteOf<'intelligence.compliance'>>;
type Control = Compliance['controls'][number];

/** `GET /api/compliance`. */
export async function compliance(parts: IntelligenceParts, asked: Asked): Promise<Compliance> {
  const [governance, settings, allowlists, audit] = await Promise.all([
    readGovernance(parts, asked),
    readSettings(parts, asked),
    readAllowlists(parts, asked),
    auditControls(parts),
  ]);
  const controls = [
    ...inArea('access_control', [signIn(parts), ...allowlists.items.map(allowlistSet)]),
    ...inArea('audit', audit),
    ...inArea('encryption', [storeEncrypted(settings), storeKey(settings), transport(settings)]),
    ...inArea('backup', [backups]),
    ...inArea('isolation', isolation(governance)),
    ...inArea('ownership', [ownership(governance)]),
  ];
  return {
    controls,
    outcomes: outcomesOf(controls),
    ...readingOf(parts, [governance], notMeasured(controls)),
  };
}

const inArea = (area: Control['area'], controls: readonly Judged[]): Control[] =>
  controls.map((control) => ({ area, ...control }));

/** Sentences for an answer's `unmeasured`: each subject with its reason. */
export function notMeasured(items: readonly Judged[]): string[] {
  return items
    .filter(({ outcome }) => outcome === 'unmeasured')
    .map(({ title, finding }) => `${title}: ${finding}`);
}

/** Judges whether people have to sign in. */
export function signIn({ authRequired }: IntelligenceParts): Judged {
  return judgeFact(
    { id: 'sign-in', title: 'Sign-in is required', counted: 'Whether a way to sign in is configured.' },
    authRequired(),
    { pass: 'Nobody reads without a session.', fail: 'Whoever reaches this console may read.' },
    '/api/me',
  );
}

/** Returns the ID of the control that an allowlist names people. */
export function allowlistControl(name: string): string {
  return `allowlist-${name.toLowerCase().replaceAll('_', '-')}`;
}

function allowlistSet({
  name,
  configured,
  size,
  rule_when_unset,
}: AnswerOf<'access.list'>['items'][number]): Judged {
  return judgeFact(
    {
      id: allowlistControl(name),
      title: `${name} names people`,
      counted: 'Whether the list is set.',
    },
    configured,
    {
      pass: `${counted(size ?? 0, 'person', 'people')} on ${name}.`,
      fail: `${name} is not set: ${rule_when_unset === 'nobody' ? 'nobody may do what it guards' : 'everyone admitted may do what it guards'}.`,
    },
    '/api/access',
  );
}

/** Judges the audit trail: whether its chain holds, and whether its head is kept where the store's owner cannot rewrite it. */
export async function auditControls({ auditVerdict }: IntelligenceParts): Promise<Judged[]> {
  const chain = {
    id: 'audit-chain',
    title: 'The audit trail is intact',
    counted: 'Hashes of the newest records, and the break that the last full walk found, if any.',
  };
  const head = {
    id: 'audit-head',
    title: "The trail's head is kept outside the store",
    counted: 'Whether the keychain or a file holds the last hash.',
  };
  // Only where and whether: the rest of the verdict is for session admins.
  const { intact, checked, first_break, head_kept_in, head_unread } = await auditVerdict();
  return [
    intact && checked === 0
      ? unmeasured(chain, 'The trail has no records yet.')
      : judgeFact(
          chain,
          intact,
          {
            pass: `${counted(checked, 'record')} checked, none was changed.`,
            fail: first_break === undefined ? 'It is broken.' : `It is broken at record ${first_break.seq}.`,
          },
          '/api/audit',
        ),
    head_unread === undefined
      ? judgeFact(
          head,
          head_kept_in !== 'nowhere',
          {
            pass: `It is kept in the ${head_kept_in}.`,
            fail: 'Removing the newest records from the store would not be noticed.',
          },
          '/api/audit',
        )
      : unmeasured(head, 'Where it is kept could not be read: the Audit page says why.'),
  ];
}

function storeEncrypted({ store }: AnswerOf<'settings.read'>): Judged {
  const subject = {
    id: 'store-encryption',
    title: 'The store is encrypted at rest',
    counted: 'How the embedded store was opened.',
  };
  if (store.kind === 'postgres')
    return unmeasured(subject, 'The console does not read how the database keeps its files.');
  return judgeFact(
    subject,
    store.encrypted,
    { pass: 'The embedded store is encrypted.', fail: 'The embedded store is plain text.' },
    '/api/settings',
  );
}

function storeKey({ store: { key_source } }: AnswerOf<'settings.read'>): Judged {
  const subject = {
    id: 'store-key',
    title: 'The store key is kept apart from the store',
    counted: 'Where the key was found.',
  };
  if (key_source === 'none') return unmeasured(subject, 'This console has no store key.');
  const places = {
    env: 'It comes from the environment.',
    keychain: 'It is in the keychain.',
    passphrase: 'It is protected by a passphrase.',
    file: 'It is in a file beside the store: whoever copies the folder has both.',
  };
  return judgeFact(
    subject,
    key_source !== 'file',
    { pass: places[key_source], fail: places.file },
    '/api/settings',
  );
}

function transport({ settings }: AnswerOf<'settings.read'>): Judged {
  const subject = {
    id: 'transport',
    title: 'Browsers reach the console by https, or from its own machine',
    counted: 'Scheme of CONSOLE_PUBLIC_URL; without it the host of CONSOLE_LISTEN.',
  };
  const settingOf = (name: string) => settings.find((setting) => setting.name === name)?.value;
  const address = settingOf('CONSOLE_PUBLIC_URL');
  const listen = settingOf('CONSOLE_LISTEN');
  if (address !== undefined)
    return judgeFact(
      subject,
      /^https:/i.test(address),
      { pass: 'The public address is https.', fail: 'The public address is http.' },
      '/api/settings',
    );
  const host = listen?.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  if (host !== undefined && isLoopbackHost(host))
    return judgeFact(subject, true, { pass: 'It listens on this machine only.', fail: '' }, '/api/settings');
  return unmeasured(subject, 'CONSOLE_PUBLIC_URL is not set, and other machines may reach the console.');
}

const backups = unmeasured(
  { id: 'backup', title: 'The store is backed up', counted: 'Backups that the console can read.' },
  'The console reads no backup system.',
);

const byNamespace = (id: string, title: string, what: string) => ({
  id,
  title,
  counted: `Namespaces that are not of the cluster itself: ${what}.`,
});

function isolation(governance: AnswerOf<'estate.governance'>): Judged[] {
  const judge = (
    subject: ReturnType<typeof byNamespace>,
    met: string,
    rule: Parameters<typeof countNamespaces>[1],
  ) => judgeEvery(subject, '/api/governance', { noun: 'namespaces', met }, countNamespaces(governance, rule));
  return [
    judge(
      byNamespace(
        'default-deny',
        'Traffic is refused unless a policy admits it',
        'those with a policy that selects every pod for ingress',
      ),
      'refuse ingress by default',
      namespaceRules.deniesIngress,
    ),
    judge(
      byNamespace('quotas', 'Each namespace has a quota', 'those with a ResourceQuota'),
      'have a quota',
      namespaceRules.hasQuota,
    ),
    judge(
      byNamespace(
        'pod-security',
        'Pods are held to a security standard',
        'those that enforce baseline or restricted',
      ),
      'enforce a pod security standard',
      namespaceRules.enforcesPodSecurity,
    ),
    judge(
      byNamespace(
        'service-accounts',
        'Workloads have their own service account',
        'those without a workload that runs as "default"',
      ),
      'run nothing as the service account "default"',
      namespaceRules.usesOwnAccounts,
    ),
  ];
}

/** Judges whether every namespace names its tenant. */
export function ownership(governance: AnswerOf<'estate.governance'>): Judged {
  return judgeEvery(
    byNamespace('ownership', 'Each namespace names its tenant', 'those with the label of a tenant'),
    '/api/governance',
    { noun: 'namespaces', met: 'name their tenant' },
    countNamespaces(governance, namespaceRules.hasTenant),
  );
}
