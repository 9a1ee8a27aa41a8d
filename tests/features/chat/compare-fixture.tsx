import {act, screen} from '@testing-library/react'
import {NEVER} from 'rxjs'
import {createActor} from 'xstate'
import {createCompareLogic} from '#app/chat/compare.ts'
import type {ChatCapability} from '#contract/management.ts'
import type {ModelGroup} from '#contract/models.ts'
import type {ConversationRecord, RecordMessage} from '#domain/conversation.ts'
import {CompareScreen} from '#features/chat/compare/compare-screen.tsx'
import type {FileReference} from '#machines/draft-files/draft-files.types.ts'
import {stopAfterTest} from '#tests/stop-after-test.ts'
import {renderView} from '#tests/ui/render.tsx'
import {InChat, createChat, createChatActors} from './chat-fixture.tsx'

export const answered = (question: string, at: number): RecordMessage[] => [
  {role: 'user', content: question, created_at: at},
  {role: 'assistant', content: 'bar', state: 'finished', model: 'gpt-5-all'},
]

/** The comparison of these conversations. */
export async function showComparison(
  records: ConversationRecord[],
  options: Parameters<typeof createChatActors>[0] & {capabilities?: ChatCapability[]} = {},
  groups: readonly ModelGroup[] = ['chatgpt'],
  chosen: string[] = [],
  references: FileReference[] = [],
) {
  const {actors} = createChatActors({...options, records})
  const {capabilities} = options
  if (capabilities !== undefined) actors.conversations.send({type: 'service.changed', capabilities})
  const {chat} = createChat(actors)
  if (references.length > 0) chat.drafts.write('compare', {text: 'foo?', references})
  const compare = createActor(
    createCompareLogic(actors.conversations, {
      addresses: NEVER,
      showNames: () => undefined,
      times: {load: () => undefined, read: () => undefined, keep: () => undefined},
      now: Date.now,
      log: () => undefined,
    }),
    {
      input: {names: records.map(({key}) => key), models: chosen},
    },
  ).start()
  stopAfterTest(compare)
  await act(async () => {
    renderView(
      <InChat chat={chat}>
        <CompareScreen
          actors={actors}
          compare={compare}
          groups={groups}
          href="/compare"
          lastHref={undefined}
          head={null}
          scrolls={{read: () => undefined, keep: () => undefined, rename: () => undefined}}
          draftKeyOfPage={() => undefined}
          onBegin={() => undefined}
        />
      </InChat>,
    )
  })
  return screen.findByRole<HTMLTextAreaElement>('textbox', {name: 'Message'})
}
