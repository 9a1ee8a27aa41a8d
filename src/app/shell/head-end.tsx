import {useSelector} from '@xstate/react'
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
 * End of the head: the balance, on phones also the list of tasks. On phones a chat's head belongs to the model picker.
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
    </>
  )
}
