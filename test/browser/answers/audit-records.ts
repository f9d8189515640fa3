import { readConfig } from '../../../src-main/config/index.ts';
import { createAuditTrail } from '../../../src-main/features/audit/index.ts';
import { openConsoleStore } from '../../../src-main/start/console-store.ts';

export type Environment = Readonly<Record<string, string>>;

const log = { error: () => undefined, warn: () => undefined };

/** Acts of one person in a minute: a tenth of them are refused, and more refusals than 20 are only counted. */
const actsPerMinute = 100;

/** Writes so many acts of Mira, until now, into the trail of a console that does not run yet. */
export async function writeActs(env: Environment, count: number): Promise<void> {
  const { store, auditHead } = await openConsoleStore(readConfig(env));
  let time = Date.now() - Math.ceil(count / actsPerMinute) * 60_000;
  const trail = createAuditTrail({ store, now: () => time, log, head: auditHead });
  const write = async (number: number): Promise<void> => {
    const act = { actor: 'mira@northgate.example', action: 'agents.arm', target: `agent-${number}` };
    const event = await trail.begin(act, { number });
    event.record(`Armed agent-${number}.`);
    await (number % 10 === 0 ? event.refuse('Not on the list.') : event.success());
  };
  for (let first = 1; first <= count; first += actsPerMinute) {
    const batch = Array.from(
      { length: Math.min(actsPerMinute, count - first + 1) },
      (_, index) => first + index,
    );
    await Promise.all(batch.map(write));
    time += 60_000;
  }
  await trail.close();
  await store.close();
}

/** Changes what a record says, behind the console's back. */
export async function forgeRecord(env: Environment, seq: number): Promise<void> {
  const { store } = await openConsoleStore(readConfig(env));
  const kept = store.db.selectFrom('audit_records').select('body').where('seq', '=', seq);
  const { body } = await kept.executeTakeFirstOrThrow();
  const forged = body.replace('mira@northgate.example', 'jonas@northgate.example');
  await store.db.updateTable('audit_records').set({ body: forged }).where('seq', '=', seq).execute();
  await store.close();
}
