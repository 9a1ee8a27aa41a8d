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

/** Credits that are left; a plan without a quota has no end of them. */
export const creditsLeft = (application: Application | undefined) =>
  application === undefined ? 0 : Number(application.remaining_amount ?? Number.MAX_VALUE)

/**
 * The application that got something to pay with between two readings, so that what was refused can go on: a plan that
 * began, the current one with more credits, or another one with more than before and more than the current one has. A
 * smaller one gets credits back of a task that failed, and is not chosen for that.
 */
export function suppliedApplication(
  {applications, application: current}: {applications: readonly Application[]; application?: Application | undefined},
  newest: readonly Application[],
  now: number,
): Application | undefined {
  if (applications.length === 0) return undefined
  const currently = chooseApplication(newest, current, now)
  return newest.find((application) => {
    if (!isUsable(application, now)) return false
    const before = applications.find(({id}) => id === application.id)
    const isNew = before === undefined || isExpired(before, now)
    if (isNew ? creditsLeft(application) <= 0 : !hasMoreCredits(before, application)) return false
    const isPlan = isNew && application.type === 'Period'
    return isPlan || application === currently || creditsLeft(application) > creditsLeft(currently)
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
