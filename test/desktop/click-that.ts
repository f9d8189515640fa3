import type { Page } from 'playwright-core';

/** Has the page run a script at a real click of the person. */
export async function clickThat(page: Page, script: string): Promise<void> {
  await page.evaluate(`{
    const button = document.createElement('button');
    button.id = 'click-that';
    button.style.cssText = 'position:fixed;z-index:99999;left:300px;top:300px;width:80px;height:40px';
    button.onclick = () => { ${script}; };
    document.body.append(button);
  }`);
  await page.mouse.click(340, 320);
  await page.evaluate(`document.getElementById('click-that').remove()`);
}
