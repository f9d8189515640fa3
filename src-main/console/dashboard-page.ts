/** Pages the server writes itself, where the web app is not there. */

const style = `body{font:13px/20px system-ui,sans-serif;margin:0;background:#f6f8f9;color:#181f24;display:grid;min-height:100vh;place-content:center}
main{max-width:34rem;padding:2rem}h1{font-size:22px;line-height:28px;margin:0 0 8px}p{margin:0 0 12px;color:#485157}a{color:#006073}
@media(prefers-color-scheme:dark){body{background:#0e1214;color:#e5e8eb}p{color:#b0b7bb}a{color:#76cce4}}`;

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${style}</style><main><h1>${title}</h1>${body}</main></html>`;
}

/** The last step of the root handler: a plain page for a console whose web app is not built. */
export function dashboardPage(version: string): string {
  return page(
    'Operator Console',
    `<p>The console ${version} is running, but its web app is not: no bundle was found in CONSOLE_WEB_DIR. Build it with <code>npm run build</code>, or point the variable at a built one.</p>
<p>The studio: <a href="/studio/">/studio/</a>. Sign-in state: <a href="/api/me">/api/me</a>. Every route: <a href="/api/openapi.json">/api/openapi.json</a>.</p>`,
  );
}

/** A browser followed a link to nothing. */
export function notFoundPage(): string {
  return page(
    'There is nothing at this address',
    '<p>Pages of the console are named in the address after <code>?tab=</code>. <a href="/">Open the console</a>.</p>',
  );
}
