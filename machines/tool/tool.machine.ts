import {raise, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import {environmentInvoke} from '#machines/environment/environment.machine.ts'
import {supervised} from '#machines/lib/supervision.ts'
import {timeout} from '#machines/lib/timeout.ts'
import {selectionId} from '#machines/selection/selection.types.ts'
import {formId, taskListId, toolProvisioningId} from '#machines/tasks/tasks.types.ts'
import {toolSetup} from './tool.setup.ts'
import type {ToolContext, ToolPart} from './tool.types.ts'

const {broken, down, onError, afterCalm} = supervised<ToolPart>()

type CrashParameters = {event: {error: unknown}}
const logLoad = (child: 'form' | 'selection') =>
  ({type: 'logCrash', params: ({event: {error}}: CrashParameters) => ({child, error})}) as const
const logOverdue = (child: 'form' | 'selection') => ({type: 'logCrash', params: {child, ...timeout}}) as const

const showUnopened = {
  type: 'show',
  params: ({context}: {context: ToolContext}) => ({type: 'tool.unopened' as const, tool: context.ref.tool}),
} as const

/** The list of tasks with its requests. Without it, no task of the tool counts as running. */
const listRegion = (tool: string) =>
  toolSetup.createStateConfig({
    initial: 'running',
    states: {
      running: {
        entry: [raise({type: 'list.started'})],
        // it has not heard what provisioning reported before
        on: {'list.started': {actions: ['repeatReport']}},
        invoke: {
          id: taskListId(tool),
          systemId: taskListId(tool),
          src: 'list',
          input: ({context: {session, environment, userId, ref}, self}) => ({
            parentRef: self,
            session,
            environment,
            userId,
            ref,
          }),
          onError: onError('list'),
        },
        after: afterCalm('list'),
      },
      broken: {
        ...broken('list'),
        // nothing follows the tasks that it reported
        entry: [{type: 'report', params: {type: 'list.changed', tool, running: 0}}],
      },
      down: down('list'),
    },
  })

const provisioningRegion = (tool: string) =>
  toolSetup.createStateConfig({
    initial: 'running',
    states: {
      running: {
        invoke: {
          id: toolProvisioningId(tool),
          systemId: toolProvisioningId(tool),
          src: 'provisioning',
          input: ({context: {userId, host, ref, provision, environment}, self}) => ({
            parentRef: self,
            environment,
            userId,
            host,
            serviceId: ref.serviceId,
            restored: provision,
          }),
          onError: onError('provisioning'),
        },
        after: afterCalm('provisioning'),
      },
      broken: broken('provisioning'),
      down: down('provisioning'),
    },
  })

/** Opening the tool: its rules, screen and chart are loaded with a deadline, after a failure by the user. */
const formRegion = (tool: string) =>
  toolSetup.createStateConfig({
    initial: 'closed',
    on: {'form.open': {actions: [{type: 'storeUse', params: ({event}) => event}, 'passUses']}},
    states: {
      closed: {
        on: {'form.open': {target: 'running', actions: [{type: 'storeUse', params: ({event}) => event}]}},
      },
      running: {
        initial: 'loading',
        after: afterCalm('form'),
        states: {
          loading: {
            invoke: {
              id: 'loadForm',
              src: 'loadForm',
              input: {tool},
              onDone: {target: 'working'},
              onError: [
                {guard: 'isOffline', target: '#tool.form.offline'},
                {target: '#tool.form.failed', actions: [logLoad('form')]},
              ],
            },
            after: {
              loadDeadline: [
                {guard: 'isOffline', target: '#tool.form.offline'},
                {target: '#tool.form.failed', actions: [logOverdue('form')]},
              ],
            },
          },
          working: {
            entry: [raise({type: 'form.started'})],
            on: {
              'form.started': {actions: ['passUses', 'openList']},
              'form.open': {guard: {type: 'isScreen', params: ({event}) => event}, actions: ['openList']},
              // a restarted list has not been told that the screen is open
              'list.started': {actions: ['openList']},
            },
            invoke: {
              id: formId(tool),
              systemId: formId(tool),
              src: 'form',
              input: ({self}) => ({tool, owner: self}),
              onError: {...onError('form'), target: '#tool.form.broken'},
            },
          },
        },
      },
      offline: {
        // there is no network: the form is loaded when it is back
        on: {
          'connection.restored': {target: 'running'},
          'form.open': {target: 'running', actions: [{type: 'storeUse', params: ({event}) => event}]},
        },
      },
      failed: {
        tags: ['failed'],
        on: {'form.open': {target: 'running', actions: [{type: 'storeUse', params: ({event}) => event}]}},
      },
      broken: broken('form'),
      down: down('form'),
    },
  })

/** The choice of several results; loaded with the first one. */
const selectionRegion = (tool: string) =>
  toolSetup.createStateConfig({
    initial: 'closed',
    states: {
      closed: {
        entry: ['clearChoices'],
        on: {
          'selection.send': {target: 'loading', actions: [{type: 'storeChoice', params: ({event}) => event}]},
        },
      },
      loading: {
        invoke: {
          id: 'loadSelection',
          src: 'loadSelection',
          onDone: {target: 'working'},
          onError: {target: 'closed', actions: [logLoad('selection'), showUnopened]},
        },
        after: {loadDeadline: {target: 'closed', actions: [logOverdue('selection'), showUnopened]}},
        on: {'selection.send': {actions: [{type: 'storeChoice', params: ({event}) => event}]}},
      },
      working: {
        entry: [raise({type: 'selection.started'})],
        invoke: {
          id: selectionId(tool),
          systemId: selectionId(tool),
          src: 'selection',
          input: ({context: {ref}}) => ({ref}),
          onError: {target: 'closed', actions: [logLoad('selection')]},
        },
        on: {
          'selection.started': {actions: ['passChoices']},
          'selection.send': {actions: [{type: 'storeChoice', params: ({event}) => event}, 'passChoices']},
        },
      },
    },
  })

/**
 * One media tool in use: supervises its list of tasks, its set-up, its form and the choice of several results, and
 * passes facts between them. Whether calls can be made is what provisioning reported last, and the list holds it. Owned
 * by `tasks`, not by the screen: leaving it stops nothing. A part that breaks leaves the others alone, is started again
 * at most three times without a calm minute between, and then waits for the user.
 *
 * `form.closed`: the tool only has tasks on their way.
 */
export const createToolMachine = (tool: string) =>
  toolSetup.createMachine({
    id: 'tool',
    context: ({input}) => ({...input, uses: [], choices: [], crashes: {}}),
    type: 'parallel',
    invoke: environmentInvoke,
    on: {
      'task.submit': {actions: [{type: 'passToRequests', params: ({event}) => ({event})}]},
      'provision.ready': {actions: [{type: 'passSetUp', params: ({event}) => event}]},
      'provision.missing': {actions: [{type: 'passSetUp', params: ({event}) => event}]},
      'tasks.named': {actions: [{type: 'nameTasks', params: ({event}) => event}]},
      'credits.bought': {actions: [{type: 'passToProvisioning', params: ({event}) => ({event})}]},
      'token.renewed': {actions: [{type: 'passToProvisioning', params: ({event}) => ({event})}]},
      'balance.check': {actions: ['checkBalance']},
      'list.changed': {actions: [{type: 'report', params: ({event}) => event}]},
      'credits.added': {
        actions: [
          {type: 'passToRequests', params: ({event}) => ({event})},
          {type: 'report', params: ({event}) => event},
        ],
      },
      'credits.listed': {actions: [{type: 'passToRequests', params: ({event}) => ({event})}]},
      'application.applied': {actions: [{type: 'show', params: ({event}) => event}]},
      'application.present': {actions: [{type: 'show', params: ({event}) => event}]},
    },
    states: {
      // before provisioning, which reports at once whether there is a stored credential
      list: listRegion(tool),
      provisioning: provisioningRegion(tool),
      form: formRegion(tool),
      selection: selectionRegion(tool),
    },
  })

export type ToolMachine = ReturnType<typeof createToolMachine>
export type ToolActor = ActorRefFrom<ToolMachine>
export type ToolSnapshot = SnapshotFrom<ToolMachine>
