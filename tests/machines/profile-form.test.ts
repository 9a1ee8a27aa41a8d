import {describe, expect, test} from 'vitest'
import {createActor, fromPromise, waitFor} from 'xstate'
import type {User} from '#contract/management.ts'
import type {ProfileChanges} from '#domain/profile.ts'
import {
  profileFormMachine,
  selectCanSaveName,
  selectName,
  type ProfileFormEvent,
} from '#machines/profile-form/profile-form.machine.ts'
import type {ChosenFile} from '#machines/upload/upload.types.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const user: User = {id: 'foo', nickname: 'Foo', avatar: '/foo.png'}
const file: ChosenFile = {id: 'file', name: 'bar.png', type: 'image/png', size: 100}
const events = {
  'name.change': [
    {type: 'name.change', name: 'Bar'},
    {type: 'name.change', name: 'b'.repeat(121)},
    {type: 'name.change', name: ' Foo '},
  ],
  'name.discard': [{type: 'name.discard'}],
  'name.save': [{type: 'name.save'}],
  'avatar.choose': [
    {type: 'avatar.choose', file},
    {type: 'avatar.choose', file: {...file, name: 'bar.svg', type: 'image/svg+xml'}},
  ],
  'avatar.cancel': [{type: 'avatar.cancel'}],
  'avatar.remove': [{type: 'avatar.remove'}],
} satisfies EventFixtures<ProfileFormEvent>
const logic = profileFormMachine.provide({actions: {shareUser: () => {}}})

describe('name and image of a user', () => {
  const {coverage, edges} = describeRules(logic, {
    input: {user},
    events: Object.values(events).flat(),
    outputs: {saveProfile: [user, {id: 'foo'}], uploadAvatar: ['/bar.png']},
    key: ({context: {user: stored, name, avatar, changes, failure}}) => [
      stored.nickname,
      name,
      avatar?.fault?.kind,
      avatar?.failure?.code,
      changes,
      failure?.code,
    ],
  })
  test('every transition is taken', () => expect(coverage.missing(logic)).toEqual([]))
  test('nothing is saved that did not change or is too long', () => {
    const saved = edges
      .filter(
        ({state, event, nextState}) =>
          state.matches('editing') && event.type === 'name.save' && nextState.matches('saving'),
      )
      .map(({nextState}) => nextState.context.changes.nickname)
    // a user without a nickname takes the one that another has already
    expect([...new Set(saved)].sort()).toEqual(['Bar', 'Foo'])
  })
  test('a refused save keeps what was typed', () => {
    const lost = edges.filter(
      ({state, event, nextState}) =>
        event.type === 'xstate.error.actor.saveProfile' && state.context.name !== nextState.context.name,
    )
    expect(lost).toEqual([])
  })
})

const open = (answers: (() => Promise<User>)[]) => {
  const saved: ProfileChanges[] = []
  const shared: User[] = []
  const actor = createActor(
    profileFormMachine.provide({
      actors: {
        saveProfile: fromPromise<User, {changes: ProfileChanges}>(({input: {changes}}) => {
          saved.push(changes)
          return answers[saved.length - 1]?.() ?? Promise.reject(new Error('one call too many'))
        }),
        uploadAvatar: fromPromise<string, {file: ChosenFile | undefined}>(async () => '/bar.png'),
      },
      actions: {shareUser: (_, {user: next}) => void shared.push(next)},
    }),
    {input: {user}},
  ).start()
  return {actor, saved, shared, rested: () => waitFor(actor, (snapshot) => snapshot.matches('editing'))}
}

test('a name is trimmed, saved and shared with the page', async () => {
  const {actor, saved, shared, rested} = open([async () => ({...user, nickname: 'Bar'})])
  actor.send({type: 'name.change', name: ' Bar '})
  actor.send({type: 'name.save'})
  const snapshot = await rested()
  expect([saved, shared, selectName(snapshot), selectCanSaveName(snapshot)]).toEqual([
    [{nickname: 'Bar'}],
    [{...user, nickname: 'Bar'}],
    'Bar',
    false,
  ])
})

test('an image is saved as soon as it is uploaded; a name that was typed meanwhile stays a draft', async () => {
  const {actor, saved, rested} = open([async () => ({...user, avatar: '/bar.png'})])
  actor.send({type: 'avatar.choose', file})
  actor.send({type: 'name.change', name: 'Bar'})
  const snapshot = await rested()
  expect([saved, snapshot.context.user.avatar, selectName(snapshot)]).toEqual([
    [{avatar: '/bar.png'}],
    '/bar.png',
    'Bar',
  ])
})

test('an image is removed by an empty address', async () => {
  const {actor, saved, rested} = open([async () => ({id: 'foo', nickname: 'Foo'})])
  actor.send({type: 'avatar.remove'})
  expect([(await rested()).context.user.avatar, saved]).toEqual([undefined, [{avatar: ''}]])
})
