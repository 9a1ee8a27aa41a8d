import {useSelector} from '@xstate/react'
import {HeadTools} from '#features/chat/chat-head.tsx'
import {phone, useMediaQuery} from '#ui/use-media-query.ts'
import {useAppInfo} from '../app-info.tsx'
import {useSessionActor} from '../actors.context.tsx'
import {Credits} from './credits.tsx'
import {TaskTrayButton} from './task-tray-button.tsx'

type HeadEndProps = {
  isChat: boolean
  /** Media tool of the page, whose balance is shown. */
  tool: string | undefined
}

/**
 * End of the head: the balance, after it the menu of a chat; on phones the list of tasks instead, as the head of a chat
 * belongs to the model picker there.
 */
export function HeadEnd({isChat, tool}: HeadEndProps) {
  const {media} = useAppInfo()
  const chat = useSessionActor('provisioning/chat')
  const tasks = useSessionActor('tasks')
  const actor = useSelector(tasks, () => (tool === undefined ? undefined : media.tool(tool)))
  const ofTool = useSelector(actor, () => (tool === undefined ? undefined : media.provisioning(tool)))
  const provisioning = ofTool ?? chat
  const isPhone = useMediaQuery(phone)
  return (
    <>
      {isPhone && <TaskTrayButton isSmall hidesEmpty={isChat} />}
      {provisioning !== undefined && !(isChat && isPhone) && <Credits provisioning={provisioning} />}
      {isChat && !isPhone && <HeadTools />}
    </>
  )
}
