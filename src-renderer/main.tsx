import './app/theme/mantine-styles.ts';
import './app/theme/global.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { NuqsAdapter } from 'nuqs/adapters/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { cssVariablesResolver, theme } from './app/theme/theme.ts';
import { colorSchemeManager } from './core/color-scheme.ts';
import { createQueryClient } from './core/queries.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root.');

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager(localStorage)}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={createQueryClient()}>
        <NuqsAdapter>
          <App />
        </NuqsAdapter>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
