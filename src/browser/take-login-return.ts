import type {LoginReturn} from '#domain/login-return.ts'

/**
 * Removes `code` and `state` from the address before any other code can read or send it (security R11). Call it first.
 * `undefined` if the address has no code.
 */
export const takeLoginReturn = (
  address: Pick<Location, 'href'> = location,
  entries: Pick<History, 'replaceState' | 'state'> = history,
): LoginReturn | undefined => {
  const url = new URL(address.href)
  const code = url.searchParams.get('code')
  if (code === null) return undefined
  const state = url.searchParams.get('state') ?? undefined
  url.searchParams.delete('code')
  url.searchParams.delete('state')
  entries.replaceState(entries.state, '', url.href)
  return code === '' || code.length > 512 ? undefined : {code, state}
}
