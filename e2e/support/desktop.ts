/** A desktop whose user reads English; in the project `arabic desktop` Arabic. */
export const anyDesktop = {
  locale: ({userLocale}: {userLocale: string | undefined}, give: (locale: string) => Promise<void>) =>
    give(userLocale ?? 'en'),
}
