import { expect, it } from 'vitest';
import { requirementNumber, requirementRoutes } from '../../../../src-shared/api/requirements.ts';
import { troubleshootRoutes } from '../../../../src-shared/api/troubleshoot.ts';
import { testConsole } from '../../../support/test-console.ts';

it('GET /api/requirements has every number that a symptom of the catalogue refers to', async () => {
  const console_ = await testConsole();
  try {
    const get = async (path: string) => {
      const answer = await fetch(`${console_.url}${path}`, { headers: { cookie: await console_.cookie() } });
      expect(answer.status).toBe(200);
      return answer.json();
    };
    const [requirements] = requirementRoutes;
    const { documents } = requirements.answer.parse(await get(requirements.path));
    const [, , , catalogue] = troubleshootRoutes;
    const { symptoms } = catalogue.answer.parse(await get(catalogue.path));
    const numbers = documents.flatMap(({ groups }) =>
      groups.flatMap((group) => group.requirements.map(({ number }) => number)),
    );
    const named = symptoms.flatMap(({ reference }) =>
      reference.split(', ').filter((part) => requirementNumber.test(part)),
    );
    expect(named.length).toBeGreaterThan(80);
    expect(named.filter((number) => !numbers.includes(number))).toEqual([]);
  } finally {
    await console_.close();
  }
});
