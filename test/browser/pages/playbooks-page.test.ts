import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BrowserSession,
  screenshot,
  startBrowserSession,
  type Tab,
} from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { expectSound } from '../../support/sound-page.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

const cancelled = `name: ask-first
title: Ask first
inputs:
  - { name: namespace, title: Namespace, type: name, default: default }
steps:
  - id: read
    title: Read the Deployments
    read: { kind: Deployment, namespace: '\${input.namespace}' }
  - id: ask
    title: Ask a person
    approval: { message: 'Go on in \${input.namespace}?' }
  - id: done
    title: Check the answer
    check: steps.ask.state == "done"
`;

describe.skipIf(chromiumPath === undefined)(`the playbooks (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  let tab: Tab;
  beforeAll(async () => {
    session = await startBrowserSession();
    tab = await session.open('/?tab=playbooks');
    tab.page.setDefaultTimeout(15_000);
  });
  afterAll(() => session?.close());

  it('lists what ships, and shows the steps of one', async () => {
    const { page } = tab;
    await page.getByRole('link', { name: 'Drain a node' }).click();
    const drawer = page.getByRole('complementary', { name: 'Playbook Drain a node' });
    await drawer.getByText('Cordon the node and evict its pods').waitFor();
    await screenshot(page, 'playbooks-drawer');
    await expectSound(page, tab.complaints);
  });

  it('checks a definition as it is typed, leads to a fault, and rehearses it on the sandbox', async () => {
    const { page } = tab;
    await button(page, 'New playbook').click();
    const dialog = page.getByRole('dialog', { name: 'New playbook' });
    const text = dialog.getByLabel('Definition (YAML)');
    await dialog.getByText('Can be run: 2 steps').waitFor();
    await text.fill(cancelled.replace('steps.ask.state', 'stepz.ask.state'));
    await dialog.getByText('1 fault', { exact: true }).waitFor();
    await screenshot(page, 'playbooks-editor-fault');
    await dialog.getByRole('button', { name: /^Line 14/ }).click();
    // The cursor stands on the fault: what is typed lands there.
    await page.keyboard.type('#');
    expect((await text.inputValue()).split('\n')[13]).toContain('#');
    await text.fill(cancelled);
    await dialog.getByText('Can be run: 3 steps').waitFor();
    await button(page, 'Rehearse on the sandbox').click();
    await button(page, 'Start rehearsal').click();
    const drawer = page.getByRole('complementary', { name: 'Run of Ask first' });
    await drawer.getByText('Go on in default?').first().waitFor();
    await screenshot(page, 'playbooks-run-waiting');
    await expectSound(page, tab.complaints);
  });

  it('follows a run live, and approves its step', async () => {
    const { page } = tab;
    const drawer = page.getByRole('complementary', { name: 'Run of Ask first' });
    await drawer.getByLabel('Note (optional)').fill('Yes, go on.');
    await button(page, 'Approve').click();
    await drawer.getByText('All 3 steps are done.').waitFor();
    await drawer
      .getByText(/Yes, go on\.$/)
      .first()
      .waitFor();
    await expectSound(page, tab.complaints);
  });

  it('saves a playbook, starts it with its inputs, and cancels the run', async () => {
    const { page } = tab;
    await page.goto(`${session.console.url}/?tab=playbooks`);
    await button(page, 'New playbook').click();
    await page.getByLabel('Definition (YAML)').fill(cancelled);
    await page.getByText('Can be run: 3 steps').waitFor();
    await button(page, 'Save').click();
    await page.getByRole('link', { name: 'Ask first' }).click();
    await button(page, 'Start').click();
    const dialog = page.getByRole('dialog', { name: 'Start Ask first' });
    await dialog.getByLabel('Namespace').fill('shop');
    await screenshot(page, 'playbooks-start');
    await dialog.getByRole('button', { name: 'Start', exact: true }).click();
    const drawer = page.getByRole('complementary', { name: 'Run of Ask first' });
    await drawer.getByText('Go on in shop?').first().waitFor();
    await button(page, 'Cancel run').first().click();
    await page
      .getByRole('dialog', { name: 'Cancel this run?' })
      .getByRole('button', { name: 'Cancel run' })
      .click();
    await drawer
      .getByText(/cancelled it\. 1 step of 3 done/)
      .first()
      .waitFor();
    await expectSound(page, tab.complaints);
  });

  it('says so when the address names what there is none of', async () => {
    const { page } = tab;
    await page.goto(`${session.console.url}/?tab=playbooks&record=none`);
    await page.getByText('There is no such playbook').waitFor();
  });
});
