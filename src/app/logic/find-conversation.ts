import {fromPromise} from 'xstate'
import type {ChatApi} from '#api/chat.ts'
import {toRecord, type ConversationRecord} from '#domain/conversation.ts'

/** The model of a conversation whose model the server does not say. */
export const defaultModel = 'gpt-4o'

/** The port that asks the server for its copy of one conversation, by its id. */
export const findIn = (chat: Pick<ChatApi, 'retrieve'>) => ({
  actors: {
    findConversation: fromPromise<ConversationRecord, {key: string}>(async ({input, signal}) =>
      toRecord(await chat.retrieve({conversation: input.key}, signal), defaultModel),
    ),
  },
})
