/** Pages the server writes itself, where the web app is not there. They work without scripts. */

import type { Attention } from '#shared/api/cluster.ts';
import type { Me } from '#shared/api/sign-in.ts';
import type { Target } from '#shared/api/targets.ts';

const style = `body{font:13px/20px system-ui,sans-serif;margin:0;background:#f6f8f9;color:#181f24;display:grid;min-height:100vh;place-content:center}
main{max-width:52rem;padding:2rem}h1{font-size:22px;line-height:28px;margin:0 0 8px}h2{font-size:15px;margin:24px 0 8px}p,li{margin:0 0 12px;color:#485157}a{color:#006073}
table{border-collapse:collapse}td,th{text-align:left;vertical-align:top;padding:4px 16px 4px 0}label{display:block;margin:0 0 8px}input{display:block;font:inherit;padding:4px 8px}
@media(prefers-color-scheme:dark){body{background:#0e1214;color:#e5e8eb}p,li{color:#b0b7bb}a{color:#76cce4}}`;

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${style}</style><main><h1>${title}</h1>${body}</main></html>`;
}

/** A part of the dashboard, or the sentence that says why it was not read. */
export type Shown<T> = T | { readonly error: string };

export type Dashboard = {
  readonly version: string;
  readonly me: Shown<Me>;
  readonly attention: Shown<{
    readonly attention: readonly Attention[];
    readonly unmeasured: readonly string[];
  }>;
  readonly targets: Shown<{ readonly items: readonly Target[]; readonly chosen?: string | undefined }>;
};

/**
 * The last step of the root handler (CON-007): what needs attention, the targets and the sign-in, for a console whose web app is not
 * built and for a browser without scripts.
 */
export function dashboardPage({ version, me, attention, targets }: Dashboard): string {
  return page(
    'Operator Console',
    `${signIn(me)}
<h2>Needs attention</h2>${part(attention, attentionTable)}
<h2>Targets</h2>${part(targets, targetTable)}
<h2>This page</h2><p>The console ${text(version)} is running, but its web app is not: no bundle was found in CONSOLE_WEB_DIR. Build it with <code>npm run build</code>, or point the variable at a built one.</p>
<p>The studio: <a href="/studio/">/studio/</a>. Every route: <a href="/api/openapi.json">/api/openapi.json</a>.</p>`,
  );
}

/** A form's answer that is an error, for a browser without scripts. */
export function formErrorPage(message: string): string {
  return page('Not signed in', `<p>${text(message)}</p><p><a href="/">Back</a></p>`);
}

/** A browser followed a link to nothing. */
export function notFoundPage(): string {
  return page(
    'There is nothing at this address',
    '<p>Pages of the console are named in the address after <code>?tab=</code>. <a href="/">Open the console</a>.</p>',
  );
}

function signIn(me: Shown<Me>): string {
  if ('error' in me) return `<p>${text(me.error)}</p>`;
  if (me.authed)
    return `<form method="post" action="/auth/logout"><p>Signed in as ${text(me.email ?? '')}. <button>Sign out</button></p></form>`;
  const link = '<p>A one-time link signs in, too: <code>operator-console sign-in-link</code> prints it.</p>';
  if (!me.passwordAuth) return `<h2>Sign in</h2>${link}`;
  return `<h2>Sign in</h2><form method="post" action="/auth/password">
<label>Email <input name="username" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<p><button>Sign in</button></p></form>${link}`;
}

function attentionTable({
  attention,
  unmeasured,
}: {
  readonly attention: readonly Attention[];
  readonly unmeasured: readonly string[];
}): string {
  const rows = attention.map(({ state, title, cause }) => [state, title, cause ?? '']);
  const gaps = unmeasured.length === 0 ? '' : `<p>Not read:</p><ul>${list(unmeasured)}</ul>`;
  return `${rows.length === 0 ? '<p>Nothing that was read needs attention.</p>' : table(['State', 'What', 'Cause'], rows)}${gaps}`;
}

function targetTable({
  items,
  chosen,
}: {
  readonly items: readonly Target[];
  readonly chosen?: string | undefined;
}): string {
  if (items.length === 0) return '<p>No cluster or bundle is attached.</p>';
  const rows = items.map(({ id, name, state, detail }) => [
    id === chosen ? `${name} (shown above)` : name,
    state,
    detail ?? '',
  ]);
  return table(['Target', 'State', 'Reason'], rows);
}

function part<T extends object>(shown: Shown<T>, render: (value: T) => string): string {
  return 'error' in shown ? `<p>${text(shown.error)}</p>` : render(shown);
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((each) => `<th scope="col">${text(each)}</th>`).join('');
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${text(cell)}</td>`).join('')}</tr>`);
  return `<table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table>`;
}

const list = (items: readonly string[]): string => items.map((item) => `<li>${text(item)}</li>`).join('');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text of other systems in HTML. */
function text(value: string): string {
  return value.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
