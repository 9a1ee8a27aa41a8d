import type {Application, ChatCapability, Credential, Service} from '#contract/management.ts'
import type {CreditsFact} from '#domain/credits.ts'
import type {Failure} from '#domain/failure.ts'
import type {EnvironmentActor} from '#machines/environment/environment.machine.ts'
import type {ParentRef} from '#machines/lib/parent-ref.ts'

/** The steps and results of a tool's set-up: service → applications → application → credential (spec §3, §4). */
export type Provision = {
  service?: Service
  applications: Application[]
  application?: Application
  credential?: Credential
}

export type ProvisioningInput = {
  parentRef: ParentRef<ProvisionFact>
  environment: EnvironmentActor
  serviceId: string
  userId: string
  /** The page's origin: a credential is chosen or made for it. */
  host: string
  /** Stored data: shown at once and checked against the server. */
  restored?: Partial<Provision>
}

/** `now` in unix milliseconds: when the list arrived; expiry is judged at that moment. */
export type ApplicationsOutput = {applications: Application[]; now: number}
/** `paidBy`: the application that an order was for, or that pays now. */
export type ApplicationsInput = {userId: string; serviceId: string; paidBy: string | undefined}

export type ProvisioningEvent =
  /** Reads service and applications again (retry, or a balance that may have changed). */
  | {type: 'provision.refresh'}
  | {type: 'applications.refresh'}
  | CreditsBought
  /** Repeats calls that failed without a network, or with an old token. */
  | {type: 'connection.restored'}
  | {type: 'token.renewed'}
  /** `now` in unix milliseconds. */
  | {type: 'application.choose'; application: Application; now: number}
  /** First run: the user starts and has accepted the terms. */
  | {type: 'application.apply'; termsAccepted: boolean}
  /** The AI host answered 401 to this token: another is made; without an application that is only logged (spec §5). */
  | {type: 'credential.rejected'; token: string}

/** An application that got something to pay with. `at` in unix seconds. */
export type Supply = {applicationId: string; at: number}

/** An order added credits or a plan to an application, which is chosen where it pays for the tool. */
export type CreditsBought = {type: 'credits.bought'} & Supply

export type ProvisioningContext = Provision & {
  parentRef: ParentRef<ProvisionFact>
  environment: EnvironmentActor
  serviceId: string
  userId: string
  host: string
  /** As it was last read: stays when a reading had no answer, so that models have their names without a network. */
  lastService?: Service | undefined
  failures: {service?: Failure; applications?: Failure; application?: Failure; credential?: Failure}
  /** Unix milliseconds of the last list of applications. */
  now: number
  /** Added credits that are not reported yet: the report waits until calls are paid by them. */
  supply?: Supply | undefined
  /** The list up to which added credits were told. A failed reading leaves it, and so does a page that goes before. */
  baseline: Application[]
  /** Credits that were reported last: the same list again says nothing new. */
  reported?: number | undefined
  /**
   * Renewals of the credential within the last minute: one that the AI host accepts for a minute is good.
   */
  renewals: number
  /** Readings of the applications in a row that failed. */
  outages: number
}

/** Facts for the session: calls can be made, cannot be made, or the abilities of the service were read. */
export type ProvisionFact =
  | {type: 'provision.ready'; serviceId: string}
  | {type: 'provision.missing'; serviceId: string}
  | {type: 'provision.serviceRead'; serviceId: string; capabilities: ChatCapability[]}
  /** The user has the general application; `present`: an earlier application was found (code duplication). */
  | {type: 'application.applied'}
  | {type: 'application.present'}
  /** Calls are paid by so much. */
  | CreditsFact

/** Calls can be made, or need the user. */
export type SetUpReport = Extract<ProvisionFact, {type: 'provision.ready' | 'provision.missing'}>['type']

/**
 * `ready`: calls can be made. `missing`: they need the user, unless it is ready as well. `needsApplication`: the
 * first-run dialog. `settling`: not decided yet.
 */
export type ProvisioningTag = 'ready' | 'missing' | 'needsApplication' | 'settling' | 'applying'
