import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { readAddress, viewQuery } from './address.ts';
import { App } from './app.tsx';
import { followTheme } from './theme.ts';
import './tokens.css';
import './layout.css';
import './conversation.css';
import './panel.css';

followTheme();
const address = readAddress(location.search);
// Before anything else can read or share the address: a `cmd` must not survive a reload (CON-066).
history.replaceState(history.state, '', viewQuery(address));

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App address={address} />
    </StrictMode>,
  );
}
