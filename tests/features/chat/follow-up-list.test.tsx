import {fireEvent, screen} from '@testing-library/react'
import {expect, test} from 'vitest'
import {createActor} from 'xstate'
import type {Ask} from '#domain/conversation.ts'
import {FollowUpList} from '#features/chat/follow-up-list.tsx'
import {followUpsMachine} from '#machines/follow-ups/follow-ups.machine.ts'
import {renderView} from '#tests/ui/render.tsx'
import {nobody} from '../../machines/nobody.ts'
import {stopAfterTest} from '../stop-after-test.ts'
import {createChat, InChat} from './chat-fixture.tsx'

const ask = (question: string): Ask => ({question, references: [], key: question})

function showList() {
  const followUps = createActor(followUpsMachine, {
    input: {items: [ask('one'), ask('two'), ask('three')], parentRef: nobody},
  }).start()
  stopAfterTest(followUps)
  const {chat} = createChat(undefined)
  renderView(
    <InChat chat={chat}>
      <FollowUpList followUps={followUps} />
    </InChat>,
  )
  const shown = () => screen.queryAllByRole('group').map((item) => item.getAttribute('aria-label'))
  const press = (name: string, of: number) => {
    const button = screen.getAllByRole('button', {name})[of]
    if (button !== undefined) fireEvent.click(button)
  }
  return {followUps, shown, press}
}

test('removed questions come back one after another, each to its place', () => {
  const {shown, press} = showList()
  press('Remove', 0)
  press('Remove', 0)
  expect(shown()).toEqual(['three'])
  press('Undo', 0)
  expect(shown()).toEqual(['two', 'three'])
  press('Undo', 0)
  expect(shown()).toEqual(['one', 'two', 'three'])
  expect(screen.queryByRole('button', {name: 'Undo'})).toBeNull()
})
