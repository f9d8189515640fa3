import { routeSummaries } from 'virtual:route-summaries';
import { routeTable } from '#shared/api/index.ts';
import { allowlists, type Route } from '#shared/api/route.ts';
import { counted } from '#shared/text.ts';
import { Tag } from '../../components/tag.tsx';
import css from './access-classes.module.css';
import page from './access-page.module.css';

const routes: readonly Route[] = routeTable;

type Rule = { readonly title: string; readonly rule: string; readonly routes: readonly Route[] };

const ofKind = (kind: Route['access']['kind']): readonly Route[] =>
  routes.filter(({ access }) => access.kind === kind);

const listOf = ({ access }: Route): string | undefined =>
  access.kind === 'read' || access.kind === 'write' ? access.allowlist : undefined;

/** The rules, in the order of what they ask; the routes under each are read from the route table itself. */
const rules: readonly Rule[] = [
  { title: 'Open', rule: 'Anyone who can reach this address.', routes: ofKind('open') },
  {
    title: 'Signed in',
    rule: 'Anyone signed in; on a console without sign-in, anyone.',
    routes: ofKind('read').filter((route) => listOf(route) === undefined),
  },
  { title: 'Your own data', rule: 'Anyone signed in, for their own data.', routes: ofKind('own') },
  ...allowlists.map((name) => ({
    title: name,
    rule: 'Signed-in people on this list. Every write is recorded in the audit trail, including failed and refused ones.',
    routes: routes.filter((route) => listOf(route) === name),
  })),
  {
    title: 'Machines',
    rule: 'A program with the route’s shared token. While the token is not set, nothing gets in.',
    routes: ofKind('machine'),
  },
  {
    title: 'Agents',
    rule: 'An agent whose installation token the code host vouches for.',
    routes: ofKind('agent'),
  },
];

/** Every rule of the console in one sentence, and what falls under it. */
export function AccessClasses() {
  return (
    <section className={page.panel} aria-labelledby="classes">
      <h2 className={page.title} id="classes">
        Who may do what
      </h2>
      <p className={page.about}>
        Every address of this console has exactly one of these rules. In the desktop window, settings, keys
        and session admins are also open to its owner.
      </p>
      {rules
        .filter((rule) => rule.routes.length > 0)
        .map((rule) => (
          <details key={rule.title} className={css.rule}>
            <summary className={css.summary}>
              <span className={css.title}>{rule.title}</span>
              <span className={css.words}>{rule.rule}</span>
              <Tag>{counted(rule.routes.length, 'address', 'addresses')}</Tag>
            </summary>
            <ul className={css.routes}>
              {rule.routes.map((route) => (
                <li key={route.id} className={css.route}>
                  <code className={css.path}>
                    {route.method === 'any' ? '' : `${route.method} `}
                    {route.path}
                  </code>
                  <span>
                    {routeSummaries[route.id]}
                    {route.access.kind === 'write' &&
                      route.access.ownSubject &&
                      ' Open to anyone for themselves.'}
                    {route.access.kind === 'machine' && (
                      <>
                        {' '}
                        Token: <code>{route.access.token}</code>.
                      </>
                    )}
                  </span>
                </li>
              ))}
            </ul>
          </details>
        ))}
    </section>
  );
}
