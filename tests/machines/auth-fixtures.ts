import type {User} from '#contract/management.ts'
import type {SessionToken} from '#domain/session-token.ts'
import type {AuthInput, LoginCode} from '#machines/auth/auth.types.ts'
import {startEnvironment} from './environment-fixture.ts'
import {nobody} from './nobody.ts'

export const tokenOf = (access: string, receivedAt = 0): SessionToken => ({
  access,
  refresh: `refresh-${access}`,
  expiration: 900,
  receivedAt,
  refreshAt: receivedAt + 720_000,
})
export const token = tokenOf('foo')
export const user: User = {id: 'u-1'}
/** The token of a fresh sign-in, whose user is not known yet. */
export const newer = tokenOf('bar', 5)
export const owned: SessionToken = {...newer, userId: user.id}
export const claimed: LoginCode = {code: 'foo', isOurs: true}
export const refused = {status: 401, code: 'invalid_grant', detail: 'foo'}
export const lost = {code: 'unknown', detail: 'foo', lost: true}
export const environment = startEnvironment()
export const input = (more: Partial<AuthInput> = {}): AuthInput => ({
  environment,
  parentRef: nobody,
  flow: 'redirect',
  epoch: 1,
  canRefresh: true,
  ...more,
})
export const restored = {token, user}
