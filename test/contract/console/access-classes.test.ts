import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routeTable } from '../../../src-shared/api/index.ts';
import {
  type Access,
  allowlists,
  ingestTokens,
  type Method,
  type Route,
} from '../../../src-shared/api/route.ts';
import { dialects } from '../../support/databases.ts';
import { type TestConsole, testConsole } from '../../support/test-console.ts';

const admin = 'ada@northgate.example';
const stranger = 'sven@northgate.example';
const ingestToken = 'ingest-token-of-this-test';
const agentToken = 'ghs_installation.of-this_test';
const closedDoor = 503;

const table: readonly Route[] = routeTable;
const address = (path: string): string => path.replace('{seq}', '1').replace(/\{\w+\}/g, 'x');
const allAdmins = Object.fromEntries(allowlists.map((name) => [name, admin]));

/** Who calls, and what the caller brings. */
type Situation = { readonly name: string; headers(console: Consoles): Promise<Record<string, string>> };
type Consoles = { guarded: TestConsole; unset: TestConsole; open: TestConsole };

const noSession: Situation = { name: 'nobody', headers: async () => ({}) };
const wrongPerson: Situation = {
  name: 'a signed-in person on no allowlist',
  headers: async ({ guarded }) => ({ cookie: await guarded.cookieOf(stranger) }),
};
const goodPerson: Situation = {
  name: 'a signed-in person on every allowlist',
  headers: async ({ guarded }) => ({ cookie: await guarded.cookieOf(admin) }),
};
const wrongToken: Situation = {
  name: 'the wrong token',
  headers: async () => ({ authorization: `Bearer ${ingestToken}x` }),
};
const bothTokens: Situation = {
  name: "another class's token",
  headers: async () => ({ authorization: `Bearer ${agentToken}` }),
};
const ingest: Situation = {
  name: 'the ingest token',
  headers: async () => ({ authorization: `Bearer ${ingestToken}` }),
};

/** Statuses with which a door stays shut; anything else was let through to what is behind it, which may be away. */
const shut = (access: Access): number[] =>
  access.kind === 'read' && access.allowlist === undefined ? [401, 403] : [401, 403, closedDoor];

/** What each situation must be answered by the class: a status, or `in` for let through. */
function expected(access: Access, situation: Situation): number | 'in' {
  const byToken = access.kind === 'machine' || access.kind === 'agent';
  if (access.kind === 'open') return 'in';
  // Its secret is not set in these consoles; what it takes is tested where the signature is.
  if (access.kind === 'signature') return closedDoor;
  if (byToken) {
    const right = access.kind === 'machine' ? ingest : bothTokens;
    return situation === right ? 'in' : 401;
  }
  if (situation !== wrongPerson && situation !== goodPerson) return 401;
  if (situation === goodPerson || access.kind === 'own') return 'in';
  if (access.kind === 'read') return access.allowlist === undefined ? 'in' : 403;
  // Who acts on themselves is let in; that they act on nobody else is proved where the act is tested.
  return access.ownSubject === true ? 'in' : 403;
}

describe('every route of the table keeps its access class (CON-039, CON-040, CON-041)', () => {
  let consoles: Consoles;

  beforeAll(async () => {
    const agentTokens = { [agentToken]: { app: 'fleet', installation: 7 } };
    const tokens = Object.fromEntries(ingestTokens.map((name) => [name, ingestToken]));
    consoles = {
      guarded: await testConsole({ ...allAdmins, ...tokens }, { agentTokens }),
      unset: await testConsole({}, { agentTokens }),
      open: await testConsole({ CONSOLE_LOCAL_OPERATOR: 'off' }, { agentTokens }),
    };
  });
  afterAll(async () => {
    for (const console of Object.values(consoles)) await console.close();
  });

  /** A call with a body no schema takes: a door is judged before what is carried through it. */
  const call = async (console: TestConsole, route: Route, headers: Record<string, string>) => {
    const method = route.method === 'any' ? 'POST' : route.method;
    const {
      statusCode,
      headers: answered,
      body,
    } = await request(`${console.url}${address(route.path)}`, {
      method: method as Method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method === 'GET' ? {} : { body: '{}' }),
    });
    // A stream of events does not end by itself: that it began is the answer.
    if (String(answered['content-type']).startsWith('text/event-stream')) {
      body.on('error', () => undefined).destroy();
      return { status: statusCode, text: '' };
    }
    return { status: statusCode, text: await body.text() };
  };

  for (const route of table) {
    const { access } = route;
    const name = `${route.method} ${route.path} (${access.kind})`;

    for (const situation of [noSession, wrongPerson, goodPerson, wrongToken, bothTokens, ingest]) {
      const answer = expected(access, situation);
      it(`${name} ${answer === 'in' ? 'admits' : `answers ${answer} to`} ${situation.name}`, async () => {
        const { status } = await call(consoles.guarded, route, await situation.headers(consoles));
        if (answer === 'in') {
          expect(shut(access)).not.toContain(status);
          expect([405, 500]).not.toContain(status);
        } else expect(status).toBe(answer);
      });
    }

    it(`${name} is not called by a page of another origin, whoever is signed in there`, async () => {
      const headers = { ...(await goodPerson.headers(consoles)), origin: 'http://evil.example' };
      const { status } = await call(consoles.guarded, route, headers);
      expect(status === 403).toBe(route.method !== 'GET');
    });

    it(`${name} is served or refused on an open console as its class says (CON-039, CON-040)`, async () => {
      const { status } = await call(consoles.open, route, {});
      const served = access.kind === 'open' || (access.kind === 'read' && access.allowlist === undefined);
      if (access.kind === 'machine' || access.kind === 'signature') expect(status).toBe(closedDoor);
      else expect(status === 401).toBe(!served);
    });

    if (access.kind === 'machine') {
      it(`${name} refuses everything while ${access.token} is unset, and names it (CON-042, CON-169, CON-188)`, async () => {
        for (const authorization of ['Bearer ', 'Bearer undefined', `Bearer ${ingestToken}`, '']) {
          const { status, text } = await call(consoles.unset, route, { authorization });
          expect(status).toBe(closedDoor);
          expect(text).toContain(access.token);
        }
      });
    }

    if (access.kind === 'agent') {
      it(`${name} refuses every token when there is no code host to vouch for it (CON-043)`, async () => {
        const alone = await testConsole();
        try {
          const { status, text } = await call(alone, route, { authorization: `Bearer ${agentToken}` });
          expect(status).toBe(closedDoor);
          expect(text).toContain('CONSOLE_GITHUB_PRIVATE_KEY');
        } finally {
          await alone.close();
        }
      });
    }

    if ('allowlist' in access && access.allowlist !== undefined && !('ownSubject' in access)) {
      const { allowlist } = access;
      const everyone = allowlist !== 'CONSOLE_SESSION_ADMINS';
      it(`${name} admits ${everyone ? 'everyone' : 'nobody'} signed in while ${allowlist} is unset (CON-165, CON-166)`, async () => {
        const headers = { cookie: await consoles.unset.cookieOf(admin) };
        const { status } = await call(consoles.unset, route, headers);
        expect(shut(access).includes(status)).toBe(!everyone);
      });
    }

    if (access.kind === 'write' && access.allowlist === 'CONSOLE_SESSION_ADMINS' && !access.ownSubject) {
      it(`${name} ${access.localOperator ? 'admits' : 'refuses'} the local operator of the desktop window while nobody is a session admin`, async () => {
        const { status } = await call(consoles.unset, route, { cookie: await consoles.unset.cookie() });
        expect(status === 403).toBe(access.localOperator !== true);
      });
    }
  }

  for (const route of routeTable) {
    const { access } = route;
    if (!('localOperator' in access) || 'ownSubject' in access) continue;
    const first = 'firstSteps' in access;
    it(`${route.method} ${route.path} ${first ? 'admits' : 'does not take'} a sign-in link ${first ? 'while nobody is a session admin' : 'for the desktop window'}`, async () => {
      const { status } = await call(consoles.unset, route, { cookie: await consoles.unset.linkCookie() });
      expect(status === 403).toBe(!first);
    });
  }
});

describe('GET /api/access (CON-079, CON-167, CON-168)', () => {
  it("tells a caller of their own membership and of nobody else's name", async () => {
    const console = await testConsole({
      CONSOLE_SESSION_ADMINS: `${admin},grace@northgate.example`,
      CONSOLE_AGENT_ADMINS: 'grace@northgate.example',
    });
    try {
      const cookie = await console.cookieOf(admin);
      const answer = await fetch(`${console.url}/api/access`, { headers: { cookie } });
      const text = await answer.text();
      expect(text).not.toContain('grace');
      const { items } = JSON.parse(text) as { items: Record<string, unknown>[] };
      const guards = expect.any(String);
      expect(items).toEqual([
        {
          name: 'CONSOLE_SESSION_ADMINS',
          configured: true,
          size: 2,
          source: 'env',
          rule_when_unset: 'nobody',
          member: true,
          guards,
        },
        {
          name: 'CONSOLE_AGENT_ADMINS',
          configured: true,
          size: 1,
          source: 'env',
          rule_when_unset: 'everyone admitted',
          member: false,
          guards,
        },
        {
          name: 'CONSOLE_CONNECTION_ADMINS',
          configured: false,
          rule_when_unset: 'everyone admitted',
          member: true,
          guards,
        },
        {
          name: 'CONSOLE_CLUSTER_ADMINS',
          configured: false,
          rule_when_unset: 'everyone admitted',
          member: true,
          guards,
        },
      ]);
    } finally {
      await console.close();
    }
  });
});

describe('/api/session-admins', () => {
  const put = async (console: TestConsole, cookie: string, admins: string[]) => {
    const answer = await fetch(`${console.url}/api/session-admins`, {
      method: 'PUT',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ admins }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

  it('is changed by session admins, counts at once, and never becomes empty (CON-075, RTE-017)', async () => {
    const console = await testConsole();
    try {
      const operator = await console.cookie();
      expect(await put(console, operator, [` ${admin.toUpperCase()} `])).toEqual({
        status: 200,
        body: { admins: [admin], size: 1, source: 'store', you: false, may_name_first: false, revision: 1 },
      });
      const cookie = await console.cookieOf(admin);
      expect((await put(console, cookie, [])).status).toBe(422);
      expect((await put(console, cookie, [stranger])).status).toBe(200);
      expect((await put(console, cookie, [admin])).status).toBe(403);
      const read = await fetch(`${console.url}/api/audit`, { headers: { cookie } });
      expect(read.status).toBe(403);
      expect((await put(console, cookie, ['not an address'])).status).toBe(403);
      expect((await put(console, operator, ['not an address'])).status).toBe(400);
    } finally {
      await console.close();
    }
  });

  it('names the session admins to each other and to the desktop window only; others learn their number', async () => {
    const named = await testConsole({ CONSOLE_SESSION_ADMINS: `${admin},grace@northgate.example` });
    const open = await testConsole({
      CONSOLE_SESSION_ADMINS: admin,
      CONSOLE_LOCAL_OPERATOR: 'off',
    });
    const read = async (console: TestConsole, cookie: string) => {
      const answer = await fetch(`${console.url}/api/session-admins`, { headers: { cookie } });
      return (await answer.json()) as { admins: string[]; size: number; you: boolean };
    };
    try {
      const names = [admin, 'grace@northgate.example'];
      expect(await read(named, await named.cookieOf(admin))).toMatchObject({ admins: names, you: true });
      expect(await read(named, await named.cookie())).toMatchObject({ admins: names, size: 2, you: false });
      expect(await read(named, await named.cookieOf(stranger))).toMatchObject({ admins: [], size: 2 });
      expect(await read(open, '')).toMatchObject({ admins: [], size: 1 });
    } finally {
      await named.close();
      await open.close();
    }
  });

  it.each(dialects.filter(({ missing }) => missing === undefined))(
    'loses no change when two admins change it at once, on $name',
    async ({ place: newPlace }) => {
      const { place, remove } = await newPlace();
      const console = await testConsole({}, { place });
      try {
        const cookie = await console.cookie();
        const send = async (admins: string[], revision: number) => {
          const answer = await fetch(`${console.url}/api/session-admins`, {
            method: 'PUT',
            headers: { cookie, 'content-type': 'application/json' },
            body: JSON.stringify({ admins, revision }),
          });
          return { status: answer.status, body: (await answer.json()) as { error?: string } };
        };
        const read = async () => {
          const answer = await fetch(`${console.url}/api/session-admins`, { headers: { cookie } });
          return (await answer.json()) as { admins: string[]; revision: number };
        };
        // The first list of all, too: there is no row of it yet that could be held.
        for (const round of [0, 1, 2]) {
          const { admins, revision } = await read();
          expect(revision).toBe(round);
          const added = Array.from({ length: 5 }, (_, i) => `r${round}-${i}@northgate.example`);
          const answers = await Promise.all(added.map((email) => send([...admins, email], revision)));
          const winners = answers.flatMap(({ status }, i) => (status === 200 ? [added[i]] : []));
          expect(winners).toHaveLength(1);
          const now = await read();
          expect(now).toMatchObject({ admins: [...admins, ...winners].toSorted(), revision: round + 1 });
          for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
            expect(status).toBe(409);
            expect(body.error).toContain(
              `operator@console.localhost set them to ${now.admins.join(', ')} at `,
            );
          }
        }
        const { admins, revision } = await read();
        expect((await send(admins.toReversed(), revision)).status).toBe(200);
        expect((await read()).revision).toBe(revision);
      } finally {
        await console.close();
        remove();
      }
    },
  );

  it('is not changed while the environment names the admins', async () => {
    const console = await testConsole({ CONSOLE_SESSION_ADMINS: admin });
    try {
      const { status, body } = await put(console, await console.cookieOf(admin), [stranger]);
      expect([status, body.error]).toEqual([409, expect.stringContaining('CONSOLE_SESSION_ADMINS')]);
    } finally {
      await console.close();
    }
  });
});
