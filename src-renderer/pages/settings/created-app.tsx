import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { WithCode } from '../../components/with-code.tsx';
import { call } from '../../core/api.ts';
import { sentenceOf } from '../../core/failure.ts';
import { takeAppCode } from '../../core/return-address.ts';
import css from './code-host-section.module.css';

/** Takes the App that the code host has just created, and says how to go on. `installed`: there is nothing left to do. */
export function CreatedApp({ installed }: { readonly installed: boolean }) {
  const client = useQueryClient();
  const taken = useRef(false);
  const finish = useMutation({
    mutationFn: (body: { code: string; state: string }) => call('codeHost.createdApp', { body }),
    onSettled: () => client.invalidateQueries(),
  });
  const { mutate } = finish;
  useEffect(() => {
    if (taken.current) return;
    taken.current = true;
    const back = takeAppCode();
    if (back !== undefined) mutate(back);
  }, [mutate]);

  const news = newsOf(finish, installed);
  return news === null ? null : <div className={css.news}>{news}</div>;
}

function newsOf(
  finish: {
    isPending: boolean;
    error: Error | null;
    data: { name: string; install_url: string } | undefined;
  },
  installed: boolean,
) {
  if (finish.isPending)
    return <Banner look="note" icon={<Glyph state="unknown" />} title="Taking the App and its key." />;
  if (finish.error !== null)
    return (
      <Banner look="failing" urgent icon={<Glyph state="failing" />} title="The App was not attached.">
        <WithCode>{sentenceOf(finish.error)}</WithCode>
      </Banner>
    );
  if (finish.data === undefined) return null;
  return (
    <Banner
      look="note"
      icon={<Glyph state="healthy" />}
      title={`The App ${finish.data.name} was created, and its key is kept.`}
      action={
        !installed && (
          <Button
            component="a"
            href={finish.data.install_url}
            target="_blank"
            rel="noreferrer"
            variant="filled"
          >
            Install the App
          </Button>
        )
      }
    >
      {installed
        ? 'It is installed, and read now.'
        : 'Install it in your organisation, for all repositories or some: this page then fills by itself.'}
    </Banner>
  );
}
