import type {Config} from '../config.ts'
import {isReachable} from '../is-reachable.ts'
import type {ServerDeps} from '../deps.ts'
import {platformBase} from '../platform/addresses.ts'
import {isSameSecret, type Secrets} from '../secrets.ts'
import {users} from '../store/schema/people.ts'

/** Why no account can be made: also the key of the sentence that says so. */
export type RegistrationRefusal = 'setupNeeded' | 'registrationClosed'

/**
 * Computed, so that every start and every process prints the same one. It makes the first account only, so it is spent
 * when there is one.
 */
const setupToken = (secrets: Secrets): string => secrets.sign('setup', 'first account')

/**
 * Whether an account may be made now. The first account runs the installation: if others can reach the server, it needs
 * the link that the start prints.
 */
export function refusalOf(
  {config, secrets}: Pick<ServerDeps, 'config' | 'secrets'>,
  {isFirst, setup}: {isFirst: boolean; setup: string | undefined},
): RegistrationRefusal | undefined {
  if (!isFirst) return config.registration === 'open' ? undefined : 'registrationClosed'
  if (!isReachable(config)) return undefined
  return isSameSecret(setupToken(secrets), setup ?? '') ? undefined : 'setupNeeded'
}

export const hasNoAccount = ({database}: Pick<ServerDeps, 'database'>): Promise<boolean> =>
  database.asSystem(async (transaction) => (await transaction.select({id: users.id}).from(users).limit(1)).length === 0)

/** The address that makes the first account; `undefined` where one exists, or only this machine reaches the server. */
export async function setupAddress(deps: ServerDeps): Promise<string | undefined> {
  const {config, secrets} = deps
  if (!isReachable(config) || !(await hasNoAccount(deps))) return undefined
  return `${authBase(config)}/auth/register?setup=${setupToken(secrets)}`
}

const authBase = (config: Config): string =>
  config.serviceOrigins.auth ?? platformBase({...config, serviceOrigins: {}}, undefined).replace(/platform$/, 'auth')
