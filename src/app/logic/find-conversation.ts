import {fromPromise} from 'xstate'
import type {ChatApi} from '#api/chat.ts'
import {toRecord, type ConversationRecord} from '#domain/conversation.ts'

/** Of a conversation whose model the server does not say. */
export const defaultModel = 'gpt-4o'

/** The server's copy of one conversation, by its id. */
export const findIn = (chat: Pick<ChatApi, 'retrieve'>) =>
  fromPromise<ConversationRecord, {key: string}>(async ({input, signal}) =>
    toRecord(await chat.retrieve({conversation: input.key}, signal), defaultModel),
  )
