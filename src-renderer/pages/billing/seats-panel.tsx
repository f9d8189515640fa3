import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { SeatList } from '#shared/api/billing.ts';
import { counted } from '#shared/text.ts';
import { Banner } from '../../components/banner.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { Panel } from '../../components/panel.tsx';
import { PlainAnswer } from '../../components/plain-answer.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { call } from '../../core/api.ts';
import { sentenceOf } from '../../core/failure.ts';
import page from './billing-page.module.css';
import { seatsQuery } from './billing-queries.ts';
import css from './seats-panel.module.css';

/** Gives the seats of the subscription to people and takes them back. */
export function SeatsPanel() {
  const seats = useQuery(seatsQuery);
  return (
    <Panel title="Seats" sub={seats.data === undefined ? undefined : seatsLabel(seats.data)}>
      <PlainAnswer query={seats} what="the seats" meanwhile="Whoever holds one keeps it." frame={page.body}>
        {(list) => <Seats list={list} />}
      </PlainAnswer>
    </Panel>
  );
}

function seatsLabel({ seats, subscription, free }: SeatList): string {
  return `${seats.length} of ${counted(subscription?.seats ?? 0, 'seat')} taken, ${free} free`;
}

function Seats({ list }: { readonly list: SeatList }) {
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const keep = (next: SeatList) => client.setQueryData(seatsQuery.queryKey, next);
  const add = useMutation({
    mutationFn: () => call('billing.addSeat', { body: { email } }),
    onSuccess: (next) => {
      keep(next);
      setEmail('');
    },
  });
  const remove = useMutation({
    mutationFn: (holder: string) => call('billing.removeSeat', { query: { email: holder } }),
    onSuccess: keep,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (email.trim() !== '') add.mutate();
  };
  const error = add.error ?? remove.error;
  return (
    <>
      {list.seats.length === 0 ? (
        <p className={css.empty}>Nobody holds a seat yet. Give the first one to somebody below.</p>
      ) : (
        <ul className={css.people} aria-label="Seat holders">
          {list.seats.map((seat) => (
            <li key={seat.email} className={css.person}>
              <span className={css.email}>{seat.email}</span>
              <span className={css.since}>
                since <TimeAgo at={Date.parse(seat.added_at)} fromNow />
              </span>
              <Button
                size="xs"
                aria-label={`Take the seat of ${seat.email} back`}
                loading={remove.isPending && remove.variables === seat.email}
                onClick={() => remove.mutate(seat.email)}
              >
                Take back
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form className={css.add} onSubmit={submit}>
        <TextInput
          label="Give a seat to"
          type="email"
          className={css.field}
          placeholder="name@example.com"
          value={email}
          disabled={list.free === 0}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Button type="submit" loading={add.isPending} disabled={list.free === 0}>
          Give seat
        </Button>
        {list.free === 0 && (
          <span className={page.quiet}>No seat is free: take one back, or order more.</span>
        )}
      </form>
      {error !== null && (
        <div className={page.body}>
          <Banner look="failing" urgent icon={<Glyph state="failing" />} title="The seats were not changed.">
            {sentenceOf(error)}
          </Banner>
        </div>
      )}
    </>
  );
}
