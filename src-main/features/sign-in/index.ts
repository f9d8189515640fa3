export { auditedSignIn } from './audited-sign-in.ts';
export { createLiveProvider } from './live-provider.ts';
export { createPasswordSignIn } from './password.ts';
export { signInHandlers } from './routes.ts';
export {
  cookieValues,
  createSessions,
  type SameSite,
  type Session,
  type Sessions,
} from './sessions.ts';
export { createSignInLinks, signInAddress } from './sign-in-link.ts';
export { type SignInTables, signInMigrations } from './store.ts';
