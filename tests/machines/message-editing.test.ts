import {NEVER} from 'rxjs'
import {describe, expect, test} from 'vitest'
import {createMessageEditingMachine} from '#machines/message-editing/message-editing.machine.ts'
import type {MessageEditingEvent, MessagesChanged} from '#machines/message-editing/message-editing.types.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const message = (...keys: string[]) => ({keys, isQuestion: true, isDrafted: false})
const drafted = (...keys: string[]) => ({...message(...keys), isDrafted: true})
const changed = (...messages: MessagesChanged['messages']): MessagesChanged => ({type: 'messages.changed', messages})

const events = {
  'messages.changed': [
    changed(message('a'), message('b')),
    changed(message('b')),
    changed(message('a2', 'a')),
    changed(message('c'), drafted('a')),
    changed(message('c')),
    changed(message('edit/k/0')),
    changed(),
  ],
  'editor.open': [
    {type: 'editor.open', index: 1, keys: ['b']},
    {type: 'editor.open', index: 0, keys: ['edit/k/0']},
  ],
  'editor.close': [{type: 'editor.close'}],
} satisfies EventFixtures<MessageEditingEvent>

const messagesIn = (event: {type: string}): MessagesChanged['messages'] =>
  events['messages.changed'].find((changed) => changed === event)?.messages ?? []

const machine = createMessageEditingMachine(NEVER)

describe('messageEditing', () => {
  const {edges, states, coverage} = describeRules(machine, {
    user: ['editor.open', 'editor.close'],
    input: {conversation: 'k'},
    events: Object.values(events).flat(),
    endless: ['threadMessages'],
    key: ({context}) => [context],
  })
  const opened = edges.filter(({event}) => event.type === 'messages.changed')

  test('every transition is taken', () => expect(coverage.missing(machine)).toEqual([]))

  test('a message is edited exactly while an editor is open', () => {
    expect(states.filter((state) => state.matches('open') !== (state.context.edited !== undefined))).toEqual([])
  })

  test('a shown editor stands at its message', () => {
    const wrong = opened.filter(({event, nextState}) => {
      if (!nextState.matches({open: 'shown'})) return false
      const {edited} = nextState.context
      return edited === undefined || messagesIn(event)[edited.index]?.keys !== edited.keys
    })
    expect(wrong).toEqual([])
  })

  test('no other message replaces one that is shown, and only words that were left open an editor', () => {
    const ofAnother = opened.filter(({state, nextState}) => {
      const [before, after] = [state.context.edited, nextState.context.edited]
      const isSame = before !== undefined && after?.keys.some((key) => before.keys.includes(key)) === true
      const isNamed = before?.keys[0] === `edit/k/${before?.index}`
      return after !== undefined && after !== before && !isSame && !isNamed
    })
    expect(ofAnother.length).toBeGreaterThan(0)
    expect(
      ofAnother.filter(({state, event, nextState}) => {
        const left = messagesIn(event).find(({keys}) => keys === nextState.context.edited?.keys)
        return left?.isDrafted !== true || left.keys.some((key) => state.context.seen.includes(key))
      }),
    ).toEqual([])
  })

  test('an editor that is not closed stays with its message, shown or hidden', () => {
    const lost = edges.filter(
      ({state, event, nextState}) =>
        state.matches('open') && event.type !== 'editor.close' && !nextState.matches('open'),
    )
    expect(lost).toEqual([])
  })
})
