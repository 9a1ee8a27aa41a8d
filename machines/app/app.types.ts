import type {User} from '#contract/management.ts'
import type {AuthInput, AuthFact} from '#machines/auth/auth.types.ts'
import type {EnvironmentActor} from '#machines/environment/environment.machine.ts'
import type {EnvironmentInput} from '#machines/environment/environment.types.ts'
import type {Crashes} from '#machines/lib/supervision.ts'
import type {PreferencesInput} from '#machines/preferences/preferences.machine.ts'
import type {SiteInput} from '#machines/site/site.machine.ts'

type PartInput = {
  auth: Omit<AuthInput, 'environment' | 'parentRef'>
  site: SiteInput
  preferences: PreferencesInput
  /** The page's origin, for credentials. */
  host: string
}
export type AppInput = PartInput & {environment: EnvironmentInput}

/** The actors of the root, by system id. */
export type AppChild = 'startup' | 'auth' | 'site' | 'preferences' | 'notices' | 'session'

export type AppEvent =
  | AuthFact
  /** The user asks to start a part that broke too often. */
  | {type: 'child.restart'; child: AppChild}
  /** The environment broke; its last values hold. */
  | {type: 'xstate.error.actor.environment'; error: unknown}

export type AppContext = PartInput & {
  environment: EnvironmentActor
  /** The user of the running session. */
  session?: {user: User; epoch: number}
  /** Number of sessions that ended on this page; views below it are mounted again when it changes. */
  endedSessions: number
  crashes: Crashes<AppChild>
}
