import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';

const briefs = [
  'Match incoming invoices to purchase orders by supplier and amount. Anything above 2 % difference goes to a person.',
  'Show berths and arrivals on one board by date and quay. Send a notice when an arrival is more than 30 minutes late.',
  'Collect shift wishes from the team, plan the week so that nobody works more than 40 hours, and email every person their shifts.',
];

type Props = {
  /** The app of a `repo-` chat; empty for a new chat. */
  readonly app: string;
  readonly answeredBy: string;
  readonly onPrefill: (text: string) => void;
};

/** A chat without messages: what happens next, and three briefs that fill the composer without sending. */
export function EmptyChat({ app, answeredBy, onPrefill }: Props): ReactNode {
  return (
    <section className="messages empty-chat" aria-label="Messages">
      <div className="column">
        <h2>{app === '' ? 'What should be built?' : `What should change in ${app}?`}</h2>
        <p>
          Say it in your own words. The studio answers with a plan: data, screens, rules, checks and delivery.
          {answeredBy === 'built-in planner'
            ? ' No model is connected, so its built-in planner answers by fixed rules.'
            : ''}
        </p>
        <h3>Start from an example</h3>
        <ul className="examples">
          {briefs.map((brief) => (
            <li key={brief}>
              <button type="button" onClick={() => onPrefill(brief)}>
                <Icon name="output" />
                <span>{brief}</span>
              </button>
            </li>
          ))}
        </ul>
        <p className="faint">An example fills the box below. Nothing is sent until you send it.</p>
      </div>
    </section>
  );
}
