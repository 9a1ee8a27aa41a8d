import type {User} from '#contract/management.ts'
import type {AuthInput, SessionFact} from '#machines/auth/auth.types.ts'
import type {Crashes} from '#machines/lib/supervision.ts'
import type {PreferencesInput} from '#machines/preferences/preferences.machine.ts'
import type {SiteInput} from '#machines/site/site.machine.ts'

/** `host`: the page's origin, for credentials. */
export type AppInput = {auth: AuthInput; site: SiteInput; preferences: PreferencesInput; host: string}

/** The actors of the root, by system id. */
export type AppChild = 'startup' | 'auth' | 'site' | 'preferences' | 'notices' | 'session'

export type AppEvent =
  | SessionFact
  /** The person asks to start a part that broke too often. */
  | {type: 'child.restart'; child: AppChild}

export type AppContext = AppInput & {
  /** Whose session runs. */
  session?: {user: User; epoch: number}
  /** Sessions that ended on this page: what stands below one on the screen is drawn anew when it ends. */
  endedSessions: number
  crashes: Crashes<AppChild>
}
