import type { MeshIdentity } from '../mesh/index.ts';
import { answerJson, type PlainRoute } from '../serving/index.ts';
import type { SignInConfig } from './config.ts';
import type { Consensus } from './raft/index.ts';

/** One entry of the answer of `/readyz`. */
type Check = {
  readonly name: 'mesh_identity' | 'raft_consensus';
  readonly status: 'pass' | 'fail' | 'skipped';
  /** A sentence. */
  readonly detail: string;
  /** Expiry of the checked certificate (RFC 3339). */
  readonly expires_at?: string;
};

/**
 * The three routes of the cockpit that need no session (BCK-031, BCK-032, BCK-033). `consensus` is undefined on
 * a runner and without RAFT_NODE_ID.
 */
export function healthRoutes(parts: {
  readonly mesh: MeshIdentity;
  readonly consensus: Consensus | undefined;
  readonly whyNoConsensus: string;
  readonly signIn: SignInConfig;
}): PlainRoute[] {
  const { mesh, consensus, whyNoConsensus, signIn } = parts;

  const checks = (): Promise<readonly Check[]> =>
    Promise.all([meshCheck(mesh), raftCheck(consensus, whyNoConsensus)]);
  // Open to everyone: however many ask at once, every check is made once.
  let pending: Promise<readonly Check[]> | undefined;

  return [
    // It checks no shared dependency: one that is down must not restart every pod.
    {
      method: 'GET',
      path: '/livez',
      answer: (_, response) => answerJson(response, 200, { status: 'alive' }),
    },
    {
      method: 'GET',
      path: '/readyz',
      answer: async (_, response) => {
        pending ??= checks().finally(() => {
          pending = undefined;
        });
        const made = await pending;
        const ready = made.every(({ status }) => status !== 'fail');
        answerJson(response, ready ? 200 : 503, { status: ready ? 'ready' : 'not_ready', checks: made });
      },
    },
    {
      method: 'GET',
      path: '/auth/config',
      answer: (_, response) => answerJson(response, 200, signInAnswer(signIn)),
    },
  ];
}

async function meshCheck(mesh: MeshIdentity): Promise<Check> {
  const { ok, detail, caExpiresAt } = await mesh.health();
  return {
    name: 'mesh_identity',
    status: ok ? 'pass' : 'fail',
    detail,
    expires_at: new Date(caExpiresAt).toISOString(),
  };
}

async function raftCheck(consensus: Consensus | undefined, why: string): Promise<Check> {
  if (consensus === undefined) return { name: 'raft_consensus', status: 'skipped', detail: why };
  const { ok, detail } = await consensus.health();
  return { name: 'raft_consensus', status: ok ? 'pass' : 'fail', detail };
}

/**
 * Returns the settings a sign-in page needs; `sso` says whether that sign-in would be refused to everyone
 * (BCK-046).
 */
function signInAnswer({ googleClientId, googleOnly, oidc, allowedEmails }: SignInConfig): object {
  return {
    google_client_id: googleClientId,
    password_auth: !googleOnly,
    issuer: oidc?.issuer ?? '',
    sso: oidc !== undefined && allowedEmails.length > 0,
  };
}
