import {fireEvent, screen} from '@testing-library/react'
import {lazy} from 'react'
import {expect, test} from 'vitest'
import {AnswerFoot} from '#features/chat/answer-foot.tsx'
import '#ui/overlays/popover-overlay.tsx'
import {renderView} from '#tests/ui/render.tsx'
import {createChat, InChat} from './chat-fixture.tsx'

test('the details show a placeholder for as long as their part loads', async () => {
  const {chat} = createChat(undefined)
  const AnswerDetails = lazy(() => new Promise<never>(() => undefined))
  renderView(
    <InChat chat={{...chat, AnswerDetails}}>
      <AnswerFoot id="m-1" model="GPT-5" at={10} sandbox={false} />
    </InChat>,
  )
  fireEvent.click(screen.getByRole('button', {name: /Details/}))
  const dialog = await screen.findByRole('dialog', {name: 'Details'})
  expect(dialog.querySelectorAll('[aria-hidden]')).toHaveLength(1)
})
