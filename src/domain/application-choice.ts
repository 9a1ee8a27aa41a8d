import type {Application, Credential} from '#contract/management.ts'

/** Exhausted: a known balance below zero. Zero is not exhausted (contract/platform §3). */
export const isExhausted = ({remaining_amount}: Application) =>
  Boolean(remaining_amount) && Number(remaining_amount) < 0

/** Expired: a date in the past. `now` in unix milliseconds. */
export const isExpired = ({expired_at}: {expired_at?: string | null}, now: number) =>
  expired_at != null && expired_at !== '' && Date.parse(expired_at) < now

/** Credits were added between two readings of one application. */
const hasMoreCredits = (before: Application, after: Application) =>
  before.remaining_amount != null &&
  after.remaining_amount != null &&
  Number(after.remaining_amount) > Number(before.remaining_amount)

export const isUsable = (application: Application, now: number) =>
  !isExhausted(application) && !isExpired(application, now)

const kinds = [
  {scope: 'Global', type: 'Period'},
  {scope: 'Global', type: 'Usage'},
  {scope: 'Individual', type: 'Period'},
  {scope: 'Individual', type: 'Usage'},
] as const

const firstOf = (applications: readonly Application[], {scope, type}: {scope: string; type: string}) =>
  applications.find((application) => application.scope === scope && application.type === type)

/**
 * The application for a tool (contract/platform §3): the current one while it is usable and listed; else the first
 * usable of Global+Period, Global+Usage, Individual+Period, Individual+Usage, of which only the first item of each kind
 * counts; else the first existing of those, even if unusable.
 */
export function chooseApplication(
  applications: readonly Application[],
  current: Pick<Application, 'id'> | undefined,
  now: number,
): Application | undefined {
  const currentItem = current && applications.find(({id}) => id === current.id)
  if (currentItem && isUsable(currentItem, now)) return currentItem
  const candidates = kinds.flatMap((kind) => firstOf(applications, kind) ?? [])
  return candidates.find((candidate) => isUsable(candidate, now)) ?? candidates[0]
}

/**
 * The application that got something to pay with between two readings, so that what was refused can go on: the current
 * one has more credits, or a plan began. Other applications get credits back of tasks that failed, and are not chosen.
 */
export function suppliedApplication(
  {applications, application: current}: {applications: readonly Application[]; application?: Application | undefined},
  read: readonly Application[],
  now: number,
): Application | undefined {
  if (applications.length === 0) return undefined
  return read.find((application) => {
    const before = applications.find(({id}) => id === application.id)
    if (application.type === 'Period')
      return isUsable(application, now) && (before === undefined || isExpired(before, now))
    return before !== undefined && application.id === current?.id && hasMoreCredits(before, application)
  })
}

/** Whether the user has accepted the terms and owns a general application. */
export const hasGeneralApplication = (applications: readonly Application[]) =>
  applications.some(({scope}) => scope === 'Global')

/** The credential for this origin (spec §4). One without a token or past its date does not count. */
export function credentialFor(application: Application, origin: string, now: number): Credential | undefined {
  const match = application.credentials?.find(
    (credential) => credential.host === origin && Boolean(credential.token) && !isExpired(credential, now),
  )
  return match && {...match, application_id: application.id}
}
