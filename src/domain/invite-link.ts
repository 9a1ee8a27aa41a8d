/** The link that a user shares: a page that opens with it keeps its user as inviter (contract/screens §6). */
export function inviteLink(origin: string, userId: string): string {
  const url = new URL('/', origin)
  url.searchParams.set('inviter_id', userId)
  return url.href
}
