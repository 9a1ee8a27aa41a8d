import type {QuestionContent} from '#domain/conversation.ts'
import type {FileReference} from '#machines/draft-files/draft-files.types.ts'
import {addressName} from './message-view.tsx'

/** The files of a question. `nameless`: what one without a name is called. */
export const referencesOf = (
  {references, sizes}: Omit<QuestionContent, 'question'>,
  nameless: string,
): FileReference[] => references.map((url) => ({url, name: addressName(url) ?? nameless, size: sizes?.[url]}))
