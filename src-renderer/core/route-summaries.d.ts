/** What each route is for, one sentence by its id; made by the build of the window. */
declare module 'virtual:route-summaries' {
  export const routeSummaries: Readonly<Record<string, string>>;
}
