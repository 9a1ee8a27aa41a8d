import {screen} from '@testing-library/react'
import {vi} from 'vitest'
import {Composer, type ComposerProps} from '#features/chat/composer.tsx'
import {offeredModels} from '#features/chat/model-catalogue.ts'
import type {SendFile} from '#features/chat/attachment.ts'
import {renderView} from '#tests/ui/render.tsx'
import {createFiles} from './chat-files-fixture.ts'
import {createChat, InChat} from './chat-fixture.tsx'

export const models = offeredModels('chatgpt', [
  {name: 'gpt-5-all', group: 'chatgpt', provider: 'p', isFileSupported: true, isImageSupported: true},
  {name: 'gpt-4o', group: 'chatgpt', provider: 'p', isImageSupported: true},
  {name: 'foo', group: 'chatgpt', provider: 'p'},
  {
    ...{name: 'short', label: 'Short', group: 'chatgpt', provider: 'p', isFileSupported: true, isImageSupported: true},
    ...{longestText: 1_000, mostFileBytes: 3_000},
  },
])
/** One of them. */
export const modelNamed = (name: string) => models.find((model) => model.name === name)

/** The composer on ports of the test. */
export function showComposer({
  upload,
  largestFile,
  ...given
}: Partial<ComposerProps> & {upload?: SendFile; largestFile?: number} = {}) {
  const uploaded = upload ?? vi.fn<SendFile>(async (file) => ({url: `https://hub.example/${file.name}`}))
  const {chat} = createChat(undefined)
  const {files} = createFiles(uploaded, chat.drafts, largestFile)
  chat.drafts.write('foo', given.draft)
  const props = {
    busy: false,
    canStop: false,
    canSend: true,
    isFirst: false,
    model: modelNamed('gpt-5-all'),
    models,
    draftKey: 'foo',
    draft: undefined,
    files,
    onDraft: vi.fn(),
    onSend: vi.fn(() => true),
    onStop: vi.fn(),
    onEditLast: vi.fn(),
    onChooseModel: vi.fn(),
    ...given,
  } satisfies ComposerProps
  const inChat = (next: ComposerProps) => (
    <InChat chat={chat}>
      <Composer {...next} />
    </InChat>
  )
  const view = renderView(inChat(props))
  return {
    props,
    view,
    inChat,
    upload: uploaded,
    field: screen.getByRole<HTMLTextAreaElement>('textbox', {name: 'Message'}),
  }
}
