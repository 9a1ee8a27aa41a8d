import {passwordLengths} from '#contract/account.ts'
import type {User} from '#contract/management.ts'

/** Changes that users make on the profile page. Empty text clears an entry. */
export type ProfileChanges = {nickname?: string; avatar?: string}

/** In characters. */
export const profileLimits = {name: 120} as const

/** The name a user is shown by. */
export const userName = (user: User | undefined): string =>
  [user?.nickname, user?.username, user?.email].find((name) => name != null && name !== '') ?? ''

/** The whole of what a user may write of themselves, with these changes: a back end may replace what is left out. */
export function profileWrite(user: User, changes: ProfileChanges) {
  const {nickname, first_name, last_name, gender, city, province, country, avatar} = user
  const entries = Object.entries({nickname, first_name, last_name, gender, city, province, country, avatar, ...changes})
  return Object.fromEntries(entries.filter(([, value]) => value != null))
}

export type NewPassword = {current: string; next: string; repeated: string}
export type PasswordFault = 'short' | 'long' | 'same' | 'different'

/** Why a new password is not sent. Absent while a field is still empty. */
export function passwordFault({current, next, repeated}: NewPassword): PasswordFault | undefined {
  if (next === '') return undefined
  if ([...next].length < passwordLengths.shortest) return 'short'
  if (next.length > passwordLengths.longest) return 'long'
  if (next === current) return 'same'
  return repeated !== '' && repeated !== next ? 'different' : undefined
}

/** All fields are filled in and nothing is wrong with them. */
export const isNewPassword = (password: NewPassword): boolean =>
  password.current !== '' &&
  password.repeated === password.next &&
  password.next !== '' &&
  passwordFault(password) === undefined
