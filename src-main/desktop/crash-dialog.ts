import { app, dialog, shell } from 'electron';
import type { Crash } from '../start/crash-report.ts';
import { endNow } from './quit.ts';

/**
 * Shows the person that the program failed, with the report and the location of the log, and ends it. An
 * unhandled rejection ends nothing here: it is in the log and in its report.
 */
export async function showCrash({ origin, message, file }: Crash, log: string | undefined): Promise<void> {
  if (origin === 'unhandledRejection') return;
  await app.whenReady();
  const detail =
    file === undefined ? message : `${message}\n\nA report was written, without secrets:\n${file}`;
  const buttons = log === undefined ? ['Quit'] : ['Show log', 'Quit'];
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: 'Operator Console',
    message: 'Operator Console stopped because of an unexpected error',
    detail,
    buttons,
    defaultId: buttons.length - 1,
    cancelId: buttons.length - 1,
    noLink: true,
  });
  if (log !== undefined && response === 0) shell.showItemInFolder(file ?? log);
  endNow(1);
}
