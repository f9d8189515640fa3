import { Code } from '@connectrpc/connect';
import { SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AuthService } from '../../../../src-shared/gen/cockpit/v1/auth_pb.js';
import { EstateService } from '../../../../src-shared/gen/cockpit/v1/estate_pb.js';
import { RunnerService } from '../../../../src-shared/gen/cockpit/v1/runner_pb.js';
import {
  adminEmail,
  adminPassword,
  adminToken,
  breakGlass,
  cockpitClient,
  cockpitEnv,
  type Env,
  failureOf,
  meshFolder,
  newFolder,
  type TestCockpit,
  testCockpit,
} from '../../../support/cockpit.ts';
import { type OidcIssuer, startOidcIssuer } from '../../../support/oidc-issuer.ts';

// BCK-043 to BCK-048 and BCK-054 to BCK-060: sign-in and its messages.

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

const started = async (
  env: Env = {},
  options: Parameters<typeof testCockpit>[1] = {},
): Promise<TestCockpit> => {
  const cockpit = await testCockpit(cockpitEnv(env), options);
  open.push(cockpit);
  return cockpit;
};
const withAdmin = (env: Env = {}, options: Parameters<typeof testCockpit>[1] = {}) =>
  started({ ...breakGlass, ...env }, options);
const auth = (cockpit: TestCockpit, token?: string) => cockpitClient(AuthService, cockpit.url, token);

describe('SSO (BCK-044, BCK-047)', () => {
  const allowed = 'mira.koch@example.com';
  let issuer: OidcIssuer;
  beforeAll(async () => {
    issuer = await startOidcIssuer(['cockpit', 'sign-in-page']);
  });
  afterAll(() => issuer.close());
  const configured = (changes: Env = {}): Env => ({
    OIDC_ISSUER: issuer.issuer,
    OIDC_CLIENT_ID: 'cockpit',
    AUTH_ALLOWED_EMAILS: ` ${allowed.toUpperCase()} , jon@example.com`,
    ...changes,
  });

  it('signs in who is in AUTH_ALLOWED_EMAILS, by an ID token of the issuer', async () => {
    const cockpit = await started(configured());
    const { session } = await auth(cockpit).loginWithSso({ idToken: await issuer.idToken(allowed) });
    expect(session?.user).toMatchObject({ email: allowed, admin: false });
    expect((await auth(cockpit, session?.token).whoAmI({})).user?.email).toBe(allowed);
  });

  it.each([
    ['no issuer', { OIDC_ISSUER: undefined }],
    ['no client id', { OIDC_CLIENT_ID: ' ' }],
  ])('"OIDC not configured" with %s (BCK-058)', async (_, changes) => {
    const cockpit = await started(configured(changes));
    expect(await failureOf(auth(cockpit).loginWithSso({ idToken: 'any' }))).toEqual({
      code: Code.FailedPrecondition,
      message: 'OIDC not configured',
    });
  });

  it.each([undefined, '', ' , '])(
    '"SSO is not available on this instance" with AUTH_ALLOWED_EMAILS %o, and the log line (BCK-056)',
    async (emails) => {
      const cockpit = await started(configured({ AUTH_ALLOWED_EMAILS: emails }));
      const idToken = await issuer.idToken(allowed);
      expect(await failureOf(auth(cockpit).loginWithSso({ idToken }))).toEqual({
        code: Code.FailedPrecondition,
        message: 'SSO is not available on this instance',
      });
      expect(
        cockpit.messages().filter((line) => line.startsWith('sso_login_refused_no_allowlist')),
      ).toHaveLength(1);
    },
  );

  it('"This account is not authorized for this instance" for who is not in the list (BCK-057)', async () => {
    const cockpit = await started(configured());
    const idToken = await issuer.idToken('eve@example.com');
    expect(await failureOf(auth(cockpit).loginWithSso({ idToken }))).toEqual({
      code: Code.PermissionDenied,
      message: 'This account is not authorized for this instance',
    });
  });

  it('takes a list of addresses that was changed with the next start, and not before (BCK-046)', async () => {
    const jon = 'jon@example.com';
    const login = async (cockpit: TestCockpit) =>
      auth(cockpit).loginWithSso({ idToken: await issuer.idToken(jon) });
    const before = await started(configured({ AUTH_ALLOWED_EMAILS: allowed }));
    expect((await failureOf(login(before))).code).toBe(Code.PermissionDenied);
    const after = await started(configured({ AUTH_ALLOWED_EMAILS: `${allowed},${jon}` }));
    expect((await login(after)).session?.user?.email).toBe(jon);
    expect((await failureOf(login(before))).code).toBe(Code.PermissionDenied);
  });

  it('rejects a token for its audience when google_client_id differs from OIDC_CLIENT_ID and OIDC_AUDIENCE is unset (BCK-059)', async () => {
    const cockpit = await started(configured({ GOOGLE_CLIENT_ID: 'sign-in-page' }));
    const config = (await (await fetch(`${cockpit.url}/auth/config`)).json()) as { google_client_id: string };
    const idToken = await issuer.idToken(allowed, { clientId: config.google_client_id });
    const failure = await failureOf(auth(cockpit).loginWithSso({ idToken }));
    expect(failure.code).toBe(Code.Unauthenticated);
    expect(failure.message).toContain('rejected for its audience');
  });

  it('takes that token when OIDC_AUDIENCE is set (BCK-047)', async () => {
    const cockpit = await started(
      configured({ GOOGLE_CLIENT_ID: 'sign-in-page', OIDC_AUDIENCE: 'sign-in-page' }),
    );
    const idToken = await issuer.idToken(allowed, { clientId: 'sign-in-page' });
    expect((await auth(cockpit).loginWithSso({ idToken })).session?.user?.email).toBe(allowed);
  });

  it('rejects an unverified address, a changed signature and a token that is none', async () => {
    const cockpit = await started(configured({ AUTH_ALLOWED_EMAILS: 'unverified@example.com' }));
    const idToken = await issuer.idToken('unverified@example.com');
    for (const token of [idToken, `${idToken.slice(0, -6)}AAAAAA`, 'a.b.c', '', 'x'.repeat(20_000)])
      expect((await failureOf(auth(cockpit).loginWithSso({ idToken: token }))).code).toBe(
        Code.Unauthenticated,
      );
  });

  it('says that the signing keys cannot be read while the issuer is away', async () => {
    const own = await startOidcIssuer(['cockpit']);
    const idToken = await own.idToken(allowed);
    await own.close();
    const cockpit = await started(configured({ OIDC_ISSUER: own.issuer }));
    expect(await failureOf(auth(cockpit).loginWithSso({ idToken }))).toEqual({
      code: Code.Unavailable,
      message: `The signing keys of ${own.issuer} could not be read: try again in a moment.`,
    });
  });
});

describe('passwords and the break-glass admin (BCK-044, BCK-045)', () => {
  it('signs in the admin seeded from ADMIN_EMAIL and ADMIN_PASSWORD', async () => {
    const cockpit = await withAdmin();
    const { session } = await auth(cockpit).login({
      email: ' Admin@Example.com ',
      password: adminPassword,
    });
    expect(session?.user).toMatchObject({ email: adminEmail, admin: true });
    expect(cockpit.messages().join('\n')).not.toContain('not seeded');
  });

  it.each([
    ['ADMIN_EMAIL', { ADMIN_EMAIL: undefined }],
    ['ADMIN_PASSWORD', { ADMIN_PASSWORD: '' }],
  ])('admin cannot log in with %s unset, and the log says it was not seeded (BCK-060)', async (_, env) => {
    const cockpit = await withAdmin(env);
    expect(cockpit.messages().some((line) => line.startsWith('the break-glass admin was not seeded'))).toBe(
      true,
    );
    expect(await failureOf(adminToken(cockpit))).toEqual({
      code: Code.Unauthenticated,
      message: 'The email address or the password is wrong.',
    });
  });

  it('an admin of an earlier boot is gone with its variables', async () => {
    const SQLITE_PATH = `${newFolder()}/cockpit.db`;
    const first = await testCockpit(cockpitEnv({ ...breakGlass, SQLITE_PATH }));
    expect(await adminToken(first)).not.toBe('');
    await first.close();
    const second = await withAdmin({ SQLITE_PATH, ADMIN_EMAIL: undefined });
    expect((await failureOf(adminToken(second))).code).toBe(Code.Unauthenticated);
  });

  it('the admin gives accounts a password; nobody else does, and not its own', async () => {
    const cockpit = await withAdmin();
    const admin = auth(cockpit, await adminToken(cockpit));
    await admin.setPassword({ email: 'jon@example.com', password: 'a long password' });
    const { session } = await auth(cockpit).login({ email: 'jon@example.com', password: 'a long password' });
    expect(session?.user).toMatchObject({ email: 'jon@example.com', admin: false });
    const jon = auth(cockpit, session?.token);
    expect(
      (await failureOf(jon.setPassword({ email: 'eve@example.com', password: 'a long password' }))).code,
    ).toBe(Code.PermissionDenied);
    expect(
      (await failureOf(admin.setPassword({ email: adminEmail, password: 'a long password' }))).code,
    ).toBe(Code.FailedPrecondition);
    for (const [email, password] of [
      ['no address', 'a long password'],
      ['jon@example.com', 'short'],
      ['jon@example.com', 'x'.repeat(2000)],
    ] as const)
      expect((await failureOf(admin.setPassword({ email, password }))).code).toBe(Code.InvalidArgument);
  });

  it('"Password sign-in is disabled, use the identity-provider sign-in" with AUTH_GOOGLE_ONLY=true, but for the admin (BCK-055)', async () => {
    const SQLITE_PATH = `${newFolder()}/cockpit.db`;
    const before = await testCockpit(cockpitEnv({ ...breakGlass, SQLITE_PATH }));
    await auth(before, await adminToken(before)).setPassword({
      email: 'jon@example.com',
      password: 'a long password',
    });
    await before.close();
    const cockpit = await withAdmin({ SQLITE_PATH, AUTH_GOOGLE_ONLY: 'true' });
    const disabled = {
      code: Code.FailedPrecondition,
      message: 'Password sign-in is disabled, use the identity-provider sign-in',
    };
    const login = (email: string, password: string) => failureOf(auth(cockpit).login({ email, password }));
    expect(await login('jon@example.com', 'a long password')).toEqual(disabled);
    expect(await login(adminEmail, 'a wrong password')).toEqual(disabled);
    expect(await adminToken(cockpit)).not.toBe('');
  });

  it('makes an address wait after ten wrong passwords, also when they come at once', async () => {
    let now = Date.now();
    const cockpit = await withAdmin({}, { now: () => now });
    const guesses = Array.from({ length: 12 }, (_, index) =>
      failureOf(auth(cockpit).login({ email: adminEmail, password: `guess ${index}` })),
    );
    const codes = (await Promise.all(guesses)).map(({ code }) => code);
    expect(codes.filter((code) => code === Code.Unauthenticated)).toHaveLength(10);
    expect(codes.filter((code) => code === Code.ResourceExhausted)).toHaveLength(2);
    expect((await failureOf(adminToken(cockpit))).code).toBe(Code.ResourceExhausted);
    now += 15 * 60_000;
    expect(await adminToken(cockpit)).not.toBe('');
  });
});

describe('"invalid or expired session token" (BCK-054)', () => {
  const refused = { code: Code.Unauthenticated, message: 'invalid or expired session token' };
  const call = (cockpit: TestCockpit, token: string | undefined) =>
    failureOf(cockpitClient(EstateService, cockpit.url, token).listSources({}));

  it('for a bearer token that is empty, missing, no token, or signed with another secret (BCK-043)', async () => {
    const cockpit = await started();
    const forged = await new SignJWT({ sid: `9999999999-${'0'.repeat(32)}` })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('cockpit')
      .setSubject(adminEmail)
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode('another secret of these tests only!'));
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${forged.split('.')[1]}.`;
    for (const token of [undefined, '', 'hello', 'a.b.c', forged, unsigned])
      expect(await call(cockpit, token)).toEqual(refused);
  });

  it('for a session that was signed out, and for no other', async () => {
    const cockpit = await withAdmin();
    const [token, other] = [await adminToken(cockpit), await adminToken(cockpit)];
    await auth(cockpit, token).signOut({});
    expect(await call(cockpit, token)).toEqual(refused);
    expect(await failureOf(auth(cockpit, token).signOut({}))).toEqual(refused);
    expect((await auth(cockpit, other).whoAmI({})).user?.email).toBe(adminEmail);
  });

  it('for a session that has expired', async () => {
    let now = Date.now();
    const cockpit = await withAdmin({}, { now: () => now });
    const token = await adminToken(cockpit);
    now += 13 * 60 * 60_000;
    expect(await call(cockpit, token)).toEqual(refused);
  });

  it('on a runner that does not share the appfs root of the control plane, and on no other (BCK-048)', async () => {
    const shared = { APPFS_ROOT: newFolder(), MESH_DIR: meshFolder() };
    const plane = await withAdmin(shared);
    const runner = await started(shared, { role: 'runner' });
    const stranger = await started({ MESH_DIR: shared.MESH_DIR }, { role: 'runner' });
    const token = await adminToken(plane);
    const fetched = (at: TestCockpit) =>
      failureOf(
        cockpitClient(RunnerService, at.url, token).fetchSource({ name: 'a', url: 'http://127.0.0.1:9' }),
      );
    expect(await fetched(stranger)).toEqual(refused);
    expect((await fetched(runner)).message).toContain('The data source could not be reached');
    await auth(plane, token).signOut({});
    expect(await fetched(runner)).toEqual(refused);
  });

  it('outlives a restart, because the record is under the appfs root', async () => {
    const env = cockpitEnv();
    const first = await testCockpit({ ...env, ...breakGlass });
    const token = await adminToken(first);
    await first.close();
    const second = await testCockpit(env);
    open.push(second);
    expect((await auth(second, token).whoAmI({})).user?.email).toBe(adminEmail);
  });
});
