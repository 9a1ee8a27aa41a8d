import {useActor} from '@xstate/react'
import {useEffect, useState} from 'react'
import {fromPromise} from 'xstate'
import type {ChatApi} from '#api/chat.ts'
import {conversation as answerSchema} from '#contract/chat.ts'
import {useChat, type InstructionsDialogProps} from '#features/chat/chat.context.tsx'
import {DeletedElsewhere} from '#features/chat/deleted-elsewhere.tsx'
import {KeptInstructions, NewInstructions} from '#features/chat/instructions-dialog.tsx'
import {forgetTyped} from '#features/chat/use-typed.ts'
import {
  conversationInstructionsMachine,
  type InstructionsWrite,
  type WrittenInstructions,
} from '#machines/conversation-instructions/conversation-instructions.machine.ts'
import {useAppInfo} from '../app-info.tsx'

type Api = Pick<ChatApi, 'retrieve' | 'command'>

/** Reads before it writes: the wire has no condition, and what another page wrote is not to be lost unseen. */
export function createInstructionsLogic(chat: Api) {
  const read = async (conversation: string, signal: AbortSignal) =>
    (await chat.retrieve({conversation}, signal)).preset ?? ''
  return conversationInstructionsMachine.provide({
    actors: {
      readInstructions: fromPromise<string, {conversation: string}>(({input, signal}) =>
        read(input.conversation, signal),
      ),
      writeInstructions: fromPromise<WrittenInstructions, InstructionsWrite>(
        async ({input: {conversation, known, text}, signal}) => {
          const theirs = await read(conversation, signal)
          if (theirs !== known && theirs !== text) return {text: theirs, isConflict: true}
          await chat.command(
            answerSchema,
            {action: 'update', id: conversation, preset: text},
            {isLenient: true, signal},
          )
          return {text, isConflict: false}
        },
      ),
    },
  })
}

function KeptInstructionsDialog({conversation, onClose}: {conversation: string; onClose: () => void}) {
  const {services} = useAppInfo()
  const {drafts} = useChat()
  const [logic] = useState(() => createInstructionsLogic(services.chat))
  const [snapshot, send, actor] = useActor(logic, {input: {conversation}})
  useEffect(() => {
    const subscription = actor.subscribe({
      complete: () => {
        forgetTyped({drafts}, conversation)
        onClose()
      },
    })
    return () => subscription.unsubscribe()
  }, [actor, drafts, conversation, onClose])
  return (
    <>
      <DeletedElsewhere conversations={conversation} />
      <KeptInstructions conversation={conversation} snapshot={snapshot} send={send} onClose={onClose} />
    </>
  )
}

/** Shows and changes the instructions for the answers of one conversation. */
export const InstructionsDialog = ({conversation, group, onClose}: InstructionsDialogProps) =>
  conversation === undefined ? (
    <NewInstructions group={group} onClose={onClose} />
  ) : (
    <KeptInstructionsDialog conversation={conversation} onClose={onClose} />
  )
