import {initialTransition} from 'xstate'
import type {Application} from '#contract/management.ts'
import {provisioningMachine, type ProvisioningSnapshot} from '#machines/provisioning/provisioning.machine.ts'
import type {ProvisioningInput} from '#machines/provisioning/provisioning.types.ts'
import {startEnvironment} from '#tests/machines/environment-fixture.ts'
import {leavesOf, sender, type Chart, type LeafOf} from './chart-walk.ts'
import {chatServiceId} from './users.ts'

/* The set-up of one user and the answers of the server, over its machine. */

export type Action =
  | 'service comes'
  | 'service fails'
  | 'general application comes'
  | 'application of this tool comes'
  | 'no application comes'
  | 'applications fail'
  | 'retry'
  | 'start'
  | 'start is accepted'
  | 'start is refused'
  | 'key comes'
  | 'key fails'
  | 'open again'
/** The states of the four regions, joined. */
type Shown = string
/** Those that a user can find the set-up in. */
export type Leaf = Exclude<
  LeafOf<typeof provisioningMachine>,
  'application.choosing' | 'credential.restoring' | 'credential.finding'
>

/**
 * The applications of one user: the general one and one of this tool. The server knows both by one id, so the second
 * one that is read has fewer credits: more would be news, after which the list is read anew.
 */
export type Owned = {host: string; general: Application; individual: Application}

export const owned = (id: string, host: string): Owned => ({
  host,
  general: {id, type: 'Usage', scope: 'Global', remaining_amount: 7, credentials: []},
  individual: {
    id,
    type: 'Usage',
    scope: 'Individual',
    service_id: chatServiceId,
    remaining_amount: 12.5,
    credentials: [],
  },
})

const send = sender(provisioningMachine)
const refusal = {actorId: '', error: {status: 404, code: 'not_found', detail: 'foo'}}

type Value = ProvisioningSnapshot['value']
const where =
  (isHere: (value: Value) => boolean, then: (snapshot: ProvisioningSnapshot) => ProvisioningSnapshot) =>
  (snapshot: ProvisioningSnapshot) =>
    isHere(snapshot.value) ? then(snapshot) : undefined

/** Only the service fails, and after it the list; all other faults happen where the service is there. */
export function chartOf({host, general, individual}: Owned): Chart<ProvisioningSnapshot, Action, Shown> {
  // as: nobody hears the facts of the machine here
  const parentRef = {send: () => undefined} as unknown as ProvisioningInput['parentRef']
  const start = () =>
    initialTransition(provisioningMachine, {
      parentRef,
      environment: startEnvironment(),
      serviceId: chatServiceId,
      userId: 'u',
      host,
    })[0]
  const read = (applications: Application[]) => (snapshot: ProvisioningSnapshot) =>
    send(snapshot, {type: 'xstate.done.actor.getApplications', actorId: '', output: {applications, now: 0}})
  const asksForList = ({service, applications}: Value) => applications === 'request' && service === 'success'
  const mayStart = ({application, credential}: Value) =>
    (application === 'needed' || application === 'individual') && credential !== 'request'
  const isApplying = ({application}: Value) => application === 'applying'
  const asksForKey = ({credential}: Value) => credential === 'request'

  return {
    start,
    shownBy: ({value, context: {application}}) => [...leavesOf(value), application?.scope ?? 'nothing'].join(' '),
    effects: {
      'service comes': where(
        ({service}) => service === 'request',
        (snapshot) => send(snapshot, {type: 'xstate.done.actor.getService', actorId: '', output: {id: chatServiceId}}),
      ),
      'service fails': where(
        ({service}) => service === 'request',
        (snapshot) => send(snapshot, {type: 'xstate.error.actor.getService', ...refusal}),
      ),
      'general application comes': where(asksForList, read([general])),
      'application of this tool comes': where(asksForList, read([individual])),
      'no application comes': where(asksForList, read([])),
      'applications fail': where(
        ({service, applications}) => applications === 'request' && service === 'error',
        (snapshot) => send(snapshot, {type: 'xstate.error.actor.getApplications', ...refusal}),
      ),
      retry: where(
        ({applications}) => applications === 'error',
        (snapshot) => send(snapshot, {type: 'provision.refresh'}),
      ),
      start: where(mayStart, (snapshot) => send(snapshot, {type: 'application.apply', termsAccepted: true})),
      'start is accepted': where(isApplying, (snapshot) =>
        send(snapshot, {type: 'xstate.done.actor.applyForApplication', actorId: '', output: general}),
      ),
      'start is refused': where(isApplying, (snapshot) =>
        send(snapshot, {type: 'xstate.error.actor.applyForApplication', ...refusal}),
      ),
      'key comes': where(asksForKey, (snapshot) =>
        send(snapshot, {
          type: 'xstate.done.actor.createCredential',
          actorId: '',
          output: {id: 'k', token: 'foo', host, application_id: general.id},
        }),
      ),
      'key fails': where(asksForKey, (snapshot) =>
        send(snapshot, {type: 'xstate.error.actor.createCredential', ...refusal}),
      ),
      'open again': where(
        ({application, credential}) =>
          application === 'selected' && (credential === 'success' || credential === 'error'),
        start,
      ),
    },
  }
}
