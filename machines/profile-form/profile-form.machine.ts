import {assign, setup, type SnapshotFrom} from 'xstate'
import type {User} from '#contract/management.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import {fileFault, type FileFault} from '#domain/file-rules.ts'
import {imageRule} from '#domain/image-rule.ts'
import {profileLimits, type ProfileChanges} from '#domain/profile.ts'
import {promisePort, unfilledAction} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'
import type {ChosenFile} from '#machines/upload/upload.types.ts'

export type ProfileFormEvent =
  | {type: 'name.change'; name: string}
  | {type: 'name.discard'}
  | {type: 'name.save'}
  | {type: 'avatar.choose'; file: ChosenFile}
  | {type: 'avatar.cancel'}
  | {type: 'avatar.remove'}

type Context = {
  user: User
  /** As it was typed; absent while nothing was. */
  name?: string | undefined
  /** Why the profile could not be saved. */
  failure?: Failure | undefined
  /** The image that is on its way, or why the last one was not taken. */
  avatar?: {file: ChosenFile; fault?: FileFault; failure?: Failure} | undefined
  changes: ProfileChanges
}
type FileChoice = {file: ChosenFile}

/**
 * Name and image of the signed-in user. Owned by the profile page, ends with it. A name is a draft until it is saved;
 * an image is saved as soon as it is uploaded. A refused save keeps the draft.
 */
export const profileFormMachine = setup({
  types: {
    input: {} as {user: User},
    context: {} as Context,
    events: {} as ProfileFormEvent,
  },
  actors: {
    saveProfile: promisePort<User, {changes: ProfileChanges}>('saveProfile'),
    uploadAvatar: promisePort<string, {file: ChosenFile | undefined}>('uploadAvatar'),
  },
  delays: {callDeadline: 20_000, uploadDeadline: 120_000},
  guards: {
    canSave: ({context: {user, name}}) =>
      name !== undefined && name.trim() !== (user.nickname ?? '') && name.trim().length <= profileLimits.name,
    hasAvatar: ({context: {user}}) => user.avatar != null && user.avatar !== '',
    isRefused: (_, {file}: FileChoice) => fileFault(file, imageRule) !== undefined,
  },
  actions: {
    storeName: assign((_, {name}: {name: string}) => ({name})),
    clearName: assign({name: undefined, failure: undefined}),
    takeName: assign(({context: {name}}) => ({
      changes: {nickname: (name ?? '').trim()},
      failure: undefined,
    })),
    takeAvatar: assign((_, {url}: {url: string}) => ({
      changes: {avatar: url},
      avatar: undefined,
      failure: undefined,
    })),
    storeAvatar: assign((_, {file}: FileChoice) => ({avatar: {file}})),
    storeFault: assign((_, {file}: FileChoice) => {
      const fault = fileFault(file, imageRule)
      return {avatar: {file, ...(fault && {fault})}}
    }),
    storeAvatarFailure: assign(({context: {avatar}}, {error}: {error: unknown}) => ({
      avatar: avatar && {...avatar, failure: toFailure(error)},
    })),
    clearAvatar: assign({avatar: undefined}),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
    /** A name that was typed while an image was saved stays a draft. */
    storeUser: assign(({context: {changes, name}}, {output}: {output: User}) => ({
      user: output,
      name: changes.nickname === undefined ? name : undefined,
      changes: {},
    })),
    /** Port: the user as they are now, for the rest of the page. */
    shareUser: (_, _saved: {user: User}) => unfilledAction('shareUser'),
  },
}).createMachine({
  id: 'profileForm',
  context: ({input}) => ({...input, changes: {}}),
  initial: 'editing',
  states: {
    editing: {
      on: {
        'name.change': {actions: [{type: 'storeName', params: ({event}) => event}]},
        'name.discard': {actions: ['clearName']},
        'name.save': {guard: 'canSave', target: 'saving', actions: ['takeName']},
        'avatar.choose': [
          {
            guard: {type: 'isRefused', params: ({event}) => event},
            actions: [{type: 'storeFault', params: ({event}) => event}],
          },
          {target: 'uploading', actions: [{type: 'storeAvatar', params: ({event}) => event}]},
        ],
        'avatar.remove': {
          guard: 'hasAvatar',
          target: 'saving',
          actions: [{type: 'takeAvatar', params: {url: ''}}],
        },
      },
    },
    uploading: {
      invoke: {
        id: 'uploadAvatar',
        src: 'uploadAvatar',
        input: ({context: {avatar}}) => ({file: avatar?.file}),
        onDone: {target: 'saving', actions: [{type: 'takeAvatar', params: ({event}) => ({url: event.output})}]},
        onError: {target: 'editing', actions: [{type: 'storeAvatarFailure', params: ({event}) => event}]},
      },
      after: {uploadDeadline: {target: 'editing', actions: [{type: 'storeAvatarFailure', params: timeout}]}},
      on: {
        'name.change': {actions: [{type: 'storeName', params: ({event}) => event}]},
        'avatar.cancel': {target: 'editing', actions: ['clearAvatar']},
      },
    },
    saving: {
      invoke: {
        id: 'saveProfile',
        src: 'saveProfile',
        input: ({context: {changes}}) => ({changes}),
        onDone: {
          target: 'editing',
          actions: [
            {type: 'storeUser', params: ({event}) => event},
            {type: 'shareUser', params: ({event}) => ({user: event.output})},
          ],
        },
        onError: {target: 'editing', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'editing', actions: [{type: 'storeFailure', params: timeout}]}},
    },
  },
})

export type ProfileFormSnapshot = SnapshotFrom<typeof profileFormMachine>

/** The typed name is not the saved one. */
export const selectIsNameChanged = ({context: {name, user}}: ProfileFormSnapshot) =>
  name !== undefined && name !== (user.nickname ?? '')
/** The name to show in its field. */
export const selectName = ({context: {name, user}}: ProfileFormSnapshot) => name ?? user.nickname ?? ''
export const selectCanSaveName = (snapshot: ProfileFormSnapshot) => snapshot.can({type: 'name.save'})
