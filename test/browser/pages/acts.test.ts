import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { expectSound } from '../../support/sound-page.ts';

describe.skipIf(chromiumPath === undefined)(`acts on objects (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession({ CONSOLE_PROTECTED_TARGETS: 'sandbox' });
  });
  afterAll(() => session?.close());

  it('scale a workload after its preview and the name of a protected target, and undo it', async () => {
    const tab = await session.open('/?tab=namespaces&record=apps&panel=workloads');
    const { page, context } = tab;
    const drawer = page.getByRole('complementary', { name: 'Namespace apps' });
    await drawer
      .locator('li')
      .filter({ hasText: 'harbour-board' })
      .getByRole('button', { name: 'Actions' })
      .click();
    await page.getByRole('button', { name: 'Scale', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Scale Deployment harbour-board' });
    await dialog.getByLabel('Replicas').fill('3');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('region', { name: 'Changes' }).getByText('spec.replicas').waitFor();
    const confirm = async () => {
      const button = dialog.getByRole('button', { name: 'Scale', exact: true });
      expect(await button.isDisabled()).toBe(true);
      await dialog.getByLabel('sandbox is protected').fill('sandbox');
      await button.click();
    };
    await confirm();
    await dialog.getByText('3 of 3 pods ready.').waitFor();
    await dialog.getByRole('button', { name: 'Undo: Scale back to 2.' }).click();
    await dialog.getByText('Scale Deployment apps/harbour-board from 3 to 2.').waitFor();
    await confirm();
    await dialog.getByText('2 of 2 pods ready.').waitFor();
    await expectSound(page, tab.complaints);
    await context.close();
  });

  it('drain a node only as far as its preview says', async () => {
    const tab = await session.open('/?tab=nodes&record=willow-1');
    const { page, context } = tab;
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('button', { name: 'Drain' }).click();
    const dialog = page.getByRole('dialog', { name: 'Drain Node willow-1' });
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('region', { name: 'Effect' }).getByText('disruption budget').first().waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expectSound(page, tab.complaints);
    await context.close();
  });

  it('take a finding to gone by the step of its fix', async () => {
    const tab = await session.open('/?tab=troubleshoot');
    const { page, context } = tab;
    const rail = page.getByRole('link', { name: /EMBEDDING_FORMAT is invalid/ }).first();
    await rail.click({ timeout: 60_000 });
    const article = page.getByRole('article', { name: /EMBEDDING_FORMAT is invalid/ });
    await article.getByRole('button', { name: 'Preview' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit ClientInstance birch-cockpit' });
    const yaml = dialog.getByLabel('YAML');
    await expect.poll(() => yaml.inputValue()).toContain('value: nomic\n');
    await yaml.fill((await yaml.inputValue()).replace('value: nomic\n', 'value: nomic-v1.5\n'));
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('nomic-v1.5').last().waitFor();
    await dialog.getByLabel('sandbox is protected').fill('sandbox');
    await dialog.getByRole('button', { name: 'Edit', exact: true }).click();
    await dialog.getByText('Done', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await article.getByText(/^gone since/).waitFor({ timeout: 60_000 });
    await context.close();
  });
});
